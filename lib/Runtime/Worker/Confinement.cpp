//===- Confinement.cpp - What a worker gives up ---------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The wall from inside: limits of resources, rights of the superuser, and a
// filter of system calls. A filter sees the number of a call and its arguments,
// not what they point to; a call that would be one thing or another by that is
// denied as a whole.
//
//===----------------------------------------------------------------------===//

#include "Sandbox.h"
#include "ptxbench/Support/Subprocess.h"

#include "llvm/ADT/ArrayRef.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;
using namespace ptxbench;

static Error systemError(const char *what) {
  return createStringError(std::error_code(errno, std::generic_category()),
                           "%s: %s", what, std::strerror(errno));
}

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

/// Sets a limit that cannot be raised again.
template <typename Resource>
static void limit(Resource resource, uint64_t value) {
  struct rlimit now;
  if (getrlimit(resource, &now) != 0)
    return;
  rlim_t wanted = rlim_t(value);
  if (now.rlim_max != RLIM_INFINITY && wanted > now.rlim_max)
    wanted = now.rlim_max;
  now.rlim_cur = now.rlim_max = wanted;
  setrlimit(resource, &now);
}

void ptxbench::limitResources(uint64_t addressBytes, uint64_t fileBytes) {
  if (canLimitAddresses)
    limit(RLIMIT_AS, addressBytes);
  limit(RLIMIT_FSIZE, fileBytes);
  limit(RLIMIT_CORE, 0);
}

void ptxbench::limitDeviceProcess(uint64_t dataBytes, uint64_t fileBytes) {
  limit(RLIMIT_DATA, dataBytes);
  limit(RLIMIT_FSIZE, fileBytes);
  limit(RLIMIT_CORE, 0);
}

//===----------------------------------------------------------------------===//
// Rights
//===----------------------------------------------------------------------===//

Error ptxbench::dropRights(bool keepCounters) {
#ifdef CAP_PERFMON
  constexpr unsigned perfmon = CAP_PERFMON;
#else
  constexpr unsigned perfmon = 38;
#endif
  auto isKept = [&](unsigned right) {
    return keepCounters && (right == CAP_SYS_ADMIN || right == perfmon);
  };
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[2] = {};
  if (::syscall(SYS_capget, &header, sets) != 0)
    return systemError("cannot ask for the rights of this process");
  // What a program that is started could have. That needs a right of its own;
  // a process without it has no right to lose, or cannot start a program.
  for (unsigned right = 0; right < 64; ++right)
    if (!isKept(right))
      ::prctl(PR_CAPBSET_DROP, right, 0, 0, 0);
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (unsigned right = 0; right < 64; ++right) {
    __user_cap_data_struct &set = sets[right / 32];
    uint32_t bit = uint32_t(1) << (right % 32);
    set.inheritable &= ~bit;
    if (isKept(right))
      continue;
    set.permitted &= ~bit;
    set.effective &= ~bit;
  }
  if (::syscall(SYS_capset, &header, sets) != 0)
    return systemError("cannot give up the rights of the superuser");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Memory of other processes
//===----------------------------------------------------------------------===//

Error ptxbench::leaveOtherMemory() {
  // A domain of Landlock does so beside what it is asked for, which has to be
  // something (Linux, Documentation/userspace-api/landlock.rst, "Ptrace
  // restrictions").
  landlock_ruleset_attr rules = {};
  rules.handled_access_fs =
      LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK;
  long file = ::syscall(SYS_landlock_create_ruleset, &rules,
                        sizeof(rules.handled_access_fs), 0);
  if (file < 0)
    // A container's filter of calls that it does not know says EPERM.
    return errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM
               ? Error::success()
               : systemError("cannot make a domain of Landlock");
  long failed = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (!failed)
    failed = ::syscall(SYS_landlock_restrict_self, file, 0);
  Error error = failed ? systemError("cannot enter a domain of Landlock")
                       : Error::success();
  ::close(int(file));
  return error;
}

//===----------------------------------------------------------------------===//
// System calls
//===----------------------------------------------------------------------===//

static constexpr unsigned deniedCalls[] = {
// Other processes, and what is like them.
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
#endif
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_pidfd_open,
    SYS_pidfd_getfd,
    SYS_pidfd_send_signal,
    SYS_tkill,
    SYS_kcmp,
    SYS_socket,
    SYS_socketpair,
    // What is mounted, by the older calls and by the newer.
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_setns,
    SYS_unshare,
    SYS_open_by_handle_at,
    428, // open_tree
    429, // move_mount
    430, // fsopen
    431, // fsconfig
    432, // fsmount
    433, // fspick
    442, // mount_setattr
    467, // open_tree_attr
    // The machine.
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_acct,
    SYS_quotactl,
    443, // quotactl_fd
    SYS_syslog,
    SYS_vhangup,
    SYS_fanotify_init,
#ifdef SYS_iopl
    SYS_iopl,
    SYS_ioperm,
#endif
    // The nodes of devices belong to whoever runs this, rights or none.
    SYS_fchmod,
    SYS_fchmodat,
    452, // fchmodat2
    SYS_fchown,
    SYS_fchownat,
#ifdef SYS_chmod
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
#endif
    // Parts of the kernel with much to attack.
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_io_uring_setup,
};

/// Commands of ioctl: typing into a terminal, and taking one; stopping a file
/// system.
static constexpr uint32_t deniedCommands[] = {
    TIOCSTI,  0x541C /*TIOCLINUX*/,
    TIOCCONS, TIOCSCTTY,
    TIOCSETD, FIFREEZE,
    FITHAW,   FITRIM,
};

#if defined(__x86_64__)
static constexpr uint32_t thisArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
static constexpr uint32_t thisArchitecture = AUDIT_ARCH_AARCH64;
#endif

#if defined(__x86_64__) || defined(__aarch64__)
namespace {

/// The instructions of a filter.
class Filter {
public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    // The calls of another architecture have other numbers.
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, thisArchitecture, 1, 0));
    refuse(EPERM);
    load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
    constexpr uint32_t x32Bit = 0x40000000;
    add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, x32Bit, 0, 1));
    refuse(EPERM);
