// Each view is written through, with another view of the storage read before and after: the inverse of the view.
// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

func.func @"view"(%x: !graph.tensor<4x6xf32>) -> (!graph.tensor<4x6xf32>, !graph.tensor<2x12xf32>) {
  %before = graph.clone %x : !graph.tensor<4x6xf32>
  %v = graph.view %x size [2, 12] : !graph.tensor<4x6xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<2x12xf32>, !graph.tensor<2x12xf32>
  %y = graph.neg_ %x : !graph.tensor<4x6xf32>
  return %before, %v : !graph.tensor<4x6xf32>, !graph.tensor<2x12xf32>
}

func.func @"unsafe-view"(%x: !graph.tensor<4x6xf32>) -> (!graph.tensor<4x6xf32>, !graph.tensor<24xf32>) {
  %before = graph.clone %x : !graph.tensor<4x6xf32>
  %v = graph._unsafe_view %x size [24] : !graph.tensor<4x6xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<24xf32>, !graph.tensor<24xf32>
  %y = graph.neg_ %x : !graph.tensor<4x6xf32>
  return %before, %v : !graph.tensor<4x6xf32>, !graph.tensor<24xf32>
}

func.func @"view-dtype"(%x: !graph.tensor<4x6xf32>) -> (!graph.tensor<4x6xf32>, !graph.tensor<4x6xi32>) {
  %before = graph.clone %x : !graph.tensor<4x6xf32>
  %v = graph.view.dtype %x {dtype = i32} : !graph.tensor<4x6xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<4x6xi32>, !graph.tensor<4x6xi32>
  %y = graph.neg_ %x : !graph.tensor<4x6xf32>
  return %before, %v : !graph.tensor<4x6xf32>, !graph.tensor<4x6xi32>
}

func.func @"view-dtype-of-other-size"(%x: !graph.tensor<4x6xf32>) -> (!graph.tensor<4x6xf32>, !graph.tensor<4x3xf64>) {
  %before = graph.clone %x : !graph.tensor<4x6xf32>
  %v = graph.view.dtype %x {dtype = f64} : !graph.tensor<4x6xf32>
  %w = graph.neg_ %v : !graph.tensor<4x3xf64>
  %y = graph.neg_ %x : !graph.tensor<4x6xf32>
  return %before, %v : !graph.tensor<4x6xf32>, !graph.tensor<4x3xf64>
}

func.func @"transpose"(%x: !graph.tensor<2x3x4xf32>) -> (!graph.tensor<2x3x4xf32>, !graph.tensor<4x3x2xf32>) {
  %before = graph.clone %x : !graph.tensor<2x3x4xf32>
  %v = graph.transpose %x {dim0 = 0 : i64, dim1 = -1 : i64} : !graph.tensor<2x3x4xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<4x3x2xf32>, !graph.tensor<4x3x2xf32>
  %y = graph.neg_ %x : !graph.tensor<2x3x4xf32>
  return %before, %v : !graph.tensor<2x3x4xf32>, !graph.tensor<4x3x2xf32>
}

func.func @"t"(%x: !graph.tensor<4x6xf32>) -> (!graph.tensor<4x6xf32>, !graph.tensor<6x4xf32>) {
  %before = graph.clone %x : !graph.tensor<4x6xf32>
  %v = graph.t %x : !graph.tensor<4x6xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<6x4xf32>, !graph.tensor<6x4xf32>
  %y = graph.neg_ %x : !graph.tensor<4x6xf32>
  return %before, %v : !graph.tensor<4x6xf32>, !graph.tensor<6x4xf32>
}

func.func @"permute"(%x: !graph.tensor<2x3x4xf32>) -> (!graph.tensor<2x3x4xf32>, !graph.tensor<4x2x3xf32>) {
  %before = graph.clone %x : !graph.tensor<2x3x4xf32>
  %v = graph.permute %x {dims = array<i64: 2, 0, 1>} : !graph.tensor<2x3x4xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<4x2x3xf32>, !graph.tensor<4x2x3xf32>
  %y = graph.neg_ %x : !graph.tensor<2x3x4xf32>
  return %before, %v : !graph.tensor<2x3x4xf32>, !graph.tensor<4x2x3xf32>
}

