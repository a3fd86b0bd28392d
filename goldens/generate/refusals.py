"""Calls that are refused here though eager computes something: kernels that trust their operands, which only autograd calls or a
check before them guards, and what there is no form of.

The expectation does not come from eager, which reads beyond memory, but from what the rules say of their operands. A tensor is its dtype and
sizes; each line changes some arguments of the call above it, and has words of the refusal.
"""

CALLS = [
    (
        "native_group_norm_backward",
        {"grad_out": "f32[2,4,3]", "input": "f32[2,4,3]", "mean": "f32[2,2]", "rstd": "f32[2,2]", "weight": "f32[4]"}
        | {"N": 2, "C": 4, "HxW": 3, "group": 2, "output_mask": [True, True, True]},
        [
            ({"grad_out": "f32[2,4,2]"}, "expects a gradient of the input's type"),
            ({"N": 3}, "Expect input to have 36 elements, got [2, 4, 3]"),
            ({"grad_out": "f32[0,4,3]", "input": "f32[0,4,3]", "N": -1, "HxW": 0}, "Expect input to have 0 elements"),
            ({"grad_out": "f32[2,0,3]", "input": "f32[2,0,3]", "C": 0}, "Expect input to have 0 elements"),
            ({"grad_out": "f32[2,4,0]", "input": "f32[2,4,0]", "HxW": 0}, "Expect input to have 0 elements"),
            ({"group": 0}, "Expect channels 4 to be evenly divisible by groups 0"),
            ({"group": 3}, "Expect channels 4 to be evenly divisible by groups 3"),
            ({"mean": "f32[2,3]"}, "expects a mean of shape [2, 2]"),
            ({"rstd": "f32[3,2]"}, "expects a rstd of shape [2, 2]"),
            ({"rstd": "f64[2,2]"}, "expects a rstd of shape [2, 2]"),
            ({"weight": "f32[3]"}, "expects a weight of 4 elements"),
        ],
    ),
    (
        "native_batch_norm_backward",
        {"grad_out": "f32[2,3]", "input": "f32[2,3]", "weight": "f32[3]", "running_mean": "f32[3]", "running_var": "f32[3]"}
        | {"save_mean": "f32[3]", "save_invstd": "f32[3]", "train": True, "eps": 0.5, "output_mask": [True, True, True]},
        [
            ({"grad_out": "f32[2]", "input": "f32[2]"}, "expects an input of 2 dimensions or more"),
            ({"weight": "f32[2]"}, "expects a weight of 3 elements"),
            ({"save_mean": None}, "expects save_mean, which its statistics come from"),
            ({"save_mean": "f32[2]"}, "expects a save_mean of 3 elements"),
            ({"save_invstd": None}, "expects save_invstd, which its statistics come from"),
            ({"train": False, "running_mean": None}, "expects running_mean, which its statistics come from"),
            ({"train": False, "running_mean": "f32[2]"}, "expects a running_mean of 3 elements"),
            ({"train": False, "running_var": None}, "expects running_var, which its statistics come from"),
            ({"train": False, "running_var": "f64[3]"}, "expects a running_var of 3 elements"),
        ],
    ),
    (
        "_weight_norm",
        {"v": "f32[2,3]", "g": "f32[2,1]", "dim": 0},
        [({"dim": 2}, "expected to be in range of [-2, 1], but got 2"), ({"dim": -2}, "expected to be in range of [-2, 1], but got -2")],
    ),
    (
        "_weight_norm_interface_backward",
        {"grad_w": "f32[2,3]", "saved_v": "f32[2,3]", "saved_g": "f32[2,1]", "saved_norms": "f32[2,1]", "dim": 0},
        [
            ({"grad_w": "f32[2,2]"}, "expects a gradient of the type"),
            ({"saved_g": "f32[1,2]"}, "lengths and norms of the shape [2, 1]"),
            ({"saved_norms": "f32[1,2]"}, "lengths and norms of the shape [2, 1]"),
            ({"dim": 2}, "Dimension out of range"),
        ],
    ),
    (
        "grid_sampler_2d",
        {"input": "f32[1,1,2,2]", "grid": "f32[1,2,2,2]", "interpolation_mode": 0, "padding_mode": 0, "align_corners": False},
        [
            ({"input": "f32[]"}, "to have same batch size"),
            ({"grid": "f32[]"}, "to have same batch size"),
            ({"input": "f32[1]"}, "grid_sampler(): expected 4D input and grid"),
            ({"input": "f32[1,2]", "grid": "f32[1,2]"}, "grid_sampler(): expected grid to have size 0"),
            ({"input": "f32[1,1,0,2]"}, "dimension 2 being empty"),
            ({"interpolation_mode": 3}, "got 3 and 0"),
            ({"padding_mode": 3}, "got 0 and 3"),
            ({"padding_mode": -1}, "got 0 and -1"),
        ],
    ),
    (
        "_adaptive_avg_pool2d_backward",
        {"grad_output": "f32[1,2,1,1]", "self": "f32[1,2,3,3]"},
        [
            ({"grad_output": "f32[1,1,2,1,1]", "self": "f32[1,1,2,3,3]"}, "Expected 3D or 4D tensor, but got [1, 1, 2, 3, 3]"),
            ({"grad_output": "f32[1,0,1,1]"}, "with dimension 1 being empty"),
            ({"grad_output": "f32[1,3,1,1]"}, "expects a gradient for each image, got [1, 3, 1, 1]"),
            ({"grad_output": "f32[3,1,1]", "self": "f32[2,3,3]"}, "expects a gradient for each image, got [3, 1, 1]"),
        ],
    ),
    (
        "_embedding_bag",
        {"weight": "f32[3,2]", "indices": "i64[4]", "offsets": "i64[2]", "mode": 0, "include_last_offset": False},
        [
            ({"mode": 3}, "expects a mode from 0 to 2, got 3"),
            ({"mode": -1}, "expects a mode from 0 to 2, got -1"),
            ({"offsets": "i64[1,2]"}, "offsets has to be a 1D Tensor"),
            ({"offsets": "i64[0]", "include_last_offset": True}, "number of offsets should be at least 1"),
            ({"offsets": "f32[2]"}, "Expected tensor for argument #1 'offsets'"),
            ({"per_sample_weights": "f64[4]"}, "expects weights of samples of the table's dtype"),
        ],
    ),
    (
        "_scaled_dot_product_flash_attention_for_cpu",
        {"query": "f32[1,2,3,4]", "key": "f32[1,2,5,4]", "value": "f32[1,2,5,4]", "attn_mask": "f32[3,5]"},
        [
            ({"key": "f32[1,2,4,4]"}, "as many keys as values"),
            ({"key": "f32[1,1,5,4]"}, "equal batches and heads"),
            ({"value": "f32[2,2,5,4]"}, "equal batches and heads"),
            ({"attn_mask": "f32[3,4]"}, "expects a mask that broadcasts to [1, 2, 3, 5]"),
            ({"attn_mask": "f64[3,5]"}, "Attention mask is the same data type as query"),
        ],
    ),
    (
        "_scaled_dot_product_flash_attention_for_cpu_backward",
        {name: "f32[1,1,3,4]" for name in ("grad_out", "query", "out")}
        | {name: "f32[1,1,5,4]" for name in ("key", "value")}
        | {"logsumexp": "f32[1,1,3]", "dropout_p": 0.0, "is_causal": False},
        [
            ({"grad_out": "f32[1,1,2,4]"}, "expects grad_out of the type"),
            ({"out": "f32[1,1,3,5]"}, "expects out of the type"),
            ({"logsumexp": "f32[1,1,4]"}, "expects logsumexp of the type"),
            ({"key": "f32[1,1,4,4]"}, "as many keys as values"),
            ({"dropout_p": 0.5}, "do not support dropout"),
        ],
    ),
    (
        "native_layer_norm_backward",
        {"grad_out": "f32[2,3]", "input": "f32[2,3]", "normalized_shape": [3], "mean": "f32[2,1]", "rstd": "f32[2,1]"}
        | {"weight": "f32[3]", "bias": "f32[3]", "output_mask": [True, True, True]},
        [
            ({"grad_out": "f32[2,2]"}, "expects a gradient of the input's type"),
            ({"weight": "f32[2]"}, "Expected weight to be of same shape as normalized_shape"),
            ({"bias": "f32[2]"}, "Expected bias to be of same shape as normalized_shape"),
        ],
    ),
    *(
        (
            operator,
            {"grad_output": "f32[2]", "self": "f32[2]", "target": "f32[2]", "reduction": 0} | more,
            [
                ({"grad_output": "f64[2]"}, "got Double, Float and Float"),
                ({"self": "f64[2]"}, "got Float, Double and Float"),
                ({"target": "f64[2]"}, "got Float, Float and Double"),
                ({"grad_output": "f32[3]"}, "must match the size of tensor b"),
                ({"self": "f32[3]"}, "must match the size of tensor b"),
            ],
        )
        for operator, more in (("mse_loss_backward", {}), ("huber_loss_backward", {"delta": 1.0}), ("smooth_l1_loss_backward", {"beta": 1.0}))
    ),
    (
        "binary_cross_entropy",
        {"self": "f32[2]", "target": "f32[2]"},
        [({"target": "f32[1]"}, "expects a target of shape [2], got [1]"), ({"self": "f32[1]"}, "expects a target of shape [1], got [2]")],
    ),
    (
        "binary_cross_entropy_backward",
        {"grad_output": "f32[2]", "self": "f32[2]", "target": "f32[2]"},
        [
            ({"grad_output": "f64[2]"}, "Found dtype Double but expected Float"),
            ({"target": "f64[2]"}, "Found dtype Double but expected Float"),
            ({"grad_output": "f32[3]"}, "must match the size"),
            ({"grad_output": "f32[2,2]"}, "expects a target of the input's shape [2]"),
            ({"target": "f32[1]"}, "expects a target of the input's shape [2]"),
        ],
    ),
    (
        "binary_cross_entropy_with_logits",
        {"self": "f32[2]", "target": "f32[2]", "weight": "f32[2]", "pos_weight": "f32[2]"},
        [
            ({"target": "f64[2]"}, "expects a target of dtype Float, got Double"),
            ({"weight": "f64[2]"}, "expects a weight of dtype Float, got Double"),
            ({"pos_weight": "f64[2]"}, "expects a pos_weight of dtype Float, got Double"),
            ({"weight": "f32[3]"}, "The size of tensor"),
            ({"pos_weight": "f32[3]"}, "The size of tensor"),
        ],
    ),
    (
        "nll_loss2d_backward",
        {"grad_output": "f32[]", "self": "f32[1,2,1,1]", "target": "i64[1,1,1]", "weight": None}
        | {"reduction": 1, "ignore_index": -100, "total_weight": "f32[]"},
        [
            ({"grad_output": "f32[2]"}, "expects a gradient of the loss's type"),
            ({"grad_output": "f32[1,1]"}, "expects a gradient of the loss's type"),
            ({"grad_output": "f64[]"}, "expects a gradient of the loss's type"),
            ({"total_weight": "f64[]"}, "expects a gradient of the loss's type"),
            ({"total_weight": "f32[2]"}, "expected total_weight to be a single element tensor, got: [2] (2 elements)"),
            ({"reduction": 0, "grad_output": "f32[]"}, "expects a gradient of the loss's type"),
        ],
    ),
    (
        "prims::_low_memory_max_pool_offsets_to_indices",
        {"self": "i8[1,2]", "kernel_size": [2, 2], "input_size": [4, 4], "stride": [2, 2], "padding": [0, 0], "dilation": [1, 1]},
        [
            ({"self": "i8[2]"}, "expects integers within images"),
            ({"self": "f32[1,2]"}, "expects integers within images"),
            ({"self": "bool[1,2]"}, "expects integers within images"),
            ({"input_size": [4]}, "expects a size for each dimension of the windows, got [4]"),
            ({"kernel_size": [2]}, "expects windows over two or three dimensions, got kernel_size of 1"),
            ({"kernel_size": [0, 2]}, "expects a kernel_size that is not zero"),
        ],
    ),
    (
        "transformers::grouped_mm_fallback",
        {"input": "f32[2,3]", "weight": "f32[2,3,4]", "offs": "i32[2]"},
        [
            ({"offs": "i32[3]"}, "offs length 3 must match number of experts 2"),
            ({"input": "f32[2,2]"}, "input_dim mismatch: input has 2, weight has 3"),
        ],
    ),
    *(
        (
            operator,
            {"input": "f32[2,1,2]", "hx": hx, "params": params, "has_biases": False, "num_layers": 1, "dropout": 0.0}
            | {"train": True, "bidirectional": False, "batch_first": False},
            [
                ({"hx": wrong}, words),
                ({"num_layers": 0, "params": []}, "in 1 directions, got 0"),
                ({"params": params[:1]}, "in 1 directions, got 1"),
                ({"input": "f32[2,2]"}, "of 3 dimensions, got [2, 2]"),
                ({"dropout": 0.5, "num_layers": 2, "params": params * 2}, "expects no dropout between layers"),
            ],
        )
        for operator, hx, params, wrong, words in (
            ("lstm.input", ["f32[1,1,1]", "f32[1,1,1]"], ["f32[4,2]", "f32[4,1]"], ["f32[1,1,1]"], "expects two hidden states, got 1"),
        )
    ),
    (
        "gru.input",
        {"input": "f32[2,1,2]", "hx": "f32[1,1,1]", "params": ["f32[3,2]", "f32[3,1]"], "has_biases": False, "num_layers": 1}
        | {"dropout": 0.0, "train": True, "bidirectional": False, "batch_first": False},
        [({"hx": "f32[1,1]"}, "of 3 dimensions"), ({"params": ["f32[3,2]"]}, "in 1 directions, got 1")],
    ),
    (
        "einsum",
        {"equation": "i,i,i->i", "tensors": ["f32[2]", "f32[2]", "f32[2]"], "path": [0, 1, 0, 1]},
        [
            ({"path": [0, 1]}, "to have size 4 but got 2"),
            ({"path": [0, 1, 0, 1, 0]}, "to have size 4 but got 5"),
            ({"path": [0, 3, 0, 1]}, "invalid contraction (0, 3) operand index is out of bounds"),
            ({"path": [3, 0, 0, 1]}, "invalid contraction (3, 0) operand index is out of bounds"),
            ({"path": [-1, 0, 0, 1]}, "invalid contraction (-1, 0) operand index is out of bounds"),
            ({"path": [0, 1, 0, 2]}, "invalid contraction (0, 2) operand index is out of bounds"),
            ({"path": [1, 1, 0, 1]}, "invalid contraction (1, 1) cannot contract an operand with itself"),
            ({"equation": "i->i", "tensors": ["f32[2]"], "path": [0, 1]}, "to have size 1 but got 2"),
        ],
    ),
    (
        "max_pool2d_with_indices_backward",
        {"grad_output": "f32[1,2,2]", "self": "f32[1,4,4]", "indices": "i64[1,2,2]", "kernel_size": [2, 2], "stride": [2, 2]}
        | {"padding": [0, 0], "dilation": [1, 1], "ceil_mode": False},
        [
            ({"grad_output": "f32[3]"}, "dimension 3 and tensor.size[0] == 1 but got: dimension 1 and tensor.size[0] = 3"),
            ({"grad_output": "f32[]"}, "dimension 3 and tensor.size[0] == 1 but got: dimension 0 and tensor.size[0] = 1"),
            ({"grad_output": "f32[2,2,2]"}, "tensor.size[0] == 1 but got: dimension 3 and tensor.size[0] = 2"),
            ({"indices": "i64[1,3,2]"}, "tensor.size[1] == 2 but got: dimension 3 and tensor.size[1] = 3"),
            ({"indices": "i64[1,2,4]"}, "tensor.size[2] == 2 but got: dimension 3 and tensor.size[2] = 4"),
        ],
    ),
    (
        "adaptive_avg_pool3d",
        {"self": "f32[1,1,2,2,2]", "output_size": [2, 2, 2]},
        [
            ({"output_size": [-1, 2, 3]}, "but received {-1, 2, 3}"),
            ({"output_size": [3, -1, 2]}, "but received {3, -1, 2}"),
            ({"self": "f32[2,2]", "output_size": [1, 1, 1]}, "adaptive_avg_pool3d"),
            ({"self": "f32[1,0,2,2,2]"}, "with dimension 1 being empty"),
        ],
    ),
    (
        "bilinear",
        {"input1": "f32[2,3]", "input2": "f32[2,4]", "weight": "f32[5,3,4]", "bias": "f32[5]"},
        [
            ({"input1": "f32[1,3]"}, "do not match at dim 0: got 1 and 2"),
            ({"input1": "f32[2,1,3]", "input2": "f32[2,4,4]"}, "do not match at dim 1: got 1 and 4"),
            ({"bias": "f32[4]"}, "bias size does not match weight size: got 4 but expected 5"),
        ],
    ),
    (
        "convolution",
        {"input": "f32[1,1,1,1,1,1]", "weight": "f32[1,1,1,1,1,1]", "bias": None, "stride": [1], "padding": [0], "dilation": [1]}
        | {"transposed": False, "output_padding": [0], "groups": 1},
        [({}, "expects a weight of a rank from 3 to 5, got [1, 1, 1, 1, 1, 1]")],
    ),
    (
        "nll_loss_backward",
        {"grad_output": "f32[2]", "self": "f32[2,3]", "target": "i64[2]", "weight": None, "reduction": 0, "ignore_index": -100}
        | {"total_weight": "f32[]"},
        [
            ({"grad_output": "f32[]"}, "but got: dimension 0 and tensor.size[0] = 1"),
            ({"grad_output": "f32[3]"}, "but got: dimension 1 and tensor.size[0] = 3"),
            ({"grad_output": "f32[1,1]", "reduction": 1}, "Expected a single element grad_output tensor, but got: [1, 1]"),
        ],
    ),
    (
        "upsample_nearest2d_backward",
        {"grad_output": "f32[1,1,2,2]", "output_size": [2, 2], "input_size": [1, 1, 1, 1]},
        [({"input_size": [1, -1, 1, 1]}, "expects sizes that are not negative, got [1, -1, 1, 1]")],
    ),
    (
        "_fft_c2c",
        {"self": "c64[4]", "dim": [0], "normalization": 0, "forward": True},
        [({"normalization": 3}, ""), ({"normalization": -1}, "")],
    ),
    (
        "native_group_norm",
        {"input": "f32[2,4,3]", "weight": None, "bias": None, "N": 2, "C": 4, "HxW": 3, "group": 2, "eps": 0.5},
        [({"N": -2, "C": -4}, "")],
    ),
    (
        "grid_sampler",
        {"input": "f32[1,1,1,2,2]", "grid": "f32[1,1,2,2,3]", "interpolation_mode": 0, "padding_mode": 0, "align_corners": False},
        [({"grid": "f32[1,2,2,3]"}, "expected 5D input and grid")],
    ),
    (
        "scaled_dot_product_attention",
        {"query": "f32[2,3]", "key": "f32[2,3]", "value": "f32[2,3]"},
        [
            ({"query": "f32[1,3,2,2]", "key": "f32[1,2,2,2]", "value": "f32[1,2,2,2]", "enable_gqa": True}, "Number of heads in key and value"),
            ({"query": "f32[1,3,2,2]", "key": "f32[1,0,2,2]", "value": "f32[1,0,2,2]", "enable_gqa": True}, "Number of heads in key and value"),
            ({"query": "f32[1,1,2,2]", "key": "f32[1,0,2,2]", "value": "f32[1,0,2,2]", "enable_gqa": True}, "Number of heads in key and value"),
            ({"dropout_p": 1.0}, "expects a dropout_p of 0, got 1"), ({"dropout_p": 0.5}, "expects a dropout_p of 0, got 0.5"),
        ],
    ),
]


def written(value, tensors):
    """An argument as JSON; tensors are taken in."""
    if isinstance(value, list):
        return [written(entry, tensors) for entry in value]
    if isinstance(value, str) and value.endswith("]"):
        tensors.append(value)
        return f"%{len(tensors) - 1}"
    return value


def contents(text):
    """A storage of zeros for a tensor."""
    dtype, _, sizes = text[:-1].partition("[")
    count = 1
    for size in sizes.split(","):
        count *= int(size) if size else 1
    return " ".join([dtype] + ["0"] * count)


def refusals():
    """The cases."""
    for operator, given, changes in CALLS:
        for number, (change, words) in enumerate(changes):
            tensors = []
            arguments = {name: written(value, tensors) for name, value in (given | change).items()}
            case = {"case": f"refusal {operator}/{number}", "storages": [contents(text) for text in tensors]}
            case["tensors"] = [f"@{at} {text}" for at, text in enumerate(tensors)]
            yield case | {"calls": [[operator, arguments]], "error": words}
