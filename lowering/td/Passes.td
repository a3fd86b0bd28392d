//===- Passes.td - kernel to upstream dialects to LLVM -----------------------------------------------------------===//
//
// A pass `foo-bar` runs `foo_bar::run(op, &options::FooBar)` in one of the folders of lowering/src (see build.rs). Each description says why
// the pass is there and shows IR before and after.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_LOWERING_PASSES
#define TERRACE_LOWERING_PASSES

include "mlir/Pass/PassBase.td"
include "BufferPasses.td"
include "LoopConversionPasses.td"

def ConvertKernelToX86 : Pass<"convert-kernel-to-x86", "::mlir::ModuleOp"> {
  let summary = "From tile programs to functions on vectors, and calls of them";
  let description = [{
    A kernel says what happens at a point of a grid, on tiles. This pass gives it the shape of a processor: tiles are cut
    into vectors of the length of a register, the grid becomes a loop, and a launch a call: of the function itself where
    there is little to do, else of the runtime's pool with ranges of the grid's points.

    ```mlir
    kernel.func @scale(%x: memref<64x24xf32>, %y: memref<64x24xf32>, %k: f32) grid(%i in 64) {
      %c0 = arith.constant 0 : index
      %kt = tensor.splat %k : tensor<24xf32>
      %a = kernel.load %x[%i, %c0 : 24] : memref<64x24xf32>
      %b = arith.mulf %a, %kt : tensor<24xf32>
      kernel.store %b, %y[%i, %c0 : 24] : tensor<24xf32>, memref<64x24xf32>
      kernel.return
    }
    kernel.launch @scale grid [64] (%x, %y, %k) : memref<64x24xf32>, memref<64x24xf32>, f32
    ```
    becomes, with vectors of 16,
    ```mlir
    func.func private @scale(%x: memref<64x24xf32>, %y: memref<64x24xf32>, %k: f32, %from: index, %to: index) {
      scf.for %i = %from to %to step %c1 {
        %k16 = vector.broadcast %k : f32 to vector<16xf32>
        %k8 = vector.broadcast %k : f32 to vector<8xf32>
        %a16 = vector.load %x[%i, %c0] : memref<64x24xf32>, vector<16xf32>
        %a8 = vector.load %x[%i, %c16] : memref<64x24xf32>, vector<8xf32>
        %b16 = arith.mulf %a16, %k16 : vector<16xf32>
        %b8 = arith.mulf %a8, %k8 : vector<8xf32>
        vector.store %b16, %y[%i, %c0] : memref<64x24xf32>, vector<16xf32>
        vector.store %b8, %y[%i, %c16] : memref<64x24xf32>, vector<8xf32>
      }
      return
    }
    call @scale(%x, %y, %k, %c0, %c64) : (memref<64x24xf32>, memref<64x24xf32>, f32, index, index) -> ()
    ```

    Lanes that lie side by side in memory are loaded and stored as vectors, masked by `valid`; others are gathered and
    scattered, on memrefs of any strides. Elements of i1 are refused: bool is a byte in memory. A float reduction may
    combine in any order; max and min propagate NaN. The left side of a product is read element by element into all
    lanes where it is used for nothing else. `cf.assert` and `graph.guard`, anywhere in the module, become
    calls of `terrace_rt_set_error` and `terrace_rt_refuse` where their condition does not hold: `add-call-context` leaves behind them. Sizes of `memref.alloc` that the run
    knows `terrace_rt_capacity` multiplies, and `terrace_rt_check_capacity` looks at, before upstream does, which does not see too many bytes.

    With `check-accesses` a load or store beyond the sizes of its buffer, of any lane that its mask has, is an internal error at the
    operation's location, and does not happen: for tests, as it makes code slow.
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", /*default=*/"\"host\"",
           "What vectors are for: host, x86-64, x86-64-v2, x86-64-v3, x86-64-v4 or x86-64-v4-bf16">,
    Option<"checkAccesses", "check-accesses", "bool", /*default=*/"false",
           "Whether each load and store is tested against the sizes of its buffer">,
  ];
  let dependentDialects = [
    "affine::AffineDialect", "arith::ArithDialect", "func::FuncDialect", "LLVM::LLVMDialect",
    "memref::MemRefDialect", "scf::SCFDialect", "vector::VectorDialect"
  ];
}

def KernelAssignLayouts : Pass<"kernel-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "Says how the tiles of a kernel lie in the threads of a block";
  let description = [{
    A target with threads spreads a tile over those of a block. How is a decision, and stands in the tile's type as
    `#kernel.layout`: this pass gives every tile one that has none. What is written already stays, so a human's layout of
    one load, and of what is computed from it, wins; the block then has that layout's number of threads.

    Threads lie along the last dimension first, each with a vector of 16 bytes of the widest element that is loaded or
    stored, less where that would leave threads without work: accesses are of 128 bits, neighbours in memory are with
    neighbouring threads, and a large tile wraps round. What is computed element by element has one layout; the result of
    a reduction along a dimension has what is left of its tile's, and a tile that is broadcast what is left of the
    result's. Where these disagree a `kernel.convert_layout` is put between.

    Without `threads` a block has a thread for 16 bytes of f32 of its largest tile, 32 to 256 of them.

    Before:

    ```mlir
    %a = kernel.load %x[%i, %c0 : 1024] : memref<64x1024xf32>
    %b = arith.mulf %a, %a : tensor<1024xf32>
    ```

    After:

    ```mlir
    #layout = #kernel.layout<threads = [256], vector = [4]>
    %a = kernel.load %x[%i, %c0 : 1024] layout #layout : memref<64x1024xf32>
    %b = arith.mulf %a, %a : tensor<1024xf32, #layout>
    ```
  }];
  let options = [
    Option<"threads", "threads", "int64_t", /*default=*/"0", "The threads of a block; 0: as many as suit its largest tile">,
    Option<"vector", "vector", "int64_t", /*default=*/"16", "The bytes that a thread loads or stores at once">,
  ];
  let dependentDialects = ["::terrace::kernel::KernelDialect"];
}

