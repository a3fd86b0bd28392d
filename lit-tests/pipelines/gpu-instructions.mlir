// What a GPU has an instruction for: powers of 2, quotients to 2 ULP, the greater of two numbers with NaN.

// REQUIRES: nvptx

// RUN: terrace-compile %s --target=nvptx -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx

// CHECK-LABEL: .entry softmax_group_0(
// CHECK-NOT: setp.nan
// CHECK-NOT: div.rn
// CHECK: max.NaN.f32
// CHECK: ex2.approx.ftz.f32
// CHECK-NOT: div.rn
// CHECK: div.approx.f32
// CHECK: ret;
func.func @softmax(%x: !graph.tensor<512x1024xf32>) -> !graph.tensor<512x1024xf32> {
  %s = graph.softmax %x {dim = -1} : !graph.tensor<512x1024xf32>
  return %s : !graph.tensor<512x1024xf32>
}

// CHECK-LABEL: .entry silu_pointwise_0(
// CHECK: ex2.approx.ftz.f32
// CHECK: div.approx.f32
// CHECK: ret;
func.func @silu(%x: !graph.tensor<1024x1024xf32>) -> !graph.tensor<1024x1024xf32> {
  %s = graph.silu %x : !graph.tensor<1024x1024xf32>
  return %s : !graph.tensor<1024x1024xf32>
}

// Nothing that the user divides: 6 / 3 is to be 2.
// CHECK-LABEL: .entry quotient_pointwise_0(
// CHECK-NOT: div.approx
// CHECK: div.rn.f32
// CHECK: ret;
func.func @quotient(%x: !graph.tensor<1024x1024xf32>, %y: !graph.tensor<1024x1024xf32>) -> !graph.tensor<1024x1024xf32> {
  %s = graph.div %x, %y : !graph.tensor<1024x1024xf32>, !graph.tensor<1024x1024xf32>
  return %s : !graph.tensor<1024x1024xf32>
}

// A power that is asked for has its denormals; beside 1 they make no difference.
// CHECK-LABEL: .entry power_pointwise_0(
// CHECK: ex2.approx.f32
// CHECK: ret;
func.func @power(%x: !graph.tensor<1024x1024xf32>) -> !graph.tensor<1024x1024xf32> {
  %s = graph.exp %x : !graph.tensor<1024x1024xf32>
  return %s : !graph.tensor<1024x1024xf32>
}

// CHECK-LABEL: .entry tangent_pointwise_0(
// CHECK: ex2.approx.ftz.f32
// CHECK: div.approx.ftz.f32
// CHECK: ret;
func.func @tangent(%x: !graph.tensor<1024x1024xf32>) -> !graph.tensor<1024x1024xf32> {
  %s = graph.tanh %x : !graph.tensor<1024x1024xf32>
  return %s : !graph.tensor<1024x1024xf32>
}

// A product and the sum that it goes into are rounded once.
// CHECK-LABEL: .entry line_pointwise_0(
// CHECK: fma.rn.f32
// CHECK-NOT: add.rn.f32
// CHECK: ret;
func.func @line(%x: !graph.tensor<1024x1024xf32>, %y: !graph.tensor<1024x1024xf32>) -> !graph.tensor<1024x1024xf32> {
  %m = graph.mul %x, %y : !graph.tensor<1024x1024xf32>, !graph.tensor<1024x1024xf32>
  %s = graph.add %m, %x : !graph.tensor<1024x1024xf32>, !graph.tensor<1024x1024xf32>
  return %s : !graph.tensor<1024x1024xf32>
}
