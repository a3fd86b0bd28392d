// RUN: terrace-opt %s --graph-deferred-init=functions=outside --verify-diagnostics

// expected-error @+1 {{is declared but not defined, so nothing of it can be deferred}}
func.func private @outside() -> !graph.tensor<4xf32>
