// rows added, doubled and copied, then a column of zeros
func.func @main(%y: !graph.tensor<4096x1024xf32> {graph.storage = "y"},
                %x: !graph.tensor<4096x1024xf32> {graph.storage = "x"}) -> !graph.tensor<4096x1024xf32> {
  %two = arith.constant 2.0 : f64
  %zero = arith.constant 0.0 : f64
  %y0 = graph.slice %y start [0] end [1000] step [1] {dim = 0} : !graph.tensor<4096x1024xf32>
  %x0 = graph.slice %x start [0] end [1000] step [1] {dim = 0} : !graph.tensor<4096x1024xf32>
  %0 = graph.add_ %y0, %x0 : !graph.tensor<1000x1024xf32>, !graph.tensor<1000x1024xf32>
  %y1 = graph.slice %y start [1000] end [2000] step [1] {dim = 0} : !graph.tensor<4096x1024xf32>
  %1 = graph.mul_ %y1, %two : !graph.tensor<1000x1024xf32>, f64
  %y2 = graph.slice %y start [2000] end [3000] step [1] {dim = 0} : !graph.tensor<4096x1024xf32>
  %x3 = graph.slice %x start [3000] end [4000] step [1] {dim = 0} : !graph.tensor<4096x1024xf32>
  %2 = graph.copy_ %y2, %x3 : !graph.tensor<1000x1024xf32>, !graph.tensor<1000x1024xf32>
  %first = graph.select %y index [0] {dim = 1} : !graph.tensor<4096x1024xf32>
  %3 = graph.fill_ %first, %zero : !graph.tensor<4096xf32>, f64
  return %y : !graph.tensor<4096x1024xf32>
}
