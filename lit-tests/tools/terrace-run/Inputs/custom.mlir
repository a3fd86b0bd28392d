func.func @main(%x: !graph.tensor<2x3xf32>, %k: f64, %on: i1) -> (!graph.tensor<3xf32>, i64, !graph.tensor<6xf32>) {
  %row = graph.select %x index [1] : !graph.tensor<2x3xf32>
  %0 = graph.custom @mine::@scale_(%row, %k, %on) {schema = "(Tensor(a!) x, float k, bool on) -> Tensor(a!)"} : (!graph.tensor<3xf32>, f64, i1) -> !graph.tensor<3xf32>
  %1, %count = graph.custom @mine::@doubled(%x) {schema = "(Tensor x) -> (Tensor, int)"} : (!graph.tensor<2x3xf32>) -> (!graph.tensor<2x3xf32>, i64)
  %size = arith.constant 6 : i64
  %out = graph.empty [6] {dtype = f32}
  %flat = graph.view %out size [2, 3] : !graph.tensor<6xf32>
  %neg = graph.neg %1 : !graph.tensor<2x3xf32>
  %2 = graph.copy_ %flat, %neg : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  return %0, %count, %out : !graph.tensor<3xf32>, i64, !graph.tensor<6xf32>
}
