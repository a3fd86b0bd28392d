// With input-mutations=results a function has more results than before: the function as it was written, for sizes that guards keep
// out, has not.
// RUN: terrace-opt %s --graph-functionalize=input-mutations=results --verify-diagnostics

// expected-error @+1 {{writes an argument, and is tested for sizes (where s0 == s1): use input-mutations=write-back, or static sizes}}
func.func @f(%x: !graph.tensor<?xf32> {graph.storage = "x"}, %y: !graph.tensor<?xf32> {graph.storage = "y"}) {
  %z = graph.add_ %x, %y : !graph.tensor<?xf32>, !graph.tensor<?xf32>
  return
}
