# The one CMake wrapper module: how a library, a tool, a generated file and a
# unit test of this project are made.
#
# Tools link LLVM and MLIR statically. Debian's packages let every MLIR library
# name the shared `LLVM` (and some the shared `MLIR`) as what it needs, which
# costs 0.1 s at each start and ties a tool to the machine it was built on; so
# those names are replaced by static component libraries here, once.

separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")

llvm_map_components_to_libnames(PTXBENCH_LLVM_LIBS
  Core Support BitReader BitWriter IRReader AsmParser Analysis TransformUtils
  Remarks TargetParser BinaryFormat)

foreach(target IN LISTS MLIR_EXPORTED_TARGETS)
  if(NOT TARGET ${target})
    continue()
  endif()
  get_target_property(libs ${target} INTERFACE_LINK_LIBRARIES)
  if(NOT libs)
    continue()
  endif()
  set(staticLibs)
  foreach(lib IN LISTS libs)
    if(lib STREQUAL "LLVM" OR lib MATCHES "LINK_ONLY:LLVM>")
      list(APPEND staticLibs ${PTXBENCH_LLVM_LIBS})
    elseif(NOT lib STREQUAL "MLIR" AND NOT lib MATCHES "LINK_ONLY:MLIR>")
      list(APPEND staticLibs ${lib})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES
                        INTERFACE_LINK_LIBRARIES "${staticLibs}")
endforeach()

set(PTXBENCH_WARNINGS -Wall -Wextra -Wno-unused-parameter
    -Wno-missing-field-initializers -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(PTXBENCH_WARNINGS -Wall -Wextra -Wno-unused-parameter
      -Wno-missing-field-initializers)
endif()

function(_ptxbench_compile_options name)
  target_compile_options(${name} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:${PTXBENCH_WARNINGS}>
    -fno-exceptions -ffunction-sections -fdata-sections)
endfunction()

# add_ptxbench_library(NAME source...
#   [LLVM_COMPONENTS component...] [MLIR_LIBS target...]
#   [LINK_LIBS library...] [DEPENDS target...])
function(add_ptxbench_library name)
  cmake_parse_arguments(ARG "" "" "LLVM_COMPONENTS;MLIR_LIBS;LINK_LIBS;DEPENDS"
                        ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  _ptxbench_compile_options(${name})
  if(ARG_LLVM_COMPONENTS)
    llvm_map_components_to_libnames(llvmLibs ${ARG_LLVM_COMPONENTS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} ${ARG_MLIR_LIBS}
                        ${llvmLibs})
  set_property(TARGET ${name} PROPERTY PTXBENCH_LINK_LIBS ${ARG_LINK_LIBS})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# add_ptxbench_interface_library(NAME LINK_LIBS library...)
# A name for several libraries.
function(add_ptxbench_interface_library name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_library(${name} INTERFACE)
  target_link_libraries(${name} INTERFACE ${ARG_LINK_LIBS})
  set_property(TARGET ${name} PROPERTY PTXBENCH_LINK_LIBS ${ARG_LINK_LIBS})
endfunction()

# ptxbench_collect_libraries(VARIABLE library...)
# These libraries of ours and all that they link, users before what they use.
function(ptxbench_collect_libraries variable)
  set(collected)
  set(open ${ARGN})
  while(open)
    list(POP_FRONT open library)
    # Once more, behind the one that was found just now.
    list(REMOVE_ITEM collected ${library})
    list(APPEND collected ${library})
    get_target_property(libs ${library} PTXBENCH_LINK_LIBS)
    if(libs)
      list(APPEND open ${libs})
    endif()
  endwhile()
  set(${variable} ${collected} PARENT_SCOPE)
endfunction()

# add_ptxbench_plugin(NAME source... EXPORTS map LINK_LIBS library...)
# A shared library that a program which is linked with libMLIR and libLLVM loads:
# our libraries as they are, and the MLIR and LLVM that are in that program.
function(add_ptxbench_plugin name)
  cmake_parse_arguments(ARG "" "EXPORTS" "LINK_LIBS" ${ARGN})
  add_library(${name} MODULE ${ARG_UNPARSED_ARGUMENTS})
  _ptxbench_compile_options(${name})
  # As files: as targets they would bring the static libraries of MLIR.
  ptxbench_collect_libraries(libraries ${ARG_LINK_LIBS})
  foreach(library IN LISTS libraries)
    get_target_property(type ${library} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      target_link_libraries(${name} PRIVATE $<TARGET_FILE:${library}>)
    endif()
    add_dependencies(${name} ${library})
  endforeach()
  set(map "${CMAKE_CURRENT_SOURCE_DIR}/${ARG_EXPORTS}")
  target_link_libraries(${name} PRIVATE
    $<TARGET_FILE:MLIR> $<TARGET_FILE:LLVM> ${CMAKE_DL_LIBS})
  target_link_options(${name} PRIVATE
    -Wl,--no-undefined -Wl,--gc-sections -Wl,--version-script=${map})
  set_target_properties(${name} PROPERTIES
    PREFIX ""
    LINK_DEPENDS "${map}"
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
endfunction()

# add_ptxbench_tool(NAME source... [LINK_LIBS library...] [MLIR_LIBS target...])
function(add_ptxbench_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS;MLIR_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  _ptxbench_compile_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} ${ARG_MLIR_LIBS})
  target_link_options(${name} PRIVATE -Wl,--gc-sections)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
endfunction()

# add_ptxbench_unittest(NAME source... LINK_LIBS library...)
# Skipped where GoogleTest is missing; lit finds the binaries in test/Unit.
function(add_ptxbench_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS;MLIR_LIBS" ${ARGN})
  if(NOT GTest_FOUND)
    return()
  endif()
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  _ptxbench_compile_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} ${ARG_MLIR_LIBS}
                        GTest::gtest GTest::gtest_main)
  target_link_options(${name} PRIVATE -Wl,--gc-sections)
  add_dependencies(PTXBenchUnitTests ${name})
endfunction()
