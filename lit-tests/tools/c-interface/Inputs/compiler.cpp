//===- compiler.cpp - a compiler of its own, with Terrace as a stage --------------------------------------------===//
//
// Reads a module, runs a textual pipeline that may have passes of upstream and of Terrace in any order, and prints what comes out:
//
//   compiler FILE PIPELINE
//
//===------------------------------------------------------------------------------------------------------------===//
#include "terrace-c/Register.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: compiler FILE PIPELINE\n";
    return 1;
  }
  // The compiler's own dialects and passes, and Terrace's beside them.
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  terraceRegisterDialects(wrap(&registry));
  terraceRegisterPasses();
  terraceRegisterPipelines();

  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  mlir::PassManager manager(&context);
  if (mlir::failed(mlir::parsePassPipeline(argv[2], manager)) || mlir::failed(manager.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
