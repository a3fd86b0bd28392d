//===- Kernel.td - the kernel dialect: tile programs on buffers -------------------------------------------------===//
//
// A kernel runs once per point of a grid. A tile is a small static tensor, on which arith, math and constants work as
// they are.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_KERNEL
#define TERRACE_KERNEL

include "Loop.td"

def Kernel_Dialect : TerraceDialect<"kernel", "kernel"> {
  let useDefaultAttributePrinterParser = 1;
  let summary = "Tile programs on buffers: where it runs";
  let description = [{
    A `kernel.func` is isolated: it sees its arguments (memrefs and numbers) and its place in the grid. It loads tiles,
    computes on them with `arith` and `math`, and stores tiles; loops are `scf.for`. The same tile program serves both
    targets: on x86 a grid point is a task of the pool and a tile is unrolled into vector registers; on NVIDIA a grid
    point is a block and a tile is spread over its threads.

    ```mlir
    kernel.func @scale(%x: memref<64x1000xf32>, %y: memref<64x1000xf32>, %k: f32) grid(%i in 64) {
      %c0 = arith.constant 0 : index
      %c256 = arith.constant 256 : index
      %c768 = arith.constant 768 : index
      %kt = tensor.splat %k : tensor<256xf32>
      scf.for %j = %c0 to %c768 step %c256 {
        %a = kernel.load %x[%i, %j : 256] : memref<64x1000xf32>
        %b = arith.mulf %a, %kt : tensor<256xf32>
        kernel.store %b, %y[%i, %j : 256] : tensor<256xf32>, memref<64x1000xf32>
      }
      %rest = arith.constant 232 : index
      %zero = arith.constant 0.0 : f32
      %a = kernel.load %x[%i, %c768 : 256] valid(%rest) else %zero : memref<64x1000xf32>, f32
      %b = arith.mulf %a, %kt : tensor<256xf32>
      kernel.store %b, %y[%i, %c768 : 256] valid(%rest) : tensor<256xf32>, memref<64x1000xf32>
      kernel.return
    }
    func.func @main(%x: memref<64x1000xf32>, %y: memref<64x1000xf32>, %k: f32) {
      kernel.launch @scale grid [64] (%x, %y, %k) : memref<64x1000xf32>, memref<64x1000xf32>, f32
      return
    }
    ```

    An index `%j : 256` is a range of 256 from `%j` on, `%j : 256 : 2` one of every second; each range is a dimension of
    the tile, in order. `valid(%n)` says how many of a range, from its start, are there: the rest is not touched.

    How a tile lies in the threads of a block is the encoding of its type, `#kernel.layout`: chosen late, by
    `kernel-assign-layouts`, for a target that has threads. It changes no value.
  }];
}

