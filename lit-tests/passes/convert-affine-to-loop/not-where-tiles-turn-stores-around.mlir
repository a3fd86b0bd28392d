// Tiles of two dimensions run in another order than the rows that they are parts of. With a loop between that over tiles and that over
// points, a later store in one tile comes before an earlier one in the next.

// RUN: terrace-opt %s --convert-affine-to-loop=distinct-arguments --verify-diagnostics -o - | FileCheck %s

// What the tile to the right stores is not there yet: of a row above, though.
// CHECK-LABEL: func.func @next_tile(
//   CHECK-NOT:   loop.
func.func @next_tile(%x: memref<64x128xf32>, %a: memref<64x128xf32>, %y: memref<64x128xf32>) {
  // expected-remark @+1 {{stays: has 'affine.store' and a later 'affine.load' that may touch one element in turns}}
  affine.for %t = 0 to 64 step 32 {
    // expected-remark @+1 {{stays: has 'affine.store' and a later 'affine.load' that may touch one element in turns}}
    affine.for %u = 0 to 64 step 32 {
      // expected-remark @+1 {{stays: has several stores in one loop, inside of another loop that stays}}
      affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 32)>(%t) {
        // expected-remark @+1 {{stays: has several stores in one loop, inside of another loop that stays}}
        affine.for %j = affine_map<(d0) -> (d0)>(%u) to affine_map<(d0) -> (d0 + 32)>(%u) {
          %v = affine.load %x[%i, %j] : memref<64x128xf32>
          affine.store %v, %a[%i, %j] : memref<64x128xf32>
          %w = affine.load %a[%i - 1, %j + 40] : memref<64x128xf32>
          affine.store %w, %y[%i, %j] : memref<64x128xf32>
        }
      }
    }
  }
  return
}

// At the same point it is there.
// CHECK-LABEL: func.func @same_point(
//       CHECK:   loop.scatter
//       CHECK:   loop.scatter
func.func @same_point(%x: memref<64x128xf32>, %a: memref<64x128xf32>, %y: memref<64x128xf32>) {
  affine.for %t = 0 to 64 step 32 {
    affine.for %u = 0 to 64 step 32 {
      affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 32)>(%t) {
        affine.for %j = affine_map<(d0) -> (d0)>(%u) to affine_map<(d0) -> (d0 + 32)>(%u) {
          %v = affine.load %x[%i, %j] : memref<64x128xf32>
          affine.store %v, %a[%i, %j] : memref<64x128xf32>
          %w = affine.load %a[%i, %j] : memref<64x128xf32>
          affine.store %w, %y[%i, %j] : memref<64x128xf32>
        }
      }
    }
  }
  return
}