#endif
  }

  void deny(unsigned call, int code = EPERM) {
    unlessEqual(call, 1);
    refuse(code);
  }

  /// Denies a call for some values of the bits of a mask in an argument. The
  /// kernel looks at the lower half of each, too.
  void denyFor(unsigned call, unsigned argument, ArrayRef<uint32_t> values,
               uint32_t mask = ~0u) {
    unlessEqual(call, uint8_t(3 + 2 * values.size()));
    loadArgument(argument, mask);
    for (uint32_t value : values)
      deny(value);
    allow();
  }

  /// Allows a call for some values of an argument only.
  void allowFor(unsigned call, unsigned argument, ArrayRef<uint32_t> values) {
    unlessEqual(call, uint8_t(3 + 2 * values.size()));
    loadArgument(argument, ~0u);
    for (uint32_t value : values) {
      unlessEqual(value, 1);
      allow();
    }
    refuse(EPERM);
  }

  /// Allows a call if one of some bits of an argument is set.
  void allowWith(unsigned call, unsigned argument, uint32_t bits) {
    unlessEqual(call, 5);
    loadArgument(argument, ~0u);
    add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0));
    refuse(EPERM);
    allow();
  }

  /// For all threads, and for ever.
  Error install() {
    allow();
    sock_fprog program = {static_cast<unsigned short>(code.size()),
                          code.data()};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                  SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
      return systemError("cannot give up system calls");
    return Error::success();
  }

private:
  void add(sock_filter instruction) { code.push_back(instruction); }
  void load(size_t offset) {
    add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, uint32_t(offset)));
  }
  /// Two instructions.
  void loadArgument(unsigned argument, uint32_t mask) {
    load(offsetof(seccomp_data, args) + 8 * argument);
    add(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask));
  }
  /// Skips `count` instructions unless the loaded word is `value`.
  void unlessEqual(uint32_t value, uint8_t count) {
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count));
  }
  void refuse(int number) {
    add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | uint32_t(number)));
  }
  void allow() { add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)); }

  std::vector<sock_filter> code;
};

} // namespace
#endif

Error ptxbench::denySystemCalls() {
#if defined(__x86_64__) || defined(__aarch64__)
  Filter filter;
  filter.denyFor(SYS_ioctl, 1, deniedCommands);
  for (unsigned call : deniedCalls)
    filter.deny(call);
    // Devices; a pipe with a name is one's own business.
#ifdef SYS_mknod
  filter.denyFor(SYS_mknod, 1, {S_IFCHR, S_IFBLK}, S_IFMT);
#endif
  filter.denyFor(SYS_mknodat, 2, {S_IFCHR, S_IFBLK}, S_IFMT);
  // Signals and limits are for oneself.
  auto self = uint32_t(::getpid());
  for (unsigned call :
       {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo})
    filter.allowFor(call, 0, {self});
  filter.allowFor(SYS_prlimit64, 0, {0, self});
  // Who ends with its parent goes on doing so.
  filter.denyFor(SYS_prctl, 0, {PR_SET_PDEATHSIG});
  // Its flags are in memory, which a filter cannot read: the C library falls
  // back to the older call.
  filter.deny(SYS_clone3, ENOSYS);
  // Threads, but no processes.
  filter.allowWith(SYS_clone, 0, CLONE_THREAD);
  return filter.install();
#else
  return createStringError(inconvertibleErrorCode(),
                           "system calls cannot be given up on this processor");
#endif
}
