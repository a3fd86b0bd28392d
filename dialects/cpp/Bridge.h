//===- Bridge.h - how MLIR asks Rust ----------------------------------------------------------------------------===//
//
// Every question that MLIR asks of an operation of ours goes through one table of function pointers, set once by
// Rust. A trait below is one C++ template for all operations; it carries an opaque handle of the operation's Rust
// implementation, which is looked up once per operation class.
//
//===------------------------------------------------------------------------------------------------------------===//
#pragma once

#include "mlir-c/IR.h"
#include "mlir-c/Rewrite.h"
#include "mlir-c/Support.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/InliningUtils.h"

extern "C" {
typedef const void *TerraceImpl; // a Rust `&'static OpImpl`
typedef void (*TerracePushType)(MlirType, void *);
typedef void (*TerracePushFold)(MlirAttribute, MlirValue, void *);
// kind: 0 read, 1 write, 2 allocate, 3 free; operand < 0: of result ~operand.
typedef void (*TerracePushEffect)(int kind, intptr_t operand, void *);
typedef MlirAttribute (*TerraceGetAttr)(MlirStringRef, void *);
typedef void (*TerraceRefuse)(MlirStringRef message, void *);

struct TerraceHooks {
  TerraceImpl (*resolve)(MlirStringRef name, MlirTypeID id);
  bool (*verify)(TerraceImpl, MlirOperation, bool regions);
  bool (*inferTypes)(TerraceImpl, MlirContext, MlirLocation, intptr_t n, const MlirValue *operands, TerraceGetAttr get,
                     void *source, TerracePushType push, void *out);
  bool (*fold)(TerraceImpl, MlirOperation, intptr_t n, const MlirAttribute *operands, TerracePushFold push, void *out);
  void (*effects)(TerraceImpl, MlirOperation, TerracePushEffect push, void *out);
  bool (*verifySymbol)(TerraceImpl, MlirOperation, MlirOperation symbol);
  bool (*elementwise)(TerraceImpl, MlirOperation, MlirOperation read, MlirValue written);
  bool (*readsDestination)(TerraceImpl, MlirOperation, intptr_t operand);
  void (*canonicalize)(MlirStringRef dialect, MlirContext, MlirRewritePatternSet);
  MlirOperation (*materialize)(MlirStringRef dialect, MlirAttribute value, MlirType, MlirLocation);
  // 0: it refuses, 1: it is done, 2: it panics.
  int (*runPass)(MlirStringRef argument, MlirStringRef pipeline, MlirOperation);
  // `place`: 0 for the operation, 1 for its argument `number`, 2 for its result `number`.
  bool (*verifyAttribute)(MlirOperation, int place, intptr_t number, MlirStringRef name, MlirAttribute);
  bool (*verifyData)(unsigned verifier, const void *const *parameters, TerraceRefuse, void *out);
  bool (*verifyEncoding)(MlirAttribute encoding, intptr_t rank, const int64_t *shape, TerraceRefuse, void *out);
};
}

