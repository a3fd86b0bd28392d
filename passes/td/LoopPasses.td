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
    else a `kernel.gather`; nothing is read where a mask is off. A load that lies along another dimension than the lanes comes in
    blocks, by way of memory of the kernel, where a row of a block is a row of lanes. A reduction accumulates tiles along its inner domain and
    combines their lanes at the end, or, where the outer dimension is the contiguous one, a tile of results at once.
    A float product that is added is a multiply-add where the processor has one (`fastmath<contract>`), and of several inner loops
    a short innermost one has a sum of its own, so that its additions need not wait for those before.
    Complex numbers are two tiles, their parts: the kernel has a `kernel.reinterpret` of each of their buffers, sums and scans carry
    two accumulators.
    Points of a scatter that are combined follow each other, in one grid point. With `unordered=integers` those of 32 and 64 bits are
    a `kernel.atomic` each, and the grid is as large as that of any other operation:
    ```mlir
    loop.scatter add (%i = 4194304) into %bins {
      %b = loop.load %x[%i] : memref<4194304xi64>
      %at = arith.index_cast %b : i64 to index
      loop.yield %one at [%at] : i64
    } : memref<65536xi64>
    ```
    A sum over `k` of products, one factor of which does not depend on `i` and one not on `j`, in f32 or f64, becomes a
    `kernel.matmul`, the computation of the factors its bodies, where there are rows and columns enough for register tiles
    to pay. `kernel-schedule-templates` and `kernel-expand-templates` go on with it.
    Where products are summed over several indices, as in a convolution, the right factor is copied first, so that what
    belongs to a column stands in one:
    ```mlir
    loop.reduction add (%b = 2, %o = 16, %i = 7, %j = 7) over (%c = 8, %h = 3, %v = 3) into %y {
      %a = loop.load %x[%b, %c, %i + %h, %j + %v] : memref<2x8x9x9xf32>
      %t = loop.load %w[%o, %c, %h, %v] : memref<16x8x3x3xf32>
      %p = arith.mulf %a, %t : f32
      loop.yield %p : f32
    } : memref<2x16x7x7xf32>
    ```
    becomes
    ```mlir
    %windows = memref.alloc() : memref<2x8x3x3x7x7xf32>
    kernel.launch @main.windows_0 grid [2, 8](%x, %windows)
    ... what has dimensions that are one: %y2, %w2 and %windows2, by memref.collapse_shape
    kernel.matmul (%b = 2, %m = 16, %n = 49) over (%k = 72) into %y2 lhs {
      %t = loop.load %w2[%m, %k] : memref<16x72xf32>
      loop.yield %t : f32
    } rhs {
      %a = loop.load %windows2[%b, %k, %n] : memref<2x72x49xf32>
      loop.yield %a : f32
    } : memref<2x16x49xf32>
    memref.dealloc %windows
    ```
    The columns are one dimension with those in front of them where all that uses them has them side by side; above 2 MiB the copy
    is made in a loop, for one batch after the other, and for a slab of its columns' rows where a batch is still much. On
    processors windows of small images are copied side by side and multiplied together; a loop behind the product brings the sums
    to where they belong. Images whose lines are long enough are not copied at all: `kernel.matmul` reads them as they lie.

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
    A group that has products of matrices among its members, rows of which are the points along the last dimension of the shared
    domain, has a block of rows at each grid point, and does each step for all of them: register tiles of the products, the
    other members row by row. What members give each other has a row of scratch memory for each:
    ```mlir
    loop.group @attention (%h = 12, %i = 512) into (%y0 as %y : memref<12x512x64xf32>) {
      %s = loop.reduction add (%j = 512) over (%k = 64) { ... loop.load %q[%h, %i, %k] ... loop.load %k[%h, %j, %k] ... } : tensor<512xf32>
      ... a softmax of %s ...
      %o = loop.reduction add (%d = 64) over (%j = 512) { ... } : tensor<64xf32>
      loop.in_parallel { loop.insert %o into %y at [%h, %i, :] : tensor<64xf32> into memref<12x512x64xf32> }
    }
    ```
    becomes `kernel.launch @main.attention_0 grid [12, 16](...)`, behind what packs `%k`, of
    ```mlir
    %rows = memref.alloca() {alignment = 64 : i64} : memref<32x528xf32>
    scf.for %j ... { scf.for %i ... { ... kernel.dot ...  kernel.store %t, %rows[%i - %first : 8, %j : 32] ... } }
    scf.for %i = %first to %last step %c1 { ... the softmax of %rows[%i - %first, :], where it is ... }
    scf.for %d ... { scf.for %i ... { ... kernel.dot ...  kernel.store %t, %y0[%h, %i : 8, %d : 32] ... } }
    ```
    Where a causal mask makes -inf of the scores `%j > %i`, and what becomes of these counts for nothing in the softmax and in the product
    behind it, a block has no columns behind its last row: `%c512` above is `min(512, (%first + 32 + 63) floordiv 64 * 64)` then. A value that
    is hidden so and infinite or NaN does not reach the result.
    The points of a group that combines what they insert are all in one grid point, one after the other. A point that
    reads what another one may have written before is refused; memrefs of different names are taken to be apart.
    A scan runs along its dimension with what it has combined so far, a number or a tile, and stores it at each point. Where
    an operation says its `order` or `tile`, that is its schedule, and no product is looked for.
    Sizes are static; tensors must have become memrefs.
  }];
  let options = [
    Option<"tile", "tile", "int64_t", "64", "Elements of a tile, a power of two">,
    Option<"grain", "grain", "int64_t", "4096", "Elements that a grid point works on at least, where there are as many">,
    Option<"blocks", "blocks", "int64_t", "1", "Grid points that there are to be at least, before one works on more">,
    Option<"cross", "cross", "int64_t", "16",
           "Rows of a block of a load that lies along another dimension than the lanes; 0: gathers">,
    Option<"scan", "scan", "bool", "true", "Lanes may be along a scan; else it runs index by index">,
    Option<"unordered", "unordered", "std::string", "\"nothing\"",
           "What points of a scatter are combined in any order, by atomic operations: nothing, integers, or all, of which sums of floats differ from run to run">,
    Option<"stream", "stream", "int64_t", "1048576",
           "Bytes that a sum of columns reads from which on it goes a few rows at a time, where `cross` allows for memory">,
    Option<"dot_m", "dot-m", "int64_t", "14", "Rows of a register tile of a product in a group, at most">,
    Option<"dot_n", "dot-n", "int64_t", "32", "Columns of such a tile of 32-bit elements">,
    Option<"pairs", "pairs", "bool", "false", "Copy factors of bf16 as words of two, for instructions that multiply two at once">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect", "::terrace::kernel::KernelDialect"
  ];
}

