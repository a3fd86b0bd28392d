//===- Passes.td - kernel to upstream dialects to LLVM -----------------------------------------------------------===//
//
// A pass `foo-bar` runs `crate::foo_bar::run(op, &options::FooBar)` of lowering/src/foo_bar.rs. Each description says why
// the pass is there and shows IR before and after.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_LOWERING_PASSES
#define TERRACE_LOWERING_PASSES

include "mlir/Pass/PassBase.td"

def ExpandVectorMath : Pass<"expand-vector-math"> {
  let summary = "expand f32 math functions to polynomials";
  let description = [{
    Math functions on f32 and on vectors of fixed size of it become arithmetic, inlined where they are used: two to five
    times faster than calls of a vector library, and the only way on a GPU, where no library is linked. Bounds of error
    stand with each function in lowering/src/math; all inputs are right, nan, infinities, zeros and denormals too.

    exp, exp2, expm1, log, log2, log10, log1p, tanh, erf, sin, cos, rsqrt and powf are expanded; other functions and
    types stay as they are. Runs before conversion to LLVM, and before scf is lowered: sin and cos of large arguments
    take a branch.

    Before:

    ```mlir
    %y = math.rsqrt %x : vector<8xf32>
    ```

    After:

    ```mlir
    %one = arith.constant dense<1.0> : vector<8xf32>
    %root = math.sqrt %x : vector<8xf32>
    %y = arith.divf %one, %root : vector<8xf32>
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect", "math::MathDialect", "scf::SCFDialect",
                           "vector::VectorDialect"];
  let options = [
    Option<"fma", "fma", "bool", /*default=*/"true", "The target multiplies and adds with one rounding">,
    Option<"avx512", "avx512", "bool", /*default=*/"false", "Use AVX-512's instructions on vectors of 16">,
    Option<"nvptx", "nvptx", "bool", /*default=*/"false", "Use LLVM's intrinsics for a GPU's own functions, sqrt and rounding">,
  ];
}

#endif
