//===- Loop.td - the loop dialect: how each element is computed -------------------------------------------------===//
//
// One operation, one iteration domain, one scalar body. Destination style, on tensors and on memrefs.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_LOOP
#define TERRACE_LOOP

include "Base.td"

def Loop_Dialect : TerraceDialect<"loop", "loop"> {
  let summary = "Index-level programs: how each element is computed";
  let description = [{
    An operation has an iteration domain, `(%i = 64, %j = 1024)`, and a scalar body in `arith` and `math` that runs
    once per point. The body reads with `loop.load` at affine expressions of the indices, or at indices that it
    computed. What it yields is the element at the point. A complex number is an element like any other, which the body takes apart
    by `complex.re` and `complex.im` and puts together by `complex.create`. Views are gone: they are index expressions. Each operation
    writes a destination (`into`), a tensor whose new value is the result, or a memref.

    A softmax over rows, the four operations it is:

    ```mlir
    %max = loop.reduction max (%i = 64) over (%j = 1024) into %m0 {
      %a = loop.load %x[%i, %j] : tensor<64x1024xf32>
      loop.yield %a : f32
    } : tensor<64xf32>
    %exp = loop.pointwise (%i = 64, %j = 1024) into %e0 {
      %a = loop.load %x[%i, %j] : tensor<64x1024xf32>
      %m = loop.load %max[%i] : tensor<64xf32>
      %d = arith.subf %a, %m : f32
      %e = math.exp %d : f32
      loop.yield %e : f32
    } : tensor<64x1024xf32>
    %sum = loop.reduction add (%i = 64) over (%j = 1024) into %s0 {
      %e = loop.load %exp[%i, %j] : tensor<64x1024xf32>
      loop.yield %e : f32
    } : tensor<64xf32>
    %out = loop.pointwise (%i = 64, %j = 1024) into %o0 {
      %e = loop.load %exp[%i, %j] : tensor<64x1024xf32>
      %s = loop.load %sum[%i] : tensor<64xf32>
      %q = arith.divf %e, %s : f32
      loop.yield %q : f32
    } : tensor<64x1024xf32>
    ```

    Sizes of a domain are constants or `index` values: `(%i = 64, %j = %n)`.

    What an operation means says nothing of how its domain is run through. Where the compiler's choice is not what is
    wanted, or where a pass has decided, it stands behind the body:

    ```mlir
    loop.pointwise (%i = 64, %j = 1024) into %y {
      ...
    } order [1, 0] tile [64, 16] : memref<64x1024xf32>
    ```

    `order` has the dimensions of the domain, by their numbers, from the outermost loop to the lanes of tiles; `tile` has
    for each dimension how many of its indices are one grid point's, up to all of them. In a reduction `tile` is about the
    outer domain: the inner one is never divided.

    `cf.assert %inside, "index out of range" {loop.any_time}` may as well stand later: what follows is safe where it does not hold, for
    what it loads lies within its tensors in any case.
  }];
}

// How elements are combined. On floats max and min propagate NaN; `and` and `or` are of bits (of truth, on i1);
// `logaddexp` is log(exp(a) + exp(b)), of floats alone.
def Terrace_Combiner : I32EnumAttr<"Combiner", "how elements are combined", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Mul", 1, "mul">, I32EnumAttrCase<"Max", 2, "max">,
    I32EnumAttrCase<"Min", 3, "min">, I32EnumAttrCase<"And", 4, "and">, I32EnumAttrCase<"Or", 5, "or">,
    I32EnumAttrCase<"LogAddExp", 6, "logaddexp">]> {
  let cppNamespace = "::terrace";
  let genSpecializedAttr = 1;
}

def Loop_Destination : AnyTypeOf<[AnyRankedTensor, AnyMemRef], "a tensor or a memref">;

// `order` and `tile` are decisions of a schedule, a human's or a pass's: see the dialect's description.
class Loop_NestOp<string mnemonic, list<Trait> traits = []> : TerraceOp<Loop_Dialect, mnemonic, "", [
    SingleBlock, RustVerifyRegions, RustEffects, RecursiveMemoryEffects, Destinations] # traits> {
  let regions = (region SizedRegion<1>:$body);
  let extraClassDeclaration = !strconcat("::mlir::MutableOperandRange getDpsInitsMutable() { return getInitMutable(); }", SizesOfDestinations);
}

