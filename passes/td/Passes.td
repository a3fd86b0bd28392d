//===- Passes.td - passes within and between the dialects -------------------------------------------------------===//
//
// A pass `foo-bar` runs `crate::foo_bar::run(op, &options::FooBar)` of passes/src/foo_bar.rs. Each description says why
// the pass is there and shows IR before and after.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_PASSES
#define TERRACE_PASSES

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

    Operators with sizes that are known at run time only, and elements of f16, bf16 and ui8, are refused.

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
                           "::mlir::tensor::TensorDialect", "::mlir::cf::ControlFlowDialect"];
}

def ConvertLoopToKernel : Pass<"convert-loop-to-kernel", "::mlir::ModuleOp"> {
  let summary = "From what each element is to tile programs and where they run";
  let description = [{
    A loop operation says what each element is and nothing of how it is computed. This pass decides: one dimension of the
    domain becomes the lanes of tiles, the innermost of the others are loops, the outer ones a grid. The decisions stand
    in the program that comes out: a `kernel.func`, and a `kernel.launch` in the operation's place.

    ```mlir
    loop.pointwise (%i = 64, %j = 1000) into %y {
      %a = loop.load %x[%i, %j] : memref<64x1000xf32>
      %b = loop.load %s[%i] : memref<64xf32>
      %c = arith.mulf %a, %b : f32
      loop.yield %c : f32
    } : memref<64x1000xf32>
    ```
    becomes `kernel.launch @main.pointwise_0 grid [16](%x, %s, %y)` of
    ```mlir
    kernel.func @main.pointwise_0(%x: memref<64x1000xf32>, %s: memref<64xf32>, %y: memref<64x1000xf32>) grid(%g in 16) {
      %from = arith.muli %g, %c4 : index
      %to = arith.addi %from, %c4 : index
      scf.for %i = %from to %to step %c1 {
        %b = memref.load %s[%i] : memref<64xf32>
        scf.for %j = %c0 to %c960 step %c64 {
          %a = kernel.load %x[%i, %j : 64] : memref<64x1000xf32>
          %bt = tensor.splat %b : tensor<64xf32>
          %c = arith.mulf %a, %bt : tensor<64xf32>
          kernel.store %c, %y[%i, %j : 64] : tensor<64xf32>, memref<64x1000xf32>
        }
        ... once more, with valid(%c40)
      }
      kernel.return
    }
    ```
    Memrefs may be strided: a dimension of stride 1 is preferred for the lanes. What is the same for all lanes stays
    scalar. A load is a `kernel.load` of a range where it is linear in the lanes' index along one dimension of the buffer,
    else a `kernel.gather`; nothing is read where a mask is off. A reduction accumulates tiles along its inner domain and
    combines their lanes at the end, or, where the outer dimension is the contiguous one, a tile of results at once.
    A sum over `k` of products, one factor of which does not depend on `i` and one not on `j`, in f32 or f64, becomes a
    `kernel.matmul`, the computation of the factors its bodies, where there are rows and columns enough for register tiles
    to pay. `kernel-schedule-templates` and `kernel-expand-templates` go on with it.

    A group becomes one kernel, named after it. The shared domain is its grid, several points a grid point where they have
    little to do; the members come one after the other. Numbers are values of the kernel. A tensor that is inserted is
    written where it goes if nobody reads there later; any other is scratch memory:
    ```mlir
    loop.group @center (%i = 64) into (%y as %p : memref<64x1024xf32>) {
      %sum = loop.reduction add over (%j = 1024) { ... } : f32
      %exp = loop.pointwise (%j = 1024) { ... } : tensor<1024xf32>
      %out = loop.pointwise (%j = 1024) { ... loop.load %exp[%j] ... } : tensor<1024xf32>
      loop.in_parallel {
        loop.insert %out into %p at [%i, :] : tensor<1024xf32> into memref<64x1024xf32>
      }
    }
    ```
    becomes `kernel.launch @main.center_0 grid [64](...)` of
    ```mlir
    kernel.func @main.center_0(%x: memref<64x1024xf32>, %y: memref<64x1024xf32>) grid(%i in 64) {
      %exp = memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
      ...
      %sum = kernel.reduce add %t : tensor<64xf32>
      scf.for %j = %c0 to %c1024 step %c64 {
        ...
        kernel.store %e, %exp[%j : 64] : tensor<64xf32>, memref<1024xf32>
      }
      scf.for %j = %c0 to %c1024 step %c64 {
        %e = kernel.load %exp[%j : 64] : memref<1024xf32>
        ...
        kernel.store %q, %y[%i, %j : 64] : tensor<64xf32>, memref<64x1024xf32>
      }
      kernel.return
    }
    ```
    The points of a group that combines what they insert are all in one grid point, one after the other. A point that
    reads what another one may have written before is refused; memrefs of different names are taken to be apart.
    A scan runs along its dimension with what it has combined so far, a number or a tile, and stores it at each point. Where
    an operation says its `order` or `tile`, that is its schedule, and no product is looked for.
    Sizes are static; tensors must have become memrefs.
  }];
  let options = [
    Option<"tile", "tile", "int64_t", "64", "Elements of a tile, a power of two">,
    Option<"grain", "grain", "int64_t", "4096", "Elements that a grid point works on at least, where there are as many">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::terrace::kernel::KernelDialect"
  ];
}

