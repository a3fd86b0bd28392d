// a @ b
func.func @main(%a: !graph.tensor<1024x1024xbf16>, %b: !graph.tensor<1024x1024xbf16>) -> !graph.tensor<1024x1024xbf16> {
  %product = graph.matmul %a, %b : !graph.tensor<1024x1024xbf16>, !graph.tensor<1024x1024xbf16>
  return %product : !graph.tensor<1024x1024xbf16>
}