namespace terrace {
const TerraceHooks &hooks();

/// The Rust implementation of an operation class.
template <typename T> TerraceImpl implOf() {
  static TerraceImpl impl = hooks().resolve(wrap(::llvm::StringRef(T::getOperationName())), wrap(::mlir::TypeID::get<T>()));
  return impl;
}

::llvm::LogicalResult inferTypes(TerraceImpl, ::mlir::MLIRContext *, std::optional<::mlir::Location>, ::mlir::ValueRange,
                                 TerraceGetAttr, void *source, ::llvm::SmallVectorImpl<::mlir::Type> &);
::llvm::LogicalResult fold(TerraceImpl, ::mlir::Operation *, ::llvm::ArrayRef<::mlir::Attribute>,
                           ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &);
void effects(TerraceImpl, ::mlir::Operation *,
             ::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &);
/// `destinations` are some of the operation's operands, one for each of its results that is a tensor.
::llvm::LogicalResult bufferize(::mlir::Operation *, ::mlir::OperandRange destinations, ::mlir::RewriterBase &,
                                const ::mlir::bufferization::BufferizationOptions &,
                                ::mlir::bufferization::BufferizationState &);
/// Whether a tensor is a value of an operation that `HoldsLocals`.
bool isLocal(::mlir::Value);
bool runPass(::mlir::Pass &, ::mlir::Operation *);

template <typename T> struct RustVerify : ::mlir::OpTrait::TraitBase<T, RustVerify> {
  static ::llvm::LogicalResult verifyTrait(::mlir::Operation *op) {
    return ::llvm::success(hooks().verify(implOf<T>(), wrap(op), false));
  }
};
template <typename T> struct RustVerifyRegions : ::mlir::OpTrait::TraitBase<T, RustVerifyRegions> {
  static ::llvm::LogicalResult verifyRegionTrait(::mlir::Operation *op) {
    return ::llvm::success(hooks().verify(implOf<T>(), wrap(op), true));
  }
};
template <typename T> struct RustFold : ::mlir::OpTrait::TraitBase<T, RustFold> {
  static ::llvm::LogicalResult foldTrait(::mlir::Operation *op, ::llvm::ArrayRef<::mlir::Attribute> operands,
                                         ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &results) {
    return fold(implOf<T>(), op, operands, results);
  }
};
template <typename T> struct RustInferTypes : ::mlir::OpTrait::TraitBase<T, RustInferTypes> {
  static ::llvm::LogicalResult
  inferReturnTypes(::mlir::MLIRContext *ctx, std::optional<::mlir::Location> loc, ::mlir::ValueRange operands,
                   ::mlir::DictionaryAttr attrs, ::mlir::OpaqueProperties properties, ::mlir::RegionRange,
                   ::llvm::SmallVectorImpl<::mlir::Type> &out) {
    using Properties = typename T::Properties;
    // Properties are read in place; a dictionary per question would cost microseconds per operation.
    struct Source {
      ::mlir::MLIRContext *ctx;
      ::mlir::DictionaryAttr attrs;
      const Properties *properties;
    } source{ctx, attrs, nullptr};
    if constexpr (!std::is_same_v<Properties, ::mlir::EmptyProperties>)
      source.properties = properties.as<Properties *>();
    auto get = [](MlirStringRef name, void *raw) -> MlirAttribute {
      auto &source = *static_cast<Source *>(raw);
      if constexpr (!std::is_same_v<Properties, ::mlir::EmptyProperties>)
        if (source.properties)
          if (auto attr = T::getInherentAttr(source.ctx, *source.properties, unwrap(name)))
            if (*attr)
              return wrap(*attr);
      return wrap(source.attrs ? source.attrs.get(unwrap(name)) : ::mlir::Attribute());
    };
    return inferTypes(implOf<T>(), ctx, loc, operands, get, &source, out);
  }
};
template <typename T> struct RustEffects : ::mlir::OpTrait::TraitBase<T, RustEffects> {
  void getEffects(::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &out) {
    effects(implOf<T>(), this->getOperation(), out);
  }
};
/// The symbol that the attribute `callee` names is looked up here; Rust checks that it fits (null: there is none).
template <typename T> struct RustSymbolUser : ::mlir::OpTrait::TraitBase<T, RustSymbolUser> {
  ::llvm::LogicalResult verifySymbolUses(::mlir::SymbolTableCollection &tables) {
    ::mlir::Operation *op = this->getOperation();
    auto callee = op->getAttrOfType<::mlir::SymbolRefAttr>("callee");
    ::mlir::Operation *symbol = callee ? tables.lookupNearestSymbolFrom(op, callee) : nullptr;
    return ::llvm::success(hooks().verifySymbol(implOf<T>(), wrap(op), wrap(symbol)));
  }
};
template <typename T> struct ViewOfFirstOperand : ::mlir::OpTrait::TraitBase<T, ViewOfFirstOperand> {
  ::mlir::Value getViewSource() { return this->getOperation()->getOperand(0); }
};

/// The sizes of results are those of destinations.
::llvm::LogicalResult reifyDestinations(::mlir::Operation *op, ::mlir::OperandRange destinations,
                                        ::mlir::OpBuilder &builder, ::mlir::ReifiedRankedShapedTypeDims &sizes);

template <typename T> struct Destinations : ::mlir::OpTrait::TraitBase<T, Destinations> {
  ::mlir::Speculation::Speculatability getSpeculatability() {
    auto isBuffer = [](::mlir::Type type) { return ::llvm::isa<::mlir::BaseMemRefType>(type); };
    return ::llvm::any_of(this->getOperation()->getOperandTypes(), isBuffer)
               ? ::mlir::Speculation::NotSpeculatable
               : ::mlir::Speculation::RecursivelySpeculatable;
  }
};
/// Whether a load reads an element that is there for sure: of a tensor of known sizes, at numbers and indices of domains that are no larger.
bool readsInRange(::mlir::Operation *load, ::mlir::OperandRange indices, ::mlir::AffineMap map);

template <typename T> struct ReadsOwnPoint : ::mlir::OpTrait::TraitBase<T, ReadsOwnPoint> {
  ::mlir::Speculation::Speculatability getSpeculatability() {
    T load = ::llvm::cast<T>(this->getOperation());
    return readsInRange(load, load.getIndices(), load.getMap()) ? ::mlir::Speculation::Speculatable
                                                                : ::mlir::Speculation::NotSpeculatable;
  }
};
template <typename T> struct HoldsLocals : ::mlir::OpTrait::TraitBase<T, HoldsLocals> {};

/// Destinations (if the operation has any) are written, every other tensor operand is read; the buffer form is the
/// same operation on buffers, without tensor results. Locals stay as they are. Attached to operations by their dialect.
template <typename T>
struct DestinationBufferizable
    : ::mlir::bufferization::BufferizableOpInterface::ExternalModel<DestinationBufferizable<T>, T> {
  using State = ::mlir::bufferization::AnalysisState;
  static ::mlir::OperandRange destinations(::mlir::Operation *op) {
    if constexpr (T::template hasTrait<Destinations>())
      return ::llvm::cast<T>(op).getDpsInitsMutable();
    else
      return op->getOperands().take_front(0);
  }
  static bool isDestination(::mlir::Operation *op, ::mlir::OpOperand &operand) {
    ::mlir::OperandRange range = destinations(op);
    return !range.empty() && operand.getOperandNumber() - range.getBeginOperandIndex() < range.size();
  }
  bool hasTensorSemantics(::mlir::Operation *op) const {
    auto outside = [](::mlir::Value v) { return ::llvm::isa<::mlir::TensorType>(v.getType()) && !isLocal(v); };
    return ::llvm::any_of(op->getOperands(), outside) || ::llvm::any_of(op->getResults(), outside);
  }
  /// A local needs no copy: nobody writes it.
  bool mustBufferizeInPlace(::mlir::Operation *, ::mlir::OpOperand &operand, const State &) const {
    return isLocal(operand.get());
  }
  bool bufferizesToMemoryRead(::mlir::Operation *op, ::mlir::OpOperand &operand, const State &) const {
    return !isDestination(op, operand) ||
           hooks().readsDestination(implOf<T>(), wrap(op), operand.getOperandNumber());
  }
  bool bufferizesToMemoryWrite(::mlir::Operation *op, ::mlir::OpOperand &operand, const State &) const {
    return isDestination(op, operand);
  }
  ::mlir::bufferization::AliasingValueList getAliasingValues(::mlir::Operation *op, ::mlir::OpOperand &operand,
                                                             const State &) const {
    if (!isDestination(op, operand))
      return {};
    unsigned number = operand.getOperandNumber() - destinations(op).getBeginOperandIndex();
    return {{op->getResult(number), ::mlir::bufferization::BufferRelation::Equivalent}};
  }
  /// A read inside the operation does not conflict with its write where Rust proves that each point of the domain
  /// reads only the element that it writes.
  bool isNotConflicting(::mlir::Operation *op, ::mlir::OpOperand *read, ::mlir::OpOperand *write, const State &) const {
    if (write->getOwner() != op || !op->isProperAncestor(read->getOwner()))
      return false;
    return hooks().elementwise(implOf<T>(), wrap(op), wrap(read->getOwner()), wrap(write->get()));
  }
  ::llvm::LogicalResult bufferize(::mlir::Operation *op, ::mlir::RewriterBase &rewriter,
                                  const ::mlir::bufferization::BufferizationOptions &options,
                                  ::mlir::bufferization::BufferizationState &state) const {
    return ::terrace::bufferize(op, destinations(op), rewriter, options, state);
  }
};
} // namespace terrace

