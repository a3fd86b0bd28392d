//===- FakePasses.td - what follows fake tensors ----------------------------------------------------------------===//

#ifndef TERRACE_FAKE_PASSES
#define TERRACE_FAKE_PASSES

include "mlir/Pass/PassBase.td"

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

#endif
