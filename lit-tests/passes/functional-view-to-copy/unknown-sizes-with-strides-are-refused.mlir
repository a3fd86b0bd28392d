// RUN: terrace-opt %s --functional-view-to-copy --verify-diagnostics

// expected-error@+1 {{argument 0 declares strides and has a size that is only known at run time: only static sizes are copied}}
module {
  func.func @f(%x: tensor<?x2xf32> {functional.layout = strided<[1, 2]>}) -> tensor<?x2xf32> {
    %0 = functional.neg %x : tensor<?x2xf32>
    return %0 : tensor<?x2xf32>
  }
}
