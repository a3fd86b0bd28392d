// A new storage like a tensor of which the type does not say the sizes: its strides are decided by the sizes that there are.
// RUN: terrace-opt %s --convert-graph-boundary-to-memref --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x?xi8, strided<[?, ?], offset: ?>>
// CHECK: %{{.*}}, %{{.*}}, %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[X]]
// CHECK: arith.select %{{.*}}, %c0, %[[STRIDES]]#1
// CHECK: %[[FLAT:.*]] = memref.alloc() {{.*}}: memref<8xi8>
// CHECK: memref.reinterpret_cast %[[FLAT]] to offset: [0], sizes: [4, 2], strides: [%{{.*}}, %{{.*}}]
func.func @main(%x: !graph.tensor<?x?xi8> {graph.layout = "any"}, %v: tensor<4x2xi8>) -> !graph.tensor<4x2xi8> {
  %0 = graph.new_storage [4, 2] like %x {dtype = i8} : !graph.tensor<?x?xi8>
  graph.write_back %v into %0 : tensor<4x2xi8>, !graph.tensor<4x2xi8>
  return %0 : !graph.tensor<4x2xi8>
}