func.func @"movedim"(%x: !graph.tensor<2x3x4xf32>) -> (!graph.tensor<2x3x4xf32>, !graph.tensor<3x4x2xf32>) {
  %before = graph.clone %x : !graph.tensor<2x3x4xf32>
  %v = graph.movedim %x {source = array<i64: 0>, destination = array<i64: 2>} : !graph.tensor<2x3x4xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<3x4x2xf32>, !graph.tensor<3x4x2xf32>
  %y = graph.neg_ %x : !graph.tensor<2x3x4xf32>
  return %before, %v : !graph.tensor<2x3x4xf32>, !graph.tensor<3x4x2xf32>
}

func.func @"swapaxes"(%x: !graph.tensor<2x3x4xf32>) -> (!graph.tensor<2x3x4xf32>, !graph.tensor<3x2x4xf32>) {
  %before = graph.clone %x : !graph.tensor<2x3x4xf32>
  %v = graph.swapaxes %x {axis0 = 0 : i64, axis1 = 1 : i64} : !graph.tensor<2x3x4xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<3x2x4xf32>, !graph.tensor<3x2x4xf32>
  %y = graph.neg_ %x : !graph.tensor<2x3x4xf32>
  return %before, %v : !graph.tensor<2x3x4xf32>, !graph.tensor<3x2x4xf32>
}

func.func @"mT"(%x: !graph.tensor<2x3x4xf32>) -> (!graph.tensor<2x3x4xf32>, !graph.tensor<2x4x3xf32>) {
  %before = graph.clone %x : !graph.tensor<2x3x4xf32>
  %v = graph.mT %x : !graph.tensor<2x3x4xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<2x4x3xf32>, !graph.tensor<2x4x3xf32>
  %y = graph.neg_ %x : !graph.tensor<2x3x4xf32>
  return %before, %v : !graph.tensor<2x3x4xf32>, !graph.tensor<2x4x3xf32>
}

func.func @"adjoint"(%x: !graph.tensor<3x4xcomplex<f32>>) -> (!graph.tensor<3x4xcomplex<f32>>, !graph.tensor<4x3xcomplex<f32>>) {
  %before = graph.clone %x : !graph.tensor<3x4xcomplex<f32>>
  %v = graph.adjoint %x : !graph.tensor<3x4xcomplex<f32>>
  %w = graph.mul_ %v, %v : !graph.tensor<4x3xcomplex<f32>>, !graph.tensor<4x3xcomplex<f32>>
  %y = graph.neg_ %x : !graph.tensor<3x4xcomplex<f32>>
  return %before, %v : !graph.tensor<3x4xcomplex<f32>>, !graph.tensor<4x3xcomplex<f32>>
}

func.func @"unsqueeze"(%x: !graph.tensor<4x6xf32>) -> (!graph.tensor<4x6xf32>, !graph.tensor<4x1x6xf32>) {
  %before = graph.clone %x : !graph.tensor<4x6xf32>
  %v = graph.unsqueeze %x {dim = 1 : i64} : !graph.tensor<4x6xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<4x1x6xf32>, !graph.tensor<4x1x6xf32>
  %y = graph.neg_ %x : !graph.tensor<4x6xf32>
  return %before, %v : !graph.tensor<4x6xf32>, !graph.tensor<4x1x6xf32>
}

func.func @"squeeze"(%x: !graph.tensor<4x1x6x1xf32>) -> (!graph.tensor<4x1x6x1xf32>, !graph.tensor<4x6xf32>) {
  %before = graph.clone %x : !graph.tensor<4x1x6x1xf32>
  %v = graph.squeeze %x : !graph.tensor<4x1x6x1xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<4x6xf32>, !graph.tensor<4x6xf32>
  %y = graph.neg_ %x : !graph.tensor<4x1x6x1xf32>
  return %before, %v : !graph.tensor<4x1x6x1xf32>, !graph.tensor<4x6xf32>
}

