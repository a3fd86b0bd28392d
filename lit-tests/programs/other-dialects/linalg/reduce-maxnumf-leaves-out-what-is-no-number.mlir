// What is no number counts for nothing, unless there is nothing else; zeros and infinities do.

// RUN: terrace-run %s | FileCheck %s
// RUN: terrace-run %s --target=interpret | FileCheck %s

// CHECK: "new0": {{.*}}"data": [1.0, {{"?[Nn]a[Nn]"?}}, 0.0, {{"?-[Ii]nf(inity)?"?}}, -1.0]
// CHECK: "new1": {{.*}}"data": [1.0, {{"?[Nn]a[Nn]"?}}, 0.0, {{"?-[Ii]nf(inity)?"?}}, -2.0]
func.func @main() -> (tensor<5xf32>, tensor<5xf32>) {
  %x = arith.constant dense<[[0x7FC00000, 1.0, 0x7FC00000], [0x7FC00000, 0xFFC00000, 0x7FC00000], [0.0, 0x7FC00000, 0.0],
    [0xFF800000, 0xFF800000, 0x7FC00000], [-1.0, -2.0, 0xFFC00000]]> : tensor<5x3xf32>
  %none = arith.constant dense<0xFFC00000> : tensor<5xf32>
  %most = linalg.reduce { arith.maxnumf } ins(%x : tensor<5x3xf32>) outs(%none : tensor<5xf32>) dimensions = [1]
  %least = linalg.reduce { arith.minnumf } ins(%x : tensor<5x3xf32>) outs(%none : tensor<5xf32>) dimensions = [1]
  return %most, %least : tensor<5xf32>, tensor<5xf32>
}