def ConvertKernelToNvptx : Pass<"convert-kernel-to-nvptx", "::mlir::ModuleOp"> {
  let summary = "From tile programs to functions for a GPU, and launches of them";
  let description = [{
    A point of a kernel's grid becomes a block, in row-major order along x. A tile is spread over its threads as its layout
    says: `kernel-assign-layouts` gives one to tiles without. All kernels go into one `gpu.module`.

    Before:

    ```mlir
    #layout = #kernel.layout<threads = [256], vector = [4]>
    kernel.func @norm(%x: memref<64x1024xf32>, %y: memref<64xf32>) grid(%i in 64) {
      %c0 = arith.constant 0 : index
      %a = kernel.load %x[%i, %c0 : 1024] layout #layout : memref<64x1024xf32>
      %b = arith.mulf %a, %a : tensor<1024xf32, #layout>
      %s = kernel.reduce add %b : tensor<1024xf32, #layout>
      memref.store %s, %y[%i] : memref<64xf32>
      kernel.return
    }
    ```

    After:

    ```mlir
    gpu.func @norm(%x: memref<64x1024xf32>, %y: memref<64xf32>)
        workgroup(%warps: memref<256xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %t = gpu.thread_id x
      %i = gpu.block_id x
      %j = arith.muli %t, %c4 : index
      %a = vector.load %x[%i, %j] {alignment = 16 : i64} : memref<64x1024xf32>, vector<4xf32>
      %b = arith.mulf %a, %a : vector<4xf32>
      %own = vector.reduction <add>, %b fastmath<reassoc> : vector<4xf32> into f32
      ... five times gpu.shuffle xor and arith.addf; warps through %warps, into %s
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        memref.store %s, %y[%i] : memref<64xf32>
      }
      gpu.return
    }
    ```

    A kernel is a sequence: where a thread may touch what another one has touched, and one of them writes, all meet at a
    barrier. Two accesses of the same ranges of the same memref by the same layout give each thread the same elements and
    need none; neither do arguments of which every launch in the module shows that one was allocated apart from the other.
    In front of a loop they meet once for what is at odds with what was before it, inside for what is so with the iteration before.

    Buffers are bare pointers: to the origin of the memref, which 16 divides. Of one whose type leaves sizes, strides or the offset
    open a function takes the base and these, each an index, and puts them together again:
    ```mlir
    kernel.func @scale(%x: memref<?x8xf32, strided<[?, 1]>>) grid(%i in ?) { ... }
    ```
    becomes
    ```mlir
    gpu.func @scale(%base: memref<f32>, %size: index, %stride: index, %points: index) kernel {
      %x = memref.reinterpret_cast %base to offset: [0], sizes: [%size, 8], strides: [%stride, 1]
      ...
    ```
    A product and the sum that it goes into may be rounded once (`contract`), as compilers for GPUs do it.
    Scratch memory is static. A grid without points is not launched. Launches of a `kernel.concurrent` are one where their blocks have as
    many threads: a function with the kernels of all, whose blocks find theirs, and what it was handed, by their numbers.
    ```mlir
    kernel.concurrent {
      kernel.launch @step grid [4](%p0, %g0) : memref<4096xf32>, memref<4096xf32>
      kernel.launch @step grid [4](%p1, %g1) : memref<4096xf32>, memref<4096xf32>
    }
    ```
    becomes `gpu.launch_func @kernels::@step_concurrent blocks in (%c8, ...) ... args(%p0, %p1, %g0, %g1)` of a function that begins
    ```mlir
    %block = gpu.block_id x
    %number = arith.divui %block, %c4 : index
    %p, %g = scf.index_switch %number -> memref<4096xf32, #gpu.address_space<global>>, ...
    case 0 { scf.yield %p0, %g0 }
    default { scf.yield %p1, %g1 }
    ```
    A launch becomes a `gpu.launch_func` on the same buffers, which the GPU has to reach. Function names have letters,
    digits and `_` only. What has no form on threads is refused; with `partial` such kernels and their launches stay as they
    are, and a warning at each says why.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90\"", "The architecture of the GPU">,
    Option<"partial", "partial", "bool", /*default=*/"false",
           "Leave kernels that have no form on threads, with a warning, instead of refusing them">,
  ];
  let dependentDialects = [
    "affine::AffineDialect", "arith::ArithDialect", "gpu::GPUDialect", "memref::MemRefDialect", "NVVM::NVVMDialect",
    "scf::SCFDialect", "vector::VectorDialect"
  ];
}

def ConvertGpuLaunchToRuntime : Pass<"convert-gpu-launch-to-runtime", "::mlir::ModuleOp"> {
  let summary = "What a function does with buffers on a GPU becomes calls of the session that runs it";
  let description = [{
    A function that launches kernels runs on the processor, its buffers lie on the GPU. A launch becomes a call that names
    the kernel by its place in the GPU module and hands over its arguments, a word each: of a buffer its address. A single
    element that the function reads or writes takes the way over the device, a complex one as its two parts; a copy to the function's stack
    is one way; a constant is there from its first use on.
    Allocations stay as they are: who runs the function provides what MLIR's lowering calls for them.

    The GPU module goes, so its code has to be taken out before. A call of a function that is only declared is refused where it takes
    buffers: it would look for them in the memory of the host.

    Before:

    ```mlir
    gpu.launch_func @kernels::@scale blocks in (%c64, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : memref<64x1024xf32>, %k : f32)
    ```

    After:

    ```mlir
    %p = memref.extract_aligned_pointer_as_index %x : memref<64x1024xf32> -> index
    memref.store %p, %words[%c0] : memref<2xindex>
    %bits = arith.bitcast %k : f32 to i32
    %w = arith.index_castui %bits : i32 to index
    memref.store %w, %words[%c1] : memref<2xindex>
    %list = memref.extract_aligned_pointer_as_index %words : memref<2xindex> -> index
    func.call @terrace_gpu_launch(%c0, %c64, %c256, %list, %c2) : (index, index, index, index, index) -> ()
    ```
  }];
  let dependentDialects = [
    "arith::ArithDialect", "complex::ComplexDialect", "func::FuncDialect", "LLVM::LLVMDialect", "memref::MemRefDialect"
  ];
}

def ExpandHalfConversions : Pass<"expand-half-conversions"> {
  let summary = "integers become half precision by way of f32";
  let description = [{
    Eager converts an integer to f32 and rounds that to f16 or bf16. Upstream folds the two into one conversion, which rounds otherwise, and
    for which LLVM calls a library on most processors. Here they become two again, right before what expands conversions of bf16.

    Before:

    ```mlir
    %h = arith.sitofp %i : i64 to bf16
    ```

    After:

    ```mlir
    %f = arith.sitofp %i : i64 to f32
    %h = arith.truncf %f : f32 to bf16
    ```
  }];
  let dependentDialects = ["arith::ArithDialect"];
}

def ExpandVectorMath : Pass<"expand-vector-math"> {
  let summary = "expand f32 math functions to polynomials";
  let description = [{
    Math functions on f32 and on vectors of fixed size of it become arithmetic, inlined where they are used: two to five
    times faster than calls of a vector library, and the only way on a GPU, where no library is linked. Bounds of error
    stand with each function in lowering/src/llvm/math; all inputs are right, nan, infinities, zeros and denormals too.

    exp, exp2, expm1, log, log2, log10, log1p, tanh, erf, sin, cos, rsqrt and powf are expanded, and of f64 expm1 and log1p,
    by exp and log; other functions and types stay as they are on a processor. For a GPU all functions on f64 are, and by way
    of them the other ones on f32; also `arith.remf`, and `math.ipowi` on integers. On a processor a quotient that need not be exact (`afn`),
    of one number for all lanes, is a product by one over it. A power of e that says `afn` may be 0 where it is denormal: on a GPU this
    takes three instructions less. Runs before conversion to LLVM, and before scf is lowered: sin and cos of
    large arguments take a branch.

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
    Option<"nvptx", "nvptx", "bool", /*default=*/"false", "Expand all functions, but for a GPU's own, sqrt and rounding, which become LLVM's intrinsics">,
  ];
}

def ConvertBf16ToBits : Pass<"convert-bf16-to-bits", "::mlir::ModuleOp"> {
  let summary = "bf16 is i16 once nothing computes with it";
  let description = [{
    After `arith-expand{include-bf16=true}` numbers of bf16 are only loaded, stored and reinterpreted. LLVM takes vectors of them apart by way of
    f32 where the processor has no instructions for bf16, and calls a library for that. Here every type of bf16 becomes one of `i16` and the
    reinterpretations go. No bit changes.

    Before:

    ```mlir
    %h = memref.load %x[%i] : memref<4xbf16>
    %b = arith.bitcast %h : bf16 to i16
    ```

    After:

    ```mlir
    %b = memref.load %x[%i] : memref<4xi16>
    ```
  }];
}

def MergeInterfaces : Pass<"merge-interfaces", "::mlir::ModuleOp"> {
  let summary = "the C interface of an entry point gets its body";
  let description = [{
    The function that `llvm.emit_c_interface` asks for loads all parts of all descriptors, calls, and stores one struct of all results.
    Inlined by LLVM, all that is loaded is alive from the head on, and each part of the struct is inserted into all others: time to compile
    grows with the square of the arguments and results, of which a step of training has a thousand. Here the interface gets
    the body of a function that nobody else calls. A part of a descriptor is loaded where it is used, and a result stored part by part.

    Functions that may not be inlined stay apart: they have loops of their own, for which they say which arguments are disjoint. The merged
    function is gone; the pass is for a runtime that calls interfaces alone, and no part of the named pipelines.

    Before:

    ```mlir
    llvm.func @f(%x: !llvm.ptr, %n: i64) -> !llvm.struct<(ptr, i64)> {
      llvm.call @g(%x) : (!llvm.ptr) -> ()
      %0 = llvm.mlir.poison : !llvm.struct<(ptr, i64)>
      %1 = llvm.insertvalue %x, %0[0] : !llvm.struct<(ptr, i64)>
      %2 = llvm.insertvalue %n, %1[1] : !llvm.struct<(ptr, i64)>
      llvm.return %2 : !llvm.struct<(ptr, i64)>
    }
    llvm.func @_mlir_ciface_f(%to: !llvm.ptr, %from: !llvm.ptr, %n: i64) {
      %0 = llvm.load %from : !llvm.ptr -> !llvm.struct<(ptr, ptr)>
      %1 = llvm.extractvalue %0[1] : !llvm.struct<(ptr, ptr)>
      %2 = llvm.call @f(%1, %n) : (!llvm.ptr, i64) -> !llvm.struct<(ptr, i64)>
      llvm.store %2, %to : !llvm.struct<(ptr, i64)>, !llvm.ptr
      llvm.return
    }
    ```

    After:

    ```mlir
    llvm.func @_mlir_ciface_f(%to: !llvm.ptr, %from: !llvm.ptr, %n: i64) {
      %0 = llvm.getelementptr %from[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr)>
      %1 = llvm.load %0 : !llvm.ptr -> !llvm.ptr
      llvm.call @g(%1) : (!llvm.ptr) -> ()
      %2 = llvm.getelementptr %from[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr)>
      %3 = llvm.load %2 : !llvm.ptr -> !llvm.ptr
      %4 = llvm.getelementptr %to[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64)>
      llvm.store %3, %4 : !llvm.ptr, !llvm.ptr
      %5 = llvm.getelementptr %to[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64)>
      llvm.store %n, %5 : i64, !llvm.ptr
      llvm.return
    }
    ```
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
}

#endif
