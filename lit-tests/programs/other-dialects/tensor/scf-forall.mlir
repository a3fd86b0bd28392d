// RUN: terrace-run %s --arg '[-2, 3, 1]' --arg '[1, -1, 4]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[-2, 3, 1]' --arg '[1, -1, 4]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-4.0, 6.0, 2.0]
func.func @main(%a0: tensor<3xf32>, %a1: tensor<3xf32>) -> tensor<3xf32> {
  %r = scf.forall (%i) in (3) shared_outs(%o = %a1) -> (tensor<3xf32>) {
    %x = tensor.extract_slice %a0[%i] [1] [1] : tensor<3xf32> to tensor<1xf32>
    %y = arith.addf %x, %x : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i] [1] [1] : tensor<1xf32> into tensor<3xf32>
    }
  }
  return %r : tensor<3xf32>
}
