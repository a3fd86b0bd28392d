// RUN: terrace-run %s --arg '[[-2, 3, 1, -1], [4, 2, 0, -2]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1, -1], [4, 2, 0, -2]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [3.0, 4.0]
// CHECK: "new1": {{.*}}"data": [1, 0]
func.func @main(%a0: tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %least = arith.constant 0xFF800000 : f32
  %first = arith.constant 0 : i32
  %v = tensor.empty() : tensor<2xf32>
  %p = tensor.empty() : tensor<2xi32>
  %v0 = linalg.fill ins(%least : f32) outs(%v : tensor<2xf32>) -> tensor<2xf32>
  %p0 = linalg.fill ins(%first : i32) outs(%p : tensor<2xi32>) -> tensor<2xi32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%a0 : tensor<2x4xf32>) outs(%v0, %p0 : tensor<2xf32>, tensor<2xi32>) {
  ^bb0(%x: f32, %most: f32, %at: i32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %more = arith.cmpf ogt, %x, %most : f32
    %n = arith.select %more, %x, %most : f32
    %m = arith.select %more, %k, %at : i32
    linalg.yield %n, %m : f32, i32
  } -> (tensor<2xf32>, tensor<2xi32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xi32>
}
