// Views in a dtype of smaller elements that have parts of elements, and arguments of different dtypes over one storage.
// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

func.func @"a-view-that-begins-inside-an-element"(%x: !graph.tensor<4xf32>) -> (!graph.tensor<3xi16>, !graph.tensor<4xf32>) {
  %0 = graph.view.dtype %x {dtype = i16} : !graph.tensor<4xf32>
  %1 = graph.slice %0 start [1] end [4] step [1] {dim = 0 : i64} : !graph.tensor<8xi16>
  %2 = graph.bitwise_not_ %1 : !graph.tensor<3xi16>
  %3 = graph.add_ %x, %x : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %2, %x : !graph.tensor<3xi16>, !graph.tensor<4xf32>
}

func.func @"bytes-of-a-new-tensor-with-every-second-written"(%x: !graph.tensor<2x3xi32>) -> (!graph.tensor<2x3xi32>, !graph.tensor<2x6xi8>) {
  %0 = graph.clone %x : !graph.tensor<2x3xi32>
  %1 = graph.view.dtype %0 {dtype = i8} : !graph.tensor<2x3xi32>
  %2 = graph.slice %1 start [1] end [12] step [2] {dim = 1 : i64} : !graph.tensor<2x12xi8>
  %one = arith.constant 1 : i64
  %3 = graph.fill_ %2, %one : !graph.tensor<2x6xi8>, i64
  %4 = graph.neg_ %0 : !graph.tensor<2x3xi32>
  return %0, %2 : !graph.tensor<2x3xi32>, !graph.tensor<2x6xi8>
}

func.func @"halves-of-halves"(%x: !graph.tensor<3xi64>) -> !graph.tensor<3xi64> {
  %0 = graph.view.dtype %x {dtype = i32} : !graph.tensor<3xi64>
  %1 = graph.slice %0 start [1] end [6] step [1] {dim = 0 : i64} : !graph.tensor<6xi32>
  %2 = graph.view.dtype %1 {dtype = i8} : !graph.tensor<5xi32>
  %3 = graph.slice %2 start [3] end [18] step [5] {dim = 0 : i64} : !graph.tensor<20xi8>
  %4 = graph.bitwise_not_ %3 : !graph.tensor<3xi8>
  %5 = graph.neg_ %1 : !graph.tensor<5xi32>
  return %x : !graph.tensor<3xi64>
}

func.func @"parts-seen-behind-control-flow"(%c: i1, %x: !graph.tensor<2xf32>) -> (!graph.tensor<2xf32>, !graph.tensor<3xi16>) {
  %0 = scf.if %c -> !graph.tensor<2xf32> {
    %1 = graph.neg %x : !graph.tensor<2xf32>
    scf.yield %1 : !graph.tensor<2xf32>
  } else {
    %1 = graph.clone %x : !graph.tensor<2xf32>
    scf.yield %1 : !graph.tensor<2xf32>
  }
  %2 = graph.view.dtype %0 {dtype = i16} : !graph.tensor<2xf32>
  %3 = graph.slice %2 start [1] end [4] step [1] {dim = 0 : i64} : !graph.tensor<4xi16>
  %4 = graph.bitwise_not_ %3 : !graph.tensor<3xi16>
  return %0, %3 : !graph.tensor<2xf32>, !graph.tensor<3xi16>
}

// PyTorch issue 194747.
func.func @"arguments-of-two-dtypes"(%x: !graph.tensor<6xi32> {graph.storage = "s"}, %y: !graph.tensor<12xi16> {graph.storage = "s"}) -> (!graph.tensor<6xi32>, !graph.tensor<12xi16>) {
  %0 = graph.bitwise_not_ %y : !graph.tensor<12xi16>
  %one = arith.constant 1 : i64
  %1 = graph.add_ %x, %one : !graph.tensor<6xi32>, i64
  %2 = graph.clone %y : !graph.tensor<12xi16>
  return %x, %2 : !graph.tensor<6xi32>, !graph.tensor<12xi16>
}

func.func @"arguments-of-one-size-and-two-dtypes"(%x: !graph.tensor<4xf32> {graph.storage = "s"}, %y: !graph.tensor<4xi32> {graph.storage = "s"}) -> !graph.tensor<4xf32> {
  %0 = graph.bitwise_not_ %y : !graph.tensor<4xi32>
  %1 = graph.neg %x : !graph.tensor<4xf32>
  return %1 : !graph.tensor<4xf32>
}

func.func @"arguments-of-two-dtypes-that-meet-in-part"(
    %x: !graph.tensor<4xi32> {graph.storage = "s", graph.layout = strided<[1], offset: 1>},
    %y: !graph.tensor<3x3xi8> {graph.storage = "s", graph.layout = strided<[5, 1], offset: 2>}) -> !graph.tensor<4xi32> {
  %0 = graph.bitwise_not_ %y : !graph.tensor<3x3xi8>
  %1 = graph.neg %x : !graph.tensor<4xi32>
  return %1 : !graph.tensor<4xi32>
}

func.func @"arguments-of-two-dtypes-that-do-not-meet"(
    %x: !graph.tensor<2xi32> {graph.storage = "s"},
    %y: !graph.tensor<4xi8> {graph.storage = "s", graph.layout = strided<[1], offset: 8>}) -> (!graph.tensor<2xi32>, !graph.tensor<4xi8>) {
  %0 = graph.bitwise_not_ %y : !graph.tensor<4xi8>
  %1 = graph.neg_ %x : !graph.tensor<2xi32>
  return %x, %y : !graph.tensor<2xi32>, !graph.tensor<4xi8>
}

func.func @"truth-values-and-bytes"(%x: !graph.tensor<4xi1> {graph.storage = "s"}, %y: !graph.tensor<4xui8> {graph.storage = "s"}) -> !graph.tensor<4xi1> {
  %0 = graph.logical_not_ %x : !graph.tensor<4xi1>
  %one = arith.constant 1 : i64
  %1 = graph.bitwise_xor_ %y, %one : !graph.tensor<4xui8>, i64
  return %x : !graph.tensor<4xi1>
}

func.func @"a-complex-argument-and-its-parts"(%x: !graph.tensor<2xcomplex<f32>> {graph.storage = "s"}, %y: !graph.tensor<4xf32> {graph.storage = "s"}) -> !graph.tensor<2xcomplex<f32>> {
  %0 = graph.neg_ %y : !graph.tensor<4xf32>
  %1 = graph.add_ %x, %x : !graph.tensor<2xcomplex<f32>>, !graph.tensor<2xcomplex<f32>>
  return %1 : !graph.tensor<2xcomplex<f32>>
}
