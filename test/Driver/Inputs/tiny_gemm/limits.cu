// Host code that does not end (with two rows) or that tries what a sandbox
// forbids (with five), and says what it could do.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <netinet/in.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <unistd.h>

static volatile bool forever = true;

static void run(tvm::ffi::TensorView a, tvm::ffi::TensorView b,
                tvm::ffi::TensorView c) {
  if (a.size(0) == 2)
    while (forever) {
    }
  std::string done;
  for (const char *path : {"/tmp/ptxbench-limits", "/var/tmp/ptxbench-limits"})
    if (FILE *file = std::fopen(path, "w")) {
      std::fclose(file);
      done += std::string(" write ") + path;
    }
  if (FILE *file = std::fopen("in-the-folder", "w"))
    std::fclose(file);
  else
    done += " nothing to write to";
  if (std::malloc(size_t(64) << 30))
    done += " memory";
  if (std::getenv("PTXBENCH_TEST_SECRET"))
    done += " secret";
  // Connecting a datagram socket asks for a route and sends nothing.
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(9);
  address.sin_addr.s_addr = htonl(0x08080808);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  if (fd >= 0 &&
      connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof(address)) == 0)
    done += " network";
  // Of bubblewrap's own process in the sandbox, which a kernel with Landlock
  // keeps from the worker.
  constexpr long createRuleset = 444;
  bool hasLandlock = syscall(createRuleset, nullptr, 0, 1) > 0;
  if (hasLandlock && open("/proc/1/mem", O_RDWR) >= 0)
    done += " memory of another process";
  TVM_FFI_THROW(RuntimeError) << "could do:" << (done.empty() ? " nothing" : done);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
