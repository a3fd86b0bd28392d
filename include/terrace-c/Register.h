//===- terrace-c/Register.h - Terrace inside of another compiler ------------------------------------------------===//
//
// Puts Terrace's dialects, passes and pipelines beside those of a compiler that has its own context and its own main. Link
// libterrace_c.so and the libMLIR.so (22.1) that the compiler itself uses.
//
// There must be one copy of MLIR in the process, and one of Terrace: neither does a compiler that has MLIR linked in statically fit
// nor does the plugin for mlir-opt beside this library. Each function looks for a second copy first; where there is one it registers
// nothing, says so on standard error, and fails.
//
// Each may be called more than once, and from several threads, but for a registry or context that another thread is at work in.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_C_REGISTER_H
#define TERRACE_C_REGISTER_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adds the dialects graph, functional, loop and kernel to a registry, for contexts that will be made of it. Upstream's dialects
// that their passes write (arith, math, func, scf, memref, tensor, vector, ...) are loaded by the passes.
MlirLogicalResult terraceRegisterDialects(MlirDialectRegistry registry);

// Adds the dialects to a context that is there already.
MlirLogicalResult terraceRegisterDialectsInContext(MlirContext context);

// Makes the passes known by name, to textual pipelines and to command lines: `convert-linalg-to-loop`, `convert-loop-to-scf`, ...
// Passes.h has a function for each.
MlirLogicalResult terraceRegisterPasses(void);

// Makes the pipelines known by name, with the passes: `terrace-to-loop`, `terrace-x86`, ... They consist of upstream's passes too, which
// the compiler registers itself (mlirRegisterAllPasses, or registerAllPasses in C++).
MlirLogicalResult terraceRegisterPipelines(void);

#ifdef __cplusplus
}
#endif

#endif // TERRACE_C_REGISTER_H
