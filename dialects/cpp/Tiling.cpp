//===- Tiling.cpp - loop operations on tensors, tiled by upstream's passes --------------------------------------===//
//
// A tile of an operation is the same operation over a smaller domain. Its loads read the whole tensors, at indices to which the tile's offsets are added:
//
//   loop.load %x[%i, %j + 1]   becomes   loop.load %x[%i + %offset, %j + %other + 1]
//
// A sum is of all its terms: dimensions that are summed over, and the one that a scan runs along, are not divided.
//
//===------------------------------------------------------------------------------------------------------------===//
#include "Dialects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "LoopOperations0.h.inc"

namespace terrace::loop {
namespace {
using Sizes = SmallVector<OpFoldResult>;

/// The sizes of a domain.
template <typename T> Sizes domain(T op, OpBuilder &b) {
  Sizes sizes;
  auto dynamic = op.getDynamicSizes().begin();
  for (int64_t size : op.getSizes())
    sizes.push_back(ShapedType::isDynamic(size) ? OpFoldResult(*dynamic++) : OpFoldResult(b.getIndexAttr(size)));
  return sizes;
}

/// The dimensions that are not divided.
template <typename T> bool isWhole(T op, size_t dim) {
  if constexpr (std::is_same_v<T, ReductionOp>)
    return dim + op.getReduced() >= op.getSizes().size();
  if constexpr (std::is_same_v<T, ScanOp>)
    return dim == static_cast<size_t>(op.getDim());
  return false;
}

/// How many dimensions the result has.
template <typename T> size_t rank(T op) {
  if constexpr (std::is_same_v<T, ReductionOp>)
    return op.getSizes().size() - op.getReduced();
  return op.getSizes().size();
}

/// Adds the offset of a tile to an index, wherever a body uses it: in the map of a load, else by an addition at its head.
void shift(Block &body, BlockArgument index, OpFoldResult offset) {
  std::optional<int64_t> number = getConstantIntValue(offset);
  if (number == 0)
    return;
  OpBuilder b(index.getContext());
  Value shifted;
  SmallVector<OpOperand *> uses = llvm::map_to_vector(index.getUses(), [](OpOperand &use) { return &use; });
  llvm::SmallSetVector<LoadOp, 8> loads;
  for (OpOperand *use : uses) {
    auto load = dyn_cast<LoadOp>(use->getOwner());
    if (load && llvm::is_contained(load.getIndices(), index)) {
      loads.insert(load);
      continue;
    }
    if (!shifted) {
      b.setInsertionPointToStart(&body);
      Value by = number ? Value(arith::ConstantIndexOp::create(b, index.getLoc(), *number)) : cast<Value>(offset);
      shifted = arith::AddIOp::create(b, index.getLoc(), index, by);
    }
    use->set(shifted);
  }
  for (LoadOp load : loads) {
    AffineMap map = load.getMap();
    unsigned dims = map.getNumDims();
    AffineExpr by = number ? b.getAffineConstantExpr(*number) : b.getAffineDimExpr(dims);
    SmallVector<AffineExpr> exprs;
    for (auto [d, operand] : llvm::enumerate(load.getIndices()))
      exprs.push_back(operand == index ? b.getAffineDimExpr(d) + by : b.getAffineDimExpr(d));
    map = map.replaceDimsAndSymbols(exprs, {}, dims + (number ? 0 : 1), 0);
    load.setMapAttr(AffineMapAttr::get(map));
    if (!number)
      load.getIndicesMutable().append(cast<Value>(offset));
  }
}

template <typename T> struct Tiling : TilingInterface::ExternalModel<Tiling<T>, T> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    SmallVector<utils::IteratorType> types;
    for (size_t dim = 0; dim < cast<T>(op).getSizes().size(); ++dim)
      types.push_back(isWhole(cast<T>(op), dim) ? utils::IteratorType::reduction : utils::IteratorType::parallel);
    return types;
  }

  SmallVector<Range> getIterationDomain(Operation *op, OpBuilder &b) const {
    return llvm::map_to_vector(domain(cast<T>(op), b), [&](OpFoldResult size) {
      return Range{b.getIndexAttr(0), size, b.getIndexAttr(1)};
    });
  }