def Kernel_Layout : AttrDef<Kernel_Dialect, "Layout",
                            [OpAsmAttrInterface, DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "layout";
  let summary = "how a tile lies in the threads of a block";
  let description = [{
    `tensor<1024xf32, #kernel.layout<threads = [64], vector = [4]>>`: a thread holds 4 elements that lie side by side, the
    next thread the next 4, and after the 64th thread the first one is on again: element `i` is with thread
    `i / 4 mod 64`, which so holds four vectors. A tile with fewer vectors than threads repeats: thread `t` then holds
    vector `t` modulo their number, and the first thread that has an element is the one that stores it.

    With several dimensions each has its threads and its vector, and a block as many threads as their product: whole warps
    of 32, at most 1024. Threads are counted along the last dimension first, or in the order that `order` says, fastest
    dimension first.

    ```mlir
    #rows = #kernel.layout<threads = [4, 64], vector = [1, 4]>                   // for a tensor<8x512xf32>
    #columns = #kernel.layout<threads = [64, 4], vector = [4, 1], order = [0, 1]>
    #sums = #kernel.layout<threads = [4, 64], vector = [1, 4], without = [1]>    // for a tensor<8xf32>
    ```

    The last is what `kernel.reduce` along dimension 1 leaves of a tile laid out by `#rows`: its dimension 1 is gone, and
    all threads along it hold the same.

    Sizes of `threads` and `vector` are powers of two; a vector divides the size of its dimension. All tiles of a kernel
    are laid out over the same number of threads.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$threads, ArrayRefParameter<"int64_t">:$vector,
                        ArrayRefParameter<"int64_t">:$order, ArrayRefParameter<"int64_t">:$without);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let genMnemonicAlias = 1;
}

def RustSymbolUserImpl : TerraceTrait<"RustSymbolUser">;
def RustSymbolUser : TraitList<[SymbolUserOpInterface, RustSymbolUserImpl]>;
def Kernel_Tile : StaticShapeTensorOf<[AnyType]>;
def Kernel_Index : AnyTypeOf<[Index, StaticShapeTensorOf<[Index]>], "an index or a tile of indices">;

class Kernel_Op<string mnemonic, string rule, list<Trait> traits = []>
    : TerraceOp<Kernel_Dialect, mnemonic, rule, !if(!empty(rule), traits, !listconcat([RustInferTypes], traits))>;

def Kernel_FuncOp : Kernel_Op<"func", "", [
    AutomaticAllocationScope, IsolatedFromAbove, Symbol, SingleBlock, RustVerifyRegions]> {
  let summary = "a tile program that runs once per point of a grid";
  let description = [{
    Scratch memory of a point is a `memref.alloca` at the head of the body, its sizes numbers or arguments of the kernel: on
    x86 the stack, and the heap from 256 KiB a kernel on or where the size is an argument; on a GPU the block's shared
    memory, of static size.

    A grid of a size that the launch says has `?` in its place: `grid(%i in ?, %j in 4)`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type, DenseI64ArrayAttr:$grid);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "custom<KernelFunction>($sym_name, $function_type, $grid, $body) attr-dict-with-keyword";
}

def Kernel_ReturnOp : Kernel_Op<"return", "", [Pure, Terminator, HasParent<"FuncOp">]> {
  let summary = "the end of a kernel";
  let assemblyFormat = "attr-dict";
}

def Kernel_LaunchOp : Kernel_Op<"launch", "", [
    AttrSizedOperandSegments, RustSymbolUser, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "runs a kernel on a grid";
  let description = [{
    The sizes of the grid are the kernel's; where that has `?` it is a number or an `index` value here. One of 0 runs no
    point.
    ```mlir
    kernel.launch @scale grid [%n, 4] (%x, %y) : memref<?x4xf32>, memref<?x4xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Index>:$dynamic_grid, DenseI64ArrayAttr:$grid,
                       Variadic<AnyType>:$arguments);
  let assemblyFormat = [{
    $callee `grid` custom<DynamicIndexList>($dynamic_grid, $grid) `(` $arguments `)` attr-dict (`:` type($arguments)^)?
  }];
}

def Kernel_ConcurrentOp : Kernel_Op<"concurrent", "", [
    NoTerminator, SingleBlock, RecursiveMemoryEffects, RustVerifyRegions]> {
  let summary = "launches that do not depend on each other";
  let description = [{
    No launch reads or writes what another one writes, so that they run in any order, or at once: on x86 as one parallel loop over the
    points of all their grids, which are numbers. A step of an optimizer over a hundred parameters is one:
    ```mlir
    kernel.concurrent {
      kernel.launch @step_0 grid [4](%p0, %g0) : memref<4096xf32>, memref<4096xf32>
      kernel.launch @step_1 grid [2](%p1, %g1) : memref<2048xf32>, memref<2048xf32>
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
}

def Kernel_ReinterpretOp : Kernel_Op<"reinterpret", "", [Pure, ViewOfFirst, RustVerify]> {
  let summary = "the memory of a buffer as elements of another type";
  let description = [{
    Elements of the same width, or shorter ones that together are a longer one: they are the last dimension, a new one of that
    many, or as many times longer. So complex numbers are their parts, the real one first, in which kernels compute:
    ```mlir
    %p = kernel.reinterpret %z : memref<4xcomplex<f32>> to memref<4x2xf32>
    %b = kernel.reinterpret %x : memref<4x6xf32> to memref<4x24xi8>
    ```
    Strides and offset count elements of the new type; the dimension that elements come of or go into lies without gaps.
  }];
  let arguments = (ins AnyMemRef:$source);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
}

// Ranges: one entry per dimension of the buffer, 0 where the index is one index. Steps go with them.
class Kernel_AccessOp<string mnemonic, string rule, list<Trait> traits>
    : Kernel_Op<mnemonic, rule, !listconcat([AttrSizedOperandSegments, RustVerify], traits)>;

def Kernel_LoadOp : Kernel_AccessOp<"load", "kernel_load", []> {
  let summary = "a tile out of a buffer";
  let description = [{
    ```mlir
    %t = kernel.load %x[%i, %j : 256] : memref<64x1000xf32>                                             // tensor<256xf32>
    %u = kernel.load %x[%i, %j : 256] layout <threads = [64], vector = [4]> : memref<64x1000xf32>
    ```
    The second one is a `tensor<256xf32, #kernel.layout<threads = [64], vector = [4]>>`.
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$source, Variadic<Index>:$indices, AffineMapAttr:$map,
                       DenseI64ArrayAttr:$ranges, DenseI64ArrayAttr:$steps, Variadic<Index>:$valid,
                       Optional<AnyType>:$other, OptionalAttr<Kernel_Layout>:$layout);
  let results = (outs Kernel_Tile:$result);
  let assemblyFormat = [{
    $source `[` custom<TileAccess>($indices, $map, $ranges, $steps) `]` (`valid` `(` $valid^ `)` `else` $other)?
    (`layout` $layout^)? attr-dict `:` type($source) (`,` type($other)^)?
  }];
}

def Kernel_StoreOp : Kernel_AccessOp<"store", "", []> {
  let summary = "a tile into a buffer";
  let arguments = (ins Kernel_Tile:$tile, Arg<AnyMemRef, "", [MemWrite]>:$destination, Variadic<Index>:$indices,
                       AffineMapAttr:$map, DenseI64ArrayAttr:$ranges, DenseI64ArrayAttr:$steps, Variadic<Index>:$valid);
  let assemblyFormat = [{
    $tile `,` $destination `[` custom<TileAccess>($indices, $map, $ranges, $steps) `]` (`valid` `(` $valid^ `)`)?
    attr-dict `:` type($tile) `,` type($destination)
  }];
}

def Kernel_GatherOp : Kernel_AccessOp<"gather", "", []> {
  let summary = "elements of a buffer at indices that are tiles";
  let description = [{
    Each index is a tile of the result's shape, or one index for all. Where the mask does not hold nothing is read.
    ```mlir
    %t = kernel.gather %x[%rows, %j] mask %m else %zero : memref<64x8xf32>, tensor<16xindex>, index, f32 -> tensor<16xf32>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$source, Variadic<Kernel_Index>:$indices,
                       Optional<StaticShapeTensorOf<[I1]>>:$mask, Optional<AnyType>:$other);
  let results = (outs Kernel_Tile:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` (`mask` $mask^ `else` $other)? attr-dict
    `:` type($source) (`,` type($indices)^)? (`mask` type($mask)^ `,` type($other))? `->` type($result)
  }];
}

def Kernel_ScatterOp : Kernel_AccessOp<"scatter", "", []> {
  let summary = "the elements of a tile into a buffer, at indices that are tiles";
  let description = [{
    Elements that go to one place are equal. Where the mask does not hold nothing is written.
  }];
  let arguments = (ins Kernel_Tile:$tile, Arg<AnyMemRef, "", [MemWrite]>:$destination, Variadic<Kernel_Index>:$indices,
                       Optional<StaticShapeTensorOf<[I1]>>:$mask);
  let assemblyFormat = [{
    $tile `,` $destination `[` $indices `]` (`mask` $mask^)? attr-dict
    `:` type($tile) `,` type($destination) (`,` type($indices)^)? (`mask` type($mask)^)?
  }];
}

def Kernel_AtomicOp : Kernel_AccessOp<"atomic", "", []> {
  let summary = "the elements of a tile combined with those of a buffer, at indices that are tiles";
  let description = [{
    ```mlir
    kernel.atomic add %counts, %bins[%at] mask %m : tensor<16xi32>, memref<64xi32>, tensor<16xindex> mask tensor<16xi1>
    ```
    Each read, combination and write is one step for all grid points; their order is not defined. Integers of 32 and 64 bits are
    added, or the lesser, the greater, the bits of both or of either stay; floats of 32 and 64 bits are added. Where the mask does
    not hold nothing is written.
  }];
  let arguments = (ins Terrace_Combiner:$combiner, Kernel_Tile:$tile, Arg<AnyMemRef, "", [MemRead, MemWrite]>:$destination,
                       Variadic<Kernel_Index>:$indices, Optional<StaticShapeTensorOf<[I1]>>:$mask);
  let assemblyFormat = [{
    $combiner $tile `,` $destination `[` $indices `]` (`mask` $mask^)? attr-dict
    `:` type($tile) `,` type($destination) (`,` type($indices)^)? (`mask` type($mask)^)?
  }];
}

def Kernel_IotaOp : Kernel_Op<"iota", "", [Pure, RustVerify]> {
  let summary = "0, 1, 2, ... along a tile of one dimension";
  let results = (outs StaticShapeTensorOf<[Index]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Kernel_ReduceOp : Kernel_Op<"reduce", "kernel_reduce", [Pure]> {
  let summary = "combines the elements of a tile, all or along one dimension";
  let description = [{
    ```mlir
    %s = kernel.reduce add %t : tensor<256xf32>             // f32
    %r = kernel.reduce max %u along 1 : tensor<8x32xf32>    // tensor<8xf32>
    ```
    The result along a dimension has the tile's layout without it.
  }];
  let arguments = (ins Terrace_Combiner:$combiner, Kernel_Tile:$tile, OptionalAttr<I64Attr>:$dim);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$combiner $tile (`along` $dim^)? attr-dict `:` type($tile)";
}

def Kernel_ScanOp : Kernel_Op<"scan", "kernel_scan", [Pure]> {
  let summary = "combines each element of a row with those before it, and with a number";
  let description = [{
    ```mlir
    %r, %next = kernel.scan add %t from %carry : tensor<64xf32>, f64
    ```
    Element `i` of the result is the number, then elements 0 to `i` of the tile. What is carried on is the number with the whole
    tile. The number has the type of the elements, or is f64 where these are f32: it then keeps what a long sum would lose.
  }];
  let arguments = (ins Terrace_Combiner:$combiner, Kernel_Tile:$tile, AnyType:$carry);
  let results = (outs Kernel_Tile:$result, AnyType:$next);
  let assemblyFormat = "$combiner $tile `from` $carry attr-dict `:` type($tile) `,` type($carry)";
}

def Kernel_BroadcastOp : Kernel_Op<"broadcast", "", [Pure, RustVerify]> {
  let summary = "repeats a tile: its dimensions are the dimensions `dims` of the result";
  let description = [{
    The tile has the result's layout without the dimensions that are new.
  }];
  let arguments = (ins Kernel_Tile:$tile, DenseI64ArrayAttr:$dims);
  let results = (outs Kernel_Tile:$result);
  let assemblyFormat = "$tile `to` $dims attr-dict `:` type($tile) `->` type($result)";
}

def Kernel_ConvertLayoutOp : Kernel_Op<"convert_layout", "", [Pure, RustVerify, RustFold]> {
  let summary = "the same tile, laid out in another way";
  let description = [{
    ```mlir
    %u = kernel.convert_layout %t : tensor<256xf32, #kernel.layout<threads = [64], vector = [4]>>
                                 -> tensor<256xf32, #kernel.layout<threads = [64], vector = [1]>>
    ```
    On threads the elements change hands through the memory that a block shares; on a processor nothing happens.
  }];
  let arguments = (ins Kernel_Tile:$tile);
  let results = (outs Kernel_Tile:$result);
  let assemblyFormat = "$tile attr-dict `:` type($tile) `->` type($result)";
}

def Kernel_DotOp : Kernel_Op<"dot", "kernel_dot", [Pure]> {
  let summary = "`acc + lhs @ rhs`";
  let description = [{
    The factors have one element type, and the accumulator has it or a wider one. With `pairs` an element of i32 is two of bf16,
    the first one in the lower half: both are multiplied and added, in any order. bf16 numbers below 2^-126, and sums there, may
    count as 0.
    ```mlir
    %r = kernel.dot %a, %b, %acc : tensor<4x1xf32>, tensor<1x16xf32>, tensor<4x16xf32>
    %s = kernel.dot pairs %c, %d, %acc : tensor<4x1xi32>, tensor<1x16xi32>, tensor<4x16xf32>
    ```
  }];
  let arguments = (ins Kernel_Tile:$lhs, Kernel_Tile:$rhs, Kernel_Tile:$acc, UnitAttr:$pairs);
  let results = (outs Kernel_Tile:$result);
  let assemblyFormat = "(`pairs` $pairs^)? $lhs `,` $rhs `,` $acc attr-dict `:` type($lhs) `,` type($rhs) `,` type($acc)";
}

def Kernel_AddPairsOp : Kernel_Op<"add_pairs", "kernel_add_pairs", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "adds to each element two products: those of a pair of bf16";
  let description = [{
    A pair are two elements that follow each other along the last dimension, which has twice as many as the sums; see
    `kernel.dot pairs`.
    ```mlir
    %s = kernel.add_pairs %a, %b, %sums : tensor<4x32xbf16>, tensor<4x16xf32>
    ```
  }];
  let arguments = (ins Kernel_Tile:$lhs, Kernel_Tile:$rhs, Kernel_Tile:$sums);
  let results = (outs Kernel_Tile:$result);
  let assemblyFormat = "$lhs `,` $rhs `,` $sums attr-dict `:` type($lhs) `,` type($sums)";
}

#endif
