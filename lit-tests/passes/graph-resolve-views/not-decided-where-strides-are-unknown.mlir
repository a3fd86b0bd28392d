// RUN: terrace-opt %s --graph-resolve-views --split-input-file --verify-diagnostics

func.func @joined(%x: !graph.tensor<4x6xf32> {graph.layout = "any"}) -> !graph.tensor<24xf32> {
  // expected-error @+1 {{'graph.reshape' op is a view or a copy by the strides of its operand, which are not known here: declare graph.layout = strided<[...], offset: ...> with static numbers}}
  %a = graph.reshape %x shape [24] : !graph.tensor<4x6xf32>
  return %a : !graph.tensor<24xf32>
}

// -----

func.func @contiguous(%x: !graph.tensor<4x6xf32> {graph.layout = strided<[?, 1]>}) -> !graph.tensor<4x6xf32> {
  // expected-error @+1 {{'graph.contiguous' op is a view or a copy by the strides of its operand, which are not known here}}
  %a = graph.contiguous %x : !graph.tensor<4x6xf32>
  return %a : !graph.tensor<4x6xf32>
}

// -----

func.func @preserved(%x: !graph.tensor<4x6xf32>) -> !graph.tensor<6x4xf32> {
  %t = graph.t %x : !graph.tensor<4x6xf32>
  // expected-error @+1 {{'graph.contiguous' op preserve memory format is unsupported by the contiguous operator}}
  %a = graph.contiguous %t {memory_format = "preserve_format"} : !graph.tensor<6x4xf32>
  return %a : !graph.tensor<6x4xf32>
}
