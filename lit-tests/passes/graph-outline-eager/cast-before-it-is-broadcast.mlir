// What an operator casts it copies first, as it is: a copy of an operand that repeats would lie otherwise, and the result with it.
// The copy is broadcast.
// RUN: terrace-opt %s --graph-outline-eager | FileCheck %s

// CHECK-LABEL: func.func @cast
// CHECK: %[[COPY:.*]] = call @cast.clone(%arg0) : (!graph.tensor<?xf16>) -> !graph.tensor<?xf32>
// CHECK: %[[A:.*]] = graph.as_strided %[[COPY]] size [4, 2]
// CHECK: call @cast.maximum(%[[A]], %{{.*}})
func.func @cast(%a: !graph.tensor<?xf16> {graph.storage = "s0"}, %b: !graph.tensor<4x2xf32> {graph.storage = "s1"}) -> !graph.tensor<4x2xf32> attributes {graph.eager} {
  %0 = graph.maximum %a, %b : !graph.tensor<?xf16>, !graph.tensor<4x2xf32>
  return %0 : !graph.tensor<4x2xf32>
}

// CHECK-LABEL: func.func @alike
// CHECK: %[[A:.*]] = graph.as_strided %arg0 size [4, 2]
// CHECK: call @alike.maximum(%[[A]], %{{.*}})
func.func @alike(%a: !graph.tensor<?xf32> {graph.storage = "s0"}, %b: !graph.tensor<4x2xf32> {graph.storage = "s1"}) -> !graph.tensor<4x2xf32> attributes {graph.eager} {
  %0 = graph.maximum %a, %b : !graph.tensor<?xf32>, !graph.tensor<4x2xf32>
  return %0 : !graph.tensor<4x2xf32>
}

// CHECK-LABEL: func.func private @cast.clone
// CHECK: graph._to_copy %{{.*}} {dtype = f32} : !graph.tensor<?xf16>
