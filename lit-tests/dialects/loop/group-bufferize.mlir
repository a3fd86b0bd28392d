// RUN: terrace-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --split-input-file | FileCheck %s

// Tensors from outside become buffers; what a member gives stays a value.
// CHECK-LABEL: func.func @locals_stay
// CHECK-SAME: %[[X:.*]]: memref<4x8xf32>
// CHECK: %[[OUT:.*]] = memref.alloc() {{.*}} : memref<4x8xf32>
// CHECK-NOT: memref.copy
// CHECK: loop.group (%{{.*}} = 4) into (%[[OUT]] as %[[P:.*]] : memref<4x8xf32>)
// CHECK: %[[A:.*]] = loop.pointwise
// CHECK: loop.load %[[X]]{{.*}} : memref<4x8xf32>
// CHECK: } : tensor<8xf32>
// CHECK: loop.load %[[A]]{{.*}} : tensor<8xf32>
// CHECK: loop.insert %{{.*}} into %[[P]] {{.*}} : tensor<8xf32> into memref<4x8xf32>
// CHECK: return %[[OUT]]
func.func @locals_stay(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = loop.group (%i = 4) into (%e as %p : tensor<4x8xf32>) {
    %a = loop.pointwise (%j = 8) {
      %v = loop.load %x[%i, %j] : tensor<4x8xf32>
      loop.yield %v : f32
    } : tensor<8xf32>
    %b = loop.pointwise (%j = 8) {
      %v = loop.load %a[7 - %j] : tensor<8xf32>
      loop.yield %v : f32
    } : tensor<8xf32>
    loop.in_parallel {
      loop.insert %b into %p at [%i, :] : tensor<8xf32> into tensor<4x8xf32>
    }
  }
  return %0 : tensor<4x8xf32>
}

// -----

// A point reads any element of its own row, which no other point writes: in place.
// CHECK-LABEL: func.func @own_row_in_place
// CHECK-NOT: memref.alloc
// CHECK: loop.group
func.func @own_row_in_place(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = loop.group (%i = 4) into (%x as %p : tensor<4x8xf32>) {
    %a = loop.pointwise (%j = 8) {
      %v = loop.load %x[%i, 7 - %j] : tensor<4x8xf32>
      loop.yield %v : f32
    } : tensor<8xf32>
    loop.in_parallel {
      loop.insert %a into %p at [%i, :] : tensor<8xf32> into tensor<4x8xf32>
    }
  }
  return %0 : tensor<4x8xf32>
}

// -----

// The row that a point reads is another point's.
// CHECK-LABEL: func.func @row_of_another_point_is_copied
// CHECK: memref.alloc
func.func @row_of_another_point_is_copied(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = loop.group (%i = 4) into (%x as %p : tensor<4x8xf32>) {
    %a = loop.pointwise (%j = 8) {
      %v = loop.load %x[3 - %i, %j] : tensor<4x8xf32>
      loop.yield %v : f32
    } : tensor<8xf32>
    loop.in_parallel {
      loop.insert %a into %p at [%i, :] : tensor<8xf32> into tensor<4x8xf32>
    }
  }
  return %0 : tensor<4x8xf32>
}

// -----

// It reads row i and writes column i, which crosses the rows of others.
// CHECK-LABEL: func.func @other_dimension_is_copied
// CHECK: memref.alloc
func.func @other_dimension_is_copied(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = loop.group (%i = 8) into (%x as %p : tensor<8x8xf32>) {
    %a = loop.pointwise (%j = 8) {
      %v = loop.load %x[%i, %j] : tensor<8x8xf32>
      loop.yield %v : f32
    } : tensor<8xf32>
    loop.in_parallel {
      loop.insert %a into %p at [:, %i] : tensor<8xf32> into tensor<8x8xf32>
    }
  }
  return %0 : tensor<8x8xf32>
}

// -----

// One of two indices of the domain does not tell its points apart.
// CHECK-LABEL: func.func @one_index_of_two_is_copied
// CHECK: memref.alloc
func.func @one_index_of_two_is_copied(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = loop.group (%i = 4, %j = 8) into (%x as %p : tensor<4x8xf32>) {
    %v = loop.load %x[%i, 0] : tensor<4x8xf32>
    loop.in_parallel {
      loop.insert %v into %p at [%i, %j] : f32 into tensor<4x8xf32>
    }
  }
  return %0 : tensor<4x8xf32>
}

// -----

// Part of the destination keeps its value, which is read elsewhere: it is copied first.
// CHECK-LABEL: func.func @what_is_kept_is_copied
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: memref.copy %{{.*}}, %[[A]]
// CHECK: loop.group {{.*}} into (%[[A]] as
func.func @what_is_kept_is_copied(%x: tensor<4x8xf32>, %k: f32) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = loop.group (%i = 4) into (%x as %p : tensor<4x8xf32>) {
    loop.in_parallel {
      loop.insert %k into %p at [%i, 0] : f32 into tensor<4x8xf32>
    }
  }
  return %0, %x : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// All of it is replaced: nothing to copy.
// CHECK-LABEL: func.func @what_is_replaced_is_not_copied
// CHECK: memref.alloc
// CHECK-NOT: memref.copy
func.func @what_is_replaced_is_not_copied(%x: tensor<4x8xf32>, %k: f32) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = loop.group (%i = 4, %j = 8) into (%x as %p : tensor<4x8xf32>) {
    loop.in_parallel {
      loop.insert %k into %p at [%i, %j] : f32 into tensor<4x8xf32>
    }
  }
  return %0, %x : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// A diagonal is not all of it.
// CHECK-LABEL: func.func @a_diagonal_keeps_the_rest
// CHECK: memref.copy
func.func @a_diagonal_keeps_the_rest(%x: tensor<4x4xf32>, %k: f32) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = loop.group (%i = 4) into (%x as %p : tensor<4x4xf32>) {
    loop.in_parallel {
      loop.insert %k into %p at [%i, %i] : f32 into tensor<4x4xf32>
    }
  }
  return %0, %x : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// What is combined starts from the old value.
// CHECK-LABEL: func.func @what_is_combined_is_copied
// CHECK: memref.copy
func.func @what_is_combined_is_copied(%x: tensor<4xf32>, %k: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = loop.group (%i = 4) into (%x as %p : tensor<4xf32>) {
    loop.in_parallel {
      loop.insert add %k into %p at [%i] : f32 into tensor<4xf32>
    }
  }
  return %0, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// One tensor as two destinations: two buffers.
// CHECK-LABEL: func.func @equal_destinations_are_apart
// CHECK-COUNT-2: memref.alloc
// CHECK: loop.group
func.func @equal_destinations_are_apart(%k: f32, %l: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0:2 = loop.group (%i = 4) into (%e as %p : tensor<4xf32>, %e as %q : tensor<4xf32>) {
    loop.in_parallel {
      loop.insert %k into %p at [%i] : f32 into tensor<4xf32>
      loop.insert %l into %q at [%i] : f32 into tensor<4xf32>
    }
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