  FailureOr<TilingResult> getTiledImplementation(Operation *op, OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                                 ArrayRef<OpFoldResult> sizes) const {
    T nest = cast<T>(op);
    auto type = nest.getInit() ? dyn_cast<RankedTensorType>(nest.getInit().getType()) : RankedTensorType();
    if (!type)
      return op->emitOpError("has no tiles: expects a tensor behind 'into'");
    for (auto [dim, whole] : llvm::enumerate(domain(nest, b))) {
      if (isWhole(nest, dim) && (getConstantIntValue(offsets[dim]) != 0 || !isEqualConstantIntOrValue(sizes[dim], whole)))
        return op->emitOpError() << "has no tiles of dimension " << dim << ", which is combined along: expects it whole";
    }
    Location loc = op->getLoc();
    // All of a destination is written: what it was is of no use.
    auto into = tensor::EmptyOp::create(b, loc, Sizes(sizes.take_front(rank(nest))), type.getElementType(), type.getEncoding());
    SmallVector<int64_t> fixed;
    SmallVector<Value> dynamic;
    dispatchIndexOpFoldResults(sizes, dynamic, fixed);
    OperationState state(loc, op->getName());
    state.addOperands(dynamic);
    state.addOperands(into.getResult());
    state.addTypes(into.getType());
    for (NamedAttribute attribute : op->getAttrDictionary()) {
      if (!llvm::is_contained({"tile", "sizes", "operandSegmentSizes"}, attribute.getName().strref()))
        state.attributes.append(attribute);
    }
    state.addAttribute("sizes", b.getDenseI64ArrayAttr(fixed));
    state.addAttribute("operandSegmentSizes", b.getDenseI32ArrayAttr({static_cast<int32_t>(dynamic.size()), 1}));
    state.addRegion();
    Operation *tile = b.create(state);
    IRMapping mapping;
    op->getRegion(0).cloneInto(&tile->getRegion(0), mapping);
    Block &body = tile->getRegion(0).front();
    for (auto [index, offset] : llvm::zip(body.getArguments(), offsets))
      shift(body, index, offset);
    return TilingResult{{tile}, {tile->getResult(0)}, {}};
  }

  LogicalResult getResultTilePosition(Operation *op, OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes, SmallVectorImpl<OpFoldResult> &resultOffsets,
                                      SmallVectorImpl<OpFoldResult> &resultSizes) const {
    resultOffsets.assign(offsets.begin(), offsets.begin() + rank(cast<T>(op)));
    resultSizes.assign(sizes.begin(), sizes.begin() + rank(cast<T>(op)));
    return success();
  }

  LogicalResult getIterationDomainTileFromResultTile(Operation *op, OpBuilder &b, unsigned,
                                                     ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                                                     SmallVectorImpl<OpFoldResult> &domainOffsets,
                                                     SmallVectorImpl<OpFoldResult> &domainSizes) const {
    T nest = cast<T>(op);
    Sizes whole = domain(nest, b);
    domainOffsets.assign(offsets.begin(), offsets.end());
    domainSizes.assign(sizes.begin(), sizes.end());
    for (size_t dim = 0; dim < whole.size(); ++dim) {
      if (dim < offsets.size() && !isWhole(nest, dim))
        continue;
      // A tile of a scan's result needs all before it.
      if (dim < offsets.size() && (getConstantIntValue(offsets[dim]) != 0 || !isEqualConstantIntOrValue(sizes[dim], whole[dim])))
        return failure();
      domainOffsets.resize(dim + 1), domainSizes.resize(dim + 1);
      domainOffsets[dim] = b.getIndexAttr(0);
      domainSizes[dim] = whole[dim];
    }
    return success();
  }

  FailureOr<TilingResult> generateResultTileValue(Operation *op, OpBuilder &b, unsigned number,
                                                  ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes) const {
    Sizes domainOffsets, domainSizes;
    if (failed(getIterationDomainTileFromResultTile(op, b, number, offsets, sizes, domainOffsets, domainSizes)))
      return failure();
    return getTiledImplementation(op, b, domainOffsets, domainSizes);
  }
};
} // namespace

void attachTiling(MLIRContext &context) {
  context.loadDialect<tensor::TensorDialect>();
  PointwiseOp::attachInterface<Tiling<PointwiseOp>>(context);
  ReductionOp::attachInterface<Tiling<ReductionOp>>(context);
  ScanOp::attachInterface<Tiling<ScanOp>>(context);
}
} // namespace terrace::loop
