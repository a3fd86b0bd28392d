// RUN: terrace-opt %s --loop-fuse | FileCheck %s

// The second reads a part of what the first writes, of another size: points of the first would be missing.
// CHECK-LABEL: func.func @f
// CHECK-NOT: loop.group
// CHECK: return
func.func @f(%x: tensor<?x64xf32>, %n: index, %m: index) -> (tensor<?xf32>, tensor<?x64xf32>) {
  %s0 = tensor.empty(%n) : tensor<?xf32>
  %sum = loop.reduction add (%i = %n) over (%j = 64) into %s0 {
    %a = loop.load %x[%i, %j] : tensor<?x64xf32>
    loop.yield %a : f32
  } : tensor<?xf32>
  %o0 = tensor.empty(%m) : tensor<?x64xf32>
  %out = loop.pointwise (%i = %m, %j = 64) into %o0 {
    %a = loop.load %x[%i, %j] : tensor<?x64xf32>
    %s = loop.load %sum[%i] : tensor<?xf32>
    %q = arith.divf %a, %s : f32
    loop.yield %q : f32
  } : tensor<?x64xf32>
  return %sum, %out : tensor<?xf32>, tensor<?x64xf32>
}
