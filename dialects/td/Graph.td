//===- Graph.td - the graph dialect: its types, its operation classes, the boundary -----------------------------===//
//
// The eager data model: a value is an immutable view of a storage; operations read, write and allocate storages.
// Operators stand in operators/, shared with the functional dialect.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_GRAPH
#define TERRACE_GRAPH

include "Base.td"

def Graph_Dialect : TerraceDialect<"graph", "graph"> {
  let summary = "Strided tensors, views and in-place mutation: what was written";
  let description = [{
    The eager data model of PyTorch. A `!graph.tensor` value is an immutable *view*: a storage with a dtype, sizes,
    strides, an offset, and flags that say whether its elements are the conjugates or negatives of what is stored. View operations make another view of the same storage; out-of-place operators read their
    operands and allocate; in-place operators (trailing underscore) write the storage of `self` and return the same
    view.

    Names, order of arguments and attributes are ATen's. Tensor arguments are operands; a Scalar argument is an SSA
    value of type `f64`, `i64`, `i1` or `complex<f64>`, a "wrapped number" in type promotion; a list of integers is a static `i64`
    array with dynamic `i64` operands in place of its dynamic entries; dtypes, dims and flags are attributes.

    ```mlir
    func.func @scale_column(%x: !graph.tensor<3x3xf32>) -> !graph.tensor<3x3xf32> {
      %k = arith.constant 2.0 : f64
      %c = graph.select %x index [1] {dim = 1 : i64} : !graph.tensor<3x3xf32>
      %w = graph.mul_ %c, %k : !graph.tensor<3xf32>, f64
      return %x : !graph.tensor<3x3xf32>
    }
    ```

    Arguments of a function may declare what the compiler then relies on and the runtime checks: `graph.storage =
    "s0"` (the same name: one storage; different names: disjoint storages; none: unknown) and `graph.layout =
    strided<[3, 1], offset: 2>` (none: contiguous at offset 0, or what a session is called with; `"any"`, or `?` for a number: known when the program
    runs). Where strides are not known, results have the strides that eager gives them all the same, worked out when the
    program runs; what would be another program by other strides (`view` that joins dimensions, `as_strided`) is refused,
    and such an argument may be written where its elements lie in distinct places, which is tested; at an argument of a private function
    `graph.distinct` says that they do.

    What a function relies on and nothing declares stands at its start as `graph.guard`: a call for which it does not hold is refused before anything is written.
  }];
  let useDefaultTypePrinterParser = 1;
  let hasRegionArgAttrVerify = 1;
  let hasOperationAttrVerify = 1;
}

