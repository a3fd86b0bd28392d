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
    computes, named as it is and on the same types. The size of what comes out is that of all calls followed. Recursion and a call of a function without a body is a located error; with
    `fallback` functions that come to call themselves, and those that call such, run as they are written, and a call that nests more than 200 deep is a run-time error.

    A tensor of which the body changes shape or storage (`graph.squeeze_`) is used no longer behind the call, nor one that a block changes in blocks behind it: a use is an error where the program comes there, by `cf.assert`.

    With `fallback` functions of which types do not say all (sizes, strides, numbers, which arguments share a storage) get `graph.fallback`: where
    `graph-resolve-views` or `graph-functionalize` refuses such a function, it stays as it is and becomes `graph.eager`, with a warning that says what was refused.
    The way down has it so; a refusal that is to be an error takes these passes without it. With `eager` all functions on graph tensors are `graph.eager`: so
    is compiled what is refused further down.

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
  let options = [
    Option<"fallback", "fallback", "bool", "false",
           "let functions of which types do not say all run as they are written where no values can be made of their storages">,
    Option<"eager", "eager", "bool", "false", "let all functions on graph tensors run as they are written">
  ];
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
      eager's result, or its error, for any overlap; `graph-outline-eager` makes it one to compile. By `variants=general` there is no
      other, and every function that callers outside of the module can reach is of this kind.

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
               "Variants beside the general one: disjoint, same, same-storage; disjoint alone without it; general: none, and each function runs as it is written">,
    Option<"max_variants", "max-variants", "int64_t", "8", "Variants for pairs of arguments, at most">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::scf::SCFDialect", "::terrace::graph::GraphDialect"];
}

