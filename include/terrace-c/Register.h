//===- terrace-c/Register.h - Terrace inside of another compiler ------------------------------------------------===//
//
// Puts Terrace's dialects, passes and pipelines beside those of a compiler that has its own context and its own main. Link
// libterrace_c.so and the libMLIR.so (22.1) that the compiler itself uses: there must be one copy of it in the process.
// Opening the mlir-opt plugin in the same process would register everything twice, which MLIR refuses.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_C_REGISTER_H
#define TERRACE_C_REGISTER_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adds the dialects graph, functional, loop and kernel to a registry, for contexts that will be made of it. Upstream's dialects
// that their passes write (arith, math, func, scf, memref, tensor, vector, ...) are loaded by the passes.
void terraceRegisterDialects(MlirDialectRegistry registry);

// Adds the dialects to a context that is there already.
void terraceRegisterDialectsInContext(MlirContext context);

// Makes the passes known by name, to textual pipelines and to command lines: `convert-linalg-to-loop`, `convert-loop-to-scf`, ...
// More than once is harmless, also from several threads.
void terraceRegisterPasses(void);

// Makes the pipelines known by name: `terrace-to-loop`, `terrace-x86`, ... They consist of upstream's passes too, which the compiler
// registers itself (mlirRegisterAllPasses, or registerAllPasses in C++). More than once is harmless.
void terraceRegisterPipelines(void);

#ifdef __cplusplus
}
#endif

#endif // TERRACE_C_REGISTER_H
