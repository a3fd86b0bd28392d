// RUN: terrace-opt %s --graph-functionalize --split-input-file --verify-diagnostics

// Two arguments of one storage with the same unknown strides are not one view: what is copied from one to the other is
// refused as any write is, and not left out.

// expected-error @+1 {{arguments 0 and 1 share the storage 's', one of them is written}}
func.func @copied(%x: !graph.tensor<4xf32> {graph.storage = "s", graph.layout = "any"},
                  %y: !graph.tensor<4xf32> {graph.storage = "s", graph.layout = "any"}) {
  %w = graph.copy_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return
}
