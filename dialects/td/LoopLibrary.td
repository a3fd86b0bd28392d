//===- LoopLibrary.td - what the runtime does, and no kernel ----------------------------------------------------===//
//
// Orders, counts and transforms have no form in which each element is computed alone. They are operations of loop that
// take whole tensors or memrefs and write whole destinations; on a CPU each is a call of a function of the runtime.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_LOOP_LIBRARY
#define TERRACE_LOOP_LIBRARY

include "Loop.td"

// Destinations are written whole, their old values are not read, and they overlap nothing else.
class Loop_LibraryOp<string mnemonic, dag args, string syntax> : TerraceOp<Loop_Dialect, mnemonic, "", [
    RustVerify, RustEffects, Destinations, DestinationStyleOpInterface]> {
  let arguments = !con(args, (ins Variadic<Loop_Destination>:$inits));
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = syntax # " `into` $inits attr-dict `:` type($input) `into` custom<DestinationTypes>(type($inits), type($results))";
  let extraClassDeclaration = !strconcat("::mlir::MutableOperandRange getDpsInitsMutable() { return getInitsMutable(); }", SizesOfDestinations);
}

def Loop_SortOp : Loop_LibraryOp<"sort",
    (ins UnitAttr:$descending, Loop_Destination:$input, I64Attr:$dim), "(`descending` $descending^)? $input `along` $dim"> {
  let summary = "the elements of each row in order, and where they were";
  let description = [{
    A row is what differs in the index of one dimension alone. The first destination gets its elements in order, the
    second, of i64, the index that each had. A nan is larger than any number. Equal elements keep their order, in a
    `descending` sort too.

    The destinations may be shorter along the dimension: they get the first elements in that order.
    ```mlir
    %values, %places = loop.sort descending %x along 1 into %v, %p
        : tensor<4x1000xf32> into tensor<4x10xf32>, tensor<4x10xi64>
    ```
  }];
}

def Loop_HistogramOp : Loop_LibraryOp<"histogram",
    (ins Loop_Destination:$input, F64:$low, F64:$high), "$input `from` $low `to` $high"> {
  let summary = "how many elements lie in each of equal parts of a range";
  let description = [{
    The parts of the range from `low` to `high` are as many as the destination has elements; the last one has its end
    too. Elements outside of the range, and nan, count nowhere. Where `low` and `high` are equal the range is from the
    least element to the largest, and where these are equal too, one more to either side. Arithmetic rounds as the
    elements' type does.

    A range that is not finite is an error of the run.
    ```mlir
    %counts = loop.histogram %x from %low to %high into %c : tensor<4x1000xf32> into tensor<10xf32>
    ```
  }];
}

def Loop_FftOp : Loop_LibraryOp<"fft",
    (ins UnitAttr:$inverse, Loop_Destination:$input, DenseI64ArrayAttr:$dims, I64Attr:$normalization),
    "(`inverse` $inverse^)? $input `along` $dims `normalization` $normalization"> {
  let summary = "a discrete Fourier transform over some dimensions";
  let description = [{
    Of complex numbers to complex numbers. Of real numbers, whose transform tells one half by the other, the result may
    have only the first `n / 2 + 1` of the last of the dimensions; an `inverse` transform to real numbers takes these,
    and of the last dimension no more. The `normalization` is 0 for none, 1 for a division by the root of the number of
    elements of a transform, 2 by that number.

    Elements are f32 or f64, or complex numbers of these; in a memref a complex number may be a dimension of 2, the last.
    ```mlir
    %y = loop.fft %x along [0, 1] normalization 0 into %y0 : tensor<8x6xf32> into tensor<8x4xcomplex<f32>>
    ```
  }];
}

#endif