def FunctionalWiden : Pass<"functional-widen"> {
  let summary = "compute half precision in f32 and u8 in i32";
  let description = [{
    Eager computes f16 and bf16 in f32 and rounds once for each operator; few processors compute in them at all. Numbers without a sign
    have no type of their own in `arith`. So an operator on elements of f16, bf16 or u8 becomes casts of its operands to f32 or
    i32, the operator, and casts of its results back; later stages know the narrow dtypes as elements in memory only. Operators that move
    elements and do not look at them (views, `cat`, `index`, `where`, scatters) stay, and so does `_to_copy`.

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

def FunctionalDecompose : Pass<"functional-decompose"> {
  let summary = "spell compound operators by the core of the functional dialect";
  let description = [{
    Most operators of ATen are compositions of a few: element by element, reductions, products, views, gathers. Loops are made
    for that core; this pass spells the others by it, so that a later stage sees few operators. What is in the core and what
    is taken apart is listed in the reference of the operators. The values are those of the operator that was taken apart, with its
    results for nan, infinities and empty tensors, up to the rounding of its steps.

    `keep` names operators, separated by commas, that stay as they are, for a later stage that knows more of them. Operators on sizes that
    are known at run time only stay as well.

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
  let dependentDialects = ["::mlir::arith::ArithDialect", "::terrace::functional::FunctionalDialect"];
}

def GraphResolveViews : Pass<"graph-resolve-views", "::mlir::func::FuncOp"> {
  let summary = "turn what is a view or a copy into one of them, and what is made of views and copies into these";
  let description = [{
    `reshape`, `contiguous`, `flatten`, `to` and their like are the operand, a view of it or a copy, as its strides decide:
    whether a later write reaches the operand depends on them. This pass decides, by the layouts that arguments declare and
    that eager gives to results, and says what eager does: the operand itself, a view, or `graph.clone` and a view of it.
    Where strides decide and are not known, it asks for them by a located error.

    Operators that eager makes of views and copies (`tensor_split`, `meshgrid`, the copies of views) become these, so that
    `graph-functionalize`, which comes next, has fewer to know.

    Before:

    ```mlir
    func.func @rows(%x: !graph.tensor<4x6xf32>) -> (!graph.tensor<24xf32>, !graph.tensor<24xf32>) {
      %t = graph.t %x : !graph.tensor<4x6xf32>
      %a = graph.reshape %x shape [24] : !graph.tensor<4x6xf32>
      %b = graph.reshape %t shape [24] : !graph.tensor<6x4xf32>
      return %a, %b : !graph.tensor<24xf32>, !graph.tensor<24xf32>
    }
    ```

    After:

    ```mlir
    func.func @rows(%x: !graph.tensor<4x6xf32>) -> (!graph.tensor<24xf32>, !graph.tensor<24xf32>) {
      %t = graph.t %x : !graph.tensor<4x6xf32>
      %a = graph.view %x size [24] : !graph.tensor<4x6xf32>
      %c = graph.clone %t {memory_format = "contiguous_format"} : !graph.tensor<6x4xf32>
      %b = graph.view %c size [24] : !graph.tensor<6x4xf32>
      return %a, %b : !graph.tensor<24xf32>, !graph.tensor<24xf32>
    }
    ```
  }];
  let dependentDialects = ["::terrace::graph::GraphDialect"];
}

def GraphPropagateFake : Pass<"graph-propagate-fake", "::mlir::ModuleOp"> {
  let summary = "say what every tensor is, without computing it";
  let description = [{
    Of every graph tensor follows from what the arguments declare which sizes, strides and offset it has in eager, of which
    storage it is a view, and which tensor object it is. This pass writes it down, for people and for tests; other passes
    ask the same analysis.

    Every argument and operation with graph tensors gets `graph.fake`, a text per result: dtype and sizes, strides, the
    offset where it is not 0, `conj` and `neg` where the flag is set, the number of the storage, the number of the object.
    Results with one storage alias; what changes sizes, strides or storage of an object (`t_`, `resize_`, `set_`) keeps its
    number. Arguments that declare no `graph.storage` have a storage each, and any two of these may be one.

    A size that is not known is a symbol: `graph.symbols` of the function says what each is. A rule that has to know more
    takes for granted what holds in general (sizes that meet are equal, none is 0 or 1, all are large), and `graph.guards` of the
    operation says what; under its guards everything is as in eager. Sizes that depend on elements (`nonzero`,
    `masked_select`) are symbols too, the same ones when the same tensor is asked twice.

    Before:

    ```mlir
    func.func @scaled(%x: !graph.tensor<?x4xf32>, %y: !graph.tensor<?x1xf32>) -> !graph.tensor<4x?xf32> {
      %t = graph.t %x : !graph.tensor<?x4xf32>
      %u = graph.t %y : !graph.tensor<?x1xf32>
      %0 = graph.mul %t, %u : !graph.tensor<4x?xf32>, !graph.tensor<1x?xf32>
      return %0 : !graph.tensor<4x?xf32>
    }
    ```

    After (types left out):

    ```mlir
    func.func @scaled(%x: .. {graph.fake = "f32[s0, 4] strides [4, 1] storage 0 object 0"},
                      %y: .. {graph.fake = "f32[s0, 1] strides [1, 1] storage 1 object 1"})
        attributes {graph.symbols = ["s0: size 0 of argument 0", "s1: size 0 of argument 1"]} {
      %t = graph.t %x {graph.fake = ["f32[4, s0] strides [1, 4] storage 0 object 2"]}
      %u = graph.t %y {graph.fake = ["f32[1, s0] strides [1, 1] storage 1 object 3"]}
      %0 = graph.mul %t, %u {graph.fake = ["f32[4, s0] strides [1, 4] storage 2 object 4"], graph.guards = ["s0 == s1"]}
    ```

    Where ways meet (scf.if, scf.for, scf.while, cf, arith.select) a tensor may be in one of several storages, `storage 0 or 2`, and sizes
    on which the ways differ are symbols. Calls are followed into functions, and have the guards that these need; recursion, custom operators, and what else makes a graph tensor outside of
    the graph dialect, is a located error.
  }];
  let dependentDialects = ["::terrace::graph::GraphDialect"];
}

def GraphStructure : Pass<"graph-structure", "::mlir::ModuleOp"> {
  let summary = "inline calls on graph tensors, and make branches operations of scf";
  let description = [{
    What a call does to storages depends on which of them its operands share, and where a branch goes what was written on the way.
    The passes after this one follow operations of `scf` only. So branches of `cf` become those, by upstream's
    `lift-cf-to-scf`, also ones that no loop of a language would make; and a call of a function that has to do with graph tensors
    becomes its body, with the caller's tensors in the place of the arguments. The size of what comes out is that of all
    calls followed. Recursion and a call of a function without a body is a located error.

    Before:

    ```mlir
    func.func private @halve(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
      %half = arith.constant 0.5 : f64
      %y = graph.mul_ %x, %half : !graph.tensor<4xf32>, f64
      return %y : !graph.tensor<4xf32>
    }
    func.func @either(%c: i1, %x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
      cf.cond_br %c, ^first, ^last(%y : !graph.tensor<4xf32>)
    ^first:
      %h = func.call @halve(%x) : (!graph.tensor<4xf32>) -> !graph.tensor<4xf32>
      cf.br ^last(%h : !graph.tensor<4xf32>)
    ^last(%z: !graph.tensor<4xf32>):
      return %z : !graph.tensor<4xf32>
    }
    ```

    After:

    ```mlir
    func.func @either(%c: i1, %x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
      %z = scf.if %c -> (!graph.tensor<4xf32>) {
        %half = arith.constant 0.5 : f64
        %h = graph.mul_ %x, %half : !graph.tensor<4xf32>, f64
        scf.yield %h : !graph.tensor<4xf32>
      } else {
        scf.yield %y : !graph.tensor<4xf32>
      }
      return %z : !graph.tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect"];
}

def GraphSpecializeAliases : Pass<"graph-specialize-aliases", "::mlir::ModuleOp"> {
  let summary = "test how arguments lie, and give each way a function of its own";
  let description = [{
    What a function computes may depend on how its arguments lie in memory: `x[1:] += 1` changes `y` where `y` is a view of
    the same storage. `graph-functionalize` assumes nothing about that, so that a function which writes an argument is refused
    until its arguments declare their storages. This pass makes the declarations true by testing them.

    A function that callers outside of the module can reach, in which an argument is written that may share elements with
    another one that is read or written, becomes

    * `@f`, as visible as before, with the same arguments: it makes the tests and calls the first variant of which they hold;
    * `@f.disjoint`: what is written shares nothing with the rest, which `graph.storage` says;
    * by `variants=same`, `@f.same_0_1` for each two arguments of one type: they are the same tensor, and one of them is used
      for both; the rest is disjoint;
    * by `variants=same-storage`, `@f.same_storage_0_1` for each two arguments of one dtype whose declared layouts overlap:
      they lie in one storage, which `graph.storage` says; the rest is disjoint;
    * `@f.general`, last: the function as it was written. It runs operation by operation by eager's own rules, which give
      eager's result, or its error, for any overlap.

    `@f` and `@f.general` have the attribute `graph.eager`: no pass makes values of their storages. Other functions of the
    module that called `@f` call `@f.general`: of their arguments they know themselves how they lie.

    A guard covers all that its variant declares: `@f.disjoint` runs only where nothing overlaps, and the variant for two
    arguments that are the same only where these are the same and nothing else overlaps. What can't be decided is taken for
    overlap. Nothing is tested that is known: arguments with declared storages among each other, arguments that are only
    read, or of which no element is touched. Where an operation reaches beyond its tensor (`as_strided`, `set_`, `resize_`)
    into an argument's storage, storages are compared in place of elements.

    What is written, through whatever views, control flow and calls, is asked of the analysis of fake tensors; custom
    operators are asked by their schema, and one without may write anything. That is one walk over each function. A variant
    costs a copy of the function and one test, which is O(n log n) in n arguments that lie apart. With `same` and
    `same-storage` there may be as many variants as pairs; beyond `max-variants` pairs are left to `@f.general`.

    A variant that is asked for by name is compiled like any other function: where eager refuses the program for such
    arguments `graph-functionalize` does so too.

    Before:

    ```mlir
    func.func @accumulate(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
      %s = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
      return %s : !graph.tensor<4xf32>
    }
    ```

    After:

    ```mlir
    func.func @accumulate(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32>
        attributes {graph.eager} {
      %disjoint = graph.check_disjoint %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
      %r = scf.if %disjoint -> (!graph.tensor<4xf32>) {
        %0 = func.call @accumulate.disjoint(%x, %y) : ...
        scf.yield %0 : !graph.tensor<4xf32>
      } else {
        %0 = func.call @accumulate.general(%x, %y) : ...
        scf.yield %0 : !graph.tensor<4xf32>
      }
      return %r : !graph.tensor<4xf32>
    }
    func.func private @accumulate.disjoint(%x: !graph.tensor<4xf32> {graph.storage = "arg0"},
                                           %y: !graph.tensor<4xf32> {graph.storage = "arg1"}) -> ... { as before }
    func.func private @accumulate.general(%x: .., %y: ..) -> ... attributes {graph.eager} { as before }
    ```
  }];
  let options = [
    ListOption<"variants", "variants", "std::string",
               "Variants beside the general one: disjoint, same, same-storage; disjoint alone without it">,
    Option<"max_variants", "max-variants", "int64_t", "8", "Variants for pairs of arguments, at most">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::scf::SCFDialect", "::terrace::graph::GraphDialect"];
}

def GraphFunctionalize : Pass<"graph-functionalize", "::mlir::ModuleOp"> {
  let summary = "split functions on storages into a pure core on values and a boundary";
  let description = [{
    Mutation and aliasing hide what a program computes: an operation may change every tensor that shares its storage.
    This pass makes values of storages. Each function with graph tensors in its signature or body becomes two:

    * `@f.core`, private, in the functional dialect on builtin tensors: pure, so that elimination of common or dead
      code, motion and fusion are free. Its results are the values of new tensors that are returned, then those of the
      regions of arguments that were written.
    * `@f`, the boundary: it reads values out of storages, calls the core, writes back what was written and nothing
      else, and rebuilds the results. Results that alias an argument, a new storage or each other have the sizes,
      strides and offset that eager gives them; a tensor that is returned twice, or that is an argument, is one value.

    The work is linear: one SSA value for each version of a storage. A view is sizes, strides and offset over its
    storage, however long the chain of views is; a mutation is one scatter, and a view is read again when it is used
    after one. Promotion, broadcasting and numbers become explicit.

    Before:

    ```mlir
    func.func @double_column(%x: !graph.tensor<3x3xf32>) -> !graph.tensor<3xf32> {
      %two = arith.constant 2.0 : f64
      %column = graph.select %x index [1] {dim = 1 : i64} : !graph.tensor<3x3xf32>
      %doubled = graph.mul_ %column, %two : !graph.tensor<3xf32>, f64
      %row = graph.select %x index [0] : !graph.tensor<3x3xf32>
      %sum = graph.add %row, %column : !graph.tensor<3xf32>, !graph.tensor<3xf32>
      return %sum : !graph.tensor<3xf32>
    }
    ```

    After:

    ```mlir
    func.func private @double_column.core(%x: tensor<3x3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
      %two = arith.constant 2.0 : f64
      %column = functional.select %x index [1] {dim = 1 : i64} : tensor<3x3xf32>
      %twos = functional.full %two : f64 to tensor<3xf32>
      %doubled = functional.mul %column, %twos : tensor<3xf32>, tensor<3xf32>
      %x1 = functional.select_scatter %x, %doubled index [1] {dim = 1 : i64} : tensor<3x3xf32>, tensor<3xf32>
      %row = functional.select %x1 index [0] : tensor<3x3xf32>
      %sum = functional.add %row, %doubled : tensor<3xf32>, tensor<3xf32>
      return %sum, %doubled : tensor<3xf32>, tensor<3xf32>
    }
    func.func @double_column(%x: !graph.tensor<3x3xf32>) -> !graph.tensor<3xf32> {
      %value = graph.value %x : !graph.tensor<3x3xf32>
      %r:2 = call @double_column.core(%value) : (tensor<3x3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
      %column = graph.as_strided %x size [3] stride [3] storage_offset [1] : !graph.tensor<3x3xf32>
      graph.write_back %r#1 into %column : tensor<3xf32>, !graph.tensor<3xf32>
      %sum = graph.fresh %r#0 : tensor<3xf32>
      return %sum : !graph.tensor<3xf32>
    }
    ```

    An argument that declares `graph.layout = "any"`, or `?` for some of its numbers, is read and written as any other: what
    its elements are does not depend on strides. On the boundary views of it are the operations that they were, in place of
    `graph.as_strided`, and a new tensor whose strides eager derives from such tensors by the rule for pointwise results or
    for copies is a `graph.new_storage` like them, with the strides that the rule gives when the program runs. No result is
    silently laid out in another way. Refused, by an error that asks for strides, are:

    * `as_strided` of such a tensor, and a `view` of it that joins dimensions: strides decide whether there is one;
    * a result of `index` or `convolution`, or of `cat` of four or five dimensions, that is returned with strides that
      depend on such tensors: they follow other rules;
    * two such arguments in one declared storage where one of them is written.

    Where such an argument is written, in part or as a whole, `graph.assert_distinct` tests at entry that none of its
    elements lie in one place. Eager refuses only a write through such elements: `x[0] += 1` where `x` repeats a row is
    refused here, and to be declared.

    It assumes nothing: two arguments may overlap unless `graph.storage` says otherwise, and a write to one of them is
    then refused; so is all that eager refuses, what depends on an order of evaluation that eager leaves open, and, for
    now, sizes that are not static.

    Control flow of `scf` and `arith.select` stays, on values (`graph-structure`, which comes first, makes it of calls and of
    blocks). A storage from outside that is written inside is one more result, and goes round a loop. Where ways meet a
    tensor may be one of several: one or another argument, a new one, with other strides. Which one, a *selector* says, a
    truth value or a number that comes along; all results of an operation have one selector, so that buffers that a loop
    swaps are never taken for one. It is read by `arith.select` of what all of them hold, and a write writes all of them, those
    that it is not with what they held. A loop is followed until no new tensor goes round: at most 64 in all. A tensor that is new on
    every way is one result, and a loop that carries one carries its value:

    ```mlir
    func.func @either(%c: i1, %x: !graph.tensor<4xf32> {graph.storage = "a"}, %y: !graph.tensor<4xf32> {graph.storage = "b"}) {
      %r = scf.if %c -> !graph.tensor<4xf32> {
        scf.yield %x : !graph.tensor<4xf32>
      } else {
        %e = graph.exp_ %x : !graph.tensor<4xf32>
        scf.yield %y : !graph.tensor<4xf32>
      }
      %n = graph.neg_ %r : !graph.tensor<4xf32>
      return
    }
    ```

    has this core:

    ```mlir
    func.func private @either.core(%c: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %x1 = scf.if %c -> (tensor<4xf32>) {
        scf.yield %x : tensor<4xf32>
      } else {
        %e = functional.exp %x : tensor<4xf32>
        scf.yield %e : tensor<4xf32>
      }
      %r = arith.select %c, %x1, %y : tensor<4xf32>
      %n = functional.neg %r : tensor<4xf32>
      %x2 = arith.select %c, %n, %x1 : tensor<4xf32>
      %y2 = arith.select %c, %y, %n : tensor<4xf32>
      return %x2, %y2 : tensor<4xf32>, tensor<4xf32>
    }
    ```

    A view by `graph.select` or `graph.narrow` of one element at an index that is known when the program runs only is read and
    written by the functional operation at that index; what it may overlap is all that it could be.

    A custom operator with a schema is called in a function of its own on values, which makes storages of them and gives the
    operator the views that it had. One without a schema, and what reads or writes memory that comes from elsewhere, stays in its place; an
    argument that it might read or write is then refused.

    Draws are functional in the state of the generator, `tensor<2xi64>`: the core gets the state, each operator that draws takes one and
    leaves the next, on the way that control flow takes, and the generator goes on from the last one. What may draw by itself, a call or a custom operator
    without a schema, finds the generator up to date.

    ```mlir
    func.func private @noise.core(%x: tensor<4xf32>, %s: tensor<2xi64>) -> (tensor<4xf32>, tensor<2xi64>) {
      %n = functional.random_normal %s {mean = 0.0 : f64, std = 1.0 : f64} : tensor<2xi64> to tensor<4xf32>
      %s1 = functional.skip_draws %s {count = 1 : i64} : tensor<2xi64>
      %y = functional.add %x, %n : tensor<4xf32>, tensor<4xf32>
      return %y, %s1 : tensor<4xf32>, tensor<2xi64>
    }
    ```

    A storage counts in elements of the tensor that made it. Where views in another dtype have parts of these, neither all nor one of each, or arguments of
    different dtypes share a declared storage, it counts in the smallest elements that are seen, and larger ones are several side by side.
    A storage whose size changes (`graph.resize_storage`) has a value with as many elements as it ever has; the size of an argument's storage
    changes on the boundary. It changes outside of control flow, or inside for what was made there.

    `input-mutations=results`: arguments are not written; what each that was written would hold is one more result of the function,
    after its own, and results that alias such an argument alias that one.
  }];
  let options = [
    Option<"remove", "remove", "std::string", "\"mutations\"",
           "`mutations`, or `mutations-and-views`: then each view in the core is the copy of one">,
    Option<"inputMutations", "input-mutations", "std::string", "\"write-back\"",
           "How the caller sees that arguments were written: `write-back` into their storages, or `results`">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::tensor::TensorDialect",
                           "::terrace::graph::GraphDialect", "::terrace::functional::FunctionalDialect", "::mlir::scf::SCFDialect"];
}

def GraphDeferredInit : Pass<"graph-deferred-init", "::mlir::ModuleOp"> {
  let summary = "make of a function that builds parameters one that only says what they are, and one for each that builds it alone";
  let description = [{
    A model's parameters are built by a program: factories, random fills, arithmetic, views, writes in place. Whoever wants one
    of them, or only to know what there will be, has no use for memory for all. This pass makes of `@init`

    * `@init.fake`, which gives the same results, but tensors without memory (`graph.fake`): sizes, strides, dtype, device, flags and
      which of them alias are as in `@init`. What the caller can see else is done there and then: arguments are written, `cf.assert` is
      tested, numbers are computed, and the generator goes on as if all had been drawn.
    * `@init.materialize_0`, `@init.materialize_1`, ...: one for the results of each storage, since they share it. The attribute
      `graph.materialize` of a result of `@init.fake` names its function, which gives all the results that have that name, in order.

    Where `@init` draws, `@init.fake` gives the state of the generator from before as two more results, and the materialize functions take
    it as two more arguments: each draw is the one that it was in `@init`, whatever is left out before it
    (`graph.skip_draws`), and calling twice gives the same elements. The generator is as it was afterwards. Arguments are to be what they were when `@init.fake` was called, before it wrote
    them: `terrace_fake::DeferredInit` keeps copies of those that are used.

    A materialize function is a slice of `@init`, backward from the final elements of its storage. Of each operation is known which
    storages it reads and writes, by the analysis of fake tensors, through views, metadata mutation (`set_`, `t_`, `resize_`),
    control flow and calls. Elements of a storage need every earlier write that may reach it, whatever alias it went through,
    back to one that certainly overwrites all of it; a write needs what it reads. A tensor of which only sizes and strides
    are asked for is a `graph.fake` here too. In control flow the needed operations are kept with the conditions they are under; a body's
    writes come before and after each of its reads. The work is linear in the program and in the sizes of the slices.

    Not everything can be put off. An operation that may touch anything (`graph.custom` without a schema, other dialects' writes
    to memory) may not run twice, or out of its order: what was made before it is done at once, in `@init.fake`, and so is a result that
    may share the storage of an argument. Such results have no `graph.materialize`, and a warning names the operation where no argument is the reason. Sizes that depend on elements are
    computed. Where something is known of sizes under a guard alone (see `graph-propagate-fake`), `@init.fake` tests it by `cf.assert`; a
    guard on what is not known when it is called is a located error.

    Before:

    ```mlir
    func.func @init() -> (!graph.tensor<4x4xf32>, !graph.tensor<4xf32>, !graph.tensor<4x4xf32>) {
      %half = arith.constant 5.0e-01 : f64
      %0 = graph.empty [4, 4] : !graph.tensor<4x4xf32>
      %weight = graph.normal_ %0 : !graph.tensor<4x4xf32>
      %1 = graph.empty [4] : !graph.tensor<4xf32>
      %bias = graph.uniform_ %1 : !graph.tensor<4xf32>
      %tied = graph.t %weight : !graph.tensor<4x4xf32>
      %row = graph.select %tied index [0] {dim = 0 : i64} : !graph.tensor<4x4xf32>
      %2 = graph.mul_ %row, %half : !graph.tensor<4xf32>, f64
      return %weight, %bias, %tied : !graph.tensor<4x4xf32>, !graph.tensor<4xf32>, !graph.tensor<4x4xf32>
    }
    ```

    After:

    ```mlir
    func.func @init.fake() -> (!graph.tensor<4x4xf32> {graph.materialize = @init.materialize_0},
                               !graph.tensor<4xf32> {graph.materialize = @init.materialize_1},
                               !graph.tensor<4x4xf32> {graph.materialize = @init.materialize_0},
                               i64 {graph.generator_state}, i64 {graph.generator_state}) {
      %seed, %drawn = graph.generator_state
      %weight = graph.fake [4, 4] {dtype = f32}
      %bias = graph.fake [4] {dtype = f32}
      %tied = graph.t %weight : !graph.tensor<4x4xf32>
      graph.skip_draws 2
      return %weight, %bias, %tied, %seed, %drawn : ...
    }
    func.func @init.materialize_1(%seed: i64, %drawn: i64) -> !graph.tensor<4xf32> {
      %seed_0, %drawn_0 = graph.generator_state
      graph.set_generator_state %seed, %drawn
      %1 = graph.empty [4] : !graph.tensor<4xf32>
      graph.skip_draws 1
      %bias = graph.uniform_ %1 : !graph.tensor<4xf32>
      graph.set_generator_state %seed_0, %drawn_0
      return %bias : !graph.tensor<4xf32>
    }
    ```
  }];
  let options = [
    Option<"functions", "functions", "std::string", "\"\"",
           "Functions, separated by commas; without it every public one that returns a graph tensor">
  ];
  let dependentDialects = ["::terrace::graph::GraphDialect", "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect"];
}

def KernelScheduleTemplates : Pass<"kernel-schedule-templates"> {
  let summary = "how templates are computed, where nobody has said it";
  let description = [{
    What a template computes is settled; how, is in its attributes, to be seen and to be chosen by hand. This pass sets
    those that are not there.

    Of a `kernel.matmul`: the tile is as large as registers allow, `dot-m` rows and `dot-n` columns, or less where tiles
    come out even then. A factor is packed where it is computed and not only loaded, unless what it is computed from is
    much smaller than it is; where its rows and columns are exchanged in memory, or the right factor's columns do not lie
    side by side; and where rows lie a multiple of half a page apart and would push each other out of the cache.

    Before:

    ```mlir
    kernel.matmul (%m = 128, %n = 1024) over (%k = 256) into %y lhs {
      %a = loop.load %x[%m, %k] : memref<128x256xf32>
      loop.yield %a : f32
    } rhs {
      %b = loop.load %w[%n, %k] : memref<1024x256xf32>
      loop.yield %b : f32
    } : memref<128x1024xf32>
    ```

    After:

    ```mlir
    kernel.matmul (%m = 128, %n = 1024) over (%k = 256) into %y lhs {
      ...
    } rhs {
      ...
    } tile [8, 32] pack [false, true] : memref<128x1024xf32>
    ```
  }];
  let options = [
    Option<"dot_m", "dot-m", "int64_t", "14", "Rows of a register tile of a matrix product, at most">,
    Option<"dot_n", "dot-n", "int64_t", "32", "Columns of a register tile of 32-bit elements">
  ];
}

def KernelExpandTemplates : Pass<"kernel-expand-templates", "::mlir::ModuleOp"> {
  let summary = "templates become tile programs";
  let description = [{
    A template is a kernel of a known form with scalar bodies in it. This pass writes the kernel, by the template's
    schedule, and the bodies on tiles; launches stand in the template's place.

    A `kernel.matmul` becomes a kernel whose grid has a point for each register tile. Packed factors are computed before, by
    kernels of their own: the left one row by row, the right one in panels of as many columns as a tile has. The epilogue
    takes the sums of a tile row by row, out of a scratch buffer of the kernel.

    Before:

    ```mlir
    kernel.matmul (%m = 128, %n = 1024) over (%k = 256) into %y lhs {
      %a = loop.load %x[%m, %k] : memref<128x256xf32>
      loop.yield %a : f32
    } rhs {
      %b = loop.load %w[%k, %n] : memref<256x1024xf32>
      loop.yield %b : f32
    } epilogue(%sum: f32) {
      %c = loop.load %bias[%n] : memref<1024xf32>
      %s = arith.addf %sum, %c : f32
      loop.yield %s : f32
    } tile [8, 32] pack [false, false] : memref<128x1024xf32>
    ```

    After, `kernel.launch @main.matmul_0 grid [32, 16](%x, %w, %bias, %y)` of

    ```mlir
    kernel.func @main.matmul_0(%x: memref<128x256xf32>, %w: memref<256x1024xf32>, %bias: memref<1024xf32>,
                               %y: memref<128x1024xf32>) grid(%p in 32, %q in 16) {
      %scratch = memref.alloca() : memref<8x32xf32>
      %n = arith.muli %p, %c32 : index
      %m = arith.muli %q, %c8 : index
      %sums = scf.for %k = %c0 to %c256 step %c1 iter_args(%acc = %zero) -> (tensor<8x32xf32>) {
        %a = kernel.load %x[%m : 8, %k : 1] : memref<128x256xf32>
        %b = kernel.load %w[%k : 1, %n : 32] : memref<256x1024xf32>
        %d = kernel.dot %a, %b, %acc : tensor<8x1xf32>, tensor<1x32xf32>, tensor<8x32xf32>
        scf.yield %d : tensor<8x32xf32>
      }
      kernel.store %sums, %scratch[%c0 : 8, %c0 : 32] : tensor<8x32xf32>, memref<8x32xf32>
      scf.for %row = %c0 to %c8 step %c1 {
        %sum = kernel.load %scratch[%row, %c0 : 32] : memref<8x32xf32>
        %i = arith.addi %m, %row : index
        %c = kernel.load %bias[%n : 32] : memref<1024xf32>
        %s = arith.addf %sum, %c : tensor<32xf32>
        kernel.store %s, %y[%i, %n : 32] : tensor<32xf32>, memref<128x1024xf32>
      }
      kernel.return
    }
    ```
  }];
  let options = [
    Option<"tile", "tile", "int64_t", "64", "Elements of a tile where a factor is packed, a power of two">,
    Option<"grain", "grain", "int64_t", "4096", "Elements that a grid point packs at least, where there are as many">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::terrace::loop::LoopDialect"
  ];
}

def LoopReuseDestinations : Pass<"loop-reuse-destinations"> {
  let summary = "an element-by-element operation may write over what it reads";
  let description = [{
    Operators come down with a new destination each. Where a pointwise operation reads a tensor of its own type at its own
    point only, that tensor may be its destination: bufferization then works in place if nobody needs the old value, and
    allocates, without a copy, if somebody does. So an in-place operator of the graph is in place in memory again.

    Before:

    ```mlir
    %e = tensor.empty() : tensor<4xf32>
    %r = loop.pointwise (%i = 4) into %e {
      %a = loop.load %x[%i] : tensor<4xf32>
      %b = arith.addf %a, %k : f32
      loop.yield %b : f32
    } : tensor<4xf32>
    ```

    After:

    ```mlir
    %r = loop.pointwise (%i = 4) into %x {
      %a = loop.load %x[%i] : tensor<4xf32>
      %b = arith.addf %a, %k : f32
      loop.yield %b : f32
    } : tensor<4xf32>
    ```
  }];
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
  let dependentDialects = ["::terrace::functional::FunctionalDialect"];
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
    stays as the call of both.

    What is saved is a minimum cut. Every value of the forward part that the backward part could need is two vertices with an edge of its
    bytes between, and operations lead from operands to results without end of capacity; arguments come from the source, as do
    values that may not be computed again; operations of the backward part lead to the sink. The minimum cut
    (Dinic's algorithm) is the cheapest set of values from which the rest can be computed again, of several the one that computes least. Pointwise operations, views, fills and
    scatters may be computed again; products, reductions and what draws or has effects may not, the first two unless options say so. What draws random
    numbers never is: it would draw others.

    `memory-budget` trades further: 1 is the minimum cut with these rules, 0 saves arguments alone where it can; in between, of the
    saved values those are computed again that fit the budget at the least work, chosen by a knapsack. `memory-budget-bytes` says the
    bytes. What is saved is a remark. A budget that can't be kept is an error that says the least bytes that can.

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
