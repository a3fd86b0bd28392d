//===- Random.td - draws from a generator -------------------------------------------------------------------------===//
//
// A draw is Philox4x32-10 of the generator's seed, the number of the operation among those that drew from it, and the number of the
// element: one definition on every target. Operations that draw read and write the generator, so their order stays.

def Graph_Generator : Resource<"::terrace::GeneratorResource">;
defvar draws = [MemoryEffects<[MemRead<Graph_Generator>, MemWrite<Graph_Generator>]>];

class Graph_RandomOp<string mnemonic, string rule, dag args, string format = defaultFormat> : Graph_Op<mnemonic, rule, draws> {
  let arguments = args;
  let results = (outs Allocates<Graph_Tensor>:$result);
  let assemblyFormat = format;
}
defvar sizedFormat = "custom<DynamicIndexList>($dynamic_size, $size) attr-dict";
def Graph_RandOp  : Graph_RandomOp<"rand", "random", !con(Ints<"size">.args, kindArgs), sizedFormat>;
def Graph_RandnOp : Graph_RandomOp<"randn", "random", !con(Ints<"size">.args, kindArgs), sizedFormat>;
// Without `dtype` i64; from `low`, or 0, to without `high`.
def Graph_RandintOp    : Graph_RandomOp<"randint", "random_integers",
    !con((ins I64Attr:$high), Ints<"size">.args, kindArgs), sizedFormat>;
def Graph_RandintLowOp : Graph_RandomOp<"randint.low", "random_integers",
    !con((ins I64Attr:$low, I64Attr:$high), Ints<"size">.args, kindArgs), sizedFormat>;
def Graph_RandpermOp   : Graph_RandomOp<"randperm", "randperm", !con((ins I64Attr:$n), kindArgs), "attr-dict">;

class Graph_RandomLikeOp<string mnemonic, string rule, dag numbers = (ins)> : Graph_RandomOp<mnemonic, rule,
    !con((ins Graph_Tensor:$self), numbers, kindArgs, (ins OptionalAttr<StrAttr>:$memory_format))> {
  let strides = "Like";
}
def Graph_RandLikeOp     : Graph_RandomLikeOp<"rand_like", "random_like">;
def Graph_RandnLikeOp    : Graph_RandomLikeOp<"randn_like", "random_like">;
def Graph_RandintLikeOp  : Graph_RandomLikeOp<"randint_like", "random_integers_like", (ins I64Attr:$high)>;
def Graph_RandintLikeLowOp : Graph_RandomLikeOp<"randint_like.low_dtype", "random_integers_like", (ins I64Attr:$low, I64Attr:$high)>;

// One with the probability that each element is, or `p`; else 0.
def Graph_BernoulliOp  : Graph_RandomOp<"bernoulli", "bernoulli", (ins Reads<Graph_Tensor>:$self)>;
def Graph_BernoulliPOp : Graph_RandomOp<"bernoulli.p", "bernoulli", (ins Reads<Graph_Tensor>:$self, F64Attr:$p)>;
// Row numbers, as likely as the row's elements say.
def Graph_MultinomialOp : Graph_RandomOp<"multinomial", "multinomial",
    (ins Reads<Graph_Tensor>:$self, I64Attr:$num_samples, DefaultValuedAttr<BoolAttr, "false">:$replacement)>;
let overloads = ["float"] in
def Graph_Bernoulli_Op : Graph_InPlaceOp<"bernoulli_", "bernoulli_in_place",
    (ins Overwrites<Graph_Tensor>:$self, DefaultValuedAttr<F64Attr, "0.5">:$p), defaultFormat, draws>;
def Graph_Uniform_Op   : Graph_InPlaceOp<"uniform_", "uniform_in_place",
    (ins Overwrites<Graph_Tensor>:$self, DefaultValuedAttr<F64Attr, "0.0">:$from, DefaultValuedAttr<F64Attr, "1.0">:$to),
    defaultFormat, draws>;
def Graph_Normal_Op    : Graph_InPlaceOp<"normal_", "normal_in_place",
    (ins Overwrites<Graph_Tensor>:$self, DefaultValuedAttr<F64Attr, "0.0">:$mean, DefaultValuedAttr<F64Attr, "1.0">:$std),
    defaultFormat, draws>;

// Each element is 0 with the probability `p`, the others are scaled; without `train` nothing happens.
let aliases = 0 in
def Graph_DropoutOp  : Graph_AliasOrCopyOp<"dropout", "dropout", (ins Graph_Tensor:$input, F64Attr:$p, BoolAttr:$train)>;
def Graph_Dropout_Op : Graph_InPlaceOp<"dropout_", "dropout", (ins Writes<Graph_Tensor>:$self, F64Attr:$p, BoolAttr:$train),
                                       defaultFormat, draws>;