func.func @"squeeze-dim"(%x: !graph.tensor<4x1x6x1xf32>) -> (!graph.tensor<4x1x6x1xf32>, !graph.tensor<4x6x1xf32>) {
  %before = graph.clone %x : !graph.tensor<4x1x6x1xf32>
  %v = graph.squeeze %x {dim = array<i64: 1>} : !graph.tensor<4x1x6x1xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<4x6x1xf32>, !graph.tensor<4x6x1xf32>
  %y = graph.neg_ %x : !graph.tensor<4x1x6x1xf32>
  return %before, %v : !graph.tensor<4x1x6x1xf32>, !graph.tensor<4x6x1xf32>
}

func.func @"squeeze-dims-that-are-not-1"(%x: !graph.tensor<4x1x6xf32>) -> (!graph.tensor<4x1x6xf32>, !graph.tensor<4x6xf32>) {
  %before = graph.clone %x : !graph.tensor<4x1x6xf32>
  %v = graph.squeeze %x {dim = array<i64: 0, 1>} : !graph.tensor<4x1x6xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<4x6xf32>, !graph.tensor<4x6xf32>
  %y = graph.neg_ %x : !graph.tensor<4x1x6xf32>
  return %before, %v : !graph.tensor<4x1x6xf32>, !graph.tensor<4x6xf32>
}

func.func @"select"(%x: !graph.tensor<4x6xf32>) -> (!graph.tensor<4x6xf32>, !graph.tensor<4xf32>) {
  %before = graph.clone %x : !graph.tensor<4x6xf32>
  %v = graph.select %x index [-2] {dim = 1 : i64} : !graph.tensor<4x6xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %y = graph.neg_ %x : !graph.tensor<4x6xf32>
  return %before, %v : !graph.tensor<4x6xf32>, !graph.tensor<4xf32>
}

func.func @"unbind"(%x: !graph.tensor<3x4xf32>) -> (!graph.tensor<3x4xf32>, !graph.tensor<4xf32>) {
  %before = graph.clone %x : !graph.tensor<3x4xf32>
  %v:3 = graph.unbind %x : !graph.tensor<3x4xf32>
  %w = graph.mul_ %v#0, %v#0 : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %y = graph.neg_ %x : !graph.tensor<3x4xf32>
  return %before, %v#0 : !graph.tensor<3x4xf32>, !graph.tensor<4xf32>
}

func.func @"slice"(%x: !graph.tensor<8x3xf32>) -> (!graph.tensor<8x3xf32>, !graph.tensor<3x3xf32>) {
  %before = graph.clone %x : !graph.tensor<8x3xf32>
  %v = graph.slice %x start [1] end [-1] step [2] : !graph.tensor<8x3xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<3x3xf32>, !graph.tensor<3x3xf32>
  %y = graph.neg_ %x : !graph.tensor<8x3xf32>
  return %before, %v : !graph.tensor<8x3xf32>, !graph.tensor<3x3xf32>
}

func.func @"slice-with-ends-clamped"(%x: !graph.tensor<8x3xf32>) -> (!graph.tensor<8x3xf32>, !graph.tensor<3x3xf32>) {
  %before = graph.clone %x : !graph.tensor<8x3xf32>
  %v = graph.slice %x start [-100] end [100] step [3] : !graph.tensor<8x3xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<3x3xf32>, !graph.tensor<3x3xf32>
  %y = graph.neg_ %x : !graph.tensor<8x3xf32>
  return %before, %v : !graph.tensor<8x3xf32>, !graph.tensor<3x3xf32>
}

func.func @"empty-slice"(%x: !graph.tensor<8x3xf32>) -> (!graph.tensor<8x3xf32>, !graph.tensor<0x3xf32>) {
  %before = graph.clone %x : !graph.tensor<8x3xf32>
  %v = graph.slice %x start [5] end [2] step [1] : !graph.tensor<8x3xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<0x3xf32>, !graph.tensor<0x3xf32>
  %y = graph.neg_ %x : !graph.tensor<8x3xf32>
  return %before, %v : !graph.tensor<8x3xf32>, !graph.tensor<0x3xf32>
}

