# Terrace for find_package: the target Terrace::Terrace has the C interface, with MLIR and LLVM as shared libraries behind it.
include(CMakeFindDependencyMacro)
find_dependency(MLIR @LLVM@ CONFIG)

get_filename_component(TERRACE_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
# What terrace-opt, terrace-run and their like are, and the plugin for mlir-opt.
set(TERRACE_TOOLS_DIR "${TERRACE_PREFIX}/bin")
set(TERRACE_PLUGIN "${TERRACE_PREFIX}/lib/libterrace_plugin.so")

if(NOT TARGET Terrace::Terrace)
  add_library(Terrace::Terrace SHARED IMPORTED)
  set_target_properties(Terrace::Terrace PROPERTIES
    IMPORTED_LOCATION "${TERRACE_PREFIX}/lib/libterrace_c.so"
    IMPORTED_NO_SONAME TRUE
    INTERFACE_INCLUDE_DIRECTORIES "${TERRACE_PREFIX}/include;${MLIR_INCLUDE_DIRS};${LLVM_INCLUDE_DIRS}"
    # libMLIR.so was built without assertions, and has to be in the process once. MLIR's own C interface is in archives, which are named by
    # their files: as targets they would bring the rest of MLIR along, statically.
    INTERFACE_COMPILE_DEFINITIONS NDEBUG
    INTERFACE_LINK_LIBRARIES
      "${LLVM_LIBRARY_DIR}/libMLIRCAPIRegisterEverything.a;${LLVM_LIBRARY_DIR}/libMLIRCAPIIR.a;MLIR;LLVM;stdc++")
endif()
