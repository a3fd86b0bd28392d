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
    `packing` none is. With `pairs` factors that both are packed and widened from bf16 are packed as pairs along the inner
    dimension, where that is even.

    For 2 to 64 rows it takes longer to pack the right factor than to multiply by it, or the program waits for its memory. Where
    both factors are f32, or widened to it, and lie side by side along the inner dimension, as activations and the weight of a
    linear layer do, lanes are along that: `dots`. There are ten words to sum for each row at least, for the lanes of a sum are
    added up in the end.

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
    Option<"packing", "packing", "bool", "true", "Pack factors where that pays; else none is packed">,
    Option<"pairs", "pairs", "bool", "false", "Pack factors of bf16 as pairs, for instructions that multiply two at once">
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

def KernelHoistLaunches : Pass<"kernel-hoist-launches", "::mlir::ModuleOp"> {
  let summary = "what launches compute alike in each round of a loop is computed once, in front of it";
  let description = [{
    A recurrent layer multiplies by the same weight in each step, and packs it into panels before. A buffer of static size that a round of
    an `scf.for` allocates and frees goes out of the loop, with the launches that write it, where these write nothing else and read
    memory only that nothing in the loop may write.

    Before:

    ```mlir
    scf.for %t = %c0 to %c128 step %c1 {
      %p = memref.alloc() : memref<64x256x16xf32>
      kernel.launch @pack grid [64](%w, %p) : memref<1024x256xf32>, memref<64x256x16xf32>
      kernel.launch @matmul grid [64, 8](%h, %p, %gates) : memref<32x256xf32>, memref<64x256x16xf32>, memref<32x1024xf32>
      memref.dealloc %p : memref<64x256x16xf32>
    }
    ```

    After:

    ```mlir
    %p = memref.alloc() : memref<64x256x16xf32>
    kernel.launch @pack grid [64](%w, %p) : memref<1024x256xf32>, memref<64x256x16xf32>
    scf.for %t = %c0 to %c128 step %c1 {
      kernel.launch @matmul grid [64, 8](%h, %p, %gates) : memref<32x256xf32>, memref<64x256x16xf32>, memref<32x1024xf32>
    }
    memref.dealloc %p : memref<64x256x16xf32>
    ```
  }];
}

def KernelCollectLaunches : Pass<"kernel-collect-launches", "::mlir::ModuleOp"> {
  let summary = "launches that do not depend on each other stand in one kernel.concurrent";
  let description = [{
    A step of an optimizer writes each of a hundred parameters by a launch of its own, and most of them are too small for several
    threads. Launches on grids of known sizes are collected in their order as long as none reads or writes what another one of the set
    writes. They run where the last of them stood.

    Before:

    ```mlir
    kernel.launch @step_0 grid [4](%p0, %g0) : memref<4096xf32>, memref<4096xf32>
    kernel.launch @step_1 grid [2](%p1, %g1) : memref<2048xf32>, memref<2048xf32>
    ```

    After, where `%p0` and `%p1` are apart from all else:

    ```mlir
    kernel.concurrent {
      kernel.launch @step_0 grid [4](%p0, %g0) : memref<4096xf32>, memref<4096xf32>
      kernel.launch @step_1 grid [2](%p1, %g1) : memref<2048xf32>, memref<2048xf32>
    }
    ```
  }];
}

def KernelPairProducts : Pass<"kernel-pair-products", "::mlir::ModuleOp"> {
  let summary = "sums of products of bf16 take two products at once";
  let description = [{
    Which lane of a tile a product is added to makes no difference where the lanes are added up in the end. So two that follow
    each other go to one lane: `kernel.add_pairs`, which AVX512_BF16 has an instruction for. Of a sum that may be contracted
    with its product, of factors that were bf16, in loops that carry nothing else of the sum; a long one is a sum in f64 of such.

    Before:

    ```mlir
    %s = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zeros) -> (tensor<64xf32>) {
      %a = kernel.load %x[%k : 64] : memref<1024xbf16>
      %b = kernel.load %w[%i, %k : 64] : memref<4096x1024xbf16>
      %c = arith.extf %a : tensor<64xbf16> to tensor<64xf32>
      %d = arith.extf %b : tensor<64xbf16> to tensor<64xf32>
      %e = arith.mulf %c, %d fastmath<contract> : tensor<64xf32>
      %f = arith.addf %acc, %e fastmath<contract> : tensor<64xf32>
      scf.yield %f : tensor<64xf32>
    }
    %r = kernel.reduce add %s : tensor<64xf32>
    ```

    After:

    ```mlir
    %s = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zeros) -> (tensor<32xf32>) {
      %a = kernel.load %x[%k : 64] : memref<1024xbf16>
      %b = kernel.load %w[%i, %k : 64] : memref<4096x1024xbf16>
      %f = kernel.add_pairs %a, %b, %acc : tensor<64xbf16>, tensor<32xf32>
      scf.yield %f : tensor<32xf32>
    }
    %r = kernel.reduce add %s : tensor<32xf32>
    ```
  }];
  let dependentDialects = ["arith::ArithDialect"];
}

def KernelDeferAssertions : Pass<"kernel-defer-assertions", "::mlir::ModuleOp"> {
  let summary = "What kernels have checked comes to the host once, at the end of a function";
  let description = [{
    Whether all indices are in range is a flag that a kernel writes. Read in the middle of a function it makes the host wait for all that was
    launched before, at each check. An assertion that says `loop.any_time` may as well stand later, for what follows it is safe where it
    does not hold: those of a function's own block move to its end, and their flags become parts of one buffer. What a call that fails has
    written of its arguments is not defined. Runs before buffers are freed, and used for something else.

    Before:

    ```mlir
    %flag = memref.alloc() : memref<i8>
    kernel.launch @check grid [1](%indices, %flag) : memref<37xi64>, memref<i8>
    %inside = memref.load %flag[] : memref<i8>
    %holds = arith.cmpi ne, %inside, %c0 : i8
    cf.assert %holds, "index out of range in self" {loop.any_time}
    kernel.launch @take ...
    ```

    After:

    ```mlir
    %flags = memref.alloc() : memref<16xi8>
    %here = memref.alloca() : memref<16xi8>
    %flag = memref.view %flags[%c0][] : memref<16xi8> to memref<i8>
    kernel.launch @check grid [1](%indices, %flag) : memref<37xi64>, memref<i8>
    kernel.launch @take ...
    memref.copy %flags, %here : memref<16xi8> to memref<16xi8>
    %own = memref.view %here[%c0][] : memref<16xi8> to memref<i8>
    %inside = memref.load %own[] : memref<i8>
    %holds = arith.cmpi ne, %inside, %c0 : i8
    cf.assert %holds, "index out of range in self" {loop.any_time}
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "cf::ControlFlowDialect", "memref::MemRefDialect"];
}
