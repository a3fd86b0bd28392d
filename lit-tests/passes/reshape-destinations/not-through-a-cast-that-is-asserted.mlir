// A size that elements decide is asserted behind what is computed: in the buffer of two elements it would be written beyond its end, and
// the size that is tested would be the buffer's.

// RUN: terrace-opt %s --reshape-destinations --eliminate-empty-tensors --canonicalize | FileCheck %s

// CHECK: func.func @asserted(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK: %[[E:.+]] = tensor.empty(%[[N]], %{{.+}})
// CHECK: %[[V:.+]] = loop.pointwise (%{{.+}} = %[[N]], %{{.+}} = %{{.+}}) into %[[E]]
// CHECK: cf.assert
// CHECK: %[[S:.+]] = tensor.extract_slice %[[V]][0, 0] [2, %{{.+}}] [1, 1]
// CHECK: materialize_in_destination %[[S]]
func.func @asserted(%x: tensor<?x?xf32>, %n: index, %m: index, %b: memref<2x?xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %v = loop.pointwise (%i = %n, %j = %m) into %e {
    %a = loop.load %x[%i, %j] : tensor<?x?xf32>
    loop.yield %a : f32
  } : tensor<?x?xf32>
  %d = tensor.dim %v, %c0 : tensor<?x?xf32>
  %h = arith.cmpi eq, %d, %c2 : index
  cf.assert %h, "sizes that elements decide have to be equal, and are not"
  %s = tensor.cast %v : tensor<?x?xf32> to tensor<2x?xf32>
  bufferization.materialize_in_destination %s in restrict writable %b : (tensor<2x?xf32>, memref<2x?xf32>) -> ()
  return
}

// Of nothing there is no slice.

// CHECK: func.func @empty(
// CHECK-NOT: tensor.extract_slice
func.func @empty(%x: tensor<?x?xf32>, %n: index, %m: index, %b: memref<2x0xf32>) {
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %v = loop.pointwise (%i = %n, %j = %m) into %e {
    %a = loop.load %x[%i, %j] : tensor<?x?xf32>
    loop.yield %a : f32
  } : tensor<?x?xf32>
  %s = tensor.cast %v : tensor<?x?xf32> to tensor<2x0xf32>
  bufferization.materialize_in_destination %s in restrict writable %b : (tensor<2x0xf32>, memref<2x0xf32>) -> ()
  return
}
