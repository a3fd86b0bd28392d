//===- terrace-c/Passes.h - A function for each pass --------------------------------------------------------------===//
//
// Made from passes/td and lowering/td by `./x docs`.
//
// Each function makes a pass with its options as they are where nobody gives them; the pass manager that it
// is added to owns it. With options a pass is written as text, `loop-split-reduction{pieces=8}`, which
// mlirOpPassManagerAddPipeline takes once terraceRegisterPasses has made the passes known. docs/passes says
// of each what it does, and which options it has.
//
//   MlirPassManager manager = mlirPassManagerCreate(context);
//   MlirOpPassManager functions = mlirPassManagerGetNestedUnder(manager, mlirStringRefCreateFromCString("func.func"));
//   mlirOpPassManagerAddOwnedPass(functions, terraceCreateConvertLinalgToLoop());
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_C_PASSES_H
#define TERRACE_C_PASSES_H

#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

// convert-functional-to-loop, on func.func.
// lower functional operators to loop operations on tensors
MlirPass terraceCreateConvertFunctionalToLoop(void);

// convert-loop-to-kernel, on module.
// From what each element is to tile programs and where they run
MlirPass terraceCreateConvertLoopToKernel(void);

// functional-decompose, on any operation.
// spell compound operators by the core of the functional dialect
MlirPass terraceCreateFunctionalDecompose(void);

// functional-grow-concatenations, on any operation.
// concatenations that grow share one tensor
MlirPass terraceCreateFunctionalGrowConcatenations(void);

// functional-partition, on module.
// split a joint forward and backward graph into the two, saving few bytes between them
MlirPass terraceCreateFunctionalPartition(void);

// functional-reinplace, on module.
// a value that nobody reads any more gives its memory to the next one
MlirPass terraceCreateFunctionalReinplace(void);

// functional-verify-contiguous, on module.
// prove that every builtin tensor is dense and contiguous, or say which one is not
MlirPass terraceCreateFunctionalVerifyContiguous(void);

// functional-view-to-copy, on module.
// every view becomes its copy: all tensors are dense and contiguous
MlirPass terraceCreateFunctionalViewToCopy(void);

// functional-widen, on any operation.
// compute half precision in f32 and u8 in i32
MlirPass terraceCreateFunctionalWiden(void);

// graph-deferred-init, on module.
// make of a function that builds parameters one that only says what they are, and one for each that builds it alone
MlirPass terraceCreateGraphDeferredInit(void);

// graph-functionalize, on module.
// split functions on storages into a pure core on values and a boundary
MlirPass terraceCreateGraphFunctionalize(void);

// graph-propagate-fake, on module.
// say what every tensor is, without computing it
MlirPass terraceCreateGraphPropagateFake(void);

// graph-resolve-views, on func.func.
// turn what is a view or a copy into one of them, and what is made of views and copies into these
MlirPass terraceCreateGraphResolveViews(void);

// graph-specialize-aliases, on module.
// guard that what is written shares no memory with the rest
MlirPass terraceCreateGraphSpecializeAliases(void);

// graph-structure, on module.
// inline calls on graph tensors, and make branches operations of scf
MlirPass terraceCreateGraphStructure(void);

// kernel-collect-launches, on module.
// launches that do not depend on each other stand in one kernel.concurrent
MlirPass terraceCreateKernelCollectLaunches(void);

// kernel-defer-assertions, on module.
// What kernels have checked comes to the host once, at the end of a function
MlirPass terraceCreateKernelDeferAssertions(void);

// kernel-expand-templates, on module.
// templates become tile programs
MlirPass terraceCreateKernelExpandTemplates(void);

// kernel-hoist-launches, on module.
// what launches compute alike in each round of a loop is computed once, in front of it
MlirPass terraceCreateKernelHoistLaunches(void);

// kernel-pair-products, on module.
// sums of products of bf16 take two products at once
MlirPass terraceCreateKernelPairProducts(void);

// kernel-schedule-templates, on any operation.
// how templates are computed, where nobody has said it
MlirPass terraceCreateKernelScheduleTemplates(void);

// loop-collapse, on any operation.
// dimensions that are run through together are one, of domains and of buffers; a window that is filled is a view
MlirPass terraceCreateLoopCollapse(void);

// loop-elide-roundings, on any operation.
// what a narrow float holds already is not rounded to it
MlirPass terraceCreateLoopElideRoundings(void);

// loop-fill-slices, on any operation.
// a scatter into a slice of its destination is pointwise in the slice
MlirPass terraceCreateLoopFillSlices(void);

// loop-fuse, on any operation.
// puts loop operations that can run together into groups: one kernel each
MlirPass terraceCreateLoopFuse(void);

// loop-inline-producers, on any operation.
// computes elements where they are read instead of storing them first
MlirPass terraceCreateLoopInlineProducers(void);

