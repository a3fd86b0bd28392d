//===- Recurrent.td - recurrent networks over whole sequences ---------------------------------------------------===//
//
// An input is [T, B, features], with `batch_first` [B, T, features]. Packed sequences of several lengths are [N, features]: the steps
// one after another, of which `batch_sizes` [T] says how many sequences they are of, the longest first. `params` has for each layer
// and direction weights of input and state and, with `has_biases`, their biases.

defvar recurrentAttrs = (ins BoolAttr:$has_biases, I64Attr:$num_layers, F64Attr:$dropout, BoolAttr:$train,
                             BoolAttr:$bidirectional);
class Graph_RecurrentOp<string mnemonic, string rule, dag input, dag states, dag attrs, dag after, string format,
                        list<Trait> traits = []> : Graph_Op<mnemonic, rule, traits> {
  let arguments = !con(input, states, (ins ReadsVariadic<Graph_Tensor>:$params), recurrentAttrs, attrs);
  let results = !con((outs Allocates<Graph_Tensor>:$output), after);
  let assemblyFormat = format;
}
multiclass Recurrent<string name, dag states, dag after, list<Trait> traits = []> {
  let strides = "Recurrent" in
  def Graph_#name#InputOp : Graph_RecurrentOp<name # ".input", "recurrent", (ins Reads<Graph_Tensor>:$input), states,
      (ins BoolAttr:$batch_first), after, [{
    $input `state` $hx `params` $params attr-dict `:` type($input) `state` type($hx) `params` type($params)
  }], traits>;
  let devices = ["There", "Host", "There"] in
  def Graph_#name#DataOp : Graph_RecurrentOp<name # ".data", "recurrent_packed",
      (ins Reads<Graph_Tensor>:$data, Reads<Graph_Tensor>:$batch_sizes), states, (ins), after, [{
    $data `,` $batch_sizes `state` $hx `params` $params attr-dict
    `:` type($data) `,` type($batch_sizes) `state` type($hx) `params` type($params)
  }], traits>;
}
// Two states: what is passed on as the output, and the cell.
defm "" : Recurrent<"lstm", (ins ReadsVariadic<Graph_Tensor>:$hx),
    (outs Allocates<Graph_Tensor>:$h, Allocates<Graph_Tensor>:$c), [AttrSizedOperandSegments]>;
foreach name = ["gru", "rnn_tanh", "rnn_relu"] in
defm "" : Recurrent<name, (ins Reads<Graph_Tensor>:$hx), (outs Allocates<Graph_Tensor>:$h)>;
