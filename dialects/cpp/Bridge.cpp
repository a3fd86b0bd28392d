//===- Bridge.cpp - the generic half of the bridge --------------------------------------------------------------===//
#include "Bridge.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

using namespace mlir;

#if !defined(__clang__)
#error "the bridge must be compiled by clang++-22: another compiler gives MLIR's traits other ids than libMLIR.so has"
#endif

static TerraceHooks theHooks;

namespace terrace {
const TerraceHooks &hooks() { return theHooks; }

LogicalResult inferTypes(TerraceImpl impl, MLIRContext *ctx, std::optional<Location> loc, ValueRange operands,
                         TerraceGetAttr get, void *source, SmallVectorImpl<Type> &out) {
  SmallVector<MlirValue> values;
  for (Value v : operands)
    values.push_back(wrap(v));
  auto push = [](MlirType t, void *out) { static_cast<SmallVectorImpl<Type> *>(out)->push_back(unwrap(t)); };
  return success(theHooks.inferTypes(impl, wrap(ctx), loc ? wrap(*loc) : MlirLocation{nullptr}, values.size(),
                                     values.data(), get, source, push, &out));
}

LogicalResult fold(TerraceImpl impl, Operation *op, ArrayRef<Attribute> operands, SmallVectorImpl<OpFoldResult> &results) {
  SmallVector<MlirAttribute> attrs;
  for (Attribute a : operands)
    attrs.push_back(wrap(a));
  auto push = [](MlirAttribute a, MlirValue v, void *out) {
    auto &results = *static_cast<SmallVectorImpl<OpFoldResult> *>(out);
    if (a.ptr)
      results.push_back(unwrap(a));
    else
      results.push_back(unwrap(v));
  };
  return success(theHooks.fold(impl, wrap(op), attrs.size(), attrs.data(), push, &results));
}

void effects(TerraceImpl impl, Operation *op,
             SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &out) {
  struct Sink {
    Operation *op;
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> *out;
  } sink{op, &out};
  auto push = [](int kind, intptr_t operand, void *raw) {
    auto &sink = *static_cast<Sink *>(raw);
    MemoryEffects::Effect *effect = kind == 0   ? static_cast<MemoryEffects::Effect *>(MemoryEffects::Read::get())
                                    : kind == 1 ? static_cast<MemoryEffects::Effect *>(MemoryEffects::Write::get())
                                    : kind == 2 ? static_cast<MemoryEffects::Effect *>(MemoryEffects::Allocate::get())
                                                : static_cast<MemoryEffects::Effect *>(MemoryEffects::Free::get());
    if (operand == INTPTR_MIN)
      sink.out->emplace_back(effect);
    else if (operand < 0)
      sink.out->emplace_back(effect, sink.op->getOpResult(~operand));
    else
      sink.out->emplace_back(effect, &sink.op->getOpOperand(operand));
  };
  theHooks.effects(impl, wrap(op), push, &sink);
}

bool isLocal(Value value) {
  Operation *holder = value.getDefiningOp() ? value.getDefiningOp()->getParentOp() : value.getParentBlock()->getParentOp();
  return holder && holder->hasTrait<HoldsLocals>();
}

LogicalResult reifyDestinations(Operation *op, OperandRange destinations, OpBuilder &builder,
                                ReifiedRankedShapedTypeDims &sizes) {
  if (op->getNumResults() == 0 || destinations.empty())
    return failure();
  for (Value destination : destinations)
    if (isa<RankedTensorType>(destination.getType()))
      sizes.push_back(tensor::getMixedSizes(builder, op->getLoc(), destination));
  return success();
}

bool readsInRange(Operation *load, OperandRange indices, AffineMap map) {
  auto source = dyn_cast<RankedTensorType>(load->getOperand(0).getType());
  if (!source || source.getRank() != map.getNumResults())
    return false;
  // A size that is not known is negative.
  auto below = [&](AffineExpr expr, int64_t size) {
    if (auto number = dyn_cast<AffineConstantExpr>(expr))
      return 0 <= number.getValue() && number.getValue() < size;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    auto index = dim ? dyn_cast<BlockArgument>(indices[dim.getPosition()]) : BlockArgument();
    Operation *around = index ? index.getOwner()->getParentOp() : nullptr;
    auto sizes = around ? around->getAttrOfType<DenseI64ArrayAttr>("sizes") : DenseI64ArrayAttr();
    if (!sizes || index.getArgNumber() >= sizes.size() || around->getName().getDialectNamespace() != "loop")
      return false;
    int64_t domain = sizes[index.getArgNumber()];
    return 0 <= domain && domain <= size;
  };
  return llvm::all_of(llvm::zip_equal(map.getResults(), source.getShape()),
                      [&](auto pair) { return below(std::get<0>(pair), std::get<1>(pair)); });
}

LogicalResult bufferize(Operation *op, OperandRange destinations, RewriterBase &rewriter,
                        const bufferization::BufferizationOptions &options, bufferization::BufferizationState &state) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<TensorType>(operand.get().getType())) {
      operands.push_back(operand.get());
      continue;
    }
    FailureOr<Value> buffer = bufferization::getBuffer(rewriter, operand.get(), options, state);
    if (failed(buffer))
      return failure();
    operands.push_back(*buffer);
  }
  SmallVector<Type> types;
  for (Type t : op->getResultTypes())
    if (!isa<TensorType>(t))
      types.push_back(t);
  OperationState opState(op->getLoc(), op->getName(), operands, types, op->getAttrs());
  for (Region &region : op->getRegions())
    opState.addRegion()->takeBody(region);
  Operation *created = rewriter.create(opState);
  auto buffers = destinations.empty() ? ArrayRef<Value>()
                                      : ArrayRef(operands).slice(destinations.getBeginOperandIndex(), destinations.size());
  // Arguments of a body that stand for destinations.
  for (Region &region : created->getRegions()) {
    unsigned next = 0;
    for (BlockArgument argument : region.getArguments())
      if (isa<TensorType>(argument.getType()))
        argument.setType(buffers[next++].getType());
  }
  SmallVector<Value> replacements;
  unsigned next = 0, tensor = 0;
  for (OpResult result : op->getResults())
    replacements.push_back(isa<TensorType>(result.getType()) ? buffers[tensor++] : created->getResult(next++));
  bufferization::replaceOpWithBufferizedValues(rewriter, op, replacements);
  return success();
}