func.func @"narrow"(%x: !graph.tensor<8x3xf32>) -> (!graph.tensor<8x3xf32>, !graph.tensor<2x3xf32>) {
  %before = graph.clone %x : !graph.tensor<8x3xf32>
  %v = graph.narrow %x start [-3] length [2] {dim = 0 : i64} : !graph.tensor<8x3xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  %y = graph.neg_ %x : !graph.tensor<8x3xf32>
  return %before, %v : !graph.tensor<8x3xf32>, !graph.tensor<2x3xf32>
}

func.func @"split"(%x: !graph.tensor<8x3xf32>) -> (!graph.tensor<8x3xf32>, !graph.tensor<3x3xf32>) {
  %before = graph.clone %x : !graph.tensor<8x3xf32>
  %v:3 = graph.split %x {split_size = 3 : i64} : !graph.tensor<8x3xf32>
  %w = graph.mul_ %v#0, %v#0 : !graph.tensor<3x3xf32>, !graph.tensor<3x3xf32>
  %y = graph.neg_ %x : !graph.tensor<8x3xf32>
  return %before, %v#0 : !graph.tensor<8x3xf32>, !graph.tensor<3x3xf32>
}

func.func @"split-with-sizes"(%x: !graph.tensor<8x3xf32>) -> (!graph.tensor<8x3xf32>, !graph.tensor<5x3xf32>) {
  %before = graph.clone %x : !graph.tensor<8x3xf32>
  %v:3 = graph.split_with_sizes %x {split_sizes = array<i64: 5, 0, 3>} : !graph.tensor<8x3xf32>
  %w = graph.mul_ %v#0, %v#0 : !graph.tensor<5x3xf32>, !graph.tensor<5x3xf32>
  %y = graph.neg_ %x : !graph.tensor<8x3xf32>
  return %before, %v#0 : !graph.tensor<8x3xf32>, !graph.tensor<5x3xf32>
}

func.func @"chunk"(%x: !graph.tensor<7x3xf32>) -> (!graph.tensor<7x3xf32>, !graph.tensor<3x3xf32>) {
  %before = graph.clone %x : !graph.tensor<7x3xf32>
  %v:3 = graph.chunk %x {chunks = 3 : i64} : !graph.tensor<7x3xf32>
  %w = graph.mul_ %v#0, %v#0 : !graph.tensor<3x3xf32>, !graph.tensor<3x3xf32>
  %y = graph.neg_ %x : !graph.tensor<7x3xf32>
  return %before, %v#0 : !graph.tensor<7x3xf32>, !graph.tensor<3x3xf32>
}

func.func @"diagonal"(%x: !graph.tensor<4x6xf32>) -> (!graph.tensor<4x6xf32>, !graph.tensor<3xf32>) {
  %before = graph.clone %x : !graph.tensor<4x6xf32>
  %v = graph.diagonal %x {offset = -1 : i64} : !graph.tensor<4x6xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  %y = graph.neg_ %x : !graph.tensor<4x6xf32>
  return %before, %v : !graph.tensor<4x6xf32>, !graph.tensor<3xf32>
}

func.func @"as-strided"(%x: !graph.tensor<4x6xf32>) -> (!graph.tensor<4x6xf32>, !graph.tensor<3x2xf32>) {
  %before = graph.clone %x : !graph.tensor<4x6xf32>
  %v = graph.as_strided %x size [3, 2] stride [7, 2] storage_offset [1] : !graph.tensor<4x6xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<3x2xf32>, !graph.tensor<3x2xf32>
  %y = graph.neg_ %x : !graph.tensor<4x6xf32>
  return %before, %v : !graph.tensor<4x6xf32>, !graph.tensor<3x2xf32>
}

