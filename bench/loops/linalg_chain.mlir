// Two operations on elements, the first of which nobody else reads.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @main(%x: memref<3000x2000xf32>, %b: memref<2000xf32>, %y: memref<3000x2000xf32>) {
  %t = memref.alloc() : memref<3000x2000xf32>
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : memref<3000x2000xf32>, memref<2000xf32>) outs(%t : memref<3000x2000xf32>) {
  ^bb0(%v: f32, %c: f32, %o: f32):
    %s = arith.addf %v, %c : f32
    linalg.yield %s : f32
  }
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t : memref<3000x2000xf32>) outs(%y : memref<3000x2000xf32>) {
  ^bb0(%v: f32, %o: f32):
    %m = arith.maximumf %v, %zero : f32
    %s = arith.mulf %m, %m : f32
    linalg.yield %s : f32
  }
  memref.dealloc %t : memref<3000x2000xf32>
  return
}
