// RUN: terrace-opt %s | terrace-opt | FileCheck %s
// RUN: terrace-opt %s --canonicalize --cse | FileCheck %s --check-prefix=CLEAN

// CHECK-LABEL: func.func @softmax
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<64x1024xf32>, %[[P0:[a-z0-9]+]]: tensor<64x1024xf32>
func.func @softmax(%x: tensor<64x1024xf32>, %p0: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  // CHECK: loop.group @softmax (%[[I:.*]] = 64) into (%[[P0]] as %[[P:.*]] : tensor<64x1024xf32>) {
  %probs = loop.group @softmax (%i = 64) into (%p0 as %p : tensor<64x1024xf32>) {
    // CHECK: %[[MAX:.*]] = loop.reduction max over (%[[J:.*]] = 1024) {
    // CHECK: loop.load %[[X]][%[[I]], %[[J]]]
    // CHECK: } : f32
    %max = loop.reduction max over (%j = 1024) {
      %a = loop.load %x[%i, %j] : tensor<64x1024xf32>
      loop.yield %a : f32
    } : f32
    // CHECK: %[[EXP:.*]] = loop.pointwise (%[[J:.*]] = 1024) {
    // CHECK: arith.subf %{{.*}}, %[[MAX]]
    // CHECK: } : tensor<1024xf32>
    %exp = loop.pointwise (%j = 1024) {
      %a = loop.load %x[%i, %j] : tensor<64x1024xf32>
      %d = arith.subf %a, %max : f32
      %e = math.exp %d : f32
      loop.yield %e : f32
    } : tensor<1024xf32>
    %sum = loop.reduction add over (%j = 1024) {
      // CHECK: loop.load %[[EXP]][%{{.*}}] : tensor<1024xf32>
      %e = loop.load %exp[%j] : tensor<1024xf32>
      loop.yield %e : f32
    } : f32
    // CHECK: %[[OUT:.*]] = loop.pointwise
    %out = loop.pointwise (%j = 1024) {
      %e = loop.load %exp[%j] : tensor<1024xf32>
      %q = arith.divf %e, %sum : f32
      loop.yield %q : f32
    } : tensor<1024xf32>
    // CHECK: loop.in_parallel {
    loop.in_parallel {
      // CHECK: loop.insert %[[OUT]] into %[[P]] at [%[[I]], :] : tensor<1024xf32> into tensor<64x1024xf32>
      loop.insert %out into %p at [%i, :] : tensor<1024xf32> into tensor<64x1024xf32>
    }
  }
  return %probs : tensor<64x1024xf32>
}

// No name, several destinations, numbers, combiners, sizes that are known later, one point, members of each kind.
// CHECK-LABEL: func.func @forms
func.func @forms(%x: memref<?x16xf32>, %y: memref<?x4x16xf32>, %m: memref<?xf32>, %t: memref<f32>, %n: index) {
  // CHECK: loop.group (%[[I:.*]] = %{{.*}}, %[[J:.*]] = 4) into (%{{.*}} as %[[Y:.*]] : memref<?x4x16xf32>, %{{.*}} as %[[M:.*]] : memref<?xf32>) {
  loop.group (%i = %n, %j = 4) into (%y as %b : memref<?x4x16xf32>, %m as %c : memref<?xf32>) {
    %first = loop.load %x[%i, 0] : memref<?x16xf32>
    %s = loop.scan add (%k = 16) along %k {
      %a = loop.load %x[%i, %k] : memref<?x16xf32>
      loop.yield %a : f32
    } : tensor<16xf32>
    loop.in_parallel {
      // CHECK: loop.insert %{{.*}} into %[[Y]] at [%[[I]], %[[J]], :]
      loop.insert %s into %b at [%i, %j, :] : tensor<16xf32> into memref<?x4x16xf32>
      // CHECK: loop.insert max %{{.*}} into %[[M]] at [%[[I]]] : f32 into memref<?xf32>
      loop.insert max %first into %c at [%i] : f32 into memref<?xf32>
    }
    // CHECK: } tile [1, 2]
  } tile [1, 2]
  // CHECK: loop.group () into
  loop.group () into (%t as %b : memref<f32>) {
    %one = loop.pointwise () {
      %a = loop.load %m[0] : memref<?xf32>
      loop.yield %a : f32
    } : f32
    loop.in_parallel {
      // CHECK: loop.insert add %{{.*}} into %{{.*}} at [] : f32 into memref<f32>
      loop.insert add %one into %b at [] : f32 into memref<f32>
    }
  }
  return
}

// What nobody uses is gone, members and whole groups; of two equal groups one is left, of two equal inserts both.
// CLEAN-LABEL: func.func @cleaned
// CLEAN: loop.group
// CLEAN-NEXT: loop.pointwise
// CLEAN-NOT: loop.reduction
// CLEAN-COUNT-2: loop.insert add
// CLEAN-NOT: loop.group
// CLEAN: return %[[R:.*]], %[[R]]
func.func @cleaned(%x: tensor<4x8xf32>, %z: memref<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %dead = loop.group (%i = 4) into (%e as %d : tensor<8xf32>) {
    %n = loop.load %x[%i, 0] : tensor<4x8xf32>
    loop.in_parallel {
      loop.insert add %n into %d at [0] : f32 into tensor<8xf32>
    }
  }
  %a = loop.group (%i = 4) into (%e as %d : tensor<8xf32>) {
    %unused = loop.reduction add over (%j = 8) {
      %b = loop.load %x[%i, %j] : tensor<4x8xf32>
      loop.yield %b : f32
    } : f32
    %unused_too = loop.pointwise (%j = 8) {
      %b = loop.load %z[%j] : memref<8xf32>
      loop.yield %b : f32
    } : tensor<8xf32>
    %row = loop.pointwise (%j = 8) {
      %b = loop.load %x[%i, %j] : tensor<4x8xf32>
      loop.yield %b : f32
    } : tensor<8xf32>
    loop.in_parallel {
      loop.insert add %row into %d at [:] : tensor<8xf32> into tensor<8xf32>
      loop.insert add %row into %d at [:] : tensor<8xf32> into tensor<8xf32>
    }
  }
  %b = loop.group (%i = 4) into (%e as %d : tensor<8xf32>) {
    %row = loop.pointwise (%j = 8) {
      %b = loop.load %x[%i, %j] : tensor<4x8xf32>
      loop.yield %b : f32
    } : tensor<8xf32>
    loop.in_parallel {
      loop.insert add %row into %d at [:] : tensor<8xf32> into tensor<8xf32>
      loop.insert add %row into %d at [:] : tensor<8xf32> into tensor<8xf32>
    }
  }
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}
