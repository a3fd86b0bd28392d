// Two tied weights of 256 GiB and a bias. See docs/guides/deferred-initialization.md.
func.func @init() -> (!graph.tensor<262144x262144xf32>, !graph.tensor<8xf32>, !graph.tensor<262144x262144xf32>) {
  %half = arith.constant 0.5 : f64
  %0 = graph.empty [262144, 262144]
  %weight = graph.normal_ %0 : !graph.tensor<262144x262144xf32>
  %1 = graph.empty [8]
  %bias = graph.uniform_ %1 {from = -0.01, to = 0.01} : !graph.tensor<8xf32>
  %tied = graph.t %weight : !graph.tensor<262144x262144xf32>
  %first = graph.select %tied index [0] {dim = 0} : !graph.tensor<262144x262144xf32>
  %2 = graph.mul_ %first, %half : !graph.tensor<262144xf32>, f64
  return %weight, %bias, %tied : !graph.tensor<262144x262144xf32>, !graph.tensor<8xf32>, !graph.tensor<262144x262144xf32>
}
