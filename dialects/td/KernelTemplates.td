//===- KernelTemplates.td - kernels that are written by filling in scalar bodies --------------------------------===//
//
// A template stands on the host's side, where a launch stands: it says what is computed, and, in attributes, how; its
// tile program is written by the pass `kernel-expand-templates`.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_KERNEL_TEMPLATES
#define TERRACE_KERNEL_TEMPLATES

include "Kernel.td"

def Kernel_MatmulOp : Kernel_Op<"matmul", "", [
    SingleBlock, RustVerifyRegions, RustEffects, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a product of matrices, its factors and what becomes of it given by scalar bodies";
  let description = [{
    The domain is that of a reduction: batches, if any, then rows and columns, over one inner dimension or more. At each
    point `(.., %m, %n)` it sums over `%k` the left factor's element at `(.., %m, %k)` times the right factor's at
    `(.., %k, %n)`, in the type that they yield, f32 or f64; the order of summation is free. Elements of i32 are words of two of
    bf16, the first one in the lower half: both are multiplied, and added in f32, as by `kernel.dot pairs`. The epilogue makes of the
    sum what is stored; without one it is the sum. `loop.yield %v at [...]` says where it is stored; without a place that
    is the point. Sizes are constants or `index` values.

    ```mlir
    kernel.matmul (%m = 128, %n = 1024) over (%k = 256) into %y lhs {
      %a = loop.load %x[%m, %k] : memref<128x256xf32>
      loop.yield %a : f32
    } rhs {
      %b = loop.load %w[%n, %k] : memref<1024x256xf32>
      loop.yield %b : f32
    } epilogue(%sum: f32) {
      %c = loop.load %bias[%n] : memref<1024xf32>
      %s = arith.addf %sum, %c : f32
      loop.yield %s : f32
    } tile [8, 32] pack [false, true] : memref<128x1024xf32>
    ```

    The bodies are those of loop operations: `arith`, `math` and `loop.load` on scalars. The left factor does not use the
    column, nor the right one the row. Points store to distinct places. The epilogue may load from the destination where
    it stores, and finds there what was before; nothing else that the bodies read overlaps the destination.

    The schedule may be given; what is not is chosen by `kernel-schedule-templates`. `tile` has the rows and columns of
    the sum that are held in registers. `pack` says of the left factor and of the right one whether it is first computed
    into a buffer, in the order in which tiles read it; otherwise its body is computed wherever an element is used.
    `pairs` says that both factors are words of two elements of bf16 that follow each other along the inner dimension, for
    instructions that multiply and add two at once: both bodies yield the `arith.extf` of a bf16, the inner size is a number that
    2 divides, the right factor is packed, and so is the left one if its elements do not lie side by side.

    `dots` says that lanes are along the inner dimension, for few rows: a tile's sums are those of products of rows of both
    factors, of which none is packed. Elements of both, f32 or widened to it, lie side by side along the inner dimension; `pairs`
    of bf16 are those of any number.

    A convolution is a product over several inner dimensions, of which nothing is packed and lanes are along the columns:

    ```mlir
    kernel.matmul (%b = 1, %i = 56, %m = 64, %j = 56) over (%c = 64, %h = 3, %w = 3) into %y lhs {
      %a = loop.load %weight[%m, %c, %h, %w] : memref<64x64x3x3xf32>
      loop.yield %a : f32
    } rhs {
      %b = loop.load %image[%b, %c, (%i + %h) * 58 + %j + %w] : memref<1x64x3364xf32>
      loop.yield %b : f32
    } epilogue(%sum: f32) {
      loop.yield %sum at [%b, %m, %i, %j] : f32
    } tile [8, 32] pack [false, false] span 8 : memref<1x64x56x56xf32>
    ```

    `span` says that so many indices of the last batch dimension are computed together, their columns as one run: eight lines
    of 56 above are 462 elements side by side, of which the sums of 14 are dropped. The left factor does not use that
    dimension; the right one is a load that it moves along the same dimension of the buffer as columns are in, by a number.
  }];
  let arguments = (ins Variadic<Index>:$dynamic_sizes, DenseI64ArrayAttr:$sizes, I64Attr:$reduced, AnyMemRef:$init,
                       OptionalAttr<DenseI64ArrayAttr>:$tile, OptionalAttr<DenseBoolArrayAttr>:$pack, UnitAttr:$pairs, UnitAttr:$dots,
                       OptionalAttr<I64Attr>:$span);
  let regions = (region SizedRegion<1>:$lhs, SizedRegion<1>:$rhs, AnyRegion:$epilogue);
  let assemblyFormat = [{
    custom<Matmul>($dynamic_sizes, $sizes, $reduced, $init, $lhs, $rhs, $epilogue) (`tile` $tile^)? (`pack` $pack^)? (`pairs` $pairs^)?
    (`dots` $dots^)? (`span` $span^)? attr-dict `:` type($init)
  }];
  let extraClassDefinition = [{
    void $cppClass::getAsmBlockArgumentNames(::mlir::Region &region, ::mlir::OpAsmSetValueNameFn setName) {
      ::terrace::nameMatmulIndices(region, getSizes().size(), getReduced(), setName);
    }
  }];
}

#endif
