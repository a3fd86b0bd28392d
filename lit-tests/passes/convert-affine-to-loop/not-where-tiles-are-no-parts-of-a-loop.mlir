// Two loops are one that was tiled where each index is met once, and the index of a tile says nothing else.

// RUN: terrace-opt %s --convert-affine-to-loop=distinct-arguments --verify-diagnostics -o - | FileCheck %s

// CHECK-LABEL: func.func @longer_than_the_step(
//   CHECK-NOT:   loop.scatter (%{{.*}} = 96)
//   CHECK-NOT:   loop.pointwise
func.func @longer_than_the_step(%x: memref<128xf32>, %y: memref<128xf32>) {
  // expected-remark @+1 {{stays: has a loop whose bounds depend on another one}}
  affine.for %t = 0 to 96 step 32 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 40)>(%t) {
      %v = affine.load %x[%i] : memref<128xf32>
      affine.store %v, %y[%i] : memref<128xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @the_last_goes_beyond(
//   CHECK-NOT:   loop.pointwise
func.func @the_last_goes_beyond(%x: memref<128xf32>, %y: memref<128xf32>) {
  // expected-remark @+1 {{stays: has a loop whose bounds depend on another one}}
  affine.for %t = 0 to 100 step 32 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 32)>(%t) {
      %v = affine.load %x[%i] : memref<128xf32>
      affine.store %v, %y[%i] : memref<128xf32>
    }
  }
  return
}

// Each tile goes on to the end of the loop: what the last one reads the others read, too.
// CHECK-LABEL: func.func @to_the_end(
//       CHECK:   affine.for %{{.*}} = 0 to 96 step 32
//       CHECK:     loop.reduction
func.func @to_the_end(%x: memref<96xf32>, %y: memref<f32>) {
  // expected-remark @+1 {{stays: has a loop whose bounds depend on another one}}
  affine.for %t = 0 to 96 step 32 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to 96 {
      %v = affine.load %x[%i] : memref<96xf32>
      %s = affine.load %y[] : memref<f32>
      %a = arith.addf %s, %v fastmath<reassoc> : f32
      affine.store %a, %y[] : memref<f32>
    }
  }
  return
}

// CHECK-LABEL: func.func @the_tile_is_read(
//       CHECK:   affine.for
func.func @the_tile_is_read(%x: memref<128xf32>, %y: memref<128xf32>) {
  // expected-remark @+1 {{stays: has a loop whose bounds depend on another one}}
  affine.for %t = 0 to 128 step 32 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 32)>(%t) {
      %v = affine.load %x[%t] : memref<128xf32>
      affine.store %v, %y[%i] : memref<128xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @the_steps_do_not_divide(
//       CHECK:   affine.for
func.func @the_steps_do_not_divide(%x: memref<128xf32>, %y: memref<128xf32>) {
  // expected-remark @+1 {{stays: has a loop whose bounds depend on another one}}
  affine.for %t = 0 to 128 step 32 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 32)>(%t) step 3 {
      %v = affine.load %x[%i] : memref<128xf32>
      affine.store %v, %y[%i] : memref<128xf32>
    }
  }
  return
}

// A store in between runs once a tile.
// CHECK-LABEL: func.func @something_in_between(
//       CHECK:   affine.for
func.func @something_in_between(%x: memref<128xf32>, %y: memref<128xf32>, %z: memref<f32>, %c: f32) {
  // expected-remark @+1 {{stays: has a loop whose bounds depend on another one}}
  affine.for %t = 0 to 128 step 32 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 32)>(%t) {
      %v = affine.load %x[%i] : memref<128xf32>
      affine.store %v, %y[%i] : memref<128xf32>
    }
    affine.store %c, %z[] : memref<f32>
  }
  return
}