def GraphOutlineEager : Pass<"graph-outline-eager", "::mlir::ModuleOp"> {
  let summary = "each operation of a function that runs as it is written becomes a function";
  let description = [{
    What a `graph.eager` function does to storages depends on how its arguments lie, which is known when it runs. So nothing can be
    made of it as a whole; but each of its operations, alone and on tensors that lie apart, is a function that
    `graph-functionalize` makes values of. This pass writes these functions, and calls of them; operations that are alike call one.

    That tensors lie apart is made true before the call. `graph.assert_writable` refuses what eager refuses, and what depends
    on the order of evaluation. What may share elements with the written tensor all the same is read at the place where it is written, or before anything
    is: where it does share elements, which is tested, the call gets a copy.

    Branches of `cf` become operations of `scf`, as in `graph-structure`.

    Sizes may be known when the program runs only. Views stay then: where they lie is arithmetic on sizes and strides. Operands that
    a pointwise operation combines are seen with the sizes that they have together, with `graph.as_strided`, so that its function takes nothing for
    granted but that they are equal; other sizes are refused. One that is cast first is copied first.

    A function that is `graph.partial` is for sizes that are not the usual ones, and hands that on to those that it calls, of which
    graph-functionalize makes versions. What of it cannot be outlined, or made functional afterwards, stays
    without a word, and is compiled when the program comes to that. An operation of which nobody uses the results is kept by `graph.fake_use`: it would
    go otherwise, and with it what refuses it.

    What changes the sizes, strides or storage of a tensor of which these are not known (`resize_`, `set_`, `t_` and kin) is a function like that of any other operation, and gives a
    new view; it is compiled when it is called.

    What is stored is passed on for a view of conjugates or negatives, and the function sees it as its caller does: such a view is never copied. A function of
    the program that is called with one, and runs as it is written too, asks how its argument is seen (`graph.passed_flags`). To call one that values were made of
    with one is a located error.

    Where ways of control flow decide whether a tensor is a conjugate or a negative, control flow hands on a truth value beside it, and what reads or writes its
    elements becomes an operation for each way:

    ```mlir
    %0 = graph._neg_view %x : !graph.tensor<4xf32>
    %1 = scf.if %c -> (!graph.tensor<4xf32>) {
      scf.yield %0 : !graph.tensor<4xf32>
    } else {
      scf.yield %x : !graph.tensor<4xf32>
    }
    %2 = graph.exp %1 : !graph.tensor<4xf32>
    return %1, %2 : !graph.tensor<4xf32>, !graph.tensor<4xf32>
    ```

    becomes

    ```mlir
    %1:2 = scf.if %c -> (!graph.tensor<4xf32>, i1) {
      scf.yield %0, %true : !graph.tensor<4xf32>, i1
    } else {
      scf.yield %x, %false : !graph.tensor<4xf32>, i1
    }
    %2 = scf.if %1#1 -> (!graph.tensor<4xf32>) {
      %stored = graph._neg_view %1#0 : !graph.tensor<4xf32>
      %3 = func.call @f.exp(%stored) : (!graph.tensor<4xf32>) -> !graph.tensor<4xf32>
      scf.yield %3 : !graph.tensor<4xf32>
    } else {
      %3 = func.call @f.exp_0(%1#0) : (!graph.tensor<4xf32>) -> !graph.tensor<4xf32>
      scf.yield %3 : !graph.tensor<4xf32>
    }
    graph.tell_flags %false, %1#1 result 0
    return %1#0, %2 : !graph.tensor<4xf32>, !graph.tensor<4xf32>
    ```

    Strides decide likewise, where a `reshape` is a view or a copy by them: the copy is neither. Such a result is `graph.told_flags`: it tells who called, and a function of the program that called asks by `graph.told_flags`. Of an operation on more than
    four such flags, 16 ways, what it only reads is resolved first.

    Before:

    ```mlir
    func.func @f(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) attributes {graph.eager} {
      %0 = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) attributes {graph.eager} {
      graph.assert_writable %x, %y {how = "each", looked_for, compared = array<i1: true>, places = array<i64: 1>} : ...
      %apart = graph.check_disjoint %y, %x : !graph.tensor<4xf32>, !graph.tensor<4xf32>
      %0 = scf.if %apart -> (!graph.tensor<4xf32>) {
        scf.yield %y : !graph.tensor<4xf32>
      } else {
        %copy = func.call @f.clone(%y) : (!graph.tensor<4xf32>) -> !graph.tensor<4xf32>
        scf.yield %copy : !graph.tensor<4xf32>
      }
      call @f.add_(%x, %0) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
      return
    }
    func.func private @f.clone(%y: !graph.tensor<4xf32> {graph.layout = "any"}) -> !graph.tensor<4xf32> attributes {no_inline} {
      %0 = graph.clone %y : !graph.tensor<4xf32>
      return %0 : !graph.tensor<4xf32>
    }
    func.func private @f.add_(%x: !graph.tensor<4xf32> {graph.storage = "s0"},
                                %y: !graph.tensor<4xf32> {graph.layout = "any", graph.storage = "s1"}) attributes {no_inline} {
      %0 = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
      return
    }
    ```
  }];
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
    * two such arguments in one declared storage where one of them is written.

    Where eager compares strides to lay out a result that is returned (`index`, batch norm, convolutions of volumes, Fourier transforms), there is a
    case for each way in which tensors usually lie: the comparisons, which are tested when the program runs, and strides as
    expressions. Where no case holds the function is another one, as for sizes that are not the usual ones below; where that is decided by tensors that
    the function makes on the way, `@f.foreseen` makes them for their strides alone, before. Where sizes decide that elements decide, nobody can test it
    before, and the function is refused. Views of such tensors whose sizes are not static are `graph.as_strided`, by the strides of what
    they view.

    What is written has to have elements in places of their own. Where such an argument is written as a whole, whatever else happens, eager refuses one that
    repeats elements, and so does `graph.assert_distinct` at entry. Where it is written in part, on a way that may not be taken, or filled, eager
    may take it: `graph.check_distinct` asks, as of sizes below, and the function is as it was written where elements repeat. With `input-mutations=results`
    there is no such function, and it is refused.

    It assumes nothing: two arguments may overlap unless `graph.storage` says otherwise, and a write to one of them is
    then refused; so is all that eager refuses, and what depends on an order of evaluation that eager leaves open.

    Sizes need not be static. One that the type of an argument does not say, a number that the function gets, and the size of a result that
    elements decide (`nonzero`, `masked_select`, masks as indices) are symbols; type rules and layouts are expressions over them, and where
    the core needs one as a value it asks its tensors. Where a rule has to know more, as whether two sizes are equal, it goes on with the usual answer:
    sizes that are compared are equal, none is 0 or 1. Each such answer is a guard. A function without guards is a boundary and a core as any other; one
    with guards is tested: `@f` calls `@f.sized`, the boundary, where all hold, else `@f.general`, the function as it was written, which is
    `graph.eager` and `graph.partial`. `graph-outline-eager` and this pass, once more, make that one to compile: so the way down has both twice. What is
    already a boundary stays.

    A function that is `graph.partial` has versions. The first is for the usual sizes, as that of any other function. Others are for those that its
    guards leave out: a size of 0 or of 1, one that is less than something, two that are not equal; then for those that these leave out. Each calls the next
    one where its own guards do not hold, and the last one the function as it is written. Versions that are refused are left out; a function has at
    most 6 of them, one of more than 16 operations 4; what is left is compiled when it is called.

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
    func.func @add(%x: !graph.tensor<?xf32>, %y: !graph.tensor<?xf32>) -> !graph.tensor<?xf32> attributes {graph.eager} {
      %m = graph.sym_size %x {dim = 0 : i64} : !graph.tensor<?xf32>
      %n = graph.sym_size %y {dim = 0 : i64} : !graph.tensor<?xf32>
      %same = arith.cmpi eq, %m, %n : i64
      %z = scf.if %same -> (!graph.tensor<?xf32>) {
        %r = func.call @add.sized(%x, %y) : (!graph.tensor<?xf32>, !graph.tensor<?xf32>) -> !graph.tensor<?xf32>
        scf.yield %r : !graph.tensor<?xf32>
      } else {
        %r = func.call @add.general(%x, %y) : (!graph.tensor<?xf32>, !graph.tensor<?xf32>) -> !graph.tensor<?xf32>
        scf.yield %r : !graph.tensor<?xf32>
      }
      return %z : !graph.tensor<?xf32>
    }
    ```

    An error that holds for the usual sizes only says so: `(where s0 != 1)`. A guard on what is known when the function has run in part is refused, as nobody could test
    it before; so are tensors of different sizes where ways meet, and `input-mutations=results` of a function that is tested.

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
