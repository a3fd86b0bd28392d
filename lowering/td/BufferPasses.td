//===- BufferPasses.td - buffers and what surrounds bufferization -------------------------------------------------===//
//
// The boundary of the eager data model, where results and intermediate values lie, element types that memory has not, the context of a call.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_LOWERING_BUFFER_PASSES
#define TERRACE_LOWERING_BUFFER_PASSES

include "mlir/Pass/PassBase.td"

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

def PackAllocations : Pass<"pack-allocations"> {
  let summary = "buffers that a block allocates and frees become parts of one";
  let description = [{
    A program of a thousand operations allocates a thousand buffers: as many calls that can fail, and as many addresses that are alive
    until they are freed. Where sizes are numbers, places in one buffer are known when the program is compiled. What is allocated and
    freed in one block becomes a `memref.view` of it; a place is free again from the `memref.dealloc` of what was there. A buffer goes
    into the smallest gap that holds it. Results, and buffers whose sizes are known when the program runs, stay alone.

    Stands behind what takes for granted that two allocations are disjoint.

    Before:

    ```mlir
    %a = memref.alloc() : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    call @f(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
    memref.dealloc %a : memref<16xf32>
    %c = memref.alloc() : memref<8xf32>
    call @g(%b, %c) : (memref<16xf32>, memref<8xf32>) -> ()
    memref.dealloc %b : memref<16xf32>
    memref.dealloc %c : memref<8xf32>
    ```

    After:

    ```mlir
    %pool = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
    %c0 = arith.constant 0 : index
    %a = memref.view %pool[%c0][] : memref<128xi8> to memref<16xf32>
    %c64 = arith.constant 64 : index
    %b = memref.view %pool[%c64][] : memref<128xi8> to memref<16xf32>
    call @f(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
    %c0_0 = arith.constant 0 : index
    %c = memref.view %pool[%c0_0][] : memref<128xi8> to memref<8xf32>
    call @g(%b, %c) : (memref<16xf32>, memref<8xf32>) -> ()
    memref.dealloc %pool : memref<128xi8>
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "memref::MemRefDialect"];
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

def SeparateDestinations : Pass<"separate-destinations"> {
  let summary = "few operations share an empty tensor";
  let description = [{
    `cse` makes one `tensor.empty` of all of a type, and `one-shot-bufferize` compares each two operations that write into one tensor: with a
    thousand of them its time grows with their square. What is in an empty tensor nobody reads, so that others may have another one. Sixteen
    neighbours keep theirs, for one may then write where the value of another was.

    Before:

    ```mlir
    %e = tensor.empty() : tensor<4xf32>
    %1 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    ...
    %17 = linalg.exp ins(%16 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    ```

    After:

    ```mlir
    %e = tensor.empty() : tensor<4xf32>
    %f = tensor.empty() : tensor<4xf32>
    %1 = linalg.exp ins(%x : tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
    ...
    %17 = linalg.exp ins(%16 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let dependentDialects = ["tensor::TensorDialect"];
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

#endif // TERRACE_LOWERING_BUFFER_PASSES