/// The pass that has just refused on this thread, or panicked.
static thread_local const Pass *refusing, *panicking;

bool runPass(Pass &pass, Operation *op) {
  std::string pipeline;
  llvm::raw_string_ostream os(pipeline);
  pass.printAsTextualPipeline(os);
  int done = theHooks.runPass(wrap(pass.getArgument()), wrap(StringRef(pipeline)), wrap(op));
  refusing = done == 0 ? &pass : nullptr;
  panicking = done == 2 ? &pass : nullptr;
  return done == 1;
}

/// Tells of passes that fail without refusing: they panic, are upstream's, or leave what the verifier refuses.
struct Watch : PassInstrumentation {
  using Call = void (*)(MlirStringRef argument, MlirOperation, bool panics, void *);
  Watch(Call call, void *out) : call(call), out(out) {}
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    // An adaptor, which runs others, has no argument, and fails where one of these does.
    if (!pass->getArgument().empty() && pass != refusing)
      call(wrap(pass->getArgument()), wrap(op), pass == panicking, out);
  }
  Call call;
  void *out;
};

/// A pattern whose body is a stateless Rust function: canonicalization runs patterns on several threads.
struct RustPattern : RewritePattern {
  using Function = bool (*)(MlirOperation, MlirRewriterBase, const void *);
  RustPattern(StringRef root, PatternBenefit benefit, MLIRContext *ctx, Function call, const void *data)
      : RewritePattern(root, benefit, ctx), call(call), data(data) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    return success(call(wrap(op), wrap(static_cast<RewriterBase *>(&rewriter)), data));
  }
  Function call;
  const void *data;
};
} // namespace terrace

