// Custom operators by their schemas: what is written, lists, and arguments that share a storage.
// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

func.func private @scale_(%x: !graph.tensor<3xf32> {graph.layout = "any"}, %k: f64) -> !graph.tensor<3xf32> {
  %0 = graph.mul_ %x, %k : !graph.tensor<3xf32>, f64
  return %x : !graph.tensor<3xf32>
}

func.func @"what-is-written"(%x: !graph.tensor<2x3xf32>, %k: f64) -> (!graph.tensor<3xf32>, !graph.tensor<2x3xf32>) {
  %row = graph.select %x index [1] : !graph.tensor<2x3xf32>
  %before = graph.neg %x : !graph.tensor<2x3xf32>
  %0 = graph.custom @scale_(%row, %k) {schema = "(Tensor(a!) x, float k) -> Tensor(a!)"} : (!graph.tensor<3xf32>, f64) -> !graph.tensor<3xf32>
  %1 = graph.exp_ %0 : !graph.tensor<3xf32>
  return %row, %before : !graph.tensor<3xf32>, !graph.tensor<2x3xf32>
}

func.func @"in-a-loop"(%n: index, %x: !graph.tensor<4x3xf32>, %k: f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %at = arith.index_cast %i : index to i64
    %row = graph.select %x index [%at] : !graph.tensor<4x3xf32>
    %0 = graph.custom @scale_(%row, %k) {schema = "(Tensor(a!) x, float k) -> Tensor(a!)"} : (!graph.tensor<3xf32>, f64) -> !graph.tensor<3xf32>
  }
  return
}

func.func @"one-of-two-tensors"(%c: i1, %x: !graph.tensor<3xf32> {graph.storage = "a"}, %y: !graph.tensor<3xf32> {graph.storage = "b"}, %k: f64) {
  %r = arith.select %c, %x, %y : !graph.tensor<3xf32>
  %0 = graph.custom @scale_(%r, %k) {schema = "(Tensor(a!) x, float k) -> Tensor(a!)"} : (!graph.tensor<3xf32>, f64) -> !graph.tensor<3xf32>
  return
}

// What is returned depends on what is shared: the second argument is the first one's neighbour.
func.func private @doubled_then_next(%x: !graph.tensor<2xf32> {graph.storage = "s", graph.layout = strided<[1], offset: 0>}, %y: !graph.tensor<2xf32> {graph.storage = "s", graph.layout = strided<[1], offset: 1>}) -> (!graph.tensor<2xf32>, i64) {
  %two = arith.constant 2 : i64
  %0 = graph.mul_ %x, %two : !graph.tensor<2xf32>, i64
  %1 = graph.clone %y : !graph.tensor<2xf32>
  return %1, %two : !graph.tensor<2xf32>, i64
}

func.func @"arguments-that-share-a-storage"(%x: !graph.tensor<4xf32>) -> (!graph.tensor<2xf32>, i64) {
  %a = graph.slice %x start [0] end [2] step [1] : !graph.tensor<4xf32>
  %b = graph.slice %x start [1] end [3] step [1] : !graph.tensor<4xf32>
  %0, %n = graph.custom @doubled_then_next(%a, %b) {schema = "(Tensor(a!) x, Tensor(a) y) -> (Tensor, int)"} : (!graph.tensor<2xf32>, !graph.tensor<2xf32>) -> (!graph.tensor<2xf32>, i64)
  %1 = graph.neg %0 : !graph.tensor<2xf32>
  return %1, %n : !graph.tensor<2xf32>, i64
}

func.func private @zero_all_(%x: !graph.tensor<2xf32> {graph.storage = "a"}, %y: !graph.tensor<3xf32> {graph.storage = "b"}, %z: !graph.tensor<3xf32> {graph.storage = "c"}) -> !graph.tensor<f32> {
  %sum = graph.sum %z : !graph.tensor<3xf32>
  %0 = graph.zero_ %x : !graph.tensor<2xf32>
  %1 = graph.fill_ %y, %sum : !graph.tensor<3xf32>, !graph.tensor<f32>
  return %sum : !graph.tensor<f32>
}

func.func @lists(%x: !graph.tensor<2xf32>, %y: !graph.tensor<3xf32>, %z: !graph.tensor<3xf32>) -> (!graph.tensor<2xf32>, !graph.tensor<3xf32>, !graph.tensor<f32>) {
  %a = graph.clone %x : !graph.tensor<2xf32>
  %b = graph.clone %y : !graph.tensor<3xf32>
  %0 = graph.custom @zero_all_(%a, %b, %z) {schema = "(Tensor(a!)[] all, Tensor z) -> Tensor", segments = array<i64: 2>} : (!graph.tensor<2xf32>, !graph.tensor<3xf32>, !graph.tensor<3xf32>) -> !graph.tensor<f32>
  %1 = graph.neg %0 : !graph.tensor<f32>
  return %a, %b, %1 : !graph.tensor<2xf32>, !graph.tensor<3xf32>, !graph.tensor<f32>
}
