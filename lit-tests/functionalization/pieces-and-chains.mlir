// Pieces of a tensor, whichever is written; views without dimensions or elements; views of views.
// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

func.func @"unbind-the-last"(%x: !graph.tensor<3x4xf32>) -> (!graph.tensor<3x4xf32>, !graph.tensor<3xf32>) {
  %before = graph.clone %x : !graph.tensor<3x4xf32>
  %v:4 = graph.unbind %x {dim = 1 : i64} : !graph.tensor<3x4xf32>
  %w = graph.mul_ %v#3, %v#3 : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  %y = graph.neg_ %x : !graph.tensor<3x4xf32>
  return %before, %v#3 : !graph.tensor<3x4xf32>, !graph.tensor<3xf32>
}

func.func @"the-short-last-piece-of-a-split"(%x: !graph.tensor<8x3xf32>) -> (!graph.tensor<8x3xf32>, !graph.tensor<2x3xf32>) {
  %before = graph.clone %x : !graph.tensor<8x3xf32>
  %v:3 = graph.split %x {split_size = 3 : i64} : !graph.tensor<8x3xf32>
  %w = graph.mul_ %v#2, %v#2 : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  %y = graph.neg_ %x : !graph.tensor<8x3xf32>
  return %before, %v#2 : !graph.tensor<8x3xf32>, !graph.tensor<2x3xf32>
}

func.func @"the-middle-of-split-with-sizes"(%x: !graph.tensor<3x8xf32>) -> (!graph.tensor<3x8xf32>, !graph.tensor<3x1xf32>) {
  %before = graph.clone %x : !graph.tensor<3x8xf32>
  %v:3 = graph.split_with_sizes %x {split_sizes = array<i64: 5, 1, 2>, dim = -1 : i64} : !graph.tensor<3x8xf32>
  %w = graph.mul_ %v#1, %v#1 : !graph.tensor<3x1xf32>, !graph.tensor<3x1xf32>
  %y = graph.neg_ %x : !graph.tensor<3x8xf32>
  return %before, %v#1 : !graph.tensor<3x8xf32>, !graph.tensor<3x1xf32>
}

func.func @"the-short-last-chunk"(%x: !graph.tensor<7x3xf32>) -> (!graph.tensor<7x3xf32>, !graph.tensor<1x3xf32>) {
  %before = graph.clone %x : !graph.tensor<7x3xf32>
  %v:3 = graph.chunk %x {chunks = 3 : i64} : !graph.tensor<7x3xf32>
  %w = graph.mul_ %v#2, %v#2 : !graph.tensor<1x3xf32>, !graph.tensor<1x3xf32>
  %y = graph.neg_ %x : !graph.tensor<7x3xf32>
  return %before, %v#2 : !graph.tensor<7x3xf32>, !graph.tensor<1x3xf32>
}

func.func @"tensor-split-the-last"(%x: !graph.tensor<8x3xf32>) -> (!graph.tensor<8x3xf32>, !graph.tensor<2x3xf32>) {
  %before = graph.clone %x : !graph.tensor<8x3xf32>
  %v:3 = graph.tensor_split.sections %x {sections = 3 : i64} : !graph.tensor<8x3xf32>
  %w = graph.mul_ %v#2, %v#2 : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  %y = graph.neg_ %x : !graph.tensor<8x3xf32>
  return %before, %v#2 : !graph.tensor<8x3xf32>, !graph.tensor<2x3xf32>
}

func.func @"tensor-split-at-indices"(%x: !graph.tensor<8x3xf32>) -> (!graph.tensor<8x3xf32>, !graph.tensor<4x3xf32>) {
  %before = graph.clone %x : !graph.tensor<8x3xf32>
  %v:3 = graph.tensor_split.indices %x {indices = array<i64: 2, -2>} : !graph.tensor<8x3xf32>
  %w = graph.mul_ %v#1, %v#1 : !graph.tensor<4x3xf32>, !graph.tensor<4x3xf32>
  %y = graph.neg_ %x : !graph.tensor<8x3xf32>
  return %before, %v#1 : !graph.tensor<8x3xf32>, !graph.tensor<4x3xf32>
}

func.func @"hsplit-the-second"(%x: !graph.tensor<3x4xf32>) -> (!graph.tensor<3x4xf32>, !graph.tensor<3x2xf32>) {
  %before = graph.clone %x : !graph.tensor<3x4xf32>
  %v:2 = graph.hsplit.int %x {sections = 2 : i64} : !graph.tensor<3x4xf32>
  %w = graph.mul_ %v#1, %v#1 : !graph.tensor<3x2xf32>, !graph.tensor<3x2xf32>
  %y = graph.neg_ %x : !graph.tensor<3x4xf32>
  return %before, %v#1 : !graph.tensor<3x4xf32>, !graph.tensor<3x2xf32>
}

func.func @"vsplit-at-indices"(%x: !graph.tensor<5x3xf32>) -> (!graph.tensor<5x3xf32>, !graph.tensor<3x3xf32>) {
  %before = graph.clone %x : !graph.tensor<5x3xf32>
  %v:3 = graph.vsplit.array %x {indices = array<i64: 1, 4>} : !graph.tensor<5x3xf32>
  %w = graph.mul_ %v#1, %v#1 : !graph.tensor<3x3xf32>, !graph.tensor<3x3xf32>
  %y = graph.neg_ %x : !graph.tensor<5x3xf32>
  return %before, %v#1 : !graph.tensor<5x3xf32>, !graph.tensor<3x3xf32>
}