extern "C" {
void terrace_set_hooks(const TerraceHooks *hooks) { theHooks = *hooks; }

void terrace_pattern_add(MlirRewritePatternSet set, MlirStringRef root, unsigned benefit, MlirContext ctx,
                         terrace::RustPattern::Function call, const void *data) {
  unwrap(set)->add(std::make_unique<terrace::RustPattern>(unwrap(root), benefit, unwrap(ctx), call, data));
}

/// The C interface has errors only.
void terrace_emit_warning(MlirLocation location, MlirStringRef message) {
  emitWarning(unwrap(location)) << unwrap(message);
}
void terrace_emit_remark(MlirLocation location, MlirStringRef message) {
  emitRemark(unwrap(location)) << unwrap(message);
}

/// Whether somebody listens to optimization remarks.
bool terrace_remarks_are_wanted(MlirContext ctx) { return unwrap(ctx)->getRemarkEngine() != nullptr; }

/// An optimization remark of a category: what was done, or what was not and why.
void terrace_optimization_remark(MlirLocation location, bool done, MlirStringRef name, MlirStringRef category,
                                 MlirStringRef message) {
  auto options = remark::RemarkOpts::name(unwrap(name)).category(unwrap(category));
  auto remark = done ? remark::passed(unwrap(location), options) : remark::missed(unwrap(location), options);
  remark << unwrap(message);
}

/// All attributes of an operation: by number each of them makes this anew.
MlirAttribute terrace_op_attributes(MlirOperation op) { return wrap(Attribute(unwrap(op)->getAttrDictionary())); }

/// Erases the first arguments of a block, all at once: one by one each moves all behind it.
void terrace_block_erase_arguments(MlirBlock block, intptr_t count) { unwrap(block)->eraseArguments(0, count); }

bool terrace_op_is_memory_effect_free(MlirOperation op) { return isMemoryEffectFree(unwrap(op)); }

/// Gives each memory effect of an operation to `effect`: 0 a read, 1 a write, 2 an allocation, 3 anything else; the number of the operand,
/// or of the result less the number of all and one, or -1; the resource. False where the operation does not say what it has.
bool terrace_op_effects(MlirOperation op, void (*effect)(int, intptr_t, MlirStringRef, void *), void *out) {
  auto interface = llvm::dyn_cast<MemoryEffectOpInterface>(unwrap(op));
  if (!interface)
    return false;
  llvm::SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (auto &instance : effects) {
    auto *kind = instance.getEffect();
    int code = llvm::isa<MemoryEffects::Read>(kind) ? 0 : llvm::isa<MemoryEffects::Write>(kind) ? 1
               : llvm::isa<MemoryEffects::Allocate>(kind) ? 2 : 3;
    intptr_t place = -1;
    if (auto *operand = instance.getEffectValue<OpOperand *>())
      place = operand->getOperandNumber();
    else if (auto result = instance.getEffectValue<OpResult>())
      place = -2 - static_cast<intptr_t>(result.getResultNumber());
    effect(code, place, wrap(instance.getResource()->getName()), out);
  }
  return true;
}

/// Gives the passes of a manager that fail without refusing to `call`.
void terrace_watch_passes(MlirPassManager manager, terrace::Watch::Call call, void *out) {
  unwrap(manager)->addInstrumentation(std::make_unique<terrace::Watch>(call, out));
}

/// A named pipeline that stands for a text in MLIR's notation.
void terrace_register_pipeline(MlirStringRef name, MlirStringRef description, MlirStringRef passes) {
  std::string text = unwrap(passes).str();
  registerPassPipeline(
      unwrap(name), unwrap(description),
      [text](OpPassManager &manager, StringRef options, llvm::function_ref<LogicalResult(const llvm::Twine &)> error) {
        return options.empty() ? parsePassPipeline(text, manager) : error("takes no options");
      },
      [](llvm::function_ref<void(const detail::PassOptions &)>) {});
}

/// Whether this process has a pass of that name, whoever registered it.
bool terrace_pass_is_known(MlirStringRef name) { return PassInfo::lookup(unwrap(name)) != nullptr; }

/// Whether a context was made by the libMLIR.so that this code is linked with: the types of another copy have other ids.
bool terrace_context_is_of_this_library(MlirContext context) {
  Dialect *builtin = unwrap(context)->getLoadedDialect("builtin");
  return builtin && builtin->getTypeID() == TypeID::get<BuiltinDialect>();
}

/// A hash of the attributes that an operation's definition names.
size_t terrace_op_properties_hash(MlirOperation op) { return unwrap(op)->hashProperties(); }

/// Whether two operations of one name have the same ones.
bool terrace_op_properties_equal(MlirOperation a, MlirOperation b) {
  return unwrap(a)->getName().compareOpProperties(unwrap(a)->getPropertiesStorage(), unwrap(b)->getPropertiesStorage());
}

bool terrace_op_is_terminator(MlirOperation op) { return unwrap(op)->hasTrait<OpTrait::IsTerminator>(); }

/// All of upstream's dialects, extensions and translations.
void terrace_register_upstream(MlirDialectRegistry registry) {
  auto &r = *unwrap(registry);
  registerAllDialects(r);
  registerAllExtensions(r);
  registerAllToLLVMIRTranslations(r);
}

/// Upstream's drivers, on all of upstream's dialects and those that `registerOurs` adds.
int terrace_opt_main(int argc, char **argv, const char *title, void (*registerOurs)(MlirDialectRegistry)) {
  DialectRegistry registry;
  terrace_register_upstream(wrap(&registry));
  registerAllPasses();
  registerOurs(wrap(&registry));
  return asMainReturnCode(MlirOptMain(argc, argv, title, registry));
}

int terrace_lsp_server_main(int argc, char **argv, void (*registerOurs)(MlirDialectRegistry)) {
  DialectRegistry registry;
  terrace_register_upstream(wrap(&registry));
  registerOurs(wrap(&registry));
  return asMainReturnCode(MlirLspServerMain(argc, argv, registry));
}

int terrace_reduce_main(int argc, char **argv, void (*registerOurs)(MlirDialectRegistry)) {
  DialectRegistry registry;
  terrace_register_upstream(wrap(&registry));
  registerAllPasses();
  registerOurs(wrap(&registry));
  MLIRContext context(registry);
  return asMainReturnCode(mlirReduceMain(argc, argv, context));
}
}
