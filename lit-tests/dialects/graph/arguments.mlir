// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @declared(%x: !graph.tensor<4x?xf32> {graph.storage = "s", graph.layout = strided<[?, 1], offset: 2>},
                    %y: !graph.tensor<4xf32> {graph.layout = "any"}) {
  return
}

// -----

// expected-error @+1 {{argument 0: graph.layout has 1 strides for a tensor of 2 dimensions}}
func.func @rank(%x: !graph.tensor<4x4xf32> {graph.layout = strided<[1]>}) { return }

// -----

// expected-error @+1 {{argument 0: graph.layout is "any" or strides and an offset, as in strided<[3, 1], offset: 2>, got "some"}}
func.func @layout(%x: !graph.tensor<4x4xf32> {graph.layout = "some"}) { return }

// -----

// expected-error @+1 {{argument 0: graph.layout has -1, but strides and offsets are not negative}}
func.func @negative(%x: !graph.tensor<4xf32> {graph.layout = strided<[-1], offset: 3>}) { return }

// -----

// expected-error @+1 {{argument 1: graph.storage is the name of a storage, as in "s0", got 1 : i64}}
func.func @storage(%k: f64, %x: !graph.tensor<4x4xf32> {graph.storage = 1}) { return }

// -----

// expected-error @+1 {{argument 0: 'graph.storge' is no attribute of arguments: graph.storage, graph.layout and graph.distinct are}}
func.func @name(%x: !graph.tensor<4x4xf32> {graph.storge = "s"}) { return }

// -----

// expected-error @+1 {{argument 0: 'graph.storage' stands at graph tensors only}}
func.func @tensor(%x: tensor<4xf32> {graph.storage = "s"}) { return }

// -----

// expected-error @+1 {{argument 0: 'graph.distinct' stands at arguments of private functions only: nobody tests it}}
func.func @distinct(%x: !graph.tensor<3xf32> {graph.distinct}) {
  return
}
