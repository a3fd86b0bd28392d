// Our operations and upstream's in one function, values going to and fro; our passes and upstream's in one pipeline.
// Upstream's bufferization sees through both: windows are subviews, what is inserted is written in place, nothing is copied whole.

// DEFINE: %{to-buffers} = func.func(convert-functional-to-loop,canonicalize,cse),one-shot-bufferize{bufferize-function-boundaries \
// DEFINE:   function-boundary-type-conversion=identity-layout-map},canonicalize,cse
// DEFINE: %{to-llvm} = convert-copy-to-loop,convert-loop-to-kernel,place-deallocations,convert-linalg-to-loops,convert-kernel-to-x86{cpu=x86-64},\
// DEFINE:   canonicalize,cse,expand-vector-math,expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-vector-to-llvm,\
// DEFINE:   finalize-memref-to-llvm{use-generic-functions=1},convert-arith-to-llvm,convert-index-to-llvm,convert-cf-to-llvm,\
// DEFINE:   convert-func-to-llvm,reconcile-unrealized-casts

// RUN: %mlir-opt-plugin %s --pass-pipeline='builtin.module(%{to-buffers})' | FileCheck %s

// RUN: %mlir-opt-plugin %s --pass-pipeline='builtin.module(%{to-buffers},%{to-llvm})' -o %t.mlir
// RUN: cc -shared -o %t.so -Wl,--whole-archive %terrace-rt -Wl,--no-whole-archive -lpthread -ldl -lm
// RUN: mlir-runner %t.mlir -e main --entry-point-result=void --shared-libs=%llvm/lib/libmlir_runner_utils.so,%t.so \
// RUN:   | FileCheck %s --check-prefix=VALUES
// REQUIRES: x86

#map = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @mixed
//  CHECK-SAME: %[[X:[^:]+]]: memref<4x8xf32>, %[[Y:[^:]+]]: memref<2x4xf32>) -> (memref<4x8xf32>, memref<2x4xf32>)
func.func @mixed(%x: tensor<4x8xf32>, %y: tensor<2x4xf32>) -> (tensor<4x8xf32>, tensor<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %half = arith.constant 0.5 : f32

  // CHECK: loop.pointwise {{.*}} into %[[RELU:.+]] {
  // CHECK:   loop.load %[[X]]
  // CHECK: } : memref<4x8xf32>
  %relu = functional.relu %x : tensor<4x8xf32>
  // CHECK: %[[WINDOW:.+]] = memref.subview %[[RELU]][1, 4] [2, 4] [1, 1]
  %window = tensor.extract_slice %relu[1, 4] [2, 4] [1, 1] : tensor<4x8xf32> to tensor<2x4xf32>
  // CHECK: linalg.generic {{.*}} ins(%[[WINDOW]], %[[Y]] : memref<2x4xf32, strided<[8, 1], offset: 12>>, memref<2x4xf32>)
  // CHECK-SAME: outs(%[[SCALED:.+]] : memref<2x4xf32>)
  %empty = tensor.empty() : tensor<2x4xf32>
  %scaled = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%window, %y : tensor<2x4xf32>, tensor<2x4xf32>) outs(%empty : tensor<2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %half : f32
    %r = arith.addf %m, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x4xf32>
  // CHECK: loop.pointwise {{.*}} into %[[SQUARE:.+]] {
  // CHECK:   loop.load %[[SCALED]]
  // CHECK: } : memref<2x4xf32>
  %square = functional.mul %scaled, %scaled : tensor<2x4xf32>, tensor<2x4xf32>
  // CHECK: scf.for %[[I:.+]] = {{[^(]*}} {
  %rows = scf.for %i = %c0 to %c2 step %c1 iter_args(%z = %relu) -> tensor<4x8xf32> {
    // CHECK: %[[ROW:.+]] = memref.subview %[[SQUARE]][%[[I]], 0] [1, 4] [1, 1]
    // CHECK: loop.reduction add {{.*}} into %[[SUM:.+]] {
    // CHECK:   loop.load %[[ROW]]
    %row = tensor.extract_slice %square[%i, 0] [1, 4] [1, 1] : tensor<2x4xf32> to tensor<1x4xf32>
    %sum = functional.sum %row {dim = array<i64: 1>, keepdim = true} : tensor<1x4xf32>
    // CHECK: %[[LAST:.+]] = memref.subview %[[RELU]][%[[I]], 7] [1, 1] [1, 1]
    // CHECK: memref.copy %[[SUM]], %[[LAST]] : memref<1x1xf32> to memref<1x1xf32, strided<[8, 1], offset: ?>>
    %next = tensor.insert_slice %sum into %z[%i, 7] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<4x8xf32>
    scf.yield %next : tensor<4x8xf32>
  }
  // CHECK: loop.pointwise {{.*}} into %[[NEG:.+]] {
  // CHECK:   loop.load %[[RELU]]
  %neg = functional.neg %rows : tensor<4x8xf32>
  // CHECK: return %[[NEG]], %[[SQUARE]] : memref<4x8xf32>, memref<2x4xf32>
  return %neg, %square : tensor<4x8xf32>, tensor<2x4xf32>
}

func.func private @printMemrefF32(tensor<*xf32>) attributes {llvm.emit_c_interface}

// Worked out by hand.
// VALUES: sizes = [4, 8]
// VALUES-NEXT: {{.*}}[-1, -0, -3, -0, -5, -0, -7, -99],
// VALUES-NEXT: [-0, -2, -0, -4, -0, -6, -0, -17.25],
// VALUES-NEXT: [-8, -7, -0, -0, -4, -3, -0, -0],
// VALUES-NEXT: [-0.5, -0.25, -0, -0, -1.5, -2.5, -0, -4.5]
// VALUES: sizes = [2, 4]
// VALUES-NEXT: {{.*}}[1, 25, 9, 64],
// VALUES-NEXT: [4, 0.25, 4, 9]
func.func @main() {
  %x = arith.constant dense<[[1.0, -2.0, 3.0, -4.0, 5.0, -6.0, 7.0, -8.0],
                             [-1.0, 2.0, -3.0, 4.0, -5.0, 6.0, -7.0, 8.0],
                             [8.0, 7.0, -6.0, -5.0, 4.0, 3.0, -2.0, -1.0],
                             [0.5, 0.25, -0.5, 0.0, 1.5, 2.5, -3.5, 4.5]]> : tensor<4x8xf32>
  %y = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [0.0, -1.0, -2.0, -3.0]]> : tensor<2x4xf32>
  %both:2 = call @mixed(%x, %y) : (tensor<4x8xf32>, tensor<2x4xf32>) -> (tensor<4x8xf32>, tensor<2x4xf32>)
  %a = tensor.cast %both#0 : tensor<4x8xf32> to tensor<*xf32>
  call @printMemrefF32(%a) : (tensor<*xf32>) -> ()
  %b = tensor.cast %both#1 : tensor<2x4xf32> to tensor<*xf32>
  call @printMemrefF32(%b) : (tensor<*xf32>) -> ()
  return
}
