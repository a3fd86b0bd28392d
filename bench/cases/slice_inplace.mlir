// y[:, i] += x[:, i] * 2 for the first eight columns
func.func @main(%y: !graph.tensor<4096x64xf32> {graph.storage = "y"},
                %x: !graph.tensor<4096x64xf32> {graph.storage = "x"}) -> !graph.tensor<4096x64xf32> {
  %two = arith.constant 2.0 : f64
  %x0 = graph.select %x index [0] {dim = 1} : !graph.tensor<4096x64xf32>
  %twice0 = graph.mul %x0, %two : !graph.tensor<4096xf32>, f64
  %y0 = graph.select %y index [0] {dim = 1} : !graph.tensor<4096x64xf32>
  %new0 = graph.add_ %y0, %twice0 : !graph.tensor<4096xf32>, !graph.tensor<4096xf32>
  %x1 = graph.select %x index [1] {dim = 1} : !graph.tensor<4096x64xf32>
  %twice1 = graph.mul %x1, %two : !graph.tensor<4096xf32>, f64
  %y1 = graph.select %y index [1] {dim = 1} : !graph.tensor<4096x64xf32>
  %new1 = graph.add_ %y1, %twice1 : !graph.tensor<4096xf32>, !graph.tensor<4096xf32>
  %x2 = graph.select %x index [2] {dim = 1} : !graph.tensor<4096x64xf32>
  %twice2 = graph.mul %x2, %two : !graph.tensor<4096xf32>, f64
  %y2 = graph.select %y index [2] {dim = 1} : !graph.tensor<4096x64xf32>
  %new2 = graph.add_ %y2, %twice2 : !graph.tensor<4096xf32>, !graph.tensor<4096xf32>
  %x3 = graph.select %x index [3] {dim = 1} : !graph.tensor<4096x64xf32>
  %twice3 = graph.mul %x3, %two : !graph.tensor<4096xf32>, f64
  %y3 = graph.select %y index [3] {dim = 1} : !graph.tensor<4096x64xf32>
  %new3 = graph.add_ %y3, %twice3 : !graph.tensor<4096xf32>, !graph.tensor<4096xf32>
  %x4 = graph.select %x index [4] {dim = 1} : !graph.tensor<4096x64xf32>
  %twice4 = graph.mul %x4, %two : !graph.tensor<4096xf32>, f64
  %y4 = graph.select %y index [4] {dim = 1} : !graph.tensor<4096x64xf32>
  %new4 = graph.add_ %y4, %twice4 : !graph.tensor<4096xf32>, !graph.tensor<4096xf32>
  %x5 = graph.select %x index [5] {dim = 1} : !graph.tensor<4096x64xf32>
  %twice5 = graph.mul %x5, %two : !graph.tensor<4096xf32>, f64
  %y5 = graph.select %y index [5] {dim = 1} : !graph.tensor<4096x64xf32>
  %new5 = graph.add_ %y5, %twice5 : !graph.tensor<4096xf32>, !graph.tensor<4096xf32>
  %x6 = graph.select %x index [6] {dim = 1} : !graph.tensor<4096x64xf32>
  %twice6 = graph.mul %x6, %two : !graph.tensor<4096xf32>, f64
  %y6 = graph.select %y index [6] {dim = 1} : !graph.tensor<4096x64xf32>
  %new6 = graph.add_ %y6, %twice6 : !graph.tensor<4096xf32>, !graph.tensor<4096xf32>
  %x7 = graph.select %x index [7] {dim = 1} : !graph.tensor<4096x64xf32>
  %twice7 = graph.mul %x7, %two : !graph.tensor<4096xf32>, f64
  %y7 = graph.select %y index [7] {dim = 1} : !graph.tensor<4096x64xf32>
  %new7 = graph.add_ %y7, %twice7 : !graph.tensor<4096xf32>, !graph.tensor<4096xf32>
  return %y : !graph.tensor<4096x64xf32>
}