// Without a destination it is a member of a group, and its result a value of the point: a tensor of the outer domain's
// sizes, or a number where there is no outer domain.
class Loop_MemberOp<string mnemonic> : Loop_NestOp<mnemonic, [AttrSizedOperandSegments]> {
  let results = (outs Optional<AnyType>:$result);
}

def Loop_PointwiseOp : Loop_MemberOp<"pointwise"> {
  let summary = "the element at each point is what the body yields";
  let description = [{
    The domain is the destination's shape.
    ```mlir
    %c = loop.pointwise (%i = 64, %j = 1024) into %init {
      %a = loop.load %s[%i, %j] : tensor<64x1024xf32>
      %b = arith.mulf %a, %k : f32
      loop.yield %b : f32
    } : tensor<64x1024xf32>
    ```
  }];
  let arguments = (ins Variadic<Index>:$dynamic_sizes, DenseI64ArrayAttr:$sizes, Optional<Loop_Destination>:$init,
                       OptionalAttr<DenseI64ArrayAttr>:$order, OptionalAttr<DenseI64ArrayAttr>:$tile);
  let assemblyFormat = [{
    custom<Nest>($body, $dynamic_sizes, $sizes, $init) (`order` $order^)? (`tile` $tile^)? attr-dict
    `:` custom<MemberType>(ref($init), type($init), type($result))
  }];
}

def Loop_ReductionOp : Loop_MemberOp<"reduction"> {
  let summary = "the element at each point combines what the body yields over the inner domain";
  let description = [{
    The outer domain is the destination's shape; the last `reduced` indices are the inner domain. An empty inner
    domain gives the combiner's identity. The order of combination is free.
    ```mlir
    %max = loop.reduction max (%i = 64) over (%j = 1024) into %init {
      %a = loop.load %s[%i, %j] : tensor<64x1024xf32>
      loop.yield %a : f32
    } : tensor<64xf32>
    ```
  }];
  let arguments = (ins Terrace_Combiner:$combiner, Variadic<Index>:$dynamic_sizes, DenseI64ArrayAttr:$sizes,
                       I64Attr:$reduced, Optional<Loop_Destination>:$init, OptionalAttr<DenseI64ArrayAttr>:$order,
                       OptionalAttr<DenseI64ArrayAttr>:$tile);
  let assemblyFormat = [{
    $combiner custom<ReductionNest>($body, $dynamic_sizes, $sizes, $reduced, $init) (`order` $order^)? (`tile` $tile^)?
    attr-dict `:` custom<MemberType>(ref($init), type($init), type($result))
  }];
}

def Loop_ScanOp : Loop_MemberOp<"scan"> {
  let summary = "the element at each point combines what the body yields there and at the points before it";
  let description = [{
    The domain is the destination's shape; the points before one are those of smaller index in the dimension that `along`
    names, and equal others. A `reverse` scan combines the points after it instead. In an `exclusive` one the point itself
    does not count: the first gets the combiner's identity. The order of combination is free, as in a reduction.
    ```mlir
    %c = loop.scan add (%i = 64, %j = 1024) along %j into %init {
      %a = loop.load %s[%i, %j] : tensor<64x1024xf32>
      loop.yield %a : f32
    } : tensor<64x1024xf32>
    ```
  }];
  let arguments = (ins Terrace_Combiner:$combiner, UnitAttr:$exclusive, UnitAttr:$reverse,
                       Variadic<Index>:$dynamic_sizes, DenseI64ArrayAttr:$sizes, I64Attr:$dim, Optional<Loop_Destination>:$init,
                       OptionalAttr<DenseI64ArrayAttr>:$order, OptionalAttr<DenseI64ArrayAttr>:$tile);
  let assemblyFormat = [{
    $combiner (`exclusive` $exclusive^)? (`reverse` $reverse^)?
    custom<ScanNest>($body, $dynamic_sizes, $sizes, $dim, $init) (`order` $order^)? (`tile` $tile^)? attr-dict
    `:` custom<MemberType>(ref($init), type($init), type($result))
  }];
}

