# Writes EmulatedCudaNames.inc from the headers of the CUDA toolkit at hand:
# every function that they declare, the numbers of errors and attributes. What
# is compiled from it is as wide as that toolkit.

# ptxbench_write_cuda_names(FOLDER OUTPUT): FOLDER holds cuda.h.
function(ptxbench_write_cuda_names folder output)
  set(lines)
  set(functions)

  # Functions of the runtime. The variants for per-thread default streams have
  # names of their own.
  file(READ "${folder}/cuda_runtime_api.h" text)
  set(all "${text}")
  foreach(header cuda_egl_interop.h cuda_gl_interop.h cuda_vdpau_interop.h
                 cuda_profiler_api.h)
    if(EXISTS "${folder}/${header}")
      file(READ "${folder}/${header}" more)
      string(APPEND all "${more}")
    endif()
  endforeach()
  string(REGEX MATCHALL "CUDARTAPI(_CDECL)?[ \n\t]+cuda[A-Za-z0-9_]+[ \n\t]*\\("
         matches "${all}")
  foreach(match IN LISTS matches)
    string(REGEX REPLACE ".*[ \n\t](cuda[A-Za-z0-9_]+)[ \n\t]*\\($" "\\1" name
           "${match}")
    list(APPEND functions ${name})
  endforeach()
  string(REGEX MATCHALL "__CUDART_API_PT[DS][SZ]\\(cuda[A-Za-z0-9_]+\\)" matches
         "${text}")
  set(forwards __cudaLaunchKernel_ptsz=__cudaLaunchKernel)
  foreach(match IN LISTS matches)
    string(REGEX REPLACE ".*\\((.*)\\)" "\\1" name "${match}")
    if(match MATCHES "PTDS")
      list(APPEND forwards ${name}_ptds=${name})
    else()
      list(APPEND forwards ${name}_ptsz=${name})
    endif()
  endforeach()

  # Functions of the driver: macros say which version a name stands for.
  file(READ "${folder}/cuda.h" text)
  string(REGEX MATCHALL "CUDAAPI[ \n\t]+cu[A-Z][A-Za-z0-9_]+[ \n\t]*\\(" matches
         "${text}")
  set(driver)
  foreach(match IN LISTS matches)
    string(REGEX REPLACE ".*[ \n\t](cu[A-Z][A-Za-z0-9_]+)[ \n\t]*\\($" "\\1"
           name "${match}")
    list(APPEND driver ${name})
  endforeach()
  string(REGEX MATCHALL
         "define cu[A-Z][A-Za-z0-9_]+ +(__CUDA_API_PT[DS][SZ]\\()?cu[A-Z][A-Za-z0-9_]+"
         matches "${text}")
  foreach(match IN LISTS matches)
    string(REGEX REPLACE "^define (cu[A-Za-z0-9_]+) .*" "\\1" plain "${match}")
    string(REGEX REPLACE ".*[ (](cu[A-Za-z0-9_]+)$" "\\1" versioned "${match}")
    list(REMOVE_ITEM driver ${plain})
    list(APPEND driver ${versioned})
    if(match MATCHES "PTDS")
      list(APPEND forwards ${versioned}_ptds=${versioned})
    elseif(match MATCHES "PTSZ")
      list(APPEND forwards ${versioned}_ptsz=${versioned})
    endif()
  endforeach()
  list(APPEND functions ${driver})
  list(APPEND functions __cudaGetProcAddress __cudaRegisterUnifiedTable)
  list(REMOVE_DUPLICATES functions)
  list(REMOVE_DUPLICATES forwards)
  foreach(name IN LISTS functions)
    string(APPEND lines "CUDA_FUNCTION(${name})\n")
  endforeach()
  foreach(pair IN LISTS forwards)
    string(REPLACE "=" ";" pair "${pair}")
    list(GET pair 0 name)
    list(GET pair 1 target)
    # Two of the forwards may be functions that are declared by name.
    if(NOT name IN_LIST functions)
      string(APPEND lines "CUDA_FORWARD(${name}, ${target})\n")
    endif()
  endforeach()

  # Enumerations.
  string(REGEX MATCHALL "CUDA_(SUCCESS|ERROR_[A-Z0-9_]+) *= *[0-9]+" matches
         "${text}")
  foreach(match IN LISTS matches)
    string(REGEX REPLACE " *= *" ", " match "${match}")
    string(APPEND lines "CUDA_DRIVER_ERROR(${match})\n")
  endforeach()
  file(READ "${folder}/driver_types.h" text)
  string(REGEX MATCHALL "cuda(Success|Error[A-Z][A-Za-z0-9]*) *= *[0-9]+"
         matches "${text}")
  foreach(match IN LISTS matches)
    string(REGEX REPLACE " *= *" ", " match "${match}")
    string(APPEND lines "CUDA_ERROR(${match})\n")
  endforeach()
  string(REGEX MATCHALL "cudaDevAttr[A-Z][A-Za-z0-9]* *= *[0-9]+" matches
         "${text}")
  foreach(match IN LISTS matches)
    string(REGEX REPLACE "cudaDevAttr(.*[^ ]) *= *([0-9]+)" "\\1, \\2" match
           "${match}")
    string(APPEND lines "CUDA_ATTRIBUTE(${match})\n")
  endforeach()

  set(head "// Written at configuration from the headers of CUDA.\n")
  set(tail)
  foreach(macro CUDA_FUNCTION CUDA_FORWARD CUDA_ERROR CUDA_DRIVER_ERROR
                CUDA_ATTRIBUTE)
    string(APPEND head "#ifndef ${macro}\n#define ${macro}(...)\n#endif\n")
    string(APPEND tail "#undef ${macro}\n")
  endforeach()
  file(CONFIGURE OUTPUT "${output}" CONTENT "${head}${lines}${tail}" @ONLY)
endfunction()
