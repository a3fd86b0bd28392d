// RUN: terrace-opt %s --graph-propagate-fake --split-input-file --verify-diagnostics

// Strides that are known show that there is no such view.
func.func @no_view(%x: !graph.tensor<2x3xf32>) -> !graph.tensor<6xf32> {
  %t = graph.t %x : !graph.tensor<2x3xf32>
  // expected-error @below {{view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.}}
  %0 = graph.view %t size [6] : !graph.tensor<3x2xf32>
  return %0 : !graph.tensor<6xf32>
}

// -----

// Sizes that are known to differ, though types do not say so.
func.func @sizes(%x: !graph.tensor<?xf32>, %y: !graph.tensor<2xf32>) -> !graph.tensor<?xf32> {
  %0 = graph.cat %x, %x, %y : !graph.tensor<?xf32>, !graph.tensor<?xf32>, !graph.tensor<2xf32>
  %1 = graph.cat %x, %x, %y, %y : !graph.tensor<?xf32>, !graph.tensor<?xf32>, !graph.tensor<2xf32>, !graph.tensor<2xf32>
  // expected-error @below {{The size of tensor a (2*s0 + 2) must match the size of tensor b (2*s0 + 4) at non-singleton dimension 0}}
  %2 = graph.add %0, %1 : !graph.tensor<?xf32>, !graph.tensor<?xf32>
  return %2 : !graph.tensor<?xf32>
}

// -----

func.func private @callee(!graph.tensor<2xf32>) -> !graph.tensor<2xf32>

func.func @call(%x: !graph.tensor<2xf32>) -> !graph.tensor<2xf32> {
  // expected-error @below {{calls @callee, of which nothing is known: it has no body here}}
  %0 = func.call @callee(%x) : (!graph.tensor<2xf32>) -> !graph.tensor<2xf32>
  return %0 : !graph.tensor<2xf32>
}

// -----

func.func @recursive(%x: !graph.tensor<2xf32>) -> !graph.tensor<2xf32> {
  // expected-error @below {{calls @recursive, which is being called: fake tensors pass through no recursion}}
  %0 = func.call @recursive(%x) : (!graph.tensor<2xf32>) -> !graph.tensor<2xf32>
  return %0 : !graph.tensor<2xf32>
}

// -----

func.func @flags(%c: i1, %x: !graph.tensor<2xcomplex<f32>>) -> !graph.tensor<2xcomplex<f32>> {
  %0 = graph._conj %x : !graph.tensor<2xcomplex<f32>>
  // expected-error @below {{joins a tensor with one that is a conjugate or a negative}}
  %1 = arith.select %c, %x, %0 : !graph.tensor<2xcomplex<f32>>
  return %1 : !graph.tensor<2xcomplex<f32>>
}

// -----

func.func @unknown(%x: tensor<2xf32>) -> !graph.tensor<2xf32> {
  // expected-error @below {{makes a graph tensor of which nothing is known: fake tensors pass through graph, scf, cf and calls}}
  %0 = builtin.unrealized_conversion_cast %x : tensor<2xf32> to !graph.tensor<2xf32>
  return %0 : !graph.tensor<2xf32>
}

// -----

func.func @custom(%x: !graph.tensor<2xf32>) -> !graph.tensor<2xf32> {
  // expected-error @below {{makes a graph tensor of which nothing is known without a schema}}
  %0 = graph.custom @f(%x) : (!graph.tensor<2xf32>) -> !graph.tensor<2xf32>
  return %0 : !graph.tensor<2xf32>
}

// -----

func.func @shape(%x: !graph.tensor<2xf32>) -> !graph.tensor<?xf32> {
  // expected-error @below {{names @nowhere, which is no function, as its shape}}
  %0 = graph.custom @f(%x) {schema = "(Tensor x) -> Tensor", shape = @nowhere} : (!graph.tensor<2xf32>) -> !graph.tensor<?xf32>
  return %0 : !graph.tensor<?xf32>
}

// -----

func.func @inside(%i: index, %x: !graph.tensor<2xf32>) {
  // expected-error @below {{fake tensors pass through graph, scf, cf and calls}}
  scf.parallel (%j) = (%i) to (%i) step (%i) {
    %0 = graph.neg_ %x : !graph.tensor<2xf32>
    scf.reduce
  }
  return
}