func.func @"unfold-with-gaps"(%x: !graph.tensor<9xf32>) -> (!graph.tensor<9xf32>, !graph.tensor<3x2xf32>) {
  %before = graph.clone %x : !graph.tensor<9xf32>
  %v = graph.unfold %x {dimension = 0 : i64, size = 2 : i64, step = 3 : i64} : !graph.tensor<9xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<3x2xf32>, !graph.tensor<3x2xf32>
  %y = graph.neg_ %x : !graph.tensor<9xf32>
  return %before, %v : !graph.tensor<9xf32>, !graph.tensor<3x2xf32>
}

func.func @"view-as-real"(%x: !graph.tensor<3x2xcomplex<f32>>) -> (!graph.tensor<3x2xcomplex<f32>>, !graph.tensor<3x2x2xf32>) {
  %before = graph.clone %x : !graph.tensor<3x2xcomplex<f32>>
  %v = graph.view_as_real %x : !graph.tensor<3x2xcomplex<f32>>
  %w = graph.mul_ %v, %v : !graph.tensor<3x2x2xf32>, !graph.tensor<3x2x2xf32>
  %y = graph.neg_ %x : !graph.tensor<3x2xcomplex<f32>>
  return %before, %v : !graph.tensor<3x2xcomplex<f32>>, !graph.tensor<3x2x2xf32>
}

func.func @"view-as-complex"(%x: !graph.tensor<3x2xf32>) -> (!graph.tensor<3x2xf32>, !graph.tensor<3xcomplex<f32>>) {
  %before = graph.clone %x : !graph.tensor<3x2xf32>
  %v = graph.view_as_complex %x : !graph.tensor<3x2xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<3xcomplex<f32>>, !graph.tensor<3xcomplex<f32>>
  %y = graph.neg_ %x : !graph.tensor<3x2xf32>
  return %before, %v : !graph.tensor<3x2xf32>, !graph.tensor<3xcomplex<f32>>
}

func.func @"real"(%x: !graph.tensor<4xcomplex<f32>>) -> (!graph.tensor<4xcomplex<f32>>, !graph.tensor<4xf32>) {
  %before = graph.clone %x : !graph.tensor<4xcomplex<f32>>
  %v = graph.real %x : !graph.tensor<4xcomplex<f32>>
  %w = graph.mul_ %v, %v : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %y = graph.neg_ %x : !graph.tensor<4xcomplex<f32>>
  return %before, %v : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xf32>
}

func.func @"imag"(%x: !graph.tensor<4xcomplex<f32>>) -> (!graph.tensor<4xcomplex<f32>>, !graph.tensor<4xf32>) {
  %before = graph.clone %x : !graph.tensor<4xcomplex<f32>>
  %v = graph.imag %x : !graph.tensor<4xcomplex<f32>>
  %w = graph.mul_ %v, %v : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %y = graph.neg_ %x : !graph.tensor<4xcomplex<f32>>
  return %before, %v : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xf32>
}

func.func @"conj"(%x: !graph.tensor<4xcomplex<f32>>) -> (!graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>) {
  %before = graph.clone %x : !graph.tensor<4xcomplex<f32>>
  %v = graph._conj %x : !graph.tensor<4xcomplex<f32>>
  %w = graph.mul_ %v, %v : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>
  %y = graph.neg_ %x : !graph.tensor<4xcomplex<f32>>
  return %before, %v : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>
}

func.func @"neg-view"(%x: !graph.tensor<4xf32>) -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>) {
  %before = graph.clone %x : !graph.tensor<4xf32>
  %v = graph._neg_view %x : !graph.tensor<4xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %y = graph.neg_ %x : !graph.tensor<4xf32>
  return %before, %v : !graph.tensor<4xf32>, !graph.tensor<4xf32>
}

func.func @"detach"(%x: !graph.tensor<4xf32>) -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>) {
  %before = graph.clone %x : !graph.tensor<4xf32>
  %v = graph.detach %x : !graph.tensor<4xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %y = graph.neg_ %x : !graph.tensor<4xf32>
  return %before, %v : !graph.tensor<4xf32>, !graph.tensor<4xf32>
}

