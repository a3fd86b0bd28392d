//===- Base.td - the traits and classes that every dialect of Terrace shares ------------------------------------===//
//
// All logic is Rust. An operation says here which questions are asked of it (verification, result types, folding,
// effects); each trait is one C++ template in cpp/Bridge.h that forwards the question to the Rust registry.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_BASE
#define TERRACE_BASE

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

class TerraceTrait<string name> : NativeOpTrait<name> { let cppNamespace = "::terrace"; }

def RustVerify        : TerraceTrait<"RustVerify">;         // checks the operation, its regions not yet verified
def RustVerifyRegions : TerraceTrait<"RustVerifyRegions">;  // checks the operation, its regions verified
def RustFold          : TerraceTrait<"RustFold">;
def RustInferImpl     : TerraceTrait<"RustInferTypes">;
def RustInferTypes    : TraitList<[InferTypeOpInterface, RustInferImpl]>;
def RustEffectsImpl   : TerraceTrait<"RustEffects">;
def RustEffects       : TraitList<[MemoryEffectsOpInterface, RustEffectsImpl]>;
// The operation writes operands, `getDpsInitsMutable()`: a result for each tensor among them, in order, and of its sizes. On tensors it
// may run where it would not have, if what is inside may.
def DestinationsImpl  : TerraceTrait<"Destinations">;
def Destinations      : TraitList<[ReifyRankedShapedTypeOpInterface, ConditionallySpeculatable, DestinationsImpl]>;
// What such an operation declares beside `getDpsInitsMutable()`.
defvar SizesOfDestinations = [{
  ::llvm::LogicalResult reifyResultShapes(::mlir::OpBuilder &builder, ::mlir::ReifiedRankedShapedTypeDims &sizes) {
    return ::terrace::reifyDestinations(getOperation(), getDpsInitsMutable(), builder, sizes);
  }
}];
// It may run where it would not have if its element is there whatever the sizes of the run are.
def ReadsOwnImpl      : TerraceTrait<"ReadsOwnPoint">;
def ReadsOwnPoint     : TraitList<[ConditionallySpeculatable, ReadsOwnImpl]>;
// The tensors that its body makes are values, never buffers; its tensor arguments stand for destinations.
def HoldsLocals       : TerraceTrait<"HoldsLocals">;
// The result is a view of the first operand.
def ViewOfFirstImpl   : TerraceTrait<"ViewOfFirstOperand">;
def ViewOfFirst       : TraitList<[ViewLikeOpInterface, ViewOfFirstImpl]>;
class TerraceDialect<string mnemonic, string ns> : Dialect {
  let name = mnemonic;
  let cppNamespace = "::terrace::" # ns;
  let hasCanonicalizer = 1;
  let hasConstantMaterializer = 1;
}

// `rule` names the Rust function in dialects/src/aten/rules that answers for the operation's types: from its operands and
// attributes to its result types, or an error. Verification, inference and fake tensors ask the same function.
class TerraceOp<Dialect dialect, string mnemonic, string ruleName = "", list<Trait> traits = []>
    : Op<dialect, mnemonic, traits> {
  string rule = ruleName;
  // What kind of operation it is, where passes ask: a variant of `Role` in dialects/src/ir/operator.rs.
  string role = "Other";
  // What the loops of a functional operator do with elements: a variant of `Elements` in dialects/src/ir/operator.rs.
  string elements = "Computed";
  // The strides of the results that are new, and where the operands of an operator of graph may be, the last entry for
  // all further ones: variants of `Strides` and `OperandDevice` in dialects/src/ir/operator.rs.
  string strides = "Contiguous";
  list<string> devices = ["There"];
  // Eager's kernel, as its messages name it; "" for NAME_cpu. Whether it has complex numbers; and what is said of them before
  // anything else is looked at.
  string kernel = "";
  bit complex = 1;
  string complexRefusal = "";
  // An operator of graph: the overloads of ATen's operator of the same name that it takes, "" being the unnamed one. Their
  // arguments are the operation's, in order; one integer stands for a list of it.
  list<string> overloads = [""];
  // The namespace of those schemas; one that is not ATen's is the first part of the operation's name.
  string schemaNamespace = "aten";
  // Rust builds operations; the C++ builders would be most of the generated code.
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins), [{}]>];
}

#endif
