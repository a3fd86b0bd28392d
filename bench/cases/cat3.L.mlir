// relu(a), b * 2 and c + 1 side by side
func.func @main(%a: !graph.tensor<4096x2048xf32>, %b: !graph.tensor<4096x1024xf32>, %c: !graph.tensor<4096x1024xf32>)
    -> !graph.tensor<4096x4096xf32> {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %0 = graph.relu %a : !graph.tensor<4096x2048xf32>
  %1 = graph.mul %b, %two : !graph.tensor<4096x1024xf32>, f64
  %2 = graph.add %c, %one : !graph.tensor<4096x1024xf32>, f64
  %3 = graph.cat %0, %1, %2 {dim = 1} : !graph.tensor<4096x2048xf32>, !graph.tensor<4096x1024xf32>, !graph.tensor<4096x1024xf32>
  return %3 : !graph.tensor<4096x4096xf32>
}
