//===- Passes.td - kernel to upstream dialects to LLVM -----------------------------------------------------------===//
//
// A pass `foo-bar` runs `foo_bar::run(op, &options::FooBar)` in one of the folders of lowering/src (see build.rs). Each description says why
// the pass is there and shows IR before and after.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_LOWERING_PASSES
#define TERRACE_LOWERING_PASSES

include "mlir/Pass/PassBase.td"
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

def ConvertGraphBoundaryToMemref : Pass<"convert-graph-boundary-to-memref", "::mlir::ModuleOp"> {
  let summary = "storages become buffers";
  let description = [{
    After `graph-functionalize` a function holds graph operations only at its boundary. This pass turns `!graph.tensor` into
    `memref`, with the layout that the argument declares (contiguous without a declaration; `?` for what it does not say).

    Values are read by `bufferization.to_tensor`. A new storage is a buffer of its own, and a view names its buffer anew. A
    region that is read and written as a whole, by what the core computes, stays a tensor until the end: the core may work in
    place, and the final copy folds away. What nobody reads is computed where it goes. Any other value that is written waits
    in a buffer until all are read: memory that the caller sees changes last.

    The strides of views of a tensor whose strides are not known are sums over those that the `memref` brings along, and
    `graph.assert_distinct` becomes `cf.assert` of what the runtime finds.

    Runs after `convert-functional-to-loop`, which shows what is computed and what only renames a value that was read, and
    before inlining. `eliminate-empty-tensors` after it lets values be computed in their buffers.

    A custom operator calls a function of C, for `@mine::@scale` the function `mine_scale` by MLIR's C interface: the address of a
    descriptor for a tensor, numbers by value, a bool as a byte, and behind them descriptors of row-major memory that the function fills
    for results which are no arguments, of no dimensions for a number.

    A `graph.guard` stays, in front of everything that is allocated; what it asks about tensors (`graph.check_disjoint`, ...) is asked of the runtime, which is given
    where they lie as a list of numbers.

    An argument's storage that `graph.resize_storage` makes another size belongs to the caller, who is asked for it:
    `terrace_rt_resize_storage` calls what `terrace_rt_context_set_storages` of the runtime was given, before anything is read where a storage needs more
    memory, and in the end where it keeps less. All arguments of the storage are seen in its new memory. That takes arguments that declare their
    storages.

    `graph.assert_storage` and `graph.check_storage` ask `terrace_rt_storage_bytes` of the runtime: what `terrace_rt_context_set_storages` was given knows the
    caller's storages. Where one is too small for an assertion `terrace_rt_out_of_bounds` records the error, and gives memory to go on with: what is wrong is
    refused, and nothing else is written.

    Results say what the caller can't see in a buffer: `graph.dtype`, and `graph.same_as = "arg0"` or `"result0"` where a
    result is the very tensor that came in or was returned before. Where that is decided when the function runs, it returns a number behind its results for each
    of them that is a tensor, with `graph.object_of` the result's own: an argument's tensor has the argument's number, and results of one number are one tensor. Whether a
    result is a conjugate or a negative of what is in its buffer stands there as `graph.conj` and `graph.neg`.

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
      %n = bufferization.materialize_in_destination %r in %v : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      bufferization.materialize_in_destination %n in writable %x : (tensor<4xf32>, memref<4xf32>) -> ()
      return %x : memref<4xf32>
    }
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "bufferization::BufferizationDialect", "cf::ControlFlowDialect",
                           "LLVM::LLVMDialect", "memref::MemRefDialect", "::terrace::kernel::KernelDialect"];
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

def AddCallContext : Pass<"add-call-context", "::mlir::ModuleOp"> {
  let summary = "Functions of the LLVM dialect take the context of the call, and leave at its first error";
  let description = [{
    Compiled code cannot unwind, and many threads may call it at once: what a call has beside its arguments (its error, who gives it memory, its threads, the
    state of its generator) is a context that its caller hands it. Services of the runtime take it first. This pass hands it down to them from the
    C interface of the entry points, and puts a test of the error behind each call that can fail. Where there is one the function returns at once; what
    the call has allocated is freed when it ends.

    Before:

    ```mlir
    llvm.func @_mlir_ciface_f(%x: !llvm.ptr) {
      llvm.call @f(...) : (...) -> ()
      llvm.return
    }
    llvm.func @f(...) {
      %0 = llvm.call @_mlir_memref_to_llvm_alloc(%size) : (i64) -> !llvm.ptr
      ...
    ```

    After, with `entries`:

    ```mlir
    llvm.func @_mlir_ciface_f(%context: !llvm.ptr, %x: !llvm.ptr) attributes {passthrough = ["terrace-context"]} {
      llvm.call @f(%context, ...) : (!llvm.ptr, ...) -> ()
      ... the same test ...
    }
    llvm.func @f(%context: !llvm.ptr, ...) {
      %0 = llvm.call @terrace_rt_alloc(%context, %size, %c64) : (!llvm.ptr, i64, i64) -> !llvm.ptr
      %error = llvm.load %context : !llvm.ptr -> !llvm.ptr
      %failed = llvm.icmp "ne" %error, %null : !llvm.ptr
      llvm.cond_br %failed, ^exit, ^rest
    ^rest:
      ...
    ^exit:
      llvm.call @terrace_rt_locate(%context, %place) : (!llvm.ptr, !llvm.ptr) -> ()
      llvm.return
    ```

    Without `entries` functions keep their types, as other compilers call them, and services get a null context: an error calls `terrace_rt_fail(const
    char *)`, which prints it and ends the process, unless the program has a function of this name itself.
  }];
  let options = [
    Option<"entries", "entries", "bool", /*default=*/"false", "Functions take the context from who calls them">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertUnsignedBuffers : Pass<"convert-unsigned-buffers", "::mlir::ModuleOp"> {
  let summary = "u8 is i8 in memory";
  let description = [{
    `arith` has integers without a sign only, and what is unsigned is the operation's matter. Loops load `ui8` and reinterpret it as `i8`; here
    the elements of every buffer of `ui8` become `i8`, in place, and the reinterpretations go. No bit changes.

    Before:

    ```mlir
    %a = loop.load %x[%i] : memref<4xui8>
    %b = builtin.unrealized_conversion_cast %a : ui8 to i8
    %c = arith.extui %b : i8 to i32
    ```

    After:

    ```mlir
    %a = loop.load %x[%i] : memref<4xi8>
    %c = arith.extui %a : i8 to i32
    ```
  }];
}

def ConvertBoolBuffers : Pass<"convert-bool-buffers", "::mlir::ModuleOp"> {
  let summary = "a bool is a byte in memory";
  let description = [{
    Vectors of `i1` are packed into bits in memory, numbers of `i1` are not. Buffers of bools therefore hold bytes, 0 or 1:
    every `memref` of `i1` becomes one of `i8`; what is loaded is true unless it is 0, for others may have stored the bytes, what is stored is extended.

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
      %b = arith.cmpi ne, %a, %zero : i8
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
    that uses them or a view of them. What is returned is the caller's; where one of several buffers is, the others are freed in front of
    the return. What each branch of an `scf.if` or `scf.index_switch` allocates and gives is freed behind the last use of the result.

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

def ReshapeDestinations : Pass<"reshape-destinations"> {
  let summary = "what is reshaped on its way into a buffer is computed into the buffer in its own shape";
  let description = [{
    Bufferization computes a value in the buffer that it is put into, but not through a reshape in between, which would end in a
    copy. A buffer without gaps is reshaped in the place of the value. Sizes are numbers.

    A `tensor.cast` to a type that says more of sizes becomes a `tensor.extract_slice`: what is computed is not put into a buffer of
    sizes that are only asserted later.

    Before:

    ```mlir
    %m = tensor.collapse_shape %v [[0, 1], [2]] : tensor<8x128x64xf32> into tensor<1024x64xf32>
    bufferization.materialize_in_destination %m in restrict writable %b : (tensor<1024x64xf32>, memref<1024x64xf32>) -> ()
    ```

    After:

    ```mlir
    %e = memref.expand_shape %b [[0, 1], [2]] output_shape [8, 128, 64] : memref<1024x64xf32> into memref<8x128x64xf32>
    bufferization.materialize_in_destination %v in restrict writable %e : (tensor<8x128x64xf32>, memref<8x128x64xf32>) -> ()
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def ElideCopies : Pass<"elide-copies"> {
  let summary = "what is computed into a buffer and then copied to its place is computed there";
  let description = [{
    A boundary lets a value wait in a buffer of its own until everything is read. Where nothing from the first use of the buffer to the
    copy touches the target, the target takes the place of the buffer. So it does where the first use is a `loop.pointwise` that reads,
    at each point, only the element of the target that the point writes.

    The attribute `graph.disjoint` of the copy states that the target shares no memory with arguments that it is no view of.

    Before:

    ```mlir
    %rows = memref.reinterpret_cast %x to offset: [8], sizes: [2, 8], strides: [8, 1] : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1], offset: 8>>
    %alloc = memref.alloc() : memref<2x8xf32>
    loop.pointwise (%i = 2, %j = 8) into %alloc {
      %0 = loop.load %x[%i + 1, %j] : memref<4x8xf32>
      %1 = arith.addf %0, %0 : f32
      loop.yield %1 : f32
    } : memref<2x8xf32>
    memref.copy %alloc, %rows : memref<2x8xf32> to memref<2x8xf32, strided<[8, 1], offset: 8>>
    ```

    After:

    ```mlir
    %rows = memref.reinterpret_cast %x to offset: [8], sizes: [2, 8], strides: [8, 1] : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1], offset: 8>>
    loop.pointwise (%i = 2, %j = 8) into %rows {
      %0 = loop.load %x[%i + 1, %j] : memref<4x8xf32>
      %1 = arith.addf %0, %0 : f32
      loop.yield %1 : f32
    } : memref<2x8xf32, strided<[8, 1], offset: 8>>
    ```
  }];
}

def ConvertCopyToLoop : Pass<"convert-copy-to-loop"> {
  let summary = "a copy of a buffer is computed like anything else";
  let description = [{
    A `memref.copy` becomes a loop operation, and so a kernel with vectors and threads; the upstream lowering of a copy
    between strided buffers moves one element at a time.

    Before:

    ```mlir
    memref.copy %a, %b : memref<4xf32> to memref<4xf32, strided<[2]>>
    ```

    After:

    ```mlir
    loop.pointwise (%i = 4) into %b {
      %e = loop.load %a[%i] : memref<4xf32>
      loop.yield %e : f32
    } : memref<4xf32, strided<[2]>>
    ```
  }];
  let dependentDialects = ["::terrace::loop::LoopDialect"];
}

def CarryInPlace : Pass<"carry-in-place", "::mlir::ModuleOp"> {
  let summary = "what a loop carries from round to round stays in one buffer";
  let description = [{
    One-shot bufferization takes loops that yield the buffer that they were given. A tensor that a round of `scf.for` or `scf.while`
    computes elsewhere is put back into the one that came in; tensors that change places, or come from outside, are copied first.
    Where it was computed in place nothing is left of this after bufferization. A `scf.while` whose condition passes on other
    tensors than came in carries both.

    Branches that give tensors from different places (an argument, a new one) give a new one each: what is not new is copied there.

    Before:

    ```mlir
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
      scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
    }
    ```

    After:

    ```mlir
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = bufferization.alloc_tensor() copy(%b) : tensor<4xf32>
      %1 = bufferization.alloc_tensor() copy(%a) : tensor<4xf32>
      %2 = bufferization.materialize_in_destination %0 in %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %3 = bufferization.materialize_in_destination %1 in %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      scf.yield %2, %3 : tensor<4xf32>, tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["bufferization::BufferizationDialect", "tensor::TensorDialect", "arith::ArithDialect"];
}

def ProtectArguments : Pass<"protect-arguments", "::mlir::ModuleOp"> {
  let summary = "a tensor that a caller passes by value is not written";
  let description = [{
    One-shot bufferization takes the arguments of functions for writable. For a public function they are the caller's
    memory, and a builtin tensor is a value: its arguments are marked, as writable where they are donated
    (`functional.donated`). An argument that says `bufferization.writable` itself stays as it is, and so does a private function, whose
    callers bufferization sees. The facts of the functional dialect at arguments and results are spent afterwards.

    Before:

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32>
    ```

    After:

    ```mlir
    func.func @f(%x: tensor<4xf32> {bufferization.writable = false}) -> tensor<4xf32>
    ```

    A value may be computed in the memory that it is written to in the end; upstream's `eliminate-empty-tensors` begins it there. Where
    another value may come to lie there as well, and is used after that, `writable` is taken from the `bufferization.to_tensor`:
    ```mlir
    %t = bufferization.to_tensor %b restrict writable : memref<4xf32> to tensor<4xf32>
    %a = loop.pointwise (%i = 4) into %t { ... }
    %c = loop.scatter (%i = 2) into %a { ... }
    %d = loop.scatter (%i = 2) into %a { ... }
    bufferization.materialize_in_destination %c in writable %b
    bufferization.materialize_in_destination %d in restrict writable %o
    ```
  }];
  let dependentDialects = ["bufferization::BufferizationDialect"];
}

#endif
