// Sizes that are known when the program runs are computed of those of arguments; indices that need one take it as an operand.
// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @joined(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4xf32>, %[[Y:[a-z0-9]+]]: tensor<?x4xf32>
// CHECK: %[[M:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[N:.*]] = tensor.dim %[[Y]], %c0
// CHECK: %[[ALL:.*]] = arith.addi %[[M]], %[[N]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[ALL]]) : tensor<?x4xf32>
// CHECK: loop.scatter (%{{.*}} = %[[M]], %{{.*}} = 4) into %[[EMPTY]]
// CHECK: loop.scatter (%[[I:.*]] = %[[N]], %[[J:.*]] = 4)
// CHECK: loop.yield %{{.*}} at [%[[I]] + %[[M]], %[[J]]]
// CHECK: loop.pointwise (%[[I:.*]] = %[[ALL]], %{{.*}} = 4)
// CHECK: loop.load %{{.*}}[-%[[I]] + %[[ALL]] - 1, %{{.*}}]
func.func @joined(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = functional.cat %x, %y {dim = 0 : i64} : tensor<?x4xf32>, tensor<?x4xf32>
  %1 = functional.flip %0 {dims = array<i64: 0>} : tensor<?x4xf32>
  %2 = functional.exp %1 : tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}

// The number of elements is a number of the run too.
// CHECK-LABEL: func.func @mean(
// CHECK: %[[N:.*]] = tensor.dim %{{.*}}, %c1
// CHECK: loop.reduction add (%{{.*}} = %[[M:.*]]) over (%{{.*}} = %[[N]])
// CHECK: %[[WORD:.*]] = arith.index_cast %[[N]]
// CHECK: %[[COUNT:.*]] = arith.sitofp %[[WORD]]
// CHECK: arith.divf %{{.*}}, %[[COUNT]]
func.func @mean(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = functional.mean %x {dim = array<i64: 1>} : tensor<?x?xf32>
  return %0 : tensor<?xf32>
}

// Groups of dimensions are found where products are known to be equal: rows stay rows.
// CHECK-LABEL: func.func @split(
// CHECK: loop.load %{{.*}}[%[[I:.*]], %[[J:.*]] * 6 + %[[K:.*]]] : tensor<?x24xf32>
func.func @split(%x: tensor<?x24xf32>) -> tensor<?x4x6xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x24xf32>
  %n = arith.index_cast %d : index to i64
  %0 = functional.view %x size [%n, 4, 6] : tensor<?x24xf32>
  %1 = functional.neg %0 : tensor<?x4x6xf32>
  return %1 : tensor<?x4x6xf32>
}

