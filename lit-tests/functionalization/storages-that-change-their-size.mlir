// Storages that grow by resize_ and set_, shrink, are freed and allocated again.
// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

func.func @"a-new-storage-grows"(%x: !graph.tensor<2x3xf32>) -> (!graph.tensor<4x3xf32>, !graph.tensor<3xf32>) {
  %0 = graph.clone %x : !graph.tensor<2x3xf32>
  %1 = graph.select %0 index [1] : !graph.tensor<2x3xf32>
  %2 = graph.resize_ %0 size [4, 3] : !graph.tensor<2x3xf32>
  %one = arith.constant 1.0 : f64
  %3 = graph.add_ %2, %one : !graph.tensor<4x3xf32>, f64
  return %3, %1 : !graph.tensor<4x3xf32>, !graph.tensor<3xf32>
}

// PyTorch issues 81385 and 191449: an alias that is alive sees the storage that has grown.
func.func @"an-alias-that-is-alive-sees-what-is-written-after-growth"(%x: !graph.tensor<4xf32>) -> (!graph.tensor<2xf32>, !graph.tensor<6xf32>) {
  %0 = graph.clone %x : !graph.tensor<4xf32>
  %1 = graph.slice %0 start [1] end [3] step [1] : !graph.tensor<4xf32>
  %2 = graph.resize_ %0 size [6] : !graph.tensor<4xf32>
  %two = arith.constant 2.0 : f64
  %3 = graph.fill_ %2, %two : !graph.tensor<6xf32>, f64
  %4 = graph.neg_ %1 : !graph.tensor<2xf32>
  %5 = graph.clone %2 : !graph.tensor<6xf32>
  return %1, %5 : !graph.tensor<2xf32>, !graph.tensor<6xf32>
}

func.func @"smaller-and-larger-again-keeps-the-elements"(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %0 = graph.clone %x : !graph.tensor<4xf32>
  %1 = graph.resize_ %0 size [2] : !graph.tensor<4xf32>
  %2 = graph.neg_ %1 : !graph.tensor<2xf32>
  %3 = graph.resize_ %2 size [4] : !graph.tensor<2xf32>
  return %3 : !graph.tensor<4xf32>
}

func.func @"the-storage-of-an-argument-grows"(%x: !graph.tensor<3xf32>) -> !graph.tensor<5xf32> {
  %0 = graph.resize_ %x size [5] : !graph.tensor<3xf32>
  %one = arith.constant 1.0 : f64
  %1 = graph.add_ %0, %one : !graph.tensor<5xf32>, f64
  return %1 : !graph.tensor<5xf32>
}

func.func @"the-storage-of-an-argument-grows-and-nobody-looks"(%x: !graph.tensor<3xf32>) {
  %0 = graph.resize_ %x size [5] : !graph.tensor<3xf32>
  return
}

func.func @"set_-beyond-the-end-of-a-storage"(%x: !graph.tensor<4xf32>) -> !graph.tensor<3x2xf32> {
  %0 = graph.clone %x : !graph.tensor<4xf32>
  %1 = graph.empty [0] {dtype = f32}
  %2 = graph.set_ %1 source %0 : !graph.tensor<4xf32> {storage_offset = 1 : i64, size = array<i64: 3, 2>, stride = array<i64: 2, 1>} : !graph.tensor<0xf32>
  %3 = graph.neg_ %2 : !graph.tensor<3x2xf32>
  return %3 : !graph.tensor<3x2xf32>
}

func.func @"freed-allocated-again-and-copied-to"(%x: !graph.tensor<2x2xf32>, %y: !graph.tensor<2x2xf32>) -> (!graph.tensor<2x2xf32>, !graph.tensor<2xf32>) {
  %0 = graph.clone %x : !graph.tensor<2x2xf32>
  %1 = graph.select %0 index [0] : !graph.tensor<2x2xf32>
  %2 = graph.add %0, %y : !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>
  graph.resize_storage %0 bytes [0] : !graph.tensor<2x2xf32>
  graph.resize_storage %0 bytes [16] : !graph.tensor<2x2xf32>
  %3 = graph.copy_ %0, %y : !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>
  return %2, %1 : !graph.tensor<2x2xf32>, !graph.tensor<2xf32>
}

