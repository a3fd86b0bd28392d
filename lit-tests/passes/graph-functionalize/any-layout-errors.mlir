// RUN: terrace-opt %s --graph-functionalize --split-input-file --verify-diagnostics

func.func @"not-joined-where-strides-are-unknown"(%x: !graph.tensor<4x6xf32> {graph.layout = "any"}) {
  // Splitting is a matter of sizes alone.
  %s = graph.view %x size [2, 2, 1, 6] : !graph.tensor<4x6xf32>
  // expected-error @+1 {{joins dimensions, which depends on strides, which are not known here: declare graph.layout = strided<[...], offset: ...> with static numbers on the arguments that they come from}}
  %t = graph.view %x size [3, 8] : !graph.tensor<4x6xf32>
  return
}

// -----

func.func @"not-joined-like-another"(%x: !graph.tensor<4x6xf32> {graph.layout = strided<[?, 1]>}, %y: !graph.tensor<24xf32>) {
  // expected-error @+1 {{joins dimensions, which depends on strides}}
  %t = graph.view_as %x, %y : !graph.tensor<4x6xf32>, !graph.tensor<24xf32>
  return
}

// -----

func.func @"not-strided-where-strides-are-unknown"(%x: !graph.tensor<4xf32> {graph.layout = strided<[1], offset: ?>}) {
  // expected-error @+1 {{names places of a storage by strides of it, which are not known here: declare graph.layout}}
  %t = graph.as_strided %x size [2] stride [1] storage_offset [0] : !graph.tensor<4xf32>
  return
}

// -----

func.func @"not-viewed-through-a-result-of-unknown-strides"(%x: !graph.tensor<4x6xf32> {graph.layout = "any"}) {
  %e = graph.exp %x : !graph.tensor<4x6xf32>
  // expected-error @+1 {{joins dimensions, which depends on strides}}
  %t = graph.view %e size [24] : !graph.tensor<4x6xf32>
  return
}

// -----

// expected-error @+1 {{arguments 0 and 1 share the storage 's', one of them is written: declare graph.layout = strided<[...], offset: ...> with static numbers on both}}
func.func @"not-written-beside-another-of-its-storage"(
    %x: !graph.tensor<4xf32> {graph.storage = "s", graph.layout = "any"}, %y: !graph.tensor<4xf32> {graph.storage = "s"})
    -> !graph.tensor<4xf32> {
  %w = graph.relu_ %y : !graph.tensor<4xf32>
  %e = graph.exp %x : !graph.tensor<4xf32>
  return %e : !graph.tensor<4xf32>
}

// -----

func.func @"not-written-through-expand-of-any-layout"(%x: !graph.tensor<4xf32> {graph.layout = "any"}) {
  %e = graph.expand %x size [3, 4] : !graph.tensor<4xf32>
  // expected-error @+1 {{unsupported operation: more than one element of the written-to tensor refers to a single memory location}}
  %w = graph.relu_ %e : !graph.tensor<3x4xf32>
  return
}

// -----

func.func @"not-added-to-a-shifted-self-of-any-layout"(%x: !graph.tensor<4xf32> {graph.layout = "any"}) {
  %a = graph.slice %x start [1] end [4] step [1] : !graph.tensor<4xf32>
  %b = graph.slice %x start [0] end [3] step [1] : !graph.tensor<4xf32>
  // expected-error @+1 {{unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location}}
  %w = graph.add_ %a, %b : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return
}

// -----

// One operation that reads the one and writes the other is no exception: they may lie apart.
// expected-error @+1 {{arguments 0 and 1 share the storage 's', one of them is written: declare graph.layout = strided<[...], offset: ...> with static numbers on both}}
func.func @read_and_written_at_once(%x: !graph.tensor<1xf32> {graph.storage = "s", graph.layout = "any"},
                                    %y: !graph.tensor<4xf32> {graph.storage = "s", graph.layout = strided<[?], offset: ?>}) {
  %0 = graph.mul_ %y, %x : !graph.tensor<4xf32>, !graph.tensor<1xf32>
  return
}