// Where dimensions merge the elements stay where they are.
// CHECK-LABEL: func.func @merged(
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<?x4xf32> into tensor<?xf32>
// CHECK: loop.load %[[FLAT]]
func.func @merged(%x: tensor<?x4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : i64
  %d = tensor.dim %x, %c0 : tensor<?x4xf32>
  %n = arith.index_cast %d : index to i64
  %m = arith.muli %n, %c4 : i64
  %0 = functional.view %x size [%m] : tensor<?x4xf32>
  %1 = functional.neg %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// A part that starts anywhere ends inside.
// CHECK-LABEL: func.func @part(
// CHECK-SAME: %[[AT:[a-z0-9]+]]: i64
// CHECK: %[[I:.*]] = arith.index_cast %[[AT]]
// CHECK: %[[WITHIN:.*]] = arith.minsi
// CHECK: %[[START:.*]] = arith.maxsi %[[WITHIN]], %c0
// CHECK: loop.scatter (%[[K:.*]] = 2)
// CHECK: loop.yield %{{.*}} at [%[[K]] + %[[START]]]
func.func @part(%x: tensor<?xf32>, %s: tensor<2xf32>, %at: i64) -> tensor<?xf32> {
  %c2 = arith.constant 2 : i64
  %end = arith.addi %at, %c2 : i64
  %0 = functional.slice_scatter %x, %s start [%at] end [%end] step [1] : tensor<?xf32>, tensor<2xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @several(
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [%{{.*}}, %{{.*}}] : tensor<?xf32> into tensor<?x?xf32>
func.func @several(%x: tensor<?xf32>, %m: i64, %n: i64) -> tensor<?x?xf32> {
  %0 = functional.view %x size [%m, %n] : tensor<?xf32>
  return %0 : tensor<?x?xf32>
}

// Of windows the batch may have any size.
// CHECK-LABEL: func.func @windows(
// CHECK: %[[N:.*]] = tensor.dim
// CHECK: loop.reduction max (%{{.*}} = %[[N]], %{{.*}} = 3, %{{.*}} = 4, %{{.*}} = 4) over (%{{.*}} = 2, %{{.*}} = 2)
func.func @windows(%x: tensor<?x3x8x8xf32>) -> tensor<?x3x4x4xf32> {
  %0:2 = functional.max_pool2d_with_indices %x {kernel_size = array<i64: 2>} : tensor<?x3x8x8xf32>
  return %0#0 : tensor<?x3x4x4xf32>
}

// Each element is drawn by its number, which the sizes of the run decide.
// CHECK-LABEL: func.func @drawn(
// CHECK: loop.pointwise (%[[I:.*]] = %{{.*}}, %[[J:.*]] = %[[N:.*]]) into
// CHECK: %[[SIZE:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK: arith.muli %{{.*}}, %[[SIZE]] : i64
func.func @drawn(%p: tensor<?x?xf32>, %state: tensor<2xi64>) -> tensor<?x?xf32> {
  %0 = functional.bernoulli %p, %state : tensor<?x?xf32>, tensor<2xi64>
  return %0 : tensor<?x?xf32>
}

// Of equal sizes, and of twice the size, a place is found in whole numbers.
// CHECK-LABEL: func.func @nearest(
// CHECK: %[[H:.*]] = tensor.dim %arg0, %c2
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[NEW:.*]], %[[H]]
// CHECK: %[[STEP:.*]] = arith.divf
// CHECK: %[[TWICE:.*]] = arith.cmpi eq, %[[NEW]], %{{.*}}
// CHECK: loop.pointwise (%[[N:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}}, %[[I:.*]] = %[[NEW]], %{{.*}} = 4)
// CHECK: %[[HALF:.*]] = arith.divui %[[I]], %c2
// CHECK: arith.mulf %{{.*}}, %[[STEP]]
// CHECK: %[[FAR:.*]] = arith.select %[[TWICE]], %[[HALF]]
// CHECK: %[[ROW:.*]] = arith.select %[[SAME]], %[[I]], %[[FAR]]
// CHECK: loop.load %arg0[%[[N]], %[[C]], %[[ROW]], %{{.*}}]
func.func @nearest(%x: tensor<?x?x?x4xf32>, %h: i64) -> tensor<?x?x?x4xf32> {
  %0 = functional.upsample_nearest2d %x output_size [%h, 4] : tensor<?x?x?x4xf32>
  return %0 : tensor<?x?x?x4xf32>
}

// A place has two taps, and one where sizes are equal.
// CHECK-LABEL: func.func @linear_backward(
// CHECK: %[[SAME:.*]] = arith.cmpi eq
// CHECK: %[[TAPS:.*]] = arith.select %[[SAME]], %c1, %c2
// CHECK: loop.scatter add (%{{.*}} = 1, %{{.*}} = 2, %{{.*}} = %{{.*}}, %{{.*}} = 8, %{{.*}} = %[[TAPS]], %{{.*}} = 2)
func.func @linear_backward(%g: tensor<1x2x?x8xf32>) -> tensor<1x2x3x4xf32> {
  %c2 = arith.constant 2 : index
  %d = tensor.dim %g, %c2 : tensor<1x2x?x8xf32>
  %h = arith.index_cast %d : index to i64
  %0 = functional.upsample_bilinear2d_backward %g output_size [%h, 8] input_size [1, 2, 3, 4] {align_corners = false} : tensor<1x2x?x8xf32>
  return %0 : tensor<1x2x3x4xf32>
}

// Of an image without elements no place is written.
// CHECK-LABEL: func.func @pooling_backward(
// CHECK: cf.assert %{{.*}}, "Found an invalid max index (input image has ?x8 elements)"
// CHECK: %[[SOME:.*]] = arith.cmpi sgt, %[[H:.*]], %c0
// CHECK: %[[N:.*]] = arith.select %[[SOME]], %c2, %c0
// CHECK: loop.scatter add (%{{.*}} = %[[N]], %{{.*}} = 3, %{{.*}} = %{{.*}}, %{{.*}} = 4)
func.func @pooling_backward(%g: tensor<2x3x?x4xf32>, %x: tensor<2x3x?x8xf32>, %i: tensor<2x3x?x4xi64>) -> tensor<2x3x?x8xf32> {
  %0 = functional.max_pool2d_with_indices_backward %g, %x, %i {kernel_size = array<i64: 2>, stride = array<i64: 2>, padding = array<i64: 0>, dilation = array<i64: 1>, ceil_mode = false} : tensor<2x3x?x4xf32>, tensor<2x3x?x8xf32>, tensor<2x3x?x4xi64>
  return %0 : tensor<2x3x?x8xf32>
}

// Bags and indices are as many as there are; of no rows nothing is taken.
// CHECK-LABEL: func.func @bags(
// CHECK-DAG: %[[ROWS:.*]] = tensor.dim %arg0, %c0
// CHECK-DAG: %[[ALL:.*]] = tensor.dim %arg1, %c0
// CHECK-DAG: %[[BAGS:.*]] = tensor.dim %arg2, %c0
// CHECK: loop.reduction add (%{{.*}} = %[[ALL]]) over (%{{.*}} = %[[BAGS]])
// CHECK: arith.cmpi sgt, %[[ROWS]], %c0
// CHECK: %[[TAKEN:.*]] = arith.select %{{.*}}, %[[ALL]], %c0
// CHECK: loop.scatter add (%{{.*}} = %[[TAKEN]], %{{.*}} = 4)
func.func @bags(%w: tensor<?x4xf32>, %i: tensor<?xi64>, %o: tensor<?xi64>) -> tensor<?x4xf32> {
  %0:4 = functional._embedding_bag %w, %i, %o {mode = 0 : i64} : tensor<?x4xf32>, tensor<?xi64>, tensor<?xi64>
  return %0#0 : tensor<?x4xf32>
}

// Strides of the run have no affine expression: the place is computed.
// CHECK-LABEL: func.func @strided(
// CHECK: %[[A:.*]] = arith.index_cast %arg1
// CHECK: loop.pointwise (%[[I:.*]] = 3, %[[J:.*]] = 2)
// CHECK: %[[ROW:.*]] = arith.muli %[[I]], %[[A]]
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[J]]
// CHECK: loop.load %arg0[%[[AT]]]
func.func @strided(%x: tensor<?xf32>, %a: i64) -> tensor<3x2xf32> {
  %0 = functional.as_strided %x size [3, 2] stride [%a, 1] storage_offset [1] : tensor<?xf32>
  %1 = functional.exp %0 : tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// Elements are counted where strides do not tell that all are different.
// CHECK-LABEL: func.func @distinct(
// CHECK: cf.assert %[[FITS:.*]], "sizes, strides and offset reach beyond the elements of the operand"
// CHECK: %[[FITTING:.*]] = arith.select %[[FITS]], %c3, %c0
// CHECK: %[[ROOM:.*]] = arith.select %[[PLAIN:.*]], %c0, %{{.*}}
// CHECK: %[[ROWS:.*]] = arith.select %[[PLAIN]], %c0, %[[FITTING]]
// CHECK: loop.scatter add (%{{.*}} = %[[ROWS]], %{{.*}} = 2)
// CHECK: loop.reduction and over (%{{.*}} = %[[ROOM]])
// CHECK: cf.assert %{{.*}}, "writes an element more than once: its sizes and strides overlap"
// CHECK: loop.scatter (%{{.*}} = %[[FITTING]], %{{.*}} = 2)
func.func @distinct(%x: tensor<?xf32>, %s: tensor<3x2xf32>, %a: i64) -> tensor<?xf32> {
  %0 = functional.as_strided_scatter %x, %s size [3, 2] stride [%a, 1] storage_offset [1] : tensor<?xf32>, tensor<3x2xf32>
  return %0 : tensor<?xf32>
}

// Indices that may be more than what they are of are at most as many, not none.
// CHECK-LABEL: func.func @gathered(
// CHECK: %[[SIZE:.*]] = arith.muli %{{.*}}, %c4
// CHECK: loop.pointwise (%{{.*}} = 1, %{{.*}} = %[[SIZE]])
// CHECK: loop.load %arg1
// CHECK: loop.pointwise (%{{.*}} = 1, %{{.*}} = %[[SIZE]])
// CHECK: math.exp
func.func @gathered(%a: tensor<1x?xf32>, %x: tensor<1x?xf32>, %i: tensor<1x1xi64>) -> tensor<1x?xf32> {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %dim = tensor.dim %a, %c1 : tensor<1x?xf32>
  %four = arith.muli %dim, %c4 : index
  %size = arith.index_cast %four : index to i64
  %0 = functional.expand %i size [1, %size] : tensor<1x1xi64>
  %1 = functional.gather %x, %0 {dim = 0 : i64} : tensor<1x?xf32>, tensor<1x?xi64>
  %2 = functional.exp %1 : tensor<1x?xf32>
  return %2 : tensor<1x?xf32>
}
