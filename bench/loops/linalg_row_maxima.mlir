// Each row, less its maximum.
#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (i)>
func.func @main(%x: memref<1500x1700xf32>, %m: memref<1500xf32>, %y: memref<1500x1700xf32>) {
  linalg.reduce { arith.maximumf } ins(%x : memref<1500x1700xf32>) outs(%m : memref<1500xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : memref<1500x1700xf32>, memref<1500xf32>) outs(%y : memref<1500x1700xf32>) {
  ^bb0(%v: f32, %c: f32, %o: f32):
    %s = arith.subf %v, %c : f32
    linalg.yield %s : f32
  }
  return
}