func.func @"alias"(%x: !graph.tensor<4xf32>) -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>) {
  %before = graph.clone %x : !graph.tensor<4xf32>
  %v = graph.alias %x : !graph.tensor<4xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %y = graph.neg_ %x : !graph.tensor<4xf32>
  return %before, %v : !graph.tensor<4xf32>, !graph.tensor<4xf32>
}

func.func @"lift-fresh"(%x: !graph.tensor<4xf32>) -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>) {
  %before = graph.clone %x : !graph.tensor<4xf32>
  %v = graph.lift_fresh %x : !graph.tensor<4xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %y = graph.neg_ %x : !graph.tensor<4xf32>
  return %before, %v : !graph.tensor<4xf32>, !graph.tensor<4xf32>
}

func.func @"flatten"(%x: !graph.tensor<2x3x4xf32>) -> (!graph.tensor<2x3x4xf32>, !graph.tensor<2x12xf32>) {
  %before = graph.clone %x : !graph.tensor<2x3x4xf32>
  %v = graph.flatten.using_ints %x {start_dim = 1 : i64, end_dim = -1 : i64} : !graph.tensor<2x3x4xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<2x12xf32>, !graph.tensor<2x12xf32>
  %y = graph.neg_ %x : !graph.tensor<2x3x4xf32>
  return %before, %v : !graph.tensor<2x3x4xf32>, !graph.tensor<2x12xf32>
}

func.func @"ravel"(%x: !graph.tensor<2x3x4xf32>) -> (!graph.tensor<2x3x4xf32>, !graph.tensor<24xf32>) {
  %before = graph.clone %x : !graph.tensor<2x3x4xf32>
  %v = graph.ravel %x : !graph.tensor<2x3x4xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<24xf32>, !graph.tensor<24xf32>
  %y = graph.neg_ %x : !graph.tensor<2x3x4xf32>
  return %before, %v : !graph.tensor<2x3x4xf32>, !graph.tensor<24xf32>
}

func.func @"unflatten"(%x: !graph.tensor<4x6xf32>) -> (!graph.tensor<4x6xf32>, !graph.tensor<4x2x3xf32>) {
  %before = graph.clone %x : !graph.tensor<4x6xf32>
  %v = graph.unflatten %x sizes [2, -1] {dim = 1 : i64} : !graph.tensor<4x6xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<4x2x3xf32>, !graph.tensor<4x2x3xf32>
  %y = graph.neg_ %x : !graph.tensor<4x6xf32>
  return %before, %v : !graph.tensor<4x6xf32>, !graph.tensor<4x2x3xf32>
}

func.func @"tensor-split"(%x: !graph.tensor<8x3xf32>) -> (!graph.tensor<8x3xf32>, !graph.tensor<3x3xf32>) {
  %before = graph.clone %x : !graph.tensor<8x3xf32>
  %v:3 = graph.tensor_split.sections %x {sections = 3 : i64} : !graph.tensor<8x3xf32>
  %w = graph.mul_ %v#0, %v#0 : !graph.tensor<3x3xf32>, !graph.tensor<3x3xf32>
  %y = graph.neg_ %x : !graph.tensor<8x3xf32>
  return %before, %v#0 : !graph.tensor<8x3xf32>, !graph.tensor<3x3xf32>
}

func.func @"hsplit"(%x: !graph.tensor<3x4xf32>) -> (!graph.tensor<3x4xf32>, !graph.tensor<3x2xf32>) {
  %before = graph.clone %x : !graph.tensor<3x4xf32>
  %v:2 = graph.hsplit.int %x {sections = 2 : i64} : !graph.tensor<3x4xf32>
  %w = graph.mul_ %v#0, %v#0 : !graph.tensor<3x2xf32>, !graph.tensor<3x2xf32>
  %y = graph.neg_ %x : !graph.tensor<3x4xf32>
  return %before, %v#0 : !graph.tensor<3x4xf32>, !graph.tensor<3x2xf32>
}

