//===- KernelPasses.td - passes on kernels ----------------------------------------------------------------------===//

#ifndef TERRACE_KERNEL_PASSES
#define TERRACE_KERNEL_PASSES

include "mlir/Pass/PassBase.td"

def KernelScheduleTemplates : Pass<"kernel-schedule-templates"> {
  let summary = "how templates are computed, where nobody has said it";
  let description = [{
    What a template computes is settled; how, is in its attributes, to be seen and to be chosen by hand. This pass sets
    those that are not there.

    Of a `kernel.matmul`: the tile is as large as registers allow, `dot-m` rows and `dot-n` columns, or less where tiles
    come out even then. A factor is packed where it is computed and not only loaded, unless what it is computed from is
    much smaller than it is; where its rows and columns are exchanged in memory, or the right factor's columns do not lie
    side by side; and where rows lie a multiple of half a page apart and would push each other out of the cache. Without
    `packing` none is.

    Before:

    ```mlir
    kernel.matmul (%m = 128, %n = 1024) over (%k = 256) into %y lhs {
      %a = loop.load %x[%m, %k] : memref<128x256xf32>
      loop.yield %a : f32
    } rhs {
      %b = loop.load %w[%n, %k] : memref<1024x256xf32>
      loop.yield %b : f32
    } : memref<128x1024xf32>
    ```

    After:

    ```mlir
    kernel.matmul (%m = 128, %n = 1024) over (%k = 256) into %y lhs {
      ...
    } rhs {
      ...
    } tile [8, 32] pack [false, true] : memref<128x1024xf32>
    ```
  }];
  let options = [
    Option<"dot_m", "dot-m", "int64_t", "14", "Rows of a register tile of a matrix product, at most">,
    Option<"dot_n", "dot-n", "int64_t", "32", "Columns of a register tile of 32-bit elements">,
    Option<"packing", "packing", "bool", "true", "Pack factors where that pays; else none is packed">
  ];
}

def KernelExpandTemplates : Pass<"kernel-expand-templates", "::mlir::ModuleOp"> {
  let summary = "templates become tile programs";
  let description = [{
    A template is a kernel of a known form with scalar bodies in it. This pass writes the kernel, by the template's
    schedule, and the bodies on tiles; launches stand in the template's place.

    A `kernel.matmul` becomes a kernel whose grid has a point for each register tile. Packed factors are computed before, by
    kernels of their own: the left one row by row, the right one in panels of as many columns as a tile has. The epilogue
    takes the sums of a tile row by row, out of a scratch buffer of the kernel.

    With `stage` a grid point takes the inner dimension in steps: it brings its part of both factors into scratch memory,
    then multiplies. That suits a GPU, where this is the memory that the threads of a block share.

    Before:

    ```mlir
    kernel.matmul (%m = 128, %n = 1024) over (%k = 256) into %y lhs {
      %a = loop.load %x[%m, %k] : memref<128x256xf32>
      loop.yield %a : f32
    } rhs {
      %b = loop.load %w[%k, %n] : memref<256x1024xf32>
      loop.yield %b : f32
    } epilogue(%sum: f32) {
      %c = loop.load %bias[%n] : memref<1024xf32>
      %s = arith.addf %sum, %c : f32
      loop.yield %s : f32
    } tile [8, 32] pack [false, false] : memref<128x1024xf32>
    ```

    After, `kernel.launch @main.matmul_0 grid [32, 16](%x, %w, %bias, %y)` of

    ```mlir
    kernel.func @main.matmul_0(%x: memref<128x256xf32>, %w: memref<256x1024xf32>, %bias: memref<1024xf32>,
                               %y: memref<128x1024xf32>) grid(%p in 32, %q in 16) {
      %scratch = memref.alloca() : memref<8x32xf32>
      %n = arith.muli %p, %c32 : index
      %m = arith.muli %q, %c8 : index
      %sums = scf.for %k = %c0 to %c256 step %c1 iter_args(%acc = %zero) -> (tensor<8x32xf32>) {
        %a = kernel.load %x[%m : 8, %k : 1] : memref<128x256xf32>
        %b = kernel.load %w[%k : 1, %n : 32] : memref<256x1024xf32>
        %d = kernel.dot %a, %b, %acc : tensor<8x1xf32>, tensor<1x32xf32>, tensor<8x32xf32>
        scf.yield %d : tensor<8x32xf32>
      }
      kernel.store %sums, %scratch[%c0 : 8, %c0 : 32] : tensor<8x32xf32>, memref<8x32xf32>
      scf.for %row = %c0 to %c8 step %c1 {
        %sum = kernel.load %scratch[%row, %c0 : 32] : memref<8x32xf32>
        %i = arith.addi %m, %row : index
        %c = kernel.load %bias[%n : 32] : memref<1024xf32>
        %s = arith.addf %sum, %c : tensor<32xf32>
        kernel.store %s, %y[%i, %n : 32] : tensor<32xf32>, memref<128x1024xf32>
      }
      kernel.return
    }
    ```
  }];
  let options = [
    Option<"tile", "tile", "int64_t", "64", "Elements of a tile where a factor is packed, a power of two">,
    Option<"grain", "grain", "int64_t", "4096", "Elements that a grid point packs at least, where there are as many">,
    Option<"cross", "cross", "int64_t", "0",
           "Rows of a block of a factor that lies along another dimension than the lanes that are packed; 0: gathers">,
    Option<"stage", "stage", "int64_t", "0",
           "Inner indices whose factors a grid point first brings into memory of its own; 0: none">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::terrace::loop::LoopDialect"
  ];
}

#endif
