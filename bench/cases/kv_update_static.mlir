// an entry written into a cache, at a place that is known
func.func @main(%keys: !graph.tensor<1x12x2048x64xf32> {graph.storage = "keys"},
                %values: !graph.tensor<1x12x2048x64xf32> {graph.storage = "values"},
                %key: !graph.tensor<1x12x1x64xf32> {graph.storage = "key"},
                %value: !graph.tensor<1x12x1x64xf32> {graph.storage = "value"},
                %position: !graph.tensor<1xi64> {graph.storage = "position"})
    -> (!graph.tensor<1x12x2048x64xf32>, !graph.tensor<1x12x2048x64xf32>) {
  %0 = graph.slice %keys start [100] end [101] step [1] {dim = 2} : !graph.tensor<1x12x2048x64xf32>
  %1 = graph.copy_ %0, %key : !graph.tensor<1x12x1x64xf32>, !graph.tensor<1x12x1x64xf32>
  %2 = graph.slice %values start [100] end [101] step [1] {dim = 2} : !graph.tensor<1x12x2048x64xf32>
  %3 = graph.copy_ %2, %value : !graph.tensor<1x12x1x64xf32>, !graph.tensor<1x12x1x64xf32>
  return %keys, %values : !graph.tensor<1x12x2048x64xf32>, !graph.tensor<1x12x2048x64xf32>
}
