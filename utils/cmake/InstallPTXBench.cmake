# What `cmake --install` puts where, and the CMake package in it:
#
#   bin/                       the tools
#   lib/                       the static libraries, the plugin, and in emulator/
#                              what the runner gives candidates for CUDA
#   include/ptxbench/          headers, and those that are generated
#   lib/cmake/PTXBench/        PTXBenchConfig.cmake
#   share/ptxbench-mlir/       tasks/
#   share/doc/ptxbench-mlir/   docs/, the license
#
# Public are the libraries below and all that they use, and the headers of their
# folders. What stands above them (tasks, running, the driver) is of the tools
# alone.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(packageDir "${CMAKE_INSTALL_LIBDIR}/cmake/PTXBench")
set(publicFolders Analysis Conversion CrossCheck Dialect Emulator ISA Pipelines
    Report Support Target Trace)
ptxbench_collect_libraries(publicLibraries
  PTXBenchInitAll PTXBenchPTXRoundTrip PTXBenchReport PTXBenchCrossCheck
  PTXBenchSASS PTXBenchEmulator)

# As PTXBench::Analysis. LLVM's static libraries are what our tools link; a
# project that uses the package links what its MLIR does, Debian's the shared
# libLLVM. With both, a program would have two of it: targets that are registered
# in the one and looked up in the other. Not every name of a static library goes
# on in upper case (LLVMipo).
set(exported)
foreach(library IN LISTS publicLibraries)
  string(REGEX REPLACE "^PTXBench" "" exportName ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${exportName})
  list(APPEND exported PTXBench::${exportName})
  target_compile_features(${library} INTERFACE cxx_std_17)
  target_include_directories(${library} INTERFACE
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  get_target_property(libs ${library} INTERFACE_LINK_LIBRARIES)
  set(interface)
  foreach(lib IN LISTS libs)
    if(lib MATCHES "^LLVM.")
      list(APPEND interface "$<BUILD_INTERFACE:${lib}>"
           "$<INSTALL_INTERFACE:LLVM>")
    elseif(lib)
      list(APPEND interface "${lib}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES interface)
  set_target_properties(${library} PROPERTIES
                        INTERFACE_LINK_LIBRARIES "${interface}")
endforeach()
install(TARGETS ${publicLibraries} EXPORT PTXBenchTargets)
install(EXPORT PTXBenchTargets NAMESPACE PTXBench:: DESTINATION ${packageDir})

foreach(folder IN LISTS publicFolders)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/ptxbench/${folder}"
                    "${PROJECT_BINARY_DIR}/include/ptxbench/${folder}"
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/ptxbench"
          OPTIONAL
          FILES_MATCHING PATTERN "*.h" PATTERN "*.h.inc" PATTERN "Opcodes.inc"
          PATTERN "InstructionOps.inc"
          PATTERN "CMakeFiles" EXCLUDE)
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/include/ptxbench/InitAll.h"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/ptxbench")

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/utils/cmake/PTXBenchConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/PTXBenchConfig.cmake"
  INSTALL_DESTINATION ${packageDir})
# Before 1.0 a new minor version may change what is public.
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/PTXBenchConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/PTXBenchConfig.cmake"
              "${PROJECT_BINARY_DIR}/PTXBenchConfigVersion.cmake"
        DESTINATION ${packageDir})

foreach(tool mlir-ptxbench-runner ptxbench-host ptxbench-lsp-server
        ptxbench-opt ptxbench-reference ptxbench-translate)
  if(TARGET ${tool})
    install(TARGETS ${tool})
  endif()
endforeach()
if(TARGET ptxbench-plugin)
  install(TARGETS ptxbench-plugin DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
# Where the runner looks for it, seen from its own folder.
if(TARGET ptxbench_cudart)
  install(DIRECTORY "${PROJECT_BINARY_DIR}/lib/emulator" DESTINATION lib
          USE_SOURCE_PERMISSIONS)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/tasks"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/ptxbench-mlir")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/ptxbench-mlir")
install(FILES "${PROJECT_BINARY_DIR}/docs/Dialect.md"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/ptxbench-mlir")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/ptxbench-mlir")