def Graph_TensorType : TypeDef<Graph_Dialect, "Tensor", [DeclareTypeInterfaceMethods<ShapedTypeInterface>]> {
  let mnemonic = "tensor";
  let summary = "a strided view of a storage";
  let description = [{
    Sizes (`?` where not known statically), element type, and a device where it is not the CPU:
    `!graph.tensor<4x?xf32>`, `!graph.tensor<f32>`, `!graph.tensor<8xi64, "cuda:0">`. Element types are `f32`, `f64`,
    `f16`, `bf16`, `complex<f32>`, `complex<f64>`, `i64`, `i32`, `i16`, `i8`, `ui8` and `i1` (bool).
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        OptionalParameter<"::mlir::StringAttr">:$device);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

// No C++ class: the assembly then spells the type in full.
def Graph_Tensor : Type<CPred<"::llvm::isa<::terrace::graph::TensorType>($_self)">, "graph tensor">;
def Graph_Scalar : AnyTypeOf<[F64, I64, I1, Complex<F64>], "a number (f64, i64, i1 or complex<f64>)">;
def Graph_TensorOrScalar : AnyTypeOf<[Graph_Tensor, F64, I64, I1, Complex<F64>],
                                     "a graph tensor or a number (f64, i64, i1 or complex<f64>)">;
defvar Terrace_Tensor = AnyRankedTensor;

// How an operand or a result of a graph operation touches its storage.
class Reads<TypeConstraint t> : Arg<t, "", [MemRead]>;
class Writes<TypeConstraint t> : Arg<t, "", [MemRead, MemWrite]>;
class Overwrites<TypeConstraint t> : Arg<t, "", [MemWrite]>;
class Allocates<TypeConstraint t> : Res<t, "", [MemAlloc]>;
class AllocatesVariadic<Type t> : Res<Variadic<t>, "", [MemAlloc]>;
class ReadsOptional<Type t> : Arg<Optional<t>, "", [MemRead]>;
class WritesOptional<Type t> : Arg<Optional<t>, "", [MemRead, MemWrite]>;
class ReadsVariadic<Type t> : Arg<Variadic<t>, "", [MemRead]>;
class WritesVariadic<Type t> : Arg<Variadic<t>, "", [MemRead, MemWrite]>;

defvar defaultFormat = "operands attr-dict `:` type(operands)";

class Graph_Op<string mnemonic, string rule, list<Trait> traits = []>
    : TerraceOp<Graph_Dialect, mnemonic, rule, !listconcat([RustInferTypes], traits)> {
  let assemblyFormat = defaultFormat;
}

//===- The boundary between storages and values -----------------------------------------------------------------===//

// ATen has no such operators.
let overloads = []<string> in {
def Graph_ValueOp : Graph_Op<"value", "graph_value"> {
  let role = "Boundary";
  let summary = "reads the elements of a view into a builtin tensor";
  let description = [{
    ```mlir
    %v = graph.value %x : !graph.tensor<2x3xf32>      // tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Reads<Graph_Tensor>:$view);
  let results = (outs Terrace_Tensor:$result);
}

def Graph_FreshOp : Graph_Op<"fresh", "graph_fresh"> {
  let role = "Boundary";
  let summary = "puts a builtin tensor into a new storage, contiguous at offset 0";
  let arguments = (ins Terrace_Tensor:$value);
  let results = (outs Allocates<Graph_Tensor>:$result);
}

let role = "Boundary", devices = ["Anywhere", "There"] in
def Graph_WriteBackOp : TerraceOp<Graph_Dialect, "write_back", "", [RustVerify]> {
  let summary = "writes a builtin tensor into the elements of a view, and into no others";
  let description = [{
    ```mlir
    graph.write_back %v into %x : tensor<2x3xf32>, !graph.tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Terrace_Tensor:$value, Overwrites<Graph_Tensor>:$view);
  let assemblyFormat = "$value `into` $view attr-dict `:` type($value) `,` type($view)";
}

def Graph_CustomOp : TerraceOp<Graph_Dialect, "custom", "", [RustVerify, RustEffects]> {
  let summary = "an operator that Terrace does not know";
  let description = [{
    `callee` names the function that computes it: one of the module, or one that whoever runs the program registers under that
    name. What it does to its arguments stands in `schema`, in ATen's notation: `Tensor(a!)` is written, a result with the letter of an
    argument shares that argument's storage (and is that very tensor where the argument is written), any other result is a new tensor.

    ```mlir
    %y = graph.custom @mine::@scale_(%x, %k) {schema = "(Tensor(a!) x, float k) -> Tensor(a!)"}
        : (!graph.tensor<4xf32>, f64) -> !graph.tensor<4xf32>
    ```

    Arguments that are lists or optional take as many operands as `segments` says, one number for each of them, in order. A Python number is
    an `f64`, `i64` or `i1`. Without a schema the operation may read and write anything, and no other operation moves across it.

    `shape` names a function of the module that gives the sizes of the result tensors, one `index` after another, from those of the
    tensor arguments: the interpreter holds the results to it.
  }];
  let arguments = (ins SymbolRefAttr:$callee, OptionalAttr<StrAttr>:$schema, OptionalAttr<DenseI64ArrayAttr>:$segments,
                       OptionalAttr<FlatSymbolRefAttr>:$shape, Variadic<Graph_TensorOrScalar>:$args);
  let results = (outs Variadic<Graph_TensorOrScalar>:$results);
  let assemblyFormat = "$callee `(` $args `)` attr-dict `:` functional-type($args, $results)";
}

def Graph_CastOp : TerraceOp<Graph_Dialect, "cast", "", [Pure, ViewOfFirst, RustVerify, RustFold]> {
  let summary = "the same tensor, by a type that leaves sizes open";
  let description = [{
    It stands where control flow brings along tensors whose types say different sizes, or where a function is called that takes any. The result
    is the operand itself, no other view of its storage. A type that says more than the operand's is not given: what has another size would have
    to be refused, which `graph.expand` and `graph.view` do.

    ```mlir
    %1 = graph.cast %0 : !graph.tensor<4x8xf32> to !graph.tensor<?x8xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$self);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$self attr-dict `:` type($self) `to` type($result)";
}

// No declared effects: it is not to be removed, and nothing moves across it.
def Graph_GuardOp : TerraceOp<Graph_Dialect, "guard", "", [RustVerify]> {
  let role = "Boundary";
  let summary = "refuses the call where something does not hold for its arguments";
  let description = [{
    Where the condition is false the function ends, and its call is refused for the reason that `text` says: nothing has been written yet, so that whoever
    called may go another way. The condition follows from sizes, strides, offsets and storages of arguments alone, never from elements. Guards stand at the
    start of a function that callers outside of the module can reach.

    ```mlir
    func.func @f(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
      %0 = graph.check_disjoint %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
      graph.guard %0, "arguments 0 and 1 share no memory"
    ```

    `graph-specialize-aliases` writes guards on how arguments lie to each other, `graph-functionalize` on sizes that types leave open. The text says what has
    to hold.
  }];
  let arguments = (ins I1:$condition, StrAttr:$text);
  let assemblyFormat = "$condition `,` $text attr-dict";
}

// No declared effects: it is not to be removed.
def Graph_AssertDistinctOp : TerraceOp<Graph_Dialect, "assert_distinct"> {
  let role = "Boundary";
  let summary = "refuses a tensor of which two elements lie in one place";
  let description = [{
    Tests, when the program runs, how a tensor lies that is written for sure, in eager's words where a stride is 0. Where it may be written,
    `graph.check_distinct` asks.
  }];
  let arguments = (ins Graph_Tensor:$view);
  let assemblyFormat = "$view attr-dict `:` type($view)";
}

//===- How tensors lie ------------------------------------------------------------------------------------------===//

// They ask what a view is, never what its elements are.
class Graph_CheckOp<string mnemonic, dag operands> : TerraceOp<Graph_Dialect, mnemonic, "", [Pure, RustVerify]> {
  let role = "Boundary";
  let arguments = operands;
  let results = (outs I1:$result);
  let assemblyFormat = defaultFormat;
}

def Graph_CheckDisjointOp : Graph_CheckOp<"check_disjoint", (ins Variadic<Graph_Tensor>:$tensors,
    OptionalAttr<DenseI64ArrayAttr>:$sets, OptionalAttr<DenseBoolArrayAttr>:$written, UnitAttr:$storages)> {
  let summary = "whether what is written through one tensor can't be seen through another one";
  let description = [{
    True where no element of a tensor that is `written` shares memory with an element of another tensor. Without `written` all
    are. `sets` divides the tensors, in order, into sets of these sizes: two tensors of one set may share memory, as may two
    that are not written. With `storages` tensors may not even lie in one storage: that is for views that reach beyond
    their tensor.

    ```mlir
    %0 = graph.check_disjoint %x, %y : !graph.tensor<4xf32>, !graph.tensor<2x3xf64>
    %1 = graph.check_disjoint %x, %y, %z {sets = array<i64: 1, 2>, written = array<i1: true, false, false>}
        : !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<8xf32>
    ```

    Memory is compared byte by byte, so dtypes may differ: tensors are sorted by their first byte, which decides all that lie
    apart in O(n log n); of those that are left the strides decide, exactly wherever a bounded search can. What it can't
    decide is not disjoint.
  }];
}

def Graph_CheckDistinctOp : Graph_CheckOp<"check_distinct", (ins Graph_Tensor:$tensor)> {
  let summary = "whether each element of a tensor lies in a place of its own";
  let description = [{
    False where two indices name one place, as in what `graph.expand` gives; true of what has no elements.

    ```mlir
    %0 = graph.check_distinct %x : !graph.tensor<4x3xf32>
    ```

    `graph-functionalize` asks it of arguments that may be written, where it is not known how they lie.
  }];
}

// No declared effects: it is not to be removed.
def Graph_AssertStorageOp : TerraceOp<Graph_Dialect, "assert_storage", "", [RustVerify]> {
  let role = "Boundary";
  let summary = "refuses a storage of fewer bytes";
  let description = [{
    Tests, when the program runs, that the storage of a tensor has what a view by strides names of it. Where it may be viewed so,
    `graph.check_storage` asks.

    ```mlir
    graph.assert_storage %x bytes [28] : !graph.tensor<4xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$tensor, Variadic<I64>:$dynamic_bytes, DenseI64ArrayAttr:$bytes);
  let assemblyFormat = "$tensor `bytes` custom<DynamicIndexList>($dynamic_bytes, $bytes) attr-dict `:` type($tensor)";
}

// It reads what `graph.resize_storage` writes.
def Graph_CheckStorageOp : TerraceOp<Graph_Dialect, "check_storage", "", [RustVerify]> {
  let role = "Boundary";
  let summary = "whether the storage of a tensor has at least so many bytes";
  let description = [{
    ```mlir
    %0 = graph.check_storage %x bytes [28] : !graph.tensor<4xf32>
    %1 = graph.check_storage %x bytes [%n] : !graph.tensor<4xf32>
    ```

    `graph-functionalize` asks it of an argument of which `graph.as_strided` names places that the argument itself does not reach. In compiled code
    who called says how many bytes there are; where nobody does it is true.
  }];
  let arguments = (ins Reads<Graph_Tensor>:$tensor, Variadic<I64>:$dynamic_bytes, DenseI64ArrayAttr:$bytes);
  let results = (outs I1:$result);
  let assemblyFormat = "$tensor `bytes` custom<DynamicIndexList>($dynamic_bytes, $bytes) attr-dict `:` type($tensor)";
}

def Graph_CheckSameOp : Graph_CheckOp<"check_same", (ins Graph_Tensor:$a, Graph_Tensor:$b)> {
  let summary = "whether two tensors are one view of one storage";
  let description = [{
    True where storage, sizes, strides, offset and flags are the same; the types are, but for sizes that one of them leaves open.

    ```mlir
    %0 = graph.check_same %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
    ```
  }];
}

def Graph_CheckSameStorageOp : Graph_CheckOp<"check_same_storage", (ins Graph_Tensor:$a, Graph_Tensor:$b)> {
  let summary = "whether two tensors are views of one storage";
  let description = [{
    ```mlir
    %0 = graph.check_same_storage %x, %y : !graph.tensor<4xf32>, !graph.tensor<2x3xf32>
    ```
  }];
}
}

#endif
