//===- Upstream.cpp - what upstream's C interface lacks ---------------------------------------------------------===//
//
// One function a question; the logic that asks is Rust. See dialects/src/ir/upstream.rs.
//
//===------------------------------------------------------------------------------------------------------------===//
#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

extern "C" {
/// Puts the `linalg.generic` that a named operation stands for in its place, and gives that; null, with nothing changed, for any
/// other operation.
MlirOperation terrace_linalg_generalize(MlirOperation op) {
  auto named = llvm::dyn_cast<linalg::LinalgOp>(unwrap(op));
  if (!named)
    return {nullptr};
  IRRewriter rewriter(named->getContext());
  rewriter.setInsertionPoint(named);
  FailureOr<linalg::GenericOp> generic = linalg::generalizeNamedOp(rewriter, named);
  return failed(generic) ? MlirOperation{nullptr} : wrap(generic->getOperation());
}
}
