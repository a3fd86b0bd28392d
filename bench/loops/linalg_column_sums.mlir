// The sum of each column.
func.func @main(%x: memref<4000x3000xf32>, %y: memref<3000xf32>) {
  linalg.reduce ins(%x : memref<4000x3000xf32>) outs(%y : memref<3000xf32>) dimensions = [0]
  (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}
