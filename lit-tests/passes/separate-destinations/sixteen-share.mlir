// RUN: terrace-opt %s --separate-destinations | FileCheck %s

// The last sixteen keep theirs.
// CHECK-LABEL: func.func @f
// CHECK-SAME: , %[[N:[a-z0-9]*]]: index
// CHECK: %[[E:.*]] = tensor.empty(%[[N]])
// CHECK-NEXT: %[[F:.*]] = tensor.empty(%[[N]])
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[F]] : tensor<?xf32>)
// CHECK-COUNT-16: linalg.exp {{.*}} outs(%[[E]] : tensor<?xf32>)
// CHECK: return
func.func @f(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %1 = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %2 = linalg.exp ins(%1 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %3 = linalg.exp ins(%2 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %4 = linalg.exp ins(%3 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %5 = linalg.exp ins(%4 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %6 = linalg.exp ins(%5 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %7 = linalg.exp ins(%6 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %8 = linalg.exp ins(%7 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %9 = linalg.exp ins(%8 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %10 = linalg.exp ins(%9 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %11 = linalg.exp ins(%10 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %12 = linalg.exp ins(%11 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %13 = linalg.exp ins(%12 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %14 = linalg.exp ins(%13 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %15 = linalg.exp ins(%14 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %16 = linalg.exp ins(%15 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %17 = linalg.exp ins(%16 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %17 : tensor<?xf32>
}
