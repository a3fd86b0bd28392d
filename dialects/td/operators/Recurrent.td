//===- Recurrent.td - recurrent networks over whole sequences ---------------------------------------------------===//
//
// An input is [T, B, features], with `batch_first` [B, T, features]. `params` has for each layer and
// direction weights of input and state and, with `has_biases`, their biases.

defvar recurrentAttrs = (ins BoolAttr:$has_biases, I64Attr:$num_layers, F64Attr:$dropout, BoolAttr:$train,
                             BoolAttr:$bidirectional, BoolAttr:$batch_first);
class Graph_RecurrentOp<string mnemonic, dag states, dag after, list<Trait> traits = []> : Graph_Op<mnemonic, "recurrent", traits> {
  let arguments = !con((ins Reads<Graph_Tensor>:$input), states, (ins ReadsVariadic<Graph_Tensor>:$params), recurrentAttrs);
  let results = !con((outs Allocates<Graph_Tensor>:$output), after);
  let assemblyFormat = [{
    $input `state` $hx `params` $params attr-dict `:` type($input) `state` type($hx) `params` type($params)
  }];
}
// Two states: what is passed on as the output, and the cell.
def Graph_LstmInputOp : Graph_RecurrentOp<"lstm.input", (ins ReadsVariadic<Graph_Tensor>:$hx),
    (outs Allocates<Graph_Tensor>:$h, Allocates<Graph_Tensor>:$c), [AttrSizedOperandSegments]>;
foreach name = ["gru", "rnn_tanh", "rnn_relu"] in
def Graph_#name#InputOp : Graph_RecurrentOp<name # ".input", (ins Reads<Graph_Tensor>:$hx), (outs Allocates<Graph_Tensor>:$h)>;
