// Pipelines of upstream alone, on programs in linalg: the interpreter reads linalg, affine and scf, so what a pass made of a program is
// compared with what it was.

// RUN: terrace-check %s --entry softmax --pipeline 'func.func(linalg-fuse-elementwise-ops),one-shot-bufferize{bufferize-function-boundaries},func.func(convert-linalg-to-affine-loops,affine-loop-fusion),canonicalize' | FileCheck %s
// RUN: terrace-check %s --entry softmax --pipeline 'one-shot-bufferize{bufferize-function-boundaries},func.func(convert-linalg-to-parallel-loops),canonicalize,cse,convert-scf-to-cf' | FileCheck %s
// CHECK: @softmax: 8 calls do the same, 0 are refused

func.func @softmax(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<3xf32>
  %all = tensor.empty() : tensor<3x5xf32>
  %l = linalg.fill ins(%low : f32) outs(%rows : tensor<3xf32>) -> tensor<3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%rows : tensor<3xf32>) -> tensor<3xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<3x5xf32>) outs(%l : tensor<3xf32>) dimensions = [1]
  %e = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<3x5xf32>, tensor<3xf32>) outs(%all : tensor<3x5xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<3x5xf32>) outs(%z : tensor<3xf32>) dimensions = [1]
  %s = linalg.broadcast ins(%sum : tensor<3xf32>) outs(%all : tensor<3x5xf32>) dimensions = [1]
  %r = linalg.div ins(%e, %s : tensor<3x5xf32>, tensor<3x5xf32>) outs(%all : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
