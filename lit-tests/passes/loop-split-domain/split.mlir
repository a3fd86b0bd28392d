// What is computed of joined tensors is computed part by part; what was joined is gone.

// RUN: terrace-opt %s --loop-split-domain | FileCheck %s

// CHECK-LABEL: func.func @joined(
// CHECK-SAME: %[[X:.*]]: tensor<64x256xf32>, %[[Y:.*]]: tensor<64x512xf32>, %[[Z:.*]]: tensor<768xf32>, %[[INIT:.*]]: tensor<64x768xf32>
// CHECK:      %[[FIRST:.*]] = loop.scatter (%[[I:.*]] = 64, %[[J:.*]] = 256) into %[[INIT]] {
// CHECK-NEXT:   %[[A:.*]] = loop.load %[[X]][%[[I]], %[[J]]]
// CHECK-NEXT:   %[[B:.*]] = loop.load %[[Z]][%[[J]]]
// CHECK-NEXT:   %[[S:.*]] = arith.addf %[[A]], %[[B]]
// CHECK-NEXT:   loop.yield %[[S]] at [%[[I]], %[[J]]]
// CHECK:      %[[SECOND:.*]] = loop.scatter (%[[I:.*]] = 64, %[[J:.*]] = 512) into %[[FIRST]] {
// CHECK-NEXT:   %[[A:.*]] = loop.load %[[Y]][%[[I]], %[[J]]]
// CHECK-NEXT:   %[[B:.*]] = loop.load %[[Z]][%[[J]] + 256]
// CHECK-NEXT:   %[[S:.*]] = arith.addf %[[A]], %[[B]]
// CHECK-NEXT:   loop.yield %[[S]] at [%[[I]], %[[J]] + 256]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[SECOND]]
func.func @joined(%x: tensor<64x256xf32>, %y: tensor<64x512xf32>, %z: tensor<768xf32>, %init: tensor<64x768xf32>) -> tensor<64x768xf32> {
  %e = tensor.empty() : tensor<64x768xf32>
  %0 = loop.scatter (%i = 64, %j = 256) into %e {
    %a = loop.load %x[%i, %j] : tensor<64x256xf32>
    loop.yield %a at [%i, %j] : f32
  } : tensor<64x768xf32>
  %1 = loop.scatter (%i = 64, %j = 512) into %0 {
    %a = loop.load %y[%i, %j] : tensor<64x512xf32>
    loop.yield %a at [%i, %j + 256] : f32
  } : tensor<64x768xf32>
  %2 = loop.pointwise (%i = 64, %j = 768) into %init {
    %a = loop.load %1[%i, %j] : tensor<64x768xf32>
    %b = loop.load %z[%j] : tensor<768xf32>
    %s = arith.addf %a, %b : f32
    loop.yield %s : f32
  } : tensor<64x768xf32>
  return %2 : tensor<64x768xf32>
}

// A part over something: that first. In place it stays in place.
// CHECK-LABEL: func.func @padded(
// CHECK-SAME: %[[X:.*]]: tensor<64xf32>, %[[BELOW:.*]]: tensor<80xf32>
// CHECK-NEXT: %[[WHOLE:.*]] = loop.pointwise (%[[I:.*]] = 80) into %[[BELOW]] {
// CHECK-NEXT:   %[[A:.*]] = loop.load %[[BELOW]][%[[I]]]
// CHECK-NEXT:   arith.negf %[[A]]
// CHECK:      loop.scatter (%[[I:.*]] = 64) into %[[WHOLE]] {
// CHECK-NEXT:   %[[A:.*]] = loop.load %[[X]][%[[I]]]
// CHECK-NEXT:   %[[N:.*]] = arith.negf %[[A]]
// CHECK-NEXT:   loop.yield %[[N]] at [%[[I]] + 8]
func.func @padded(%x: tensor<64xf32>, %below: tensor<80xf32>) -> tensor<80xf32> {
  %0 = loop.scatter (%i = 64) into %below {
    %a = loop.load %x[%i] : tensor<64xf32>
    loop.yield %a at [%i + 8] : f32
  } : tensor<80xf32>
  %1 = loop.pointwise (%i = 80) into %0 {
    %a = loop.load %0[%i] : tensor<80xf32>
    %n = arith.negf %a : f32
    loop.yield %n : f32
  } : tensor<80xf32>
  return %1 : tensor<80xf32>
}

// Where parts begin may be known at run time.
// CHECK-LABEL: func.func @offset(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[N:.*]]: index, %[[S:.*]]: index, %[[INIT:.*]]: tensor<?xf32>
// CHECK: loop.scatter (%[[I:.*]] = %[[N]]) into %[[INIT]] {
// CHECK: loop.yield %{{.*}} at [%[[I]] + %[[S]]]
func.func @offset(%x: tensor<?xf32>, %n: index, %s: index, %init: tensor<?xf32>) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = loop.scatter (%i = %n) into %e {
    %a = loop.load %x[%i] : tensor<?xf32>
    loop.yield %a at [%i + %s] : f32
  } : tensor<?xf32>
  %1 = loop.pointwise (%i = %n) into %init {
    %a = loop.load %0[%i] : tensor<?xf32>
    %m = arith.negf %a : f32
    loop.yield %m : f32
  } : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// What is read of a destination that was computed here is not written over: the parts have a new one.
// CHECK-LABEL: func.func @over_what_it_reads(
// CHECK: %[[U:.*]] = loop.pointwise
// CHECK: %[[NEW:.*]] = tensor.empty() : tensor<8xf32>
// CHECK: %[[FIRST:.*]] = loop.scatter (%{{.*}} = 4) into %[[NEW]] {
// CHECK:   loop.load %[[U]][%{{.*}}]
// CHECK: loop.scatter (%{{.*}} = 4) into %[[FIRST]] {
// CHECK:   loop.load %[[U]][%{{.*}} + 4]
func.func @over_what_it_reads(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = loop.scatter (%i = 4) into %e {
    %a = loop.load %x[%i] : tensor<4xf32>
    loop.yield %a at [%i] : f32
  } : tensor<8xf32>
  %1 = loop.scatter (%i = 4) into %0 {
    %a = loop.load %y[%i] : tensor<4xf32>
    loop.yield %a at [%i + 4] : f32
  } : tensor<8xf32>
  %d = tensor.empty() : tensor<8xf32>
  %u = loop.pointwise (%i = 8) into %d {
    %a = loop.load %z[%i] : tensor<8xf32>
    %n = math.exp %a : f32
    loop.yield %n : f32
  } : tensor<8xf32>
  %2 = loop.pointwise (%i = 8) into %u {
    %a = loop.load %1[%i] : tensor<8xf32>
    %b = loop.load %u[%i] : tensor<8xf32>
    %s = arith.addf %a, %b : f32
    loop.yield %s : f32
  } : tensor<8xf32>
  return %2 : tensor<8xf32>
}
