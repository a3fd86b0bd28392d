//===- LoopConversionPasses.td - from upstream's loops into the loop dialect, and out of it ----------------------------===//

#ifndef TERRACE_LOOP_WAYS_PASSES
#define TERRACE_LOOP_WAYS_PASSES

include "mlir/Pass/PassBase.td"

def ConvertLinalgToLoop : Pass<"convert-linalg-to-loop"> {
  let summary = "From linalg operations to loop operations";
  let description = [{
    A `linalg.generic` has a domain, affine maps of its operands and a scalar body: what a loop operation is. Maps become the
    expressions of `loop.load`, so that what a map permutes, broadcasts, strides or adds up to a window needs no operation of
    its own. Named operations, `linalg.matmul`, `linalg.conv_2d_nhwc_hwcf`, `linalg.fill`, `linalg.reduce`, ..., are made general
    first. On tensors and on memrefs; sizes that are not static are read where they stand.

    Parallel dimensions only: `loop.pointwise`, over the dimensions of the destination. Several results on memrefs are one
    `loop.group`. With dimensions of reduction the body has to combine what the destination has with a value that does not
    depend on it, by addition, product, maximum, minimum, `and` or `or`: `loop.reduction`, and then what the
    destination had is combined with its result; not where it is known to be filled with what changes nothing. On memrefs
    that is a `loop.group` whose points read the element that they write.

    ```mlir
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
    %r = linalg.matmul ins(%a, %b : tensor<4x5xf32>, tensor<5x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
    ```
    becomes
    ```mlir
    %e = tensor.empty() : tensor<4x6xf32>
    %r = loop.reduction add (%i = 4, %j = 6) over (%k = 5) into %e {
      %x = loop.load %a[%i, %k] : tensor<4x5xf32>
      %y = loop.load %b[%k, %j] : tensor<5x6xf32>
      %p = arith.mulf %x, %y : f32
      loop.yield %p : f32
    } : tensor<4x6xf32>
    ```

    What has no such form stays as it is, with a remark that says why: a body that is no combination, elements that several
    points write, operations with regions in a body, memrefs that overlap such that a point may read what another one
    writes. The order of points means nothing in linalg; memrefs that come from different places are taken to be apart.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect",
    "::terrace::loop::LoopDialect"
  ];
}

def ConvertAffineToLoop : Pass<"convert-affine-to-loop"> {
  let summary = "From nests of affine loops to loop operations, where their order means nothing";
  let description = [{
    A nest of `affine.for` says in which order elements are computed; a loop operation does not. The nest is taken apart into its
    stores, each with the loops around it and with what computes its value, and each store becomes one operation: a
    `loop.pointwise` or `loop.scatter`, or, where it combines into an element that some of the loops do not move, or a loop
    with `iter_args` combines, a `loop.group` around a `loop.reduction`. A store under an `affine.if` writes the old value
    where the condition does not hold.

    ```mlir
    affine.for %i = 0 to 4 {
      affine.store %zero, %y[%i] : memref<4xf32>
      affine.for %j = 0 to 8 {
        %a = affine.load %x[%i, %j] : memref<4x8xf32>
        %s = affine.load %y[%i] : memref<4xf32>
        %t = arith.addf %s, %a fastmath<reassoc> : f32
        affine.store %t, %y[%i] : memref<4xf32>
      }
    }
    ```
    becomes
    ```mlir
    loop.pointwise (%i = 4) into %y {
      loop.yield %zero : f32
    } : memref<4xf32>
    loop.group (%i = 4) into (%y as %p : memref<4xf32>) {
      %r = loop.reduction add over (%j = 8) {
        %a = loop.load %x[%i, %j] : memref<4x8xf32>
        loop.yield %a : f32
      } : f32
      %s = loop.load %y[%i] : memref<4xf32>
      %t = arith.addf %s, %r : f32
      loop.in_parallel {
        loop.insert %t into %p at [%i] : f32 into memref<4xf32>
      }
    }
    ```

    It is done where a dependence analysis proves that no value changes: no two points of a store touch one element unless
    both only read, and taking stores apart turns no order around. Elements are compared by their subscripts, and by
    their addresses where memrefs are views (`memref.subview`, `reinterpret_cast`, `cast`, `transpose`, `expand_shape`,
    `collapse_shape`) of one memory. Memrefs are apart that were allocated apart, are different globals, or results of one
    `memref.distinct_objects`, and with `distinct-arguments` different arguments of a function. Anything else may be the same
    memory. What is not proven stays as it is, with a remark, and the loops inside are looked at next.

    With `version-aliases` a test at run time says whether arguments that may be the same memory are. Nests that follow each
    other stand under one test:
    ```mlir
    scf.if %apart {
      %x1, %y1 = memref.distinct_objects %x, %y : memref<8xf32>, memref<8xf32>
      loop.pointwise (%i = 8) into %y1 { ... }
    } else {
      affine.for %i = 0 to 8 { ... }
    }
    ```

    Loops that were tiled are read as what they were before: tiles are decided later on. Bounds may be the largest or least of
    several that are computed outside of the nest. `affine.parallel` says that its rounds have nothing to do with each other, and
    that what it reduces has no order.

    A reduction may be combined in any order. So a sum or product of floats is one where it says `fastmath<reassoc>`,
    or with `reassociate-floats`; maxima, minima and integers are one anyway.
  }];
  let options = [
    Option<"distinctArguments", "distinct-arguments", "bool", /*default=*/"false",
           "Arguments of a function are memory apart from each other">,
    Option<"versionAliases", "version-aliases", "bool", /*default=*/"false",
           "Where arguments of a function may be the same memory: a test at run time, with loop operations where they are not">,
    Option<"reassociateFloats", "reassociate-floats", "bool", /*default=*/"false",
           "Sums and products of floats may be combined in another order, whatever their fastmath flags say">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::terrace::loop::LoopDialect"
  ];
}

def ConvertLoopToSCF : Pass<"convert-loop-to-scf"> {
  let summary = "From loop operations to scf loops over memrefs: the way out";
  let description = [{
    For those who want what happens at the loop level, fusion above all, and their own code generation after it: every loop
    operation on memrefs becomes `scf.parallel` and `scf.for` with `memref.load` and `memref.store`, and expressions of indices
    `affine.apply`. Sizes may be known at run time only. Upstream's lowering takes it from there (`lower-affine`,
    `convert-scf-to-cf`, ...); so does `async`, `openmp` or `gpu`.

    ```mlir
    loop.reduction add (%i = 64) over (%j = %n) into %y {
      %a = loop.load %x[%i, %j * 2] : memref<64x?xf32>
      loop.yield %a : f32
    } : memref<64xf32>
    ```
    becomes
    ```mlir
    scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
      %s = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
        %k = affine.apply affine_map<(d0) -> (d0 * 2)>(%j)
        %a = memref.load %x[%i, %k] : memref<64x?xf32>
        %t = arith.addf %acc, %a fastmath<reassoc> : f32
        scf.yield %t : f32
      }
      memref.store %s, %y[%i] : memref<64xf32>
      scf.reduce
    }
    ```

    A scan runs along its dimension with what it has combined so far. A group is one `scf.parallel` over its domain; tensors
    that members give are memory of the point, and what is inserted goes to its destination when the point is done. Points
    that combine into the same elements come one after the other. Tensors must have become memrefs. An operation is refused
    whose points may read what others write.

    `order` and `tile` behind an operation are the order of the loops and their tiles: `order [1, 0] tile [16, 8]` is an
    `scf.parallel` over tiles of both dimensions, the second outside, around two `scf.for`. The inner domain of a reduction stays inside.

    Where the terms of neighbouring sums lie side by side, as in a sum of columns or a product of matrices, up to 8,192 sums go on by
    one term each before the next one. Other sums may be combined in any order, which `fastmath<reassoc>` says.
    ```mlir
    loop.reduction add (%j = 512) over (%i = 64) into %y {
      %a = loop.load %x[%i, %j] : memref<64x512xf32>
      loop.yield %a : f32
    } : memref<512xf32>
    ```
    becomes
    ```mlir
    %sums = memref.alloc() : memref<512xf32>
    scf.for %j = %c0 to %c512 step %c1 { ... %zero, %sums[%j] }
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c512 step %c1 {
        %a = memref.load %x[%i, %j] : memref<64x512xf32>
        %s = memref.load %sums[%j] : memref<512xf32>
        %t = arith.addf %s, %a : f32
        memref.store %t, %sums[%j] : memref<512xf32>
      }
    }
    scf.for %j = %c0 to %c512 step %c1 { ... %sums[%j], %y[%j] }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def VerifyInputs : Pass<"verify-inputs"> {
  let summary = "an operation that has no way into loops is an error before anything changes";
  let description = [{
    Pipelines begin on it. Else the error comes late: from a pass in the middle, about an operation that nobody wrote. It
    knows what neither upstream's passes nor ours take in.

    ```mlir
    func.func @f(%x: tensor<4x4xf32>, %at: tensor<3x1xindex>) -> tensor<3x4xf32> {
      // error: 'tensor.gather' op has no form in loops: expects a 'linalg.generic' that reads by 'tensor.extract'
      %0 = tensor.gather %x[%at] gather_dims([0]) : (tensor<4x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
      return %0 : tensor<3x4xf32>
    }
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

def VerifyLevel : Pass<"verify-level"> {
  let summary = "no operation of a level above is left";
  let description = [{
    Each named pipeline ends on it. What no pass has a form for stays where it is, for passes convert what they know; here it
    is an error at its location.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      // error: 'functional.exp' op has no way down from here: expects no operation of functional
      %0 = functional.exp %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let options = [
    Option<"above", "above", "std::string", "\"\"", "Dialects of the levels above, with blanks between">,
    Option<"except", "except", "std::string", "\"\"", "Operations of theirs that may be left, with blanks between">
  ];
}

#endif
