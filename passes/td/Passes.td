//===- Passes.td - passes within and between the dialects -------------------------------------------------------===//
//
// A pass `foo-bar` runs `crate::foo_bar::run(op, &options::FooBar)` of passes/src/foo_bar.rs. Each description says why
// the pass is there and shows IR before and after.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_PASSES
#define TERRACE_PASSES

include "mlir/Pass/PassBase.td"

def ConvertFunctionalToLoop : Pass<"convert-functional-to-loop", "::mlir::func::FuncOp"> {
  let summary = "lower functional operators to loop operations on tensors";
  let description = [{
    An operator says what a tensor is; a loop operation says how each element is computed, which is what fusion, tiling and
    code generation work on. Each operator becomes one or a few loop operations in destination style, on the same builtin
    tensors. Loads look through views (their geometry becomes the load's index expressions) and at constants and fills
    (they become numbers in bodies); only a view that is returned, or that another dialect uses, becomes a tensor of its
    own, by a reshape of upstream where it is one, else by a copy. Indices that are known at run time only are checked by a
    `cf.assert`, and clamped.

    Operators with sizes that are known at run time only, and elements of f16, bf16 and ui8, are refused.

    Before:

    ```mlir
    func.func @scaled_columns(%x: tensor<64x32xf32>, %k: tensor<64xf32>) -> tensor<32xf32> {
      %t = functional.permute %x {dims = array<i64: 1, 0>} : tensor<64x32xf32>
      %e = functional.expand %k size [32, 64] : tensor<64xf32>
      %p = functional.mul %t, %e : tensor<32x64xf32>, tensor<32x64xf32>
      %s = functional.sum %p {dim = array<i64: 1>} : tensor<32x64xf32>
      return %s : tensor<32xf32>
    }
    ```

    After:

    ```mlir
    func.func @scaled_columns(%x: tensor<64x32xf32>, %k: tensor<64xf32>) -> tensor<32xf32> {
      %0 = tensor.empty() : tensor<32x64xf32>
      %p = loop.pointwise (%i = 32, %j = 64) into %0 {
        %a = loop.load %x[%j, %i] : tensor<64x32xf32>
        %b = loop.load %k[%j] : tensor<64xf32>
        %c = arith.mulf %a, %b : f32
        loop.yield %c : f32
      } : tensor<32x64xf32>
      %1 = tensor.empty() : tensor<32xf32>
      %s = loop.reduction add (%i = 32) over (%j = 64) into %1 {
        %a = loop.load %p[%i, %j] : tensor<32x64xf32>
        loop.yield %a : f32
      } : tensor<32xf32>
      return %s : tensor<32xf32>
    }
    ```
  }];
  let dependentDialects = ["::terrace::loop::LoopDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::cf::ControlFlowDialect"];
}

#endif