func.func @"an-argument-freed-and-allocated-again"(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %0 = graph.neg %x : !graph.tensor<4xf32>
  graph.resize_storage %x bytes [0] : !graph.tensor<4xf32>
  graph.resize_storage %x bytes [16] : !graph.tensor<4xf32>
  %1 = graph.copy_ %x, %0 : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %0 : !graph.tensor<4xf32>
}

func.func @"a-part-of-an-argument-is-lost"(%x: !graph.tensor<4xf32>) -> !graph.tensor<2xf32> {
  %0 = graph.slice %x start [0] end [2] step [1] : !graph.tensor<4xf32>
  %1 = graph.neg_ %x : !graph.tensor<4xf32>
  graph.resize_storage %x bytes [10] : !graph.tensor<4xf32>
  %2 = graph.neg %0 : !graph.tensor<2xf32>
  return %2 : !graph.tensor<2xf32>
}

func.func @"what-was-freed-is-not-read"(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %0 = graph.clone %x : !graph.tensor<4xf32>
  graph.resize_storage %0 bytes [8] : !graph.tensor<4xf32>
  %1 = graph.slice %0 start [0] end [2] step [1] : !graph.tensor<4xf32>
  %2 = graph.add %1, %1 : !graph.tensor<2xf32>, !graph.tensor<2xf32>
  graph.resize_storage %0 bytes [16] : !graph.tensor<4xf32>
  %3 = graph.neg_ %0 : !graph.tensor<4xf32>
  return %3 : !graph.tensor<4xf32>
}

func.func @"a-storage-grows-where-it-was-made"(%c: i1, %x: !graph.tensor<4xf32>) -> f64 {
  %0 = scf.if %c -> f64 {
    %1 = graph.clone %x : !graph.tensor<4xf32>
    %2 = graph.resize_ %1 size [5] : !graph.tensor<4xf32>
    %3 = graph.sum %2 : !graph.tensor<5xf32>
    %4 = graph.item %3 : !graph.tensor<f32>
    scf.yield %4 : f64
  } else {
    %1 = graph.sum %x : !graph.tensor<4xf32>
    %4 = graph.item %1 : !graph.tensor<f32>
    scf.yield %4 : f64
  }
  return %0 : f64
}

// The storage may have had more elements than the argument.
func.func @"a-part-of-a-storage-grows"(%x: !graph.tensor<2xf32>, %y: !graph.tensor<f32> {graph.storage = "s", graph.layout = strided<[], offset: 2>},
                                       %z: !graph.tensor<8xf32> {graph.storage = "s"}) {
  %0 = graph.resize_ %y size [2] : !graph.tensor<f32>
  %1 = graph.as_strided %0 size [2] stride [2] storage_offset [3] : !graph.tensor<2xf32>
  %2 = graph.zero_ %1 : !graph.tensor<2xf32>
  return
}

func.func @"nothing-grows"(%x: !graph.tensor<1x3x0xf32>, %y: !graph.tensor<3x0xf32>) -> (!graph.tensor<3xf32>, !graph.tensor<1x1xi1>) {
  %0 = graph.clone %x : !graph.tensor<1x3x0xf32>
  %1 = graph.resize_ %0 size [] : !graph.tensor<1x3x0xf32>
  %line = graph.zeros [3] {dtype = f32}
  %2 = graph.add %1, %line : !graph.tensor<f32>, !graph.tensor<3xf32>
  %3 = graph.signbit %y : !graph.tensor<3x0xf32>
  %4 = graph.resize_ %3 size [1, 1] : !graph.tensor<3x0xi1>
  return %2, %4 : !graph.tensor<3xf32>, !graph.tensor<1x1xi1>
}
