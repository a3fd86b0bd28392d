//===- FunctionalPasses.td - passes on values, and to loops -----------------------------------------------------===//

#ifndef TERRACE_FUNCTIONAL_PASSES
#define TERRACE_FUNCTIONAL_PASSES

include "mlir/Pass/PassBase.td"

def ConvertFunctionalToLoop : Pass<"convert-functional-to-loop", "::mlir::func::FuncOp"> {
  let summary = "lower functional operators to loop operations on tensors";
  let description = [{
    An operator says what a tensor is; a loop operation says how each element is computed, which is what fusion, tiling and
    code generation work on. Each operator becomes one or a few loop operations in destination style, on the same builtin
    tensors. Loads look through views (their geometry becomes the load's index expressions) and at constants and fills
    (they become numbers in bodies); only a view that is returned, or that another dialect uses, becomes a tensor of its
    own, by a reshape of upstream where it is one, else by a copy. Indices that are known at run time only are checked by a
    `cf.assert`, and clamped.

    Sizes that are known at run time only, or that elements decide, are values that domains and destinations are made of. Elements of
    f16, bf16 and ui8 that are computed with are refused.

    Before:

    ```mlir
    func.func @scaled_columns(%x: tensor<64x32xf32>, %k: tensor<64xf32>) -> tensor<32xf32> {
      %t = functional.permute %x {dims = array<i64: 1, 0>} : tensor<64x32xf32>
      %e = functional.expand %k size [32, 64] : tensor<64xf32>
      %p = functional.mul %t, %e : tensor<32x64xf32>, tensor<32x64xf32>
      %s = functional.sum %p {dim = array<i64: 1>} : tensor<32x64xf32>
      return %s : tensor<32xf32>
    }
    ```

    After:

    ```mlir
    func.func @scaled_columns(%x: tensor<64x32xf32>, %k: tensor<64xf32>) -> tensor<32xf32> {
      %0 = tensor.empty() : tensor<32x64xf32>
      %p = loop.pointwise (%i = 32, %j = 64) into %0 {
        %a = loop.load %x[%j, %i] : tensor<64x32xf32>
        %b = loop.load %k[%j] : tensor<64xf32>
        %c = arith.mulf %a, %b : f32
        loop.yield %c : f32
      } : tensor<32x64xf32>
      %1 = tensor.empty() : tensor<32xf32>
      %s = loop.reduction add (%i = 32) over (%j = 64) into %1 {
        %a = loop.load %p[%i, %j] : tensor<32x64xf32>
        loop.yield %a : f32
      } : tensor<32xf32>
      return %s : tensor<32xf32>
    }
    ```
  }];
  let dependentDialects = ["::terrace::loop::LoopDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::complex::ComplexDialect", "::mlir::tensor::TensorDialect", "::mlir::cf::ControlFlowDialect"];
}

def FunctionalWiden : Pass<"functional-widen"> {
  let summary = "compute half precision in f32 and u8 in i32";
  let description = [{
    Eager computes f16 and bf16 in f32 and rounds once for each operator; few processors compute in them at all. Numbers without a sign
    have no type of their own in `arith`. So an operator on elements of f16, bf16 or u8 becomes casts of its operands to f32 or
    i32, the operator, and casts of its results back; later stages know the narrow dtypes as elements in memory only. Operators that move
    elements and do not look at them (views, `cat`, `index`, `where`, scatters) stay, and so does `_to_copy`. Bytes that are a mask become
    truth values, those that say which class is right i64.

    Before:

    ```mlir
    %e = functional.exp %x : tensor<8xbf16>
    ```

    After:

    ```mlir
    %w = functional._to_copy %x {dtype = f32} : tensor<8xbf16>
    %f = functional.exp %w : tensor<8xf32>
    %e = functional._to_copy %f {dtype = bf16} : tensor<8xf32>
    ```
  }];
  let dependentDialects = ["::terrace::functional::FunctionalDialect"];
}

def FunctionalGrowConcatenations : Pass<"functional-grow-concatenations"> {
  let summary = "concatenations that grow share one tensor";
  let description = [{
    Each layer of a dense block reads the joined results of all layers before it. As `n` concatenations these are `n * n / 2` copies,
    or as many parts that are read. A concatenation of all operands of another one and one more continues it: both are slices of one
    tensor, into which each operand is written once. It does where everything that reads the shorter one stands before the longer one,
    reads its elements, and is not computed in its place; of three concatenations at least, of known sizes.

    Before:

    ```mlir
    %1 = functional.cat %a, %b {dim = 0 : i64} : tensor<8xf32>, tensor<8xf32>
    %c = functional.sin %1 : tensor<16xf32>
    %2 = functional.cat %a, %b, %c {dim = 0 : i64} : tensor<8xf32>, tensor<8xf32>, tensor<16xf32>
    ```

    After (where a third one follows, of 64 elements):

    ```mlir
    %0 = tensor.empty() : tensor<64xf32>
    %s = functional.slice_scatter %0, %a start [0] end [8] step [1] {dim = 0 : i64} : tensor<64xf32>, tensor<8xf32>
    %t = functional.slice_scatter %s, %b start [8] end [16] step [1] {dim = 0 : i64} : tensor<64xf32>, tensor<8xf32>
    %1 = functional.slice %t start [0] end [16] step [1] {dim = 0 : i64} : tensor<64xf32>
    %c = functional.sin %1 : tensor<16xf32>
    %u = functional.slice_scatter %t, %c start [16] end [32] step [1] {dim = 0 : i64} : tensor<64xf32>, tensor<16xf32>
    %2 = functional.slice %u start [0] end [32] step [1] {dim = 0 : i64} : tensor<64xf32>
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect", "::terrace::functional::FunctionalDialect"];
}

def FunctionalDecompose : Pass<"functional-decompose"> {
  let summary = "spell compound operators by the core of the functional dialect";
  let description = [{
    Most operators of ATen are compositions of a few: element by element, reductions, products, views, gathers. Loops are made
    for that core; this pass spells the others by it, so that a later stage sees few operators. What is in the core and what
    is taken apart is listed in the reference of the operators. The values are those of the operator that was taken apart, with its
    results for nan, infinities and empty tensors, up to the rounding of its steps.

    `keep` names operators, separated by commas, that stay as they are, for a later stage that knows more of them. Sizes that
    are known at run time only are those of operands, or are computed of these.

    Before:

    ```mlir
    %s = functional.logaddexp %a, %b : tensor<8xf32>, tensor<8xf32>
    ```

    After:

    ```mlir
    %max = functional.maximum %a, %b : tensor<8xf32>, tensor<8xf32>
    %difference = functional.sub %a, %b : tensor<8xf32>, tensor<8xf32>
    %distance = functional.abs %difference : tensor<8xf32>
    %negative = functional.neg %distance : tensor<8xf32>
    %exp = functional.exp %negative : tensor<8xf32>
    %log = functional.log1p %exp : tensor<8xf32>
    %sum = functional.add %max, %log : tensor<8xf32>, tensor<8xf32>
    %infinite = functional.isinf %a : tensor<8xf32>
    %equal = functional.eq %a, %b : tensor<8xf32>, tensor<8xf32>
    %same = functional.bitwise_and %infinite, %equal : tensor<8xi1>, tensor<8xi1>
    %s = functional.where %same, %a, %sum : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>
    ```
  }];
  let options = [
    Option<"keep", "keep", "std::string", "\"\"", "Operators, separated by commas, that stay as they are">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect", "::terrace::functional::FunctionalDialect"];
}

def FunctionalViewToCopy : Pass<"functional-view-to-copy", "::mlir::ModuleOp"> {
  let summary = "every view becomes its copy: all tensors are dense and contiguous";
  let description = [{
    A view of the functional dialect is elements of its operand, and whoever reads it may take them from there: from rows
    of a matrix, from places that are gaps apart. Kernels of other libraries, exporters and people who look at memory want
    tensors without gaps. This pass makes every view (`permute`, `view`, `slice`, `select`, `expand`, `diagonal`,
    `as_strided`, `squeeze`, `unsqueeze`, `view.dtype`) its copy, an operation of the same operands, attributes and value
    whose result has memory of its own. Scatters stay: their results are tensors of their own. An argument that declares
    strides with gaps, or in another order, by `functional.layout` is copied at entry.

    Afterwards every tensor is dense and contiguous, which `functional-verify-contiguous` proves. Bodies of scf operations
    are entered. The pass looks at each operation once: its time is linear in them.

    Before:

    ```mlir
    func.func @f(%x: tensor<2x3xf32>, %y: tensor<2x2xf32> {functional.layout = strided<[1, 2]>}) -> tensor<2x2xf32> {
      %a = functional.slice %x start [0] end [2] step [1] {dim = 1 : i64} : tensor<2x3xf32>
      %s = functional.add %a, %y : tensor<2x2xf32>, tensor<2x2xf32>
      return %s : tensor<2x2xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%x: tensor<2x3xf32>, %y: tensor<2x2xf32> {functional.layout = strided<[1, 2]>}) -> tensor<2x2xf32> {
      %z = functional.view_copy %y size [2, 2] : tensor<2x2xf32>
      %a = functional.slice_copy %x start [0] end [2] step [1] {dim = 1 : i64} : tensor<2x3xf32>
      %s = functional.add %a, %z : tensor<2x2xf32>, tensor<2x2xf32>
      return %s : tensor<2x2xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect", "::terrace::functional::FunctionalDialect"];
}

def FunctionalVerifyContiguous : Pass<"functional-verify-contiguous", "::mlir::ModuleOp"> {
  let summary = "prove that every builtin tensor is dense and contiguous, or say which one is not";
  let description = [{
    What comes after `functional-view-to-copy` relies on tensors without gaps in row-major order. This pass changes nothing;
    it looks at every builtin tensor that a function takes, returns or computes, also inside scf operations, and gives a
    located error for each that it can't prove dense and contiguous:

    * the result of a view of the functional dialect: its `_copy` would be;
    * an argument that declares other strides by `functional.layout` and has a use that is no copy;
    * a result that declares other strides: a contiguous one would do;
    * what operations make of which nothing is known, and views of other dialects (`tensor.extract_slice`).

    Proven are results of the functional dialect's other operations, of `arith`, and of those of `tensor` that make new
    tensors; what scf, cf and func hand on is what they are given. Graph tensors are not looked at. Linear in the operations.

    Refused:

    ```mlir
    %t = functional.permute %x {dims = array<i64: 1, 0>} : tensor<2x3xf32>
    // error: result 0 is a view of its operand, not provably dense and contiguous: functional.permute_copy is, and
    // functional-view-to-copy makes it so
    ```

    Left as it is:

    ```mlir
    %t = functional.permute_copy %x {dims = array<i64: 1, 0>} : tensor<2x3xf32>
    ```
  }];
}

def FunctionalReinplace : Pass<"functional-reinplace", "::mlir::ModuleOp"> {
  let summary = "a value that nobody reads any more gives its memory to the next one";
  let description = [{
    Mutation removal makes a value of every version of a storage: one token written into a cache of a million elements is a
    scatter whose result is a whole new cache. This pass finds where the old value is dead, and says so:

    * `functional.in_place = N` at a scatter, or a pointwise operation, whose result takes the memory of operand N;
    * `functional.donated = R` at an argument of a core whose memory result R takes. Where the boundary wrote back parts of an
      argument that a chain of scatters has written, the core returns the whole value in the argument's memory, and the
      boundary writes that back, which moves nothing;
    * a view of an old value that is read after the write, but only where nothing was written, becomes a view of the new one.

    Scatters to one region, one over the other, are one scatter before (canonicalize); of other chains each link writes the same
    memory. An operation writes in place where all of this holds:

    1. The old value's memory is the function's own: of a new tensor, of a donated argument, of an argument of a loop's body. A
       constant's is not, nor that of an argument that is not donated: the caller may read it.
    2. Nothing reads the old value, or a view of it that shares an element with what is written, later in its block or behind an
       operation that this one is inside of; returning, yielding and passing it on are reads.
    3. No other operand of the operation shares the old value's memory; a pointwise operation may read it at its own place.
    4. The old value is of the same block, or of one around it that is left for the same scf.if, in one branch of which it is
       written: in a loop it would be read again.

    The algorithm: operations are numbered in the order of the text. What scf operations hand on has memory of its own if all that may
    come in there has and nobody reads it any more: a greatest fixpoint over these edges. Then each scatter and pointwise operation, in
    order, looks at the uses of its operand and of the operand's views, and compares numbers. A value's uses are looked at for the
    operations that would take it alone, 256 at most, so that the time is linear in operations and uses. Overlap is
    decided on strided triples by the exact solver of mutation removal; undecided means overlap. The chain of an argument is walked once.
    What is marked holds in this order of operations: the pass comes last on its level.

    Before, with a boundary that writes row 3 of `%x` back:

    ```mlir
    func.func private @f.core(%x: tensor<8x4xf32>, %r: tensor<4xf32>) -> tensor<4xf32> {
      %0 = functional.select_scatter %x, %r index [3] : tensor<8x4xf32>, tensor<4xf32>
      %1 = functional.select %0 index [3] : tensor<8x4xf32>
      return %1 : tensor<4xf32>
    }
    ```

    After, and the boundary writes the whole argument:

    ```mlir
    func.func private @f.core(%x: tensor<8x4xf32> {functional.donated = 0 : i64}, %r: tensor<4xf32>) -> tensor<8x4xf32> {
      %0 = functional.select_scatter %x, %r index [3] {functional.in_place = 0 : i64} : tensor<8x4xf32>, tensor<4xf32>
      return %0 : tensor<8x4xf32>
    }
    ```
  }];
  let dependentDialects = ["::terrace::functional::FunctionalDialect", "::terrace::graph::GraphDialect"];
}

def FunctionalPartition : Pass<"functional-partition", "::mlir::ModuleOp"> {
  let summary = "split a joint forward and backward graph into the two, saving few bytes between them";
  let description = [{
    A training step is one graph at first: the forward part, and a backward part that reads values of the forward part. Run
    at different times they have to keep what the backward part reads, and activations are most of the memory of training. What
    is cheap to compute again need not be kept.

    A function that has an argument with `functional.tangent` or a result with `functional.gradient` becomes two:
    `@f.forward`, which takes the arguments without tangents and returns the results that are no gradients, then what is saved;
    and `@f.backward`, which takes what is saved, then the tangents, and returns the gradients. The function itself
    stays as the call of both. A function on graph tensors that has such marks calls a core by now: they are the core's.

    What is saved is a minimum cut. Every value of the forward part that the backward part could need is two vertices with an edge of its
    bytes between, and operations lead from operands to results without end of capacity; arguments come from the source, as do
    values that may not be computed again; operations of the backward part lead to the sink. The minimum cut
    (Dinic's algorithm) is the cheapest set of values from which the rest can be computed again, of several the one that computes least. Pointwise operations, views, fills and
    scatters may be computed again; products, reductions and what draws or has effects may not, the first two unless options say so. What draws random
    numbers never is: it would draw others.

    `memory-budget` trades further: 1 is the minimum cut with these rules, 0 saves arguments alone where it can; in between, of the
    saved values those are computed again that fit the budget at the least work, chosen by a knapsack. `memory-budget-bytes` says the
    bytes. What is saved, and what would be if nothing were computed again, is a remark. A budget that can't be kept is an error that
    says the least bytes that can.

    Numbering and the graph are linear in the operations; Dinic's algorithm runs a few phases on graphs of programs.

    Before:

    ```mlir
    func.func @f(%x: tensor<4xf32>, %w: tensor<4xf32>, %g: tensor<4xf32> {functional.tangent})
        -> (tensor<4xf32>, tensor<4xf32> {functional.gradient}) {
      %p = functional.mul %x, %w : tensor<4xf32>, tensor<4xf32>
      %y = functional.tanh %p : tensor<4xf32>
      %yy = functional.mul %y, %y : tensor<4xf32>, tensor<4xf32>
      %d = functional.mul %g, %yy : tensor<4xf32>, tensor<4xf32>
      return %y, %d : tensor<4xf32>, tensor<4xf32>
    }
    ```

    After:

    ```mlir
    func.func private @f.forward(%x: tensor<4xf32>, %w: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %p = functional.mul %x, %w : tensor<4xf32>, tensor<4xf32>
      %y = functional.tanh %p : tensor<4xf32>
      %yy = functional.mul %y, %y : tensor<4xf32>, tensor<4xf32>
      return %y, %yy : tensor<4xf32>, tensor<4xf32>
    }
    func.func private @f.backward(%yy: tensor<4xf32>, %g: tensor<4xf32>) -> tensor<4xf32> {
      %d = functional.mul %g, %yy : tensor<4xf32>, tensor<4xf32>
      return %d : tensor<4xf32>
    }
    func.func @f(%x: .., %w: .., %g: .. {functional.tangent}) -> (tensor<4xf32>, tensor<4xf32> {functional.gradient}) {
      %f:2 = call @f.forward(%x, %w) : ..
      %b = call @f.backward(%f#1, %g) : ..
      return %f#0, %b : tensor<4xf32>, tensor<4xf32>
    }
    ```
  }];
  let options = [
    Option<"memory_budget", "memory-budget", "double", "1.0",
           "Bytes to save, from 0 (the fewest that can be) to 1 (those of the minimum cut)">,
    Option<"memory_budget_bytes", "memory-budget-bytes", "int64_t", "-1", "Bytes to save at most; -1: what memory-budget says">,
    Option<"recompute_products", "recompute-products", "bool", "false", "Whether matrix products and convolutions may be computed again">,
    Option<"recompute_reductions", "recompute-reductions", "bool", "false", "Whether reductions and scans may be computed again">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::terrace::functional::FunctionalDialect"];
}

#endif
