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

def ConvertGraphBoundaryToMemref : Pass<"convert-graph-boundary-to-memref", "::mlir::ModuleOp"> {
  let summary = "storages become buffers";
  let description = [{
    After `graph-functionalize` a function holds graph operations only at its boundary. This pass turns `!graph.tensor` into
    `memref`, with the layout that the argument declares (contiguous without a declaration); a bool is an `i8` in memory.

    Values are read by `bufferization.to_tensor`, in place where the storage is written in no more than one region; writes
    come last, after every result has a buffer of its own. A storage that is read and written as a whole is `writable`: the
    core may work in place, and the final copy folds away.

    Results say what the caller can't see in a buffer: `graph.dtype`, and `graph.same_as = "arg0"` or `"result0"` where a
    result is the very tensor that came in or was returned before.

    Before:

    ```mlir
    func.func @scale(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
      %v = graph.value %x : !graph.tensor<4xf32>
      %r = func.call @scale.core(%v) : (tensor<4xf32>) -> tensor<4xf32>
      graph.write_back %r into %x : tensor<4xf32>, !graph.tensor<4xf32>
      return %x : !graph.tensor<4xf32>
    }
    ```

    After:

    ```mlir
    func.func @scale(%x: memref<4xf32>) -> (memref<4xf32> {graph.dtype = f32, graph.same_as = "arg0"}) {
      %v = bufferization.to_tensor %x restrict writable : memref<4xf32> to tensor<4xf32>
      %r = func.call @scale.core(%v) : (tensor<4xf32>) -> tensor<4xf32>
      bufferization.materialize_in_destination %r in writable %x : (tensor<4xf32>, memref<4xf32>) -> ()
      return %x : memref<4xf32>
    }
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "bufferization::BufferizationDialect", "memref::MemRefDialect",
                           "tensor::TensorDialect", "::terrace::loop::LoopDialect"];
}

def ConvertBoolBuffers : Pass<"convert-bool-buffers", "::mlir::ModuleOp"> {
  let summary = "a bool is a byte in memory";
  let description = [{
    Vectors of `i1` are packed into bits in memory, numbers of `i1` are not. Buffers of bools therefore hold bytes, 0 or 1:
    every `memref` of `i1` becomes one of `i8`; what is loaded is truncated, what is stored is extended.

    Before:

    ```mlir
    loop.pointwise (%i = 4) into %m {
      %a = loop.load %x[%i] : memref<4xi1>
      loop.yield %a : i1
    } : memref<4xi1>
    ```

    After:

    ```mlir
    loop.pointwise (%i = 4) into %m {
      %a = loop.load %x[%i] : memref<4xi8>
      %b = arith.trunci %a : i8 to i1
      %c = arith.extui %b : i1 to i8
      loop.yield %c : i8
    } : memref<4xi8>
    ```
  }];
  let dependentDialects = ["arith::ArithDialect"];
}

def PlaceDeallocations : Pass<"place-deallocations"> {
  let summary = "a buffer is freed after its last use";
  let description = [{
    Buffers that bufferization allocated and that do not leave their block get a `memref.dealloc` behind the last operation
    that uses them or a view of them. What is returned is the caller's.

    Before:

    ```mlir
    %m = memref.alloc() : memref<4xf32>
    kernel.launch @k grid [1] (%x, %m) : memref<4xf32>, memref<4xf32>
    kernel.launch @l grid [1] (%m, %y) : memref<4xf32>, memref<4xf32>
    return
    ```

    After:

    ```mlir
    %m = memref.alloc() : memref<4xf32>
    kernel.launch @k grid [1] (%x, %m) : memref<4xf32>, memref<4xf32>
    kernel.launch @l grid [1] (%m, %y) : memref<4xf32>, memref<4xf32>
    memref.dealloc %m : memref<4xf32>
    return
    ```
  }];
  let dependentDialects = ["memref::MemRefDialect"];
}

#endif
