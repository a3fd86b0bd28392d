//===- Functional.td - the functional dialect: values only ------------------------------------------------------===//
//
// Operators stand in operators/, shared with the graph dialect; here is what graph does not have: the inverses of
// views (scatters), which mutation removal makes.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_FUNCTIONAL
#define TERRACE_FUNCTIONAL

include "Graph.td"

def Functional_Dialect : TerraceDialect<"functional", "functional"> {
  let summary = "Pure operators on builtin tensors: what a program means";
  let description = [{
    The operators of `graph` on builtin tensors: no storages, no views, no mutation. Every operation is pure, so that
    CSE, DCE, motion and reordering are free. Dtypes and shapes of operands are equal where the operator is
    elementwise: promotion and broadcasting are explicit (`functional._to_copy`, `functional.expand`), and a number
    becomes a tensor by `functional.full` or `arith.constant`.

    ```mlir
    %e = functional.expand %m size [64, 1024] : tensor<1x1024xf32>
    %s = functional.add %x, %e : tensor<64x1024xf32>, tensor<64x1024xf32>
    ```

    A view (`permute`, `view`, `slice`, ...) is elements of its operand, which whoever reads it may take from there; its
    `_copy` (`permute_copy`, ...) is the same value in memory of its own, dense and contiguous.

    Facts that a value does not carry stand in attributes, which are verified:

    * `functional.in_place = 0 : i64` at an operation: its result takes the memory of operand 0, whose old value nobody
      reads any more;
    * `functional.donated = 1 : i64` at an argument of a function: the caller does not read its memory again, and result 1
      takes it;
    * `functional.layout = strided<[1, 4]>` at an argument or a result: where its elements lie; contiguous without it;
    * `functional.tangent` at an argument and `functional.gradient` at a result: they belong to the backward part of a
      joint graph.
  }];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

class Functional_Op<string mnemonic, string rule, list<Trait> traits = []>
    : TerraceOp<Functional_Dialect, mnemonic, rule, !listconcat([Pure, RustInferTypes], traits)> {
  let assemblyFormat = defaultFormat;
}

#endif