def LoopCollapse : Pass<"loop-collapse"> {
  let summary = "dimensions that are run through together are one, of domains and of buffers; a window that is filled is a view";
  let description = [{
    A reshape between two operators leaves places of an index that is taken apart. The elements of a row-major buffer lie in its
    order: of the collapsed buffer it is the index itself, so that lanes are a range and not gathered.

    Before:

    ```mlir
    %s = loop.reduction add over (%k = 95481) {
      %a = loop.load %x[%k floordiv 309, %k mod 309] : memref<309x309xf32>
      loop.yield %a : f32
    } : f32
    ```

    After:

    ```mlir
    %y = memref.collapse_shape %x [[0, 1]] : memref<309x309xf32> into memref<95481xf32>
    %s = loop.reduction add over (%k = 95481) {
      %a = loop.load %y[%k] : memref<95481xf32>
      loop.yield %a : f32
    } : f32
    ```

    Rows of a group of pointwise members that have fewer than 16 points are joined with the dimensions in front of them, which the
    group's points are told apart by, until a row has 256: a step of an optimizer on weights of 512x512x3x3 has rows of 4608. Each
    member reads of others its own elements alone, and of buffers rows without gaps.

    Before:

    ```mlir
    loop.group (%i = 512, %j = 512, %k = 3) into (%p as %to : memref<512x512x3x3xf32>) {
      %0 = loop.pointwise (%l = 3) {
        %a = loop.load %p[%i, %j, %k, %l] : memref<512x512x3x3xf32>
        ...
      loop.in_parallel { loop.insert %0 into %to at [%i, %j, %k, :] : tensor<3xf32> into memref<512x512x3x3xf32> }
    ```

    After:

    ```mlir
    %q = memref.collapse_shape %p [[0], [1, 2, 3]] : memref<512x512x3x3xf32> into memref<512x4608xf32>
    loop.group (%i = 512) into (%q as %to : memref<512x4608xf32>) {
      %0 = loop.pointwise (%l = 4608) {
        %a = loop.load %q[%i, %l] : memref<512x4608xf32>
        ...
      loop.in_parallel { loop.insert %0 into %to at [%i, :] : tensor<4608xf32> into memref<512x4608xf32> }
    ```

    Two neighbouring dimensions of a domain become one where every place takes no division then: the pixels of an image of 7 x 7 are
    49 neighbours, whose lanes are full. They stay where one of them is scanned, where the body computes with its index, and where
    an order or a tile is decided. Of what the members of a group give each other and the group writes, dimensions are joined in all
    of it or in none.

    Before:

    ```mlir
    loop.pointwise (%c = 64, %h = 7, %w = 7) into %y {
      %a = loop.load %x[%c, %h, %w] : memref<64x7x7xf32>
      %b = loop.load %bias[%c] : memref<64xf32>
      %s = arith.addf %a, %b : f32
      loop.yield %s : f32
    } : memref<64x7x7xf32>
    ```

    After, with `%x` and `%y` collapsed alike:

    ```mlir
    loop.pointwise (%c = 64, %k = 49) into %y {
      %a = loop.load %x[%c, %k] : memref<64x49xf32>
      %b = loop.load %bias[%c] : memref<64xf32>
      %s = arith.addf %a, %b : f32
      loop.yield %s : f32
    } : memref<64x49xf32>
    ```

    A scatter that fills a window of its destination, as those of a concatenation do, is pointwise in the window.

    Before:

    ```mlir
    loop.scatter (%i = 64, %j = 512) into %y {
      %a = loop.load %x[%i, %j] : memref<64x512xf32>
      loop.yield %a at [%i, %j + 256] : f32
    } : memref<64x768xf32>
    ```

    After:

    ```mlir
    %w = memref.subview %y[0, 256] [64, 512] [1, 1] : memref<64x768xf32> to memref<64x512xf32, strided<[768, 1], offset: 256>>
    loop.pointwise (%i = 64, %j = 512) into %w {
      %a = loop.load %x[%i, %j] : memref<64x512xf32>
      loop.yield %a : f32
    } : memref<64x512xf32, strided<[768, 1], offset: 256>>
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def LoopFillSlices : Pass<"loop-fill-slices"> {
  let summary = "a scatter into a slice of its destination is pointwise in the slice";
  let description = [{
    A part of a concatenation is written by a `loop.scatter` whose places are its indices in their order, plus numbers. It becomes a
    `loop.pointwise` into that slice of the destination: of tensors where it reads a sum at its own point, and nobody else reads that,
    so that the sum and what is made of it are computed together, in their place; of buffers everywhere. Parts are then apart by
    their types.

    Before:

    ```mlir
    %y = loop.reduction add (%i = 64, %j = 512) over (%k = 128) into %empty { ... } : tensor<64x512xf32>
    %1 = loop.scatter (%i = 64, %j = 512) into %0 {
      %a = loop.load %y[%i, %j] : tensor<64x512xf32>
      loop.yield %a at [%i, %j + 256] : f32
    } : tensor<64x768xf32>
    ```

    After:

    ```mlir
    %y = loop.reduction add (%i = 64, %j = 512) over (%k = 128) into %empty { ... } : tensor<64x512xf32>
    %w = tensor.extract_slice %0[0, 256] [64, 512] [1, 1] : tensor<64x768xf32> to tensor<64x512xf32>
    %a = loop.pointwise (%i = 64, %j = 512) into %w {
      %b = loop.load %y[%i, %j] : tensor<64x512xf32>
      loop.yield %b : f32
    } : tensor<64x512xf32>
    %1 = tensor.insert_slice %a into %0[0, 256] [64, 512] [1, 1] : tensor<64x512xf32> into tensor<64x768xf32>
    ```

    Of a buffer the slice is a `memref.subview`. Places may begin at a value that is known when the program runs. A scatter that
    combines what meets, or reads its destination, stays.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"];
}

def LoopSplitDomain : Pass<"loop-split-domain"> {
  let summary = "what is computed of joined tensors is computed part by part";
  let description = [{
    A concatenation writes each of its operands into a part of one tensor. An operation that reads each element of that tensor at its
    own point is split at the borders of the parts: each is computed from what it was made of, and written once. Where a part
    is written over a tensor (`pad`, `slice_scatter`) the operation is computed of that first, then once more for the part. The
    operation may write a part itself: of a concatenation of concatenations each element goes to its place at once.

    Before:

    ```mlir
    %0 = loop.scatter (%i = 64, %j = 256) into %empty {
      %a = loop.load %x[%i, %j] : tensor<64x256xf32>
      loop.yield %a at [%i, %j] : f32
    } : tensor<64x768xf32>
    %1 = loop.scatter (%i = 64, %j = 512) into %0 {
      %a = loop.load %y[%i, %j] : tensor<64x512xf32>
      loop.yield %a at [%i, %j + 256] : f32
    } : tensor<64x768xf32>
    %2 = loop.pointwise (%i = 64, %j = 768) into %init {
      %a = loop.load %1[%i, %j] : tensor<64x768xf32>
      %b = loop.load %z[%j] : tensor<768xf32>
      %s = arith.addf %a, %b : f32
      loop.yield %s : f32
    } : tensor<64x768xf32>
    ```

    After:

    ```mlir
    %0 = loop.scatter (%i = 64, %j = 256) into %init {
      %a = loop.load %x[%i, %j] : tensor<64x256xf32>
      %b = loop.load %z[%j] : tensor<768xf32>
      %s = arith.addf %a, %b : f32
      loop.yield %s at [%i, %j] : f32
    } : tensor<64x768xf32>
    %2 = loop.scatter (%i = 64, %j = 512) into %0 {
      %a = loop.load %y[%i, %j] : tensor<64x512xf32>
      %b = loop.load %z[%j + 256] : tensor<768xf32>
      %s = arith.addf %a, %b : f32
      loop.yield %s at [%i, %j + 256] : f32
    } : tensor<64x768xf32>
    ```
  }];
}

def LoopSplitReduction : Pass<"loop-split-reduction"> {
  let summary = "a long reduction to few elements becomes one of blocks, and one of their results";
  let description = [{
    The points of a reduction's outer domain run at the same time. A sum of everything has one; its blocks are more. They depend on
    sizes alone: the result is the same for any number of threads. What is left over behind the last whole block is a reduction of
    its own. A product of two factors stays whole, and what is less than `least` elements.

    Where what is summed up has columns for fewer than `lanes` lanes, a block gives the sums of several rows that lie side by side:
    for rows of 3 and 64 lanes 16 rows, `(%b = 16, %r = 16, %c = 3)`, which the second reduction combines as well.

    Of `%x[%r, %g * 4 + %c]`, summed up over `%c` below 4 and `%r` for each of 8 `%g`, only 4 elements lie side by side along a
    dimension. With `%c` in the outer domain it is 32, which the second reduction sums up by fours. Group norm of channels last is such.

    Before:

    ```mlir
    %s = loop.reduction add over (%k = 1048576) into %e {
      %a = loop.load %x[%k] : tensor<1048576xf32>
      loop.yield %a : f32
    } : tensor<f32>
    ```

    After, with `points=8`:

    ```mlir
    %p = loop.reduction add (%b = 16) over (%k = 65536) into %t {
      %a = loop.load %x[%b * 65536 + %k] : tensor<1048576xf32>
      loop.yield %a : f32
    } : tensor<16xf32>
    %s = loop.reduction add over (%b = 16) into %e {
      %a = loop.load %p[%b] : tensor<16xf32>
      loop.yield %a : f32
    } : tensor<f32>
    ```
  }];
  let options = [
    Option<"points", "points", "int64_t", "8", "Points of the outer domain that are enough; lanes count as one">,
    Option<"lanes", "lanes", "int64_t", "64", "Neighbours that are read together">,
    Option<"least", "least", "int64_t", "131072", "Elements below which a reduction stays whole">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
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

def LoopSplitScan : Pass<"loop-split-scan"> {
  let summary = "a long scan of few rows becomes scans of blocks, which run at the same time";
  let description = [{
    Points of a scan wait for those before them, so a cumulative sum of one row is one grid point. In blocks it is a reduction of each
    block, the scan of these sums, and a scan of each block that starts from what is before it. The row is read twice. Blocks are equal
    and depend on sizes alone: a length that no size near the wanted one divides stays whole, as do scans from the end, those that
    leave their own point out, and less than `least` elements.

    Before:

    ```mlir
    %y = loop.scan add (%i = 4194304) along %i into %e {
      %a = loop.load %x[%i] : tensor<4194304xf32>
      loop.yield %a : f32
    } : tensor<4194304xf32>
    ```

    After, with `points=128`:

    ```mlir
    %s = loop.reduction add (%b = 256) over (%k = 16384) into %t { ... %x[%b * 16384 + %k] ... } : tensor<256xf32>
    %p = loop.scan add (%b = 256) along %b into %u { ... %s[%b] ... } : tensor<256xf32>
    %z = loop.scan add (%b = 256, %k = 16384) along %k into %v {
      %a = loop.load %x[%b * 16384 + %k] : tensor<4194304xf32>
      ... // the first of a block: %p[%b - 1] + %a
    } : tensor<256x16384xf32>
    %y = tensor.collapse_shape %z [[0, 1]] : tensor<256x16384xf32> into tensor<4194304xf32>
    ```
  }];
  let options = [
    Option<"points", "points", "int64_t", "8", "Rows that are enough; lanes count as one">,
    Option<"lanes", "lanes", "int64_t", "64", "Neighbours that are read together">,
    Option<"least", "least", "int64_t", "131072", "Elements below which a scan stays whole">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def LoopInlineProducers : Pass<"loop-inline-producers"> {
  let summary = "computes elements where they are read instead of storing them first";
  let description = [{
    What `loop.pointwise` makes on tensors is known at every index, so a load of it can be its body at that index. The
    index expressions are composed and simplified with the ranges of the indices; the store, the buffer and a pass over
    memory go away. This is done

    * where one load in all reads the producer, and not more often than once per element; or
    * where the producer only moves elements, whoever reads it; or
    * where its body has at most `cheap` operations, none of them a function of `math` or a division, one load at most of as many
      elements as it has, others of a 16th or less, as the means of rows, and it is gone afterwards: loads alone read it.

    Under a mask the producer's loads get the mask too. A body that may trap, an integer division, is not inlined there.
    Factors of matrix products stay in memory unless their elements are only moved, and stay moved where windows would read them
    apart. Destinations that the producer reads
    are values, so nothing is overwritten before it is read. Each decision is a remark of category `loop-inline-producers`.

    Before:
    ```mlir
    %e = loop.pointwise (%i = 64, %j = 32) into %e0 {
      %a = loop.load %x[%j, %i] : tensor<32x64xf32>
      %b = math.exp %a : f32
      loop.yield %b : f32
    } : tensor<64x32xf32>
    %y = loop.pointwise (%k = 2048) into %y0 {
      %a = loop.load %e[%k floordiv 32, %k mod 32] : tensor<64x32xf32>
      %b = arith.negf %a : f32
      loop.yield %b : f32
    } : tensor<2048xf32>
    ```
    After:
    ```mlir
    %y = loop.pointwise (%k = 2048) into %y0 {
      %a = loop.load %x[%k mod 32, %k floordiv 32] : tensor<32x64xf32>
      %b = math.exp %a : f32
      %c = arith.negf %b : f32
      loop.yield %c : f32
    } : tensor<2048xf32>
    ```
  }];
  let options = [
    Option<"cheap", "cheap", "int64_t", "2", "Operations of a body that is computed again rather than stored">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LoopElideRoundings : Pass<"loop-elide-roundings"> {
  let summary = "what a narrow float holds already is not rounded to it";
  let description = [{
    Half precision is computed in f32, and each operator rounds what it gives. Where that is a maximum, an absolute value, one of two
    values or the like, of numbers that were rounded before, it is one of the narrow type's numbers, and the rounding and what takes it
    back go. Between loops the same holds for the elements of a tensor.

    Before:

    ```mlir
    %w = arith.extf %a : f16 to f32
    %r = math.absf %w : f32
    %h = arith.truncf %r : f32 to f16
    %y = arith.extf %h : f16 to f32
    %z = arith.addf %y, %b : f32
    ```

    After:

    ```mlir
    %w = arith.extf %a : f16 to f32
    %r = math.absf %w : f32
    %z = arith.addf %r, %b : f32
    ```
  }];
}

def LoopNarrowTensors : Pass<"loop-narrow-tensors"> {
  let summary = "keeps a tensor of a narrow float's numbers in that type";
  let description = [{
    Half precision is computed in f32. What is extended and then padded for a convolution, or put into another order, is a tensor of
    f32 that holds numbers of the narrow type alone. Kept in that type it takes half of the memory, and a product of it can take pairs.
    What is read is extended again; no number changes. It is done to what a `loop.pointwise` makes in a `tensor.empty` and only
    `loop.load` reads.

    Before:

    ```mlir
    %x = loop.pointwise (%i = 66) into %wide {
      %n = loop.load %a[%i] : tensor<66xbf16>
      %w = arith.extf %n : bf16 to f32
      %r = math.absf %w : f32
      loop.yield %r : f32
    } : tensor<66xf32>
    ```

    After:

    ```mlir
    %x = loop.pointwise (%i = 66) into %narrow {
      %n = loop.load %a[%i] : tensor<66xbf16>
      %w = arith.extf %n : bf16 to f32
      %r = math.absf %w : f32
      %t = arith.truncf %r : f32 to bf16
      loop.yield %t : bf16
    } : tensor<66xbf16>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def LoopFuse : Pass<"loop-fuse"> {
  let summary = "puts loop operations that can run together into groups: one kernel each";
  let description = [{
    The operations of a block and what they depend on form a graph: values, and on memrefs what is read and written, views
    and all, unless two buffers are known to be apart. An operation that does not say its effects depends on all others.
    A reader joins the operations that it reads from where that is legal and pays. Then one group stands for them: the
    dimensions that they have in common are its domain, and what they give each other is a value of the point.

    Two operations run together at a point of the shared domain where one of them reads only what the other wrote at that
    very point. So each dependence decides which dimensions are shared: those in which what is read has the index of the
    point. It is refused

    * along a dimension that is scanned or reduced;
    * where an operation between the two needs the one and is needed by the other;
    * where one writes what the other may read at another point, or through a view, or both write the same;
    * across what has unknown effects.

    Two that only read the same tensor join where they read elements in common.
    It pays where there are points enough to keep the machine busy or little to do at all, what stays inside fits
    `scratch`, and lanes of tiles are left to the members. A sum of products takes the operation on its elements along as an
    epilogue, and nothing else; but two products of which one makes the left factor of the other, with what is between them as in
    attention, are one group over the rows of both. That is refused where the elements between the products are needed elsewhere, where
    the two do not have rows and batches in common, and where they sum over so much that it saves little. Each decision, for or against, is a remark of category `loop-fuse`, with the
    bytes that are read where they were written then, or once in the place of twice: `joins an operation that it depends on (16384 bytes)`.
    A check that says `loop.any_time` comes after what it checks, and holds up nothing.

    Before: a softmax, four kernels.
    ```mlir
    %max = loop.reduction max (%i = 64) over (%j = 1024) into %m0 { ... } : tensor<64xf32>
    %exp = loop.pointwise (%i = 64, %j = 1024) into %e0 {
      %a = loop.load %x[%i, %j] : tensor<64x1024xf32>
      %m = loop.load %max[%i] : tensor<64xf32>
      ...
    } : tensor<64x1024xf32>
    %sum = loop.reduction add (%i = 64) over (%j = 1024) into %s0 { ... } : tensor<64xf32>
    %out = loop.pointwise (%i = 64, %j = 1024) into %o0 { ... } : tensor<64x1024xf32>
    ```
    After: one, in which the row's largest element and sum are numbers.
    ```mlir
    %out = loop.group (%i = 64) into (%o0 as %o : tensor<64x1024xf32>) {
      %max = loop.reduction max over (%j = 1024) { ... } : f32
      %exp = loop.pointwise (%j = 1024) { ... arith.subf %a, %max ... } : tensor<1024xf32>
      %sum = loop.reduction add over (%j = 1024) { ... } : f32
      %out = loop.pointwise (%j = 1024) { ... } : tensor<1024xf32>
      loop.in_parallel {
        loop.insert %out into %o at [%i, :] : tensor<1024xf32> into tensor<64x1024xf32>
      }
    }
    ```
  }];
  let options = [
    Option<"scratch", "scratch", "int64_t", "32768", "Bytes that a point keeps at most">,
    Option<"small", "small", "int64_t", "16384", "Elements in all up to which one point may do everything">,
    Option<"members", "members", "int64_t", "32", "Members of a group at most">,
    Option<"points", "points", "int64_t", "8", "Points of a group that are enough">,
    Option<"work", "work", "int64_t", "0", "Elements that a point may work on where there are fewer points">,
    Option<"chains", "chains", "bool", "true", "Put two products with what is between them into a group">,
    Option<"stress", "stress-seed", "int64_t", "0", "Not 0: takes any legal fusion by a coin of this seed">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def LoopReorder : Pass<"loop-reorder"> {
  let summary = "sets the order in which loop operations run through their domains";
  let description = [{
    Gives every loop operation of the named function, or the one with the given number in it, counted from 0, an `order`:
    the dimensions of its domain from the outermost loop to the lanes. An order is refused where points depend on each
    other: an operation on memrefs that reads, at another point, what it writes.

    `loop-reorder{function=f number=0 order=1,0}`, before and after:
    ```mlir
    loop.pointwise (%i = 64, %j = 1024) into %y { ... } : memref<64x1024xf32>
    loop.pointwise (%i = 64, %j = 1024) into %y { ... } order [1, 0] : memref<64x1024xf32>
    ```
  }];
  let options = [
    Option<"function", "function", "std::string", "\"\"", "The function; all functions where it is empty">,
    Option<"number", "number", "int64_t", "-1", "The operation, counted in the function; -1: all">,
    ListOption<"order", "order", "int64_t", "Dimensions, from the outermost loop to the lanes">,
    Option<"stress", "stress-seed", "int64_t", "0", "Not 0: a random legal order for each, from this seed">
  ];
}

def LoopTile : Pass<"loop-tile"> {
  let summary = "sets how many points of a domain are one grid point's";
  let description = [{
    Gives every loop operation or group of the named function, or the one with the given number in it, counted from 0, a
    `tile`: how many indices of each dimension of its outer domain one grid point has. The sizes need not divide those of
    the domain. Grid points run at the same time, so a tile is refused where one would wait for another: along a scan, where
    points of a scatter meet that are combined or in order, in a group whose points combine what they insert, and in an
    operation on memrefs that reads, at another point, what it writes.

    `loop-tile{function=f number=0 sizes=4,100}`, before and after:
    ```mlir
    loop.pointwise (%i = 64, %j = 1024) into %y { ... } : memref<64x1024xf32>
    loop.pointwise (%i = 64, %j = 1024) into %y { ... } tile [4, 100] : memref<64x1024xf32>
    ```
  }];
  let options = [
    Option<"function", "function", "std::string", "\"\"", "The function; all functions where it is empty">,
    Option<"number", "number", "int64_t", "-1", "The operation, counted in the function; -1: all">,
    ListOption<"sizes", "sizes", "int64_t", "Indices of each dimension, 0 for all of them">,
    Option<"stress", "stress-seed", "int64_t", "0", "Not 0: random sizes for each, from this seed">
  ];
}

#endif