def Loop_ScatterOp : Loop_NestOp<"scatter", [DestinationStyleOpInterface]> {
  let summary = "each point writes one element of the destination; the others keep their value";
  let description = [{
    The body says where: `loop.yield %v at [...]`. Points that write one element write the same value.
    ```mlir
    %u = loop.scatter (%i = 4, %j = 8) into %x {
      %v = loop.load %src[%i, %j] : tensor<4x8xf32>
      loop.yield %v at [%i * 2 + 1, %j] : f32
    } : tensor<16x8xf32>
    ```
    Where they may write different ones, it says what that means. With a combiner each is combined with what is there, from
    the old value on, in any order; `ordered` means that the last point in row-major order wins.
    ```mlir
    %sums = loop.scatter add (%i = 4, %j = 8) into %x {
      %r = loop.load %row[%i] : tensor<4xindex>
      %v = loop.load %src[%i, %j] : tensor<4x8xf32>
      loop.yield %v at [%r, %j] : f32
    } : tensor<16x8xf32>
    ```
    All loads see the destination as it was before. Neither `order` nor `tile` changes which point is the last; dimensions
    in which points may meet are run in order, by one grid point.
  }];
  let arguments = (ins OptionalAttr<Terrace_Combiner>:$combiner, UnitAttr:$ordered, Variadic<Index>:$dynamic_sizes,
                       DenseI64ArrayAttr:$sizes, Loop_Destination:$init, OptionalAttr<DenseI64ArrayAttr>:$order,
                       OptionalAttr<DenseI64ArrayAttr>:$tile);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    ($combiner^)? (`ordered` $ordered^)? custom<ScatterNest>($body, $dynamic_sizes, $sizes, $init) (`order` $order^)?
    (`tile` $tile^)? attr-dict `:` custom<NestType>(type($init), type($result))
  }];
}

def Loop_LoadOp : TerraceOp<Loop_Dialect, "load", "loop_load", [
    AttrSizedOperandSegments, RustInferTypes, RustVerify, RustEffects, ReadsOwnPoint]> {
  let summary = "one element, at an affine expression of indices";
  let description = [{
    Indices are any `index` values: those of the domain, or computed ones. With a mask the element is read only where
    it holds.
    ```mlir
    %a = loop.load %x[%i, %j * 2 + 1] : tensor<4x16xf32>
    %b = loop.load %x[%r, %j] if %inside else %zero : tensor<4x16xf32>, f32
    ```
  }];
  let arguments = (ins Loop_Destination:$source, Variadic<Index>:$indices, AffineMapAttr:$map, Optional<I1>:$mask,
                       Optional<AnyType>:$other);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $source `[` custom<Access>($indices, $map) `]` (`if` $mask^ `else` $other)? attr-dict
    `:` type($source) (`,` type($other)^)?
  }];
}