let strides = "Like" in
def Graph_NativeDropoutOp : Graph_Op<"native_dropout", "native_dropout", draws> {
  let summary = "`dropout`, and where elements were kept";
  let description = [{
    The mask holds truth values. Of a type without elements it is of the operand's dtype, as in eager; of a tensor whose sizes are open it
    stays one of truth values where the sizes turn out to be 0.
  }];
  let arguments = (ins Reads<Graph_Tensor>:$input, F64Attr:$p, OptionalAttr<BoolAttr>:$train);
  let results = (outs Allocates<Graph_Tensor>:$result, Allocates<Graph_Tensor>:$mask);
}

//===- The state of the generator -------------------------------------------------------------------------------===//

// ATen has no such operators.
let overloads = []<string> in {
def Graph_GeneratorStateOp : TerraceOp<Graph_Dialect, "generator_state", "", [MemoryEffects<[MemRead<Graph_Generator>]>]> {
  let role = "Boundary";
  let summary = "the seed of the generator, and how many operations have drawn from it since";
  let results = (outs I64:$seed, I64:$drawn);
  let assemblyFormat = "attr-dict";
}
def Graph_SetGeneratorStateOp : TerraceOp<Graph_Dialect, "set_generator_state", "", [MemoryEffects<[MemWrite<Graph_Generator>]>]> {
  let role = "Boundary";
  let summary = "makes the generator go on from a state that `graph.generator_state` gave";
  let arguments = (ins I64:$seed, I64:$drawn);
  let assemblyFormat = "$seed `,` $drawn attr-dict";
}
def Graph_SkipDrawsOp : TerraceOp<Graph_Dialect, "skip_draws", "", !listconcat([RustVerify], draws)> {
  let summary = "makes the generator go on as if so many operations had drawn from it";
  let description = [{
    ```mlir
    graph.skip_draws 3
    %w = graph.normal_ %empty : !graph.tensor<4xf32>        // draws what the fourth operation would have drawn
    ```
  }];
  let arguments = (ins I64Attr:$count);
  let assemblyFormat = "$count attr-dict";
}

//===- Draws as values -------------------------------------------------------------------------------------------===//

// A state is the numbers of `graph.generator_state`, `tensor<2xi64>`. A draw is a value of it; the state after it is `functional.skip_draws`.
class Functional_DrawOp<string mnemonic, string what, dag attrs = (ins)>
    : TerraceOp<Functional_Dialect, mnemonic, "", [Pure, RustVerify]> {
  let summary = what;
  let arguments = !con((ins Terrace_Tensor:$state), attrs, (ins Variadic<I64>:$dynamic_size));
  let results = (outs Terrace_Tensor:$result);
  let assemblyFormat = "$state (`size` `(` $dynamic_size^ `)`)? attr-dict `:` type($state) `to` type($result)";
}
let elements = "ByDtype" in {
def Functional_RandomUniformOp : Functional_DrawOp<"random_uniform",
    "numbers from `from` to without `to`, as likely as each other", (ins F64Attr:$from, F64Attr:$to)>;
def Functional_RandomNormalOp  : Functional_DrawOp<"random_normal",
    "normal numbers of a mean and a standard deviation", (ins F64Attr:$mean, F64Attr:$std)>;
def Functional_RandomIntegersOp : Functional_DrawOp<"random_integers",
    "integers from `low` to without `high`, as likely as each other", (ins I64Attr:$low, I64Attr:$high)>;
def Functional_RandpermOp : Functional_DrawOp<"randperm", "the numbers below the size of the result, in random order">;
}
def Functional_BernoulliOp : Functional_Op<"bernoulli", "bernoulli", [RustVerify]> {
  let summary = "one with the probability that each element is, else 0";
  let arguments = (ins Terrace_Tensor:$self, Terrace_Tensor:$state);
  let results = (outs Terrace_Tensor:$result);
}
def Functional_MultinomialOp : Functional_Op<"multinomial", "multinomial", [RustVerify]> {
  let summary = "row numbers, as likely as the row's elements say";
  let arguments = (ins Terrace_Tensor:$self, Terrace_Tensor:$state, I64Attr:$num_samples, DefaultValuedAttr<BoolAttr, "false">:$replacement);
  let results = (outs Terrace_Tensor:$result);
}
let strides = "Like" in
def Functional_SkipDrawsOp : Functional_Op<"skip_draws", "same", [RustVerify]> {
  let summary = "the state of a generator after so many more operations have drawn from it";
  let description = [{
    ```mlir
    %x = functional.random_uniform %state {from = 0.0 : f64, to = 1.0 : f64} : tensor<2xi64> to tensor<4x8xf32>
    %next = functional.skip_draws %state {count = 1 : i64} : tensor<2xi64>
    ```
  }];
  let arguments = (ins Terrace_Tensor:$state, I64Attr:$count);
  let results = (outs Terrace_Tensor:$result);
}
}
