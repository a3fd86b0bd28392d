// relu(a), b * 2 and c + 1 side by side
func.func @main(%a: !graph.tensor<256x128xf32>, %b: !graph.tensor<256x64xf32>, %c: !graph.tensor<256x64xf32>)
    -> !graph.tensor<256x256xf32> {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %0 = graph.relu %a : !graph.tensor<256x128xf32>
  %1 = graph.mul %b, %two : !graph.tensor<256x64xf32>, f64
  %2 = graph.add %c, %one : !graph.tensor<256x64xf32>, f64
  %3 = graph.cat %0, %1, %2 {dim = 1} : !graph.tensor<256x128xf32>, !graph.tensor<256x64xf32>, !graph.tensor<256x64xf32>
  return %3 : !graph.tensor<256x256xf32>
}