namespace terrace {
/// Our operations mean the same wherever they stand: functions of them may be inlined.
struct Inliner : ::mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(::mlir::Operation *, ::mlir::Region *, bool, ::mlir::IRMapping &) const final { return true; }
  bool isLegalToInline(::mlir::Region *, ::mlir::Region *, bool, ::mlir::IRMapping &) const final { return true; }
};
} // namespace terrace

#define TERRACE_DIALECT(D)                                                                                            \
  void D::getCanonicalizationPatterns(::mlir::RewritePatternSet &set) const {                                        \
    ::terrace::hooks().canonicalize(wrap(getNamespace()), wrap(getContext()), wrap(&set));                            \
  }                                                                                                                   \
  ::mlir::Operation *D::materializeConstant(::mlir::OpBuilder &b, ::mlir::Attribute v, ::mlir::Type t,                \
                                            ::mlir::Location l) {                                                     \
    ::mlir::Operation *op = unwrap(::terrace::hooks().materialize(wrap(getNamespace()), wrap(v), wrap(t), wrap(l)));  \
    return op ? b.insert(op) : nullptr;                                                                               \
  }

#define TERRACE_PASS(P)                                                                                               \
  struct P : impl::P##Base<P> {                                                                                       \
    using impl::P##Base<P>::P##Base;                                                                                  \
    void runOnOperation() override {                                                                                  \
      if (!::terrace::runPass(*this, getOperation()))                                                                 \
        signalPassFailure();                                                                                          \
    }                                                                                                                 \
  };
