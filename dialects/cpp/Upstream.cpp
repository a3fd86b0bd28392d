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
#include "mlir/Interfaces/ControlFlowInterfaces.h"

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

/// Puts operations of linalg and tensor in the place of one that is made of several (softmax, pack, unpack, winograd); false, with
/// nothing changed, for any other operation.
bool terrace_linalg_decompose(MlirOperation raw) {
  Operation *op = unwrap(raw);
  IRRewriter rewriter(op->getContext());
  rewriter.setInsertionPoint(op);
  // Of tensors alone: of memrefs there is no value to put in its place.
  if (op->getNumResults() == 0)
    return false;
  if (auto pack = llvm::dyn_cast<linalg::PackOp>(op))
    return succeeded(linalg::lowerPack(rewriter, pack));
  if (auto unpack = llvm::dyn_cast<linalg::UnPackOp>(op))
    return succeeded(linalg::lowerUnPack(rewriter, unpack));
  auto aggregated = llvm::dyn_cast<linalg::AggregatedOpInterface>(op);
  if (!aggregated)
    return false;
  FailureOr<SmallVector<Value>> values = aggregated.decomposeOperation(rewriter);
  if (failed(values))
    return false;
  rewriter.replaceOp(op, *values);
  return true;
}

/// The operands that a value is one of: a result of a RegionBranchOpInterface, or an argument of the entry block of one of its
/// regions. What the operation itself forwards comes first, then what the terminators of its regions do, in their order.
void terrace_value_forwarded(MlirValue raw, void (*push)(MlirOperation, intptr_t operand, void *), void *out) {
  Value value = unwrap(raw);
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *op = argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  auto branch = dyn_cast_if_present<RegionBranchOpInterface>(op);
  if (!branch || (argument && !argument.getOwner()->isEntryBlock()))
    return;
  for (RegionBranchPoint point : branch.getAllRegionBranchPoints()) {
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(point, successors);
    for (RegionSuccessor successor : successors) {
      ValueRange inputs = successor.getSuccessorInputs();
      auto input = llvm::find(inputs, value);
      if (input == inputs.end())
        continue;
      OperandRange operands = branch.getSuccessorOperands(point, successor);
      Operation *end = point.isParent() ? op : point.getTerminatorPredecessorOrNull();
      push(wrap(end), operands.getBeginOperandIndex() + (input - inputs.begin()), out);
    }
  }
}
}
