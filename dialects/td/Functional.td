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
  }];
}

class Functional_Op<string mnemonic, string rule, list<Trait> traits = []>
    : TerraceOp<Functional_Dialect, mnemonic, rule, !listconcat([Pure, RustInferTypes], traits)> {
  let assemblyFormat = defaultFormat;
}

#endif
