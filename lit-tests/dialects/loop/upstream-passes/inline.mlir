// Functions of loop operations are inlined as those of linalg are.

// RUN: terrace-opt %s --inline | FileCheck %s

func.func private @one(%x: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %p = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %p : tensor<8xf32>
}

func.func private @other(%x: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %p = loop.pointwise (%i = 8) into %e {
    %v = loop.load %x[%i] : tensor<8xf32>
    %w = math.exp %v : f32
    loop.yield %w : f32
  } : tensor<8xf32>
  return %p : tensor<8xf32>
}

// CHECK-LABEL: func.func @main(
//   CHECK-NOT:   call
//       CHECK:   %[[P:.*]] = linalg.exp
//       CHECK:   %[[Q:.*]] = loop.pointwise
//       CHECK:     loop.load %[[P]]
//       CHECK:   return %[[Q]]
func.func @main(%x: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %p = call @one(%x, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %q = call @other(%p, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %q : tensor<8xf32>
}
