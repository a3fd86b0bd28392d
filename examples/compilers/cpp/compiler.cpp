//===- compiler.cpp - a compiler of its own, with Terrace as a stage --------------------------------------------===//
//
// Reads a module in linalg, fuses and tiles it by Terrace, and goes on to the LLVM dialect by upstream's passes:
//
//   compiler FILE
//
// or runs a pipeline that is written as text, in which passes of upstream and of Terrace stand in any order:
//
//   compiler FILE PIPELINE
//
//===------------------------------------------------------------------------------------------------------------===//
#include "terrace-c/Passes.h"
#include "terrace-c/Register.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

/// A pass of Terrace's, for a pass manager in C++.
static std::unique_ptr<mlir::Pass> terrace(MlirPass pass) { return std::unique_ptr<mlir::Pass>(unwrap(pass)); }

/// The compiler's own way: linalg on tensors, loops that are fused, scf on memrefs, LLVM.
static mlir::LogicalResult addOwnPasses(mlir::PassManager &manager) {
  manager.addNestedPass<mlir::func::FuncOp>(terrace(terraceCreateConvertLinalgToLoop()));
  manager.addPass(terrace(terraceCreateLoopFuse()));
  // Passes of upstream, and those of Terrace that shall have options, as text.
  if (mlir::failed(mlir::parsePassPipeline(
          "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}", manager)))
    return mlir::failure();
  manager.addNestedPass<mlir::func::FuncOp>(terrace(terraceCreateConvertLoopToScf()));
  return mlir::parsePassPipeline("convert-scf-to-cf,expand-strided-metadata,lower-affine,finalize-memref-to-llvm,"
                                 "convert-arith-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts",
                                 manager);
}

int main(int argc, char **argv) {
  if (argc != 2 && argc != 3) {
    llvm::errs() << "usage: compiler FILE [PIPELINE]\n";
    return 1;
  }
  // The compiler's own dialects and passes, and Terrace's beside them.
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  if (mlirLogicalResultIsFailure(terraceRegisterDialects(wrap(&registry))) || mlirLogicalResultIsFailure(terraceRegisterPipelines()))
    return 1;

  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  mlir::PassManager manager(&context);
  mlir::LogicalResult added = argc == 2 ? addOwnPasses(manager) : mlir::parsePassPipeline(argv[2], manager);
  if (mlir::failed(added) || mlir::failed(manager.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
