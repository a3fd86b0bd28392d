//===- GraphPasses.td - what makes functions on storages pure ---------------------------------------------------===//

#ifndef TERRACE_GRAPH_PASSES
#define TERRACE_GRAPH_PASSES

include "mlir/Pass/PassBase.td"

def GraphResolveViews : Pass<"graph-resolve-views", "::mlir::func::FuncOp"> {
  let summary = "turn what is a view or a copy into one of them, and what is made of views and copies into these";
  let description = [{
    `reshape`, `contiguous`, `flatten`, `to` and their like are the operand, a view of it or a copy, as its strides decide:
    whether a later write reaches the operand depends on them. This pass decides, by the layouts that arguments declare and
    that eager gives to results, and says what eager does: the operand itself, a view, or `graph.clone` and a view of it.
    Where strides decide and are not known, it asks for them by a located error. Where sizes that are not static decide, the operation stays:
    `graph-functionalize` resolves it, and tests what it took for granted.

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

def GraphStructure : Pass<"graph-structure", "::mlir::ModuleOp"> {
  let summary = "inline calls on graph tensors, and make branches operations of scf";
  let description = [{
    What a call does to storages depends on which of them its operands share, and where a branch goes what was written on the way.
    The passes after this one follow operations of `scf` only. So branches of `cf` become those, by upstream's
    `lift-cf-to-scf`, also ones that no loop of a language would make; and a call of a function that has to do with graph tensors
    becomes its body, with the caller's tensors in the place of the arguments, and so does a custom operator that a function of the module
    computes, named as it is and on the same types. The size of what comes out is that of all calls followed. Recursion and a call of a function without a body is a located error.

    A tensor of which the body changes shape or storage (`graph.squeeze_`) is used no longer behind the call, nor one that a block changes in blocks behind it: a use is an error where the program comes there, by `cf.assert`.

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
  let summary = "guard that what is written shares no memory with the rest";
  let description = [{
    What a function computes may depend on how its arguments lie in memory: `x[1:] += 1` changes `y` where `y` is a view of
    the same storage. `graph-functionalize` assumes nothing about that, so that a function which writes an argument is refused
    until its arguments declare their storages. This pass makes the declarations true by testing them.

    A function that callers outside of the module can reach, in which an argument is written that may share elements with
    another one that is read or written, gets a `graph.guard` that it does not, and declares so by `graph.storage`. A call with other arguments is
    refused before anything has been written: who called may compile the function for arguments that lie like these, as the session does, which declares
    what they are.

    What can't be decided is taken for overlap. Nothing is tested that is known: arguments with declared storages among each other, arguments that are only
    read, or of which no element is touched. Where an operation reaches beyond its tensor (`as_strided`, `set_`, `resize_`)
    into an argument's storage, storages are compared in place of elements.

    What is written, through whatever views, control flow and calls, is asked of the analysis of fake tensors; custom
    operators are asked by their schema, and one without may write anything. That is one walk over each function. The test
    is O(n log n) in n arguments that lie apart.

    Before:

    ```mlir
    func.func @accumulate(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
      %s = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
      return %s : !graph.tensor<4xf32>
    }
    ```

    After:

    ```mlir
    func.func @accumulate(%x: !graph.tensor<4xf32> {graph.storage = "arg0"},
                          %y: !graph.tensor<4xf32> {graph.storage = "arg1"}) -> !graph.tensor<4xf32> {
      %disjoint = graph.check_disjoint %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
      graph.guard %disjoint, "argument 0, which is written, shares no memory with argument 1"
      %s = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
      return %s : !graph.tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::terrace::graph::GraphDialect"];
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
    `graph.as_strided`. No result is silently laid out in another way. Refused, by an error that asks for strides, are:

    * `as_strided` of such a tensor, and a `view` of it that joins dimensions: strides decide whether there is one;
    * two such arguments in one declared storage where one of them is written;
    * a new tensor that is returned, where eager derives its strides from those of such a tensor: a clone of it in a memory format can be returned.

    What is written has to have elements in places of their own. Where such an argument is written as a whole, whatever else happens, eager refuses one that
    repeats elements, and so does `graph.assert_distinct` at entry. Where it is written in part, on a way that may not be taken, or filled, eager
    may take it: a guard asks (`graph.check_distinct`).

    It assumes nothing: two arguments may overlap unless `graph.storage` says otherwise, and a write to one of them is
    then refused; so is all that eager refuses, and what depends on an order of evaluation that eager leaves open.

    Sizes need not be static. One that the type of an argument does not say, a number that the function gets, and the size of a result that
    elements decide (`nonzero`, `masked_select`, masks as indices) are symbols; type rules and layouts are expressions over them, and where
    the core needs one as a value it asks its tensors. Where a rule has to know more, as whether two sizes are equal, it goes on with the usual answer:
    sizes that are compared are equal, none is 0 or 1. Each such answer is a `graph.guard` at the head of the boundary, behind those that the function has already: a
    call with other sizes is refused before anything is written, and who called may compile the function for these. What is already a boundary stays.

    ```mlir
    func.func @add(%x: !graph.tensor<?xf32>, %y: !graph.tensor<?xf32>) -> !graph.tensor<?xf32> {
      %z = graph.add %x, %y : !graph.tensor<?xf32>, !graph.tensor<?xf32>
      return %z : !graph.tensor<?xf32>
    }
    ```

    becomes

    ```mlir
    func.func private @add.core(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %z = functional.add %x, %y : tensor<?xf32>, tensor<?xf32>
      return %z : tensor<?xf32>
    }
    func.func @add(%x: !graph.tensor<?xf32>, %y: !graph.tensor<?xf32>) -> !graph.tensor<?xf32> {
      %m = graph.sym_size %x {dim = 0 : i64} : !graph.tensor<?xf32>
      %n = graph.sym_size %y {dim = 0 : i64} : !graph.tensor<?xf32>
      %same = arith.cmpi eq, %m, %n : i64
      graph.guard %same, "s0 == s1, where s0 is size 0 of argument 0, and s1 is size 0 of argument 1"
      %a = graph.value %x : !graph.tensor<?xf32>
      %b = graph.value %y : !graph.tensor<?xf32>
      %r = func.call @add.core(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %z = graph.fresh %r : tensor<?xf32>
      return %z : !graph.tensor<?xf32>
    }
    ```

    An error that holds for the usual sizes only says so: `(where s0 != 1)`. A guard on what is known when the function has run in part is refused, as nobody could test
    it before; so are tensors of different sizes where ways meet.

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

    What `graph.as_strided` names of an argument's storage beyond the argument itself has to be there: `graph.assert_storage` says so where each call
    makes the view; else `graph.check_storage` asks, and the function is as it was written where it is not.

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

#endif