func.func @"vsplit"(%x: !graph.tensor<4x3xf32>) -> (!graph.tensor<4x3xf32>, !graph.tensor<2x3xf32>) {
  %before = graph.clone %x : !graph.tensor<4x3xf32>
  %v:2 = graph.vsplit.int %x {sections = 2 : i64} : !graph.tensor<4x3xf32>
  %w = graph.mul_ %v#0, %v#0 : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  %y = graph.neg_ %x : !graph.tensor<4x3xf32>
  return %before, %v#0 : !graph.tensor<4x3xf32>, !graph.tensor<2x3xf32>
}

func.func @"dsplit"(%x: !graph.tensor<2x3x4xf32>) -> (!graph.tensor<2x3x4xf32>, !graph.tensor<2x3x1xf32>) {
  %before = graph.clone %x : !graph.tensor<2x3x4xf32>
  %v:2 = graph.dsplit.array %x {indices = array<i64: 1>} : !graph.tensor<2x3x4xf32>
  %w = graph.mul_ %v#0, %v#0 : !graph.tensor<2x3x1xf32>, !graph.tensor<2x3x1xf32>
  %y = graph.neg_ %x : !graph.tensor<2x3x4xf32>
  return %before, %v#0 : !graph.tensor<2x3x4xf32>, !graph.tensor<2x3x1xf32>
}

func.func @"no-dimensions"(%x: !graph.tensor<f32>) -> (!graph.tensor<f32>, !graph.tensor<1x1xf32>) {
  %before = graph.clone %x : !graph.tensor<f32>
  %v = graph.view %x size [1, 1] : !graph.tensor<f32>
  %w = graph.mul_ %v, %v : !graph.tensor<1x1xf32>, !graph.tensor<1x1xf32>
  %y = graph.neg_ %x : !graph.tensor<f32>
  return %before, %v : !graph.tensor<f32>, !graph.tensor<1x1xf32>
}

func.func @"no-elements"(%x: !graph.tensor<0x3xf32>) -> (!graph.tensor<0x3xf32>, !graph.tensor<3x0xf32>) {
  %before = graph.clone %x : !graph.tensor<0x3xf32>
  %v = graph.t %x : !graph.tensor<0x3xf32>
  %w = graph.mul_ %v, %v : !graph.tensor<3x0xf32>, !graph.tensor<3x0xf32>
  %y = graph.neg_ %x : !graph.tensor<0x3xf32>
  return %before, %v : !graph.tensor<0x3xf32>, !graph.tensor<3x0xf32>
}

func.func @"as-strided-of-a-view-reaches-beyond-it"(%x: !graph.tensor<12xf32>) -> !graph.tensor<3xf32> {
  %one = arith.constant 1 : i64
  %part = graph.slice %x start [2] end [5] step [1] : !graph.tensor<12xf32>
  %wide = graph.as_strided %part size [3] stride [4] storage_offset [3] : !graph.tensor<3xf32>
  %w = graph.add_ %wide, %one : !graph.tensor<3xf32>, i64
  return %part : !graph.tensor<3xf32>
}

func.func @"a-fill-through-an-expand"(%x: !graph.tensor<4xf32>) -> !graph.tensor<3x4xf32> {
  %one = arith.constant 1 : i64
  %wide = graph.expand %x size [3, 4] : !graph.tensor<4xf32>
  %w = graph.fill_ %wide, %one : !graph.tensor<3x4xf32>, i64
  return %wide : !graph.tensor<3x4xf32>
}

func.func @"view-as-and-expand-as"(%x: !graph.tensor<1x6xf32>, %like: !graph.tensor<3x2xf32>, %wide: !graph.tensor<4x6xf32>) -> (!graph.tensor<3x2xf32>, !graph.tensor<4x6xf32>) {
  %c = graph.clone %x : !graph.tensor<1x6xf32>
  %v = graph.view_as %c, %like : !graph.tensor<1x6xf32>, !graph.tensor<3x2xf32>
  %e = graph.expand_as %c, %wide : !graph.tensor<1x6xf32>, !graph.tensor<4x6xf32>
  %w = graph.exp_ %v : !graph.tensor<3x2xf32>
  return %v, %e : !graph.tensor<3x2xf32>, !graph.tensor<4x6xf32>
}
