// Where elements were kept is told by truth values, also where there are none, and where sizes that are open turn out to be 0.
// REQUIRES: x86
// RUN: echo '{"storages": {"s": {"dtype": "f32", "data": []}}, "args": [{"storage": "s", "sizes": [0, 3]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json | FileCheck %s
// RUN: terrace-run %s --inputs %t.json --target=interpret | FileCheck %s

// CHECK: "outputs"
// CHECK-NEXT: "dtype": "bool", "sizes": [0, 3]
// CHECK-NEXT: "dtype": "bool", "sizes": [0, 3]
func.func @main(%x: !graph.tensor<?x3xf32>) -> (!graph.tensor<?x3xi1>, !graph.tensor<0x3xi1>) {
  %k = arith.constant 1.0 : f64
  %0:2 = graph.native_dropout %x {p = 0.5, train = true} : !graph.tensor<?x3xf32>
  %1 = graph.full [0, 3], %k {dtype = f32} : f64
  %2:2 = graph.native_dropout %1 {p = 0.5, train = true} : !graph.tensor<0x3xf32>
  return %0#1, %2#1 : !graph.tensor<?x3xi1>, !graph.tensor<0x3xi1>
}