func.func @"dsplit-the-second"(%x: !graph.tensor<2x3x4xf32>) -> (!graph.tensor<2x3x4xf32>, !graph.tensor<2x3x3xf32>) {
  %before = graph.clone %x : !graph.tensor<2x3x4xf32>
  %v:2 = graph.dsplit.array %x {indices = array<i64: 1>} : !graph.tensor<2x3x4xf32>
  %w = graph.mul_ %v#1, %v#1 : !graph.tensor<2x3x3xf32>, !graph.tensor<2x3x3xf32>
  %y = graph.neg_ %x : !graph.tensor<2x3x4xf32>
  return %before, %v#1 : !graph.tensor<2x3x4xf32>, !graph.tensor<2x3x3xf32>
}

func.func @"reshape-that-is-a-view"(%x: !graph.tensor<4x6xf32>) -> (!graph.tensor<4x6xf32>, !graph.tensor<3x8xf32>) {
  %before = graph.clone %x : !graph.tensor<4x6xf32>
  %v = graph.reshape %x shape [3, -1] : !graph.tensor<4x6xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<3x8xf32>, !graph.tensor<3x8xf32>
  %y = graph.neg_ %x : !graph.tensor<4x6xf32>
  return %before, %v : !graph.tensor<4x6xf32>, !graph.tensor<3x8xf32>
}

func.func @"diagonal-of-other-dimensions"(%x: !graph.tensor<3x4x5xf32>) -> (!graph.tensor<3x4x5xf32>, !graph.tensor<4x3xf32>) {
  %before = graph.clone %x : !graph.tensor<3x4x5xf32>
  %v = graph.diagonal %x {offset = 2 : i64, dim1 = 0 : i64, dim2 = -1 : i64} : !graph.tensor<3x4x5xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<4x3xf32>, !graph.tensor<4x3xf32>
  %y = graph.neg_ %x : !graph.tensor<3x4x5xf32>
  return %before, %v : !graph.tensor<3x4x5xf32>, !graph.tensor<4x3xf32>
}

func.func @"a-slice-from-the-end-in-steps"(%x: !graph.tensor<3x9xf32>) -> (!graph.tensor<3x9xf32>, !graph.tensor<3x3xf32>) {
  %before = graph.clone %x : !graph.tensor<3x9xf32>
  %v = graph.slice %x start [-8] end [-1] step [3] {dim = -1 : i64} : !graph.tensor<3x9xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<3x3xf32>, !graph.tensor<3x3xf32>
  %y = graph.neg_ %x : !graph.tensor<3x9xf32>
  return %before, %v : !graph.tensor<3x9xf32>, !graph.tensor<3x3xf32>
}

func.func @"no-dimensions-from-one"(%x: !graph.tensor<4xf32>) -> (!graph.tensor<4xf32>, !graph.tensor<f32>) {
  %before = graph.clone %x : !graph.tensor<4xf32>
  %v = graph.select %x index [3] : !graph.tensor<4xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<f32>, !graph.tensor<f32>
  %y = graph.neg_ %x : !graph.tensor<4xf32>
  return %before, %v : !graph.tensor<4xf32>, !graph.tensor<f32>
}

func.func @"no-dimensions-get-one"(%x: !graph.tensor<f32>) -> (!graph.tensor<f32>, !graph.tensor<1xf32>) {
  %before = graph.clone %x : !graph.tensor<f32>
  %v = graph.unsqueeze %x {dim = -1 : i64} : !graph.tensor<f32>
  %w = graph.mul_ %v, %v : !graph.tensor<1xf32>, !graph.tensor<1xf32>
  %y = graph.neg_ %x : !graph.tensor<f32>
  return %before, %v : !graph.tensor<f32>, !graph.tensor<1xf32>
}

func.func @"no-elements-of-a-view"(%x: !graph.tensor<0x4xf32>) -> (!graph.tensor<0x4xf32>, !graph.tensor<4x0xf32>) {
  %before = graph.clone %x : !graph.tensor<0x4xf32>
  %v = graph.permute %x {dims = array<i64: 1, 0>} : !graph.tensor<0x4xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<4x0xf32>, !graph.tensor<4x0xf32>
  %y = graph.neg_ %x : !graph.tensor<0x4xf32>
  return %before, %v : !graph.tensor<0x4xf32>, !graph.tensor<4x0xf32>
}

// Chains of views: a write reaches through all of them, a stale one is read again.
func.func @"views-of-views"(%x: !graph.tensor<4x6xf32>) -> (!graph.tensor<6x4xf32>, !graph.tensor<3xf32>) {
  %c = graph.clone %x : !graph.tensor<4x6xf32>
  %t = graph.t %c : !graph.tensor<4x6xf32>
  %s = graph.slice %t start [1] end [6] step [2] : !graph.tensor<6x4xf32>
  %u = graph.unsqueeze %s {dim = 1 : i64} : !graph.tensor<3x4xf32>
  %d = graph.diagonal %u {offset = 0 : i64, dim1 = 0 : i64, dim2 = 2 : i64} : !graph.tensor<3x1x4xf32>
  %q = graph.squeeze %d {dim = array<i64: 0>} : !graph.tensor<1x3xf32>
  %w = graph.exp_ %q : !graph.tensor<3xf32>
  %row = graph.select %c index [1] : !graph.tensor<4x6xf32>
  %z = graph.zero_ %row : !graph.tensor<6xf32>
  return %t, %q : !graph.tensor<6x4xf32>, !graph.tensor<3xf32>
}

// Nothing reads it: written through all the same.
func.func @"a-view-that-is-dead-after-its-write"(%x: !graph.tensor<2x3xf32>) {
  %f = graph.flatten.using_ints %x {start_dim = 0 : i64, end_dim = -1 : i64} : !graph.tensor<2x3xf32>
  %e = graph.select %f index [-1] : !graph.tensor<6xf32>
  %w = graph.exp_ %e : !graph.tensor<f32>
  return
}
