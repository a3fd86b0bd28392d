// The sum of each row.
func.func @main(%x: memref<1500x1700xf32>, %y: memref<1500xf32>) {
  linalg.reduce ins(%x : memref<1500x1700xf32>) outs(%y : memref<1500xf32>) dimensions = [1]
  (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}
