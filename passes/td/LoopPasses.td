//===- LoopPasses.td - passes on loops, and to kernels ----------------------------------------------------------===//

#ifndef TERRACE_LOOP_PASSES
#define TERRACE_LOOP_PASSES

include "mlir/Pass/PassBase.td"

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
    Complex numbers are two tiles, their parts: the kernel has a `kernel.reinterpret` of each of their buffers, sums and scans carry
    two accumulators.
    A sum over `k` of products, one factor of which does not depend on `i` and one not on `j`, in f32 or f64, becomes a
    `kernel.matmul`, the computation of the factors its bodies, where there are rows and columns enough for register tiles
    to pay. `kernel-schedule-templates` and `kernel-expand-templates` go on with it.

    A group becomes one kernel, named after it. The shared domain is its grid, several points a grid point where they have
    little to do; the members come one after the other. Numbers are values of the kernel. A tensor that is inserted is
    written where it goes if nobody reads there later; any other is scratch memory:
    ```mlir
    loop.group @center (%i = 64) into (%y as %p : memref<64x1024xf32>) {
      %sum = loop.reduction add over (%j = 1024) { ... } : f32
      %exp = loop.pointwise (%j = 1024) { ... } : tensor<1024xf32>
      %out = loop.pointwise (%j = 1024) { ... loop.load %exp[%j] ... } : tensor<1024xf32>
      loop.in_parallel {
        loop.insert %out into %p at [%i, :] : tensor<1024xf32> into memref<64x1024xf32>
      }
    }
    ```
    becomes `kernel.launch @main.center_0 grid [64](...)` of
    ```mlir
    kernel.func @main.center_0(%x: memref<64x1024xf32>, %y: memref<64x1024xf32>) grid(%i in 64) {
      %exp = memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
      ...
      %sum = kernel.reduce add %t : tensor<64xf32>
      scf.for %j = %c0 to %c1024 step %c64 {
        ...
        kernel.store %e, %exp[%j : 64] : tensor<64xf32>, memref<1024xf32>
      }
      scf.for %j = %c0 to %c1024 step %c64 {
        %e = kernel.load %exp[%j : 64] : memref<1024xf32>
        ...
        kernel.store %q, %y[%i, %j : 64] : tensor<64xf32>, memref<64x1024xf32>
      }
      kernel.return
    }
    ```
    The points of a group that combines what they insert are all in one grid point, one after the other. A point that
    reads what another one may have written before is refused; memrefs of different names are taken to be apart.
    A scan runs along its dimension with what it has combined so far, a number or a tile, and stores it at each point. Where
    an operation says its `order` or `tile`, that is its schedule, and no product is looked for.
    Sizes are static; tensors must have become memrefs.
  }];
  let options = [
    Option<"tile", "tile", "int64_t", "64", "Elements of a tile, a power of two">,
    Option<"grain", "grain", "int64_t", "4096", "Elements that a grid point works on at least, where there are as many">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect", "::terrace::kernel::KernelDialect"
  ];
}

def LoopReuseDestinations : Pass<"loop-reuse-destinations"> {
  let summary = "an element-by-element operation may write over what it reads";
  let description = [{
    Operators come down with a new destination each. Where a pointwise operation reads a tensor of its own type at its own
    point only, that tensor may be its destination: bufferization then works in place if nobody needs the old value, and
    allocates, without a copy, if somebody does. So an in-place operator of the graph is in place in memory again.

    Before:

    ```mlir
    %e = tensor.empty() : tensor<4xf32>
    %r = loop.pointwise (%i = 4) into %e {
      %a = loop.load %x[%i] : tensor<4xf32>
      %b = arith.addf %a, %k : f32
      loop.yield %b : f32
    } : tensor<4xf32>
    ```

    After:

    ```mlir
    %r = loop.pointwise (%i = 4) into %x {
      %a = loop.load %x[%i] : tensor<4xf32>
      %b = arith.addf %a, %k : f32
      loop.yield %b : f32
    } : tensor<4xf32>
    ```
  }];
}

#endif