def Loop_GroupOp : TerraceOp<Loop_Dialect, "group", "", [
    AttrSizedOperandSegments, SingleBlock, RustVerifyRegions, RustEffects, RecursiveMemoryEffects, Destinations,
    HoldsLocals, DestinationStyleOpInterface]> {
  let summary = "what runs together at each point of a shared domain: one kernel";
  let description = [{
    The body runs once per point of the shared domain, which may be empty: then it runs once. Its *members* are
    `loop.pointwise`, `loop.reduction` and `loop.scan` without `into`: each gives a value of the point, a tensor of its own outer
    domain or, where it has none, a number. Members, `arith`, `math` and `loop.load` stand in any number and use what
    came before them. `loop.in_parallel` at the end says what goes where.

    A softmax over rows, read aloud: "for each row i below 64, into p: the maximum over j of x; then, over j, the
    exponential of x minus that; the sum of those; and over j the exponentials divided by it, which go into row i of p."

    ```mlir
    %probs = loop.group @softmax (%i = 64) into (%p0 as %p : tensor<64x1024xf32>) {
      %max = loop.reduction max over (%j = 1024) {
        %a = loop.load %x[%i, %j] : tensor<64x1024xf32>
        loop.yield %a : f32
      } : f32
      %exp = loop.pointwise (%j = 1024) {
        %a = loop.load %x[%i, %j] : tensor<64x1024xf32>
        %d = arith.subf %a, %max : f32
        %e = math.exp %d : f32
        loop.yield %e : f32
      } : tensor<1024xf32>
      %sum = loop.reduction add over (%j = 1024) {
        %e = loop.load %exp[%j] : tensor<1024xf32>
        loop.yield %e : f32
      } : f32
      %out = loop.pointwise (%j = 1024) {
        %e = loop.load %exp[%j] : tensor<1024xf32>
        %q = arith.divf %e, %sum : f32
        loop.yield %q : f32
      } : tensor<1024xf32>
      loop.in_parallel {
        loop.insert %out into %p at [%i, :] : tensor<1024xf32> into tensor<64x1024xf32>
      }
    }
    ```

    Points run in any order, as in `scf.forall`. All of them see the destinations as they were: `loop.load` reads `%p0`,
    and `%p`, the name of the destination inside, is for `loop.insert` alone. What no point inserts keeps its value. On
    tensors a group is pure, and its results are the new values of the destinations; on memrefs it has no results.
    What a member gives is a value in both: there is no buffer for it before `convert-loop-to-kernel`, which decides.

    The name is a part of the kernel's. `tile [4]` behind the body says how many points of each dimension are one grid
    point's.
  }];
  let arguments = (ins OptionalAttr<SymbolNameAttr>:$kernel_name, Variadic<Index>:$dynamic_sizes,
                       DenseI64ArrayAttr:$sizes, Variadic<Loop_Destination>:$inits,
                       OptionalAttr<DenseI64ArrayAttr>:$tile);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    ($kernel_name^)? custom<Group>($body, $dynamic_sizes, $sizes, $inits, type($inits), type($results))
    (`tile` $tile^)? attr-dict
  }];
  let extraClassDeclaration = !strconcat("::mlir::MutableOperandRange getDpsInitsMutable() { return getInitsMutable(); }", SizesOfDestinations);
}

def Loop_InParallelOp : TerraceOp<Loop_Dialect, "in_parallel", "", [
    Pure, Terminator, NoTerminator, SingleBlock, HasParent<"GroupOp">, RustVerifyRegions]> {
  let summary = "the end of a group's point: what goes where";
  let description = "Holds `loop.insert` alone. Their order means nothing.";
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
}

def Loop_InsertOp : TerraceOp<Loop_Dialect, "insert", "", [HasParent<"InParallelOp">, RustVerify]> {
  let summary = "puts a value of a group's point into a destination";
  let description = [{
    Each dimension of the destination has an index, or `:` for all of it. A number takes an index for each dimension, a
    tensor a `:` for each of its own, of the same size.
    ```mlir
    loop.insert %out into %p at [%i, :] : tensor<1024xf32> into tensor<64x1024xf32>
    loop.insert %max into %m at [%i] : f32 into tensor<64xf32>
    loop.insert add %part into %s at [:] : tensor<1024xf32> into tensor<1024xf32>
    ```
    Elements that different inserts or points write are distinct. With a combiner they need not be: each is combined with
    what is there, from the destination's old value on, in any order. All inserts into a destination have the same
    combiner, or none. The points of a group that combines run one after the other.
  }];
  let arguments = (ins OptionalAttr<Terrace_Combiner>:$combiner, AnyType:$value, Loop_Destination:$destination,
                       Variadic<Index>:$indices, AffineMapAttr:$map, DenseBoolArrayAttr:$whole);
  let assemblyFormat = [{
    ($combiner^)? $value `into` $destination `at` ` ` `[` custom<Slots>($indices, $map, $whole) `]` attr-dict
    `:` type($value) `into` type($destination)
  }];
}

def Loop_YieldOp : TerraceOp<Loop_Dialect, "yield", "", [Pure, Terminator, RustVerify]> {
  let summary = "the element at the point, and for a scatter where it goes";
  let arguments = (ins AnyType:$value, Variadic<Index>:$indices, OptionalAttr<AffineMapAttr>:$map);
  let assemblyFormat = "$value `` custom<Place>($indices, $map) attr-dict `:` type($value)";
}

#endif
