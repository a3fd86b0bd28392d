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

def ConvertLoopToKernel : Pass<"convert-loop-to-kernel", "::mlir::ModuleOp"> {
  let summary = "From what each element is to tile programs and where they run";
  let description = [{
    A loop operation says what each element is and nothing of how it is computed. This pass decides: one dimension of the
    domain becomes the lanes of tiles, the innermost of the others are loops, the outer ones a grid. The decisions stand
    in the program that comes out: a `kernel.func`, and a `kernel.launch` in the operation's place.

    ```mlir
    loop.pointwise (%i = 64, %j = 1000) into %y {
      %a = loop.load %x[%i, %j] : memref<64x1000xf32>
      %b = loop.load %s[%i] : memref<64xf32>
      %c = arith.mulf %a, %b : f32
      loop.yield %c : f32
    } : memref<64x1000xf32>
    ```
    becomes `kernel.launch @main.pointwise_0 grid [16](%x, %s, %y)` of
    ```mlir
    kernel.func @main.pointwise_0(%x: memref<64x1000xf32>, %s: memref<64xf32>, %y: memref<64x1000xf32>) grid(%g in 16) {
      %from = arith.muli %g, %c4 : index
      %to = arith.addi %from, %c4 : index
      scf.for %i = %from to %to step %c1 {
        %b = memref.load %s[%i] : memref<64xf32>
        scf.for %j = %c0 to %c960 step %c64 {
          %a = kernel.load %x[%i, %j : 64] : memref<64x1000xf32>
          %bt = tensor.splat %b : tensor<64xf32>
          %c = arith.mulf %a, %bt : tensor<64xf32>
          kernel.store %c, %y[%i, %j : 64] : tensor<64xf32>, memref<64x1000xf32>
        }
        ... once more, with valid(%c40)
      }
      kernel.return
    }
    ```
    Memrefs may be strided: a dimension of stride 1 is preferred for the lanes. What is the same for all lanes stays
    scalar. A load is a `kernel.load` of a range where it is linear in the lanes' index along one dimension of the buffer,
    else a `kernel.gather`; nothing is read where a mask is off. A reduction accumulates tiles along its inner domain and
    combines their lanes at the end, or, where the outer dimension is the contiguous one, a tile of results at once.
    Sizes are static; tensors must have become memrefs.
  }];
  let options = [
    Option<"tile", "tile", "int64_t", "64", "Elements of a tile, a power of two">,
    Option<"grain", "grain", "int64_t", "4096", "Elements that a grid point works on at least, where there are as many">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::terrace::kernel::KernelDialect"
  ];
}

#endif
