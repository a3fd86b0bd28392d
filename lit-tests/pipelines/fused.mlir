// A softmax over rows, a layer norm and attention are one kernel each; a product, its bias and what follows are one template.
// RUN: terrace-opt %s --terrace-to-kernel | FileCheck %s
// RUN: terrace-opt %s --terrace-to-loop | FileCheck %s --check-prefix=LOOP

// LOOP-LABEL: func.func @softmax
// LOOP-COUNT-1: loop.group
// LOOP-NOT: loop.group
// LOOP-LABEL: func.func @layer_norm
// LOOP-COUNT-1: loop.group
// LOOP-NOT: loop.group
// LOOP-LABEL: func.func @linear
// LOOP-COUNT-1: loop.group
// LOOP-NOT: loop.group
// LOOP-LABEL: func.func @attention
// LOOP-COUNT-1: loop.group
// LOOP-NOT: loop.group
// LOOP: return

// CHECK-LABEL: func.func @softmax
// CHECK-COUNT-1: kernel.launch
// CHECK-NOT: kernel.launch
func.func @softmax(%x: !graph.tensor<64x1024xf32>) -> !graph.tensor<64x1024xf32> {
  %y = graph.softmax %x {dim = -1 : i64} : !graph.tensor<64x1024xf32>
  return %y : !graph.tensor<64x1024xf32>
}

// CHECK-LABEL: func.func @layer_norm
// CHECK-COUNT-1: kernel.launch
// CHECK-NOT: kernel.launch
func.func @layer_norm(%x: !graph.tensor<64x1024xf32>, %w: !graph.tensor<1024xf32>, %b: !graph.tensor<1024xf32>) -> !graph.tensor<64x1024xf32> {
  %y = graph.layer_norm %x weight %w : !graph.tensor<1024xf32> bias %b : !graph.tensor<1024xf32> {normalized_shape = array<i64: 1024>} : !graph.tensor<64x1024xf32>
  return %y : !graph.tensor<64x1024xf32>
}

// CHECK-LABEL: func.func @linear
// CHECK: kernel.launch @linear.matmul_0
// CHECK-NOT: kernel.launch
func.func @linear(%x: !graph.tensor<64x128xf32>, %w: !graph.tensor<256x128xf32>, %b: !graph.tensor<256xf32>) -> !graph.tensor<64x256xf32> {
  %t = graph.t %w : !graph.tensor<256x128xf32>
  %y = graph.mm %x, %t : !graph.tensor<64x128xf32>, !graph.tensor<128x256xf32>
  %s = graph.add %y, %b : !graph.tensor<64x256xf32>, !graph.tensor<256xf32>
  %z = graph.gelu %s : !graph.tensor<64x256xf32>
  return %z : !graph.tensor<64x256xf32>
}

// Attention of several batches and heads: the keys packed, then one kernel.
// CHECK-LABEL: func.func @attention
// CHECK: kernel.launch @attention.pack_0
// CHECK: kernel.launch @attention.blocks_0
// CHECK-NOT: kernel.launch
func.func @attention(%q: !graph.tensor<2x3x64x16xf32>, %k: !graph.tensor<2x3x96x16xf32>, %v: !graph.tensor<2x3x96x16xf32>, %m: !graph.tensor<64x96xi1>) -> !graph.tensor<2x3x64x16xf32> {
  %y = graph.scaled_dot_product_attention %q, %k, %v mask %m : !graph.tensor<64x96xi1> : !graph.tensor<2x3x64x16xf32>, !graph.tensor<2x3x96x16xf32>, !graph.tensor<2x3x96x16xf32>
  return %y : !graph.tensor<2x3x64x16xf32>
}