// loop-narrow-tensors, on any operation.
// keeps a tensor of a narrow float's numbers in that type
MlirPass terraceCreateLoopNarrowTensors(void);

// loop-reorder, on any operation.
// sets the order in which loop operations run through their domains
MlirPass terraceCreateLoopReorder(void);

// loop-reuse-destinations, on any operation.
// an element-by-element operation may write over what it reads
MlirPass terraceCreateLoopReuseDestinations(void);

// loop-split-domain, on any operation.
// what is computed of joined tensors is computed part by part
MlirPass terraceCreateLoopSplitDomain(void);

// loop-split-reduction, on any operation.
// a long reduction to few elements becomes one of blocks, and one of their results
MlirPass terraceCreateLoopSplitReduction(void);

// loop-split-scan, on any operation.
// a long scan of few rows becomes scans of blocks, which run at the same time
MlirPass terraceCreateLoopSplitScan(void);

// loop-tile, on any operation.
// sets how many points of a domain are one grid point's
MlirPass terraceCreateLoopTile(void);

// add-call-context, on module.
// Functions of the LLVM dialect take the context of the call, and leave at its first error
MlirPass terraceCreateAddCallContext(void);

// carry-in-place, on module.
// what a loop carries from round to round stays in one buffer
MlirPass terraceCreateCarryInPlace(void);

// convert-affine-to-loop, on any operation.
// From nests of affine loops to loop operations, where their order means nothing
MlirPass terraceCreateConvertAffineToLoop(void);

// convert-bf16-to-bits, on module.
// bf16 is i16 once nothing computes with it
MlirPass terraceCreateConvertBf16ToBits(void);

// convert-bool-buffers, on module.
// a bool is a byte in memory
MlirPass terraceCreateConvertBoolBuffers(void);

// convert-copy-to-loop, on any operation.
// a copy of a buffer is computed like anything else
MlirPass terraceCreateConvertCopyToLoop(void);

// convert-gpu-launch-to-runtime, on module.
// What a function does with buffers on a GPU becomes calls of the session that runs it
MlirPass terraceCreateConvertGpuLaunchToRuntime(void);

// convert-graph-boundary-to-memref, on module.
// storages become buffers
MlirPass terraceCreateConvertGraphBoundaryToMemref(void);

// convert-kernel-to-nvptx, on module.
// From tile programs to functions for a GPU, and launches of them
MlirPass terraceCreateConvertKernelToNvptx(void);

// convert-kernel-to-x86, on module.
// From tile programs to functions on vectors, and calls of them
MlirPass terraceCreateConvertKernelToX86(void);

// convert-linalg-to-loop, on any operation.
// From linalg operations to loop operations
MlirPass terraceCreateConvertLinalgToLoop(void);

// convert-loop-to-scf, on any operation.
// From loop operations to scf loops over memrefs: the way out
MlirPass terraceCreateConvertLoopToScf(void);

// convert-unsigned-buffers, on module.
// u8 is i8 in memory
MlirPass terraceCreateConvertUnsignedBuffers(void);

// elide-copies, on any operation.
// what is computed into a buffer and then copied to its place is computed there
MlirPass terraceCreateElideCopies(void);

// expand-half-conversions, on any operation.
// integers become half precision by way of f32
MlirPass terraceCreateExpandHalfConversions(void);

// expand-vector-math, on any operation.
// expand f32 math functions to polynomials
MlirPass terraceCreateExpandVectorMath(void);

// kernel-assign-layouts, on module.
// Says how the tiles of a kernel lie in the threads of a block
MlirPass terraceCreateKernelAssignLayouts(void);

// merge-interfaces, on module.
// the C interface of an entry point gets its body
MlirPass terraceCreateMergeInterfaces(void);

// pack-allocations, on any operation.
// buffers that a block allocates and frees become parts of one
MlirPass terraceCreatePackAllocations(void);

// place-deallocations, on any operation.
// a buffer is freed after its last use
MlirPass terraceCreatePlaceDeallocations(void);

// protect-arguments, on module.
// a tensor that a caller passes by value is not written
MlirPass terraceCreateProtectArguments(void);

// reshape-destinations, on any operation.
// what is reshaped on its way into a buffer is computed into the buffer in its own shape
MlirPass terraceCreateReshapeDestinations(void);

// separate-destinations, on any operation.
// few operations share an empty tensor
MlirPass terraceCreateSeparateDestinations(void);

// verify-inputs, on any operation.
// an operation that has no way into loops is an error before anything changes
MlirPass terraceCreateVerifyInputs(void);

// verify-level, on any operation.
// no operation of a level above is left
MlirPass terraceCreateVerifyLevel(void);

#ifdef __cplusplus
}
#endif

#endif // TERRACE_C_PASSES_H
