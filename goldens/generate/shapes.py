"""Sizes: of the tensors of a call, and lists of integers that are sizes.

The shapes of the tensors of most operators broadcast. The few that are related otherwise stand in SHAPES: a function from the
drawn choices to a shape per tensor argument, None for an optional one that is left out. One in eight calls then gets a
shape that does not fit, for eager's error.
"""

SIZES = {1: 4, 2: 6, 3: 6, 4: 2, 0: 1}


def size(draw):
    return draw.weighted(SIZES)


def positive(draw):
    return draw.between(1, 3)


def shape(draw, ranks=(0, 1, 1, 2, 2, 2, 3, 3, 4)):
    return [size(draw) for _ in range(draw.choice(ranks))]


def narrower(draw, sizes):
    """A shape that broadcasts to `sizes`."""
    if draw.chance(15):
        return []
    out = [1 if draw.chance(25) else size for size in sizes]
    return out[draw.below(len(out) + 1) :] if draw.chance(30) else out


def broadcast(draw, names):
    """Shapes that broadcast together; the first is mostly the widest."""
    wide = shape(draw)
    first = wide if draw.chance(80) else narrower(draw, wide)
    return {name: first if at == 0 else (wide if draw.chance(50) else narrower(draw, wide)) for at, name in enumerate(names)}


def mistaken(draw, sizes):
    """A shape that is a little different."""
    sizes = list(sizes)
    what = draw.choice(["longer", "shorter", "size", "size"])
    if what == "longer" or not sizes:
        sizes.insert(draw.below(len(sizes) + 1), size(draw))
    elif what == "shorter":
        sizes.pop(draw.below(len(sizes)))
    else:
        sizes[draw.below(len(sizes))] += 1
    return sizes


def mm(draw, _):
    m, k, n = size(draw), size(draw), size(draw)
    return {"self": [m, k], "mat2": [k, n]}


def bmm(draw, _):
    b, m, k, n = (size(draw) for _ in range(4))
    return {"self": [b, m, k], "mat2": [b, k, n]}


def addmm(draw, _):
    m, k, n = size(draw), size(draw), size(draw)
    return {"self": narrower(draw, [m, n]), "mat1": [m, k], "mat2": [k, n]}


def linear(draw, _):
    features, out = size(draw), size(draw)
    weight = [features] if draw.chance(15) else [out, features]
    bias = None if draw.chance(40) else [out] if len(weight) == 2 else []
    return {"input": shape(draw, (0, 1, 1, 2)) + [features], "weight": weight, "bias": bias}


def convolution(draw, _):
    spatial, groups = draw.choice([1, 2, 2, 3]), draw.choice([1, 1, 2])
    inner, outer = groups * draw.between(1, 2), groups * draw.between(1, 2)
    kernel = [draw.between(1, 3 if spatial < 3 else 2) for _ in range(spatial)]
    image = [draw.between(2, 4 if spatial < 3 else 3) for _ in range(spatial)]
    transposed = draw.chance(35)
    weight = [inner, outer // groups] if transposed else [outer, inner // groups]
    batch = [] if draw.chance(8) else [draw.between(1, 2)]
    return {
        "input": batch + [inner] + image,
        "weight": weight + kernel,
        "bias": None if draw.chance(40) else [outer],
        "transposed": transposed,
        "groups": groups,
        "spatial": spatial,
    }


def embedding(draw, _):
    return {"weight": [draw.between(2, 4), size(draw)], "indices": shape(draw, (0, 1, 1, 2, 3))}


def layer_norm(draw, _):
    rows, inner = shape(draw, (0, 1, 1, 2)), [positive(draw) for _ in range(draw.choice([1, 1, 2]))]
    return {
        "input": rows + inner,
        "weight": None if draw.chance(35) else inner,
        "bias": None if draw.chance(35) else inner,
        "normalized_shape": inner,
    }


def channel_norm(draw, _):
    """Images of channels, a parameter per channel."""
    groups = draw.choice([1, 1, 2])
    channels = groups * draw.between(1, 3)
    image = [positive(draw) for _ in range(draw.choice([0, 1, 1, 2, 2]))]
    images = draw.between(1, 3)
    running = draw.chance(75)

    def parameter(percent):
        return [channels] if draw.chance(percent) else None

    inner = 1
    for size_ in image:
        inner *= size_
    return {
        "input": [images, channels] + image,
        "weight": parameter(65),
        "bias": parameter(65),
        "running_mean": [channels] if running else parameter(20),
        "running_var": [channels] if running else parameter(20),
        "num_groups": groups,
        "group": groups,
        "N": images,
        "C": channels,
        "HxW": inner,
    }


def always_running(draw, names):
    shapes = channel_norm(draw, names)
    return shapes | {"running_mean": shapes["input"][1:2], "running_var": shapes["input"][1:2]}


def rms_norm(draw, _):
    return {name: sizes for name, sizes in layer_norm(draw, _).items() if name != "bias"}


def matmul(draw, _):
    m, k, n = size(draw), size(draw), size(draw)
    batch = shape(draw, (0, 0, 1, 1, 2))
    left = narrower(draw, batch) + [m, k] if draw.chance(80) else [k]
    right = narrower(draw, batch) + [k, n] if draw.chance(80) else [k]
    return {"self": left, "other": right}


def mv(draw, _):
    m, k = size(draw), size(draw)
    return {"self": [m, k], "vec": [k]}


def dot(draw, names):
    k = size(draw)
    return {name: [k] for name in names}


def outer(draw, names):
    return {name: [size(draw)] for name in names}


def addmv(draw, _):
    m, k = size(draw), size(draw)
    return {"self": narrower(draw, [m]), "mat": [m, k], "vec": [k]}


def baddbmm(draw, _):
    b, m, k, n = (size(draw) for _ in range(4))
    return {"self": narrower(draw, [b, m, n]), "batch1": [b, m, k], "batch2": [b, k, n]}


def addbmm(draw, _):
    b, m, k, n = (size(draw) for _ in range(4))
    return {"self": narrower(draw, [m, n]), "batch1": [b, m, k], "batch2": [b, k, n]}


def exactly(of):
    """The first operand has the sizes of the result: it is written."""

    def wide(draw, names):
        shapes = of(draw, names)
        if "batch1" in shapes:
            rows, columns = shapes["batch1"][1], shapes["batch2"][2]
            shapes["self"] = [rows, columns] if of is addbmm else [shapes["batch1"][0], rows, columns]
        else:
            shapes["self"] = [shapes["mat1"][0], shapes["mat2"][1]] if "mat1" in shapes else [shapes["mat"][0]]
        return shapes

    return wide


def bilinear(draw, _):
    lead, left, right, out = shape(draw, (0, 1, 1, 2)), positive(draw), positive(draw), positive(draw)
    bias = None if draw.chance(40) else [out]
    return {"input1": lead + [left], "input2": lead + [right], "weight": [out, left, right], "bias": bias}


def spelled_convolution(spatial, transposed):
    def of(draw, _):
        groups = draw.choice([1, 1, 2])
        inner, outer = groups * draw.between(1, 2), groups * draw.between(1, 2)
        kernel = [draw.between(1, 3 if spatial < 3 else 2) for _ in range(spatial)]
        image = [draw.between(2, 4 if spatial < 3 else 3) for _ in range(spatial)]
        weight = [inner, outer // groups] if transposed else [outer, inner // groups]
        batch = [] if draw.chance(30) else [draw.between(1, 2)]
        bias = None if draw.chance(40) else [outer]
        return {"input": batch + [inner] + image, "weight": weight + kernel, "bias": bias, "groups": groups, "spatial": spatial}

    return of


def padded(spatial):
    def of(draw, _):
        rank = spatial + (0 if draw.chance(4) else draw.choice([1, 2]))
        sizes = [draw.between(1, 4 if spatial < 3 else 3) for _ in range(rank)]
        if draw.chance(6):
            sizes[draw.below(rank)] = 0
        return {"self": sizes, "pads": spatial}

    return of


def attention(draw, _):
    batch = [positive(draw) for _ in range(draw.choice([0, 1, 2, 2, 2]))]
    queries, keys, width = positive(draw), positive(draw), draw.between(1, 4)
    values = width if draw.chance(60) else positive(draw)
    mask = None
    if draw.chance(45):
        lead = draw.choice([[], [], narrower(draw, batch), [1 if draw.chance(40) else n for n in batch]])
        mask = lead + [queries if draw.chance(80) else 1, keys]
    # Heads of keys and values that are repeated, where that is asked for.
    fewer = batch[:-1] + [draw.choice([1, 1, 2])] if batch and draw.chance(15) else batch
    return {"query": batch + [queries, width], "key": fewer + [keys, width], "value": fewer + [keys, values], "attn_mask": mask}


def flash_attention(draw, _):
    batch, queries, keys, width = [positive(draw), positive(draw)], positive(draw), positive(draw), draw.between(1, 4)
    mask = None
    if draw.chance(45):
        mask = ([] if draw.chance(60) else [1 if draw.chance(50) else size for size in batch]) + [queries, keys]
    return {"query": batch + [queries, width], "key": batch + [keys, width], "value": batch + [keys, width], "attn_mask": mask}


def einsum(draw, _):
    """An equation on one to three tensors of a few letters."""
    letters = draw.shuffled("abcdij")[: draw.between(1, 4)]
    sizes = {letter: size(draw) for letter in letters}
    operands = [draw.shuffled([l for l in letters if draw.chance(65)]) for _ in range(draw.choice([1, 2, 2, 2, 3]))]
    ellipsis = [positive(draw)] if draw.chance(20) else None
    used = sorted({letter for operand in operands for letter in operand})
    result = draw.shuffled([letter for letter in used if draw.chance(55)])
    dots = [ellipsis is not None and draw.chance(70) for _ in operands]
    texts = [("..." if dot else "") + "".join(operand) for dot, operand in zip(dots, operands)]
    shapes = [(ellipsis if dot else []) + [1 if draw.chance(6) else sizes[l] for l in operand] for dot, operand in zip(dots, operands)]
    equation = (" , " if draw.chance(8) else ",").join(texts)
    if draw.chance(80):
        equation += "->" + ("..." if any(dots) else "") + "".join(result)
    if draw.chance(15):
        at = draw.below(len(equation) + 1)
        equation = equation[:at] + draw.choice([".", "1", "z", "-", ",", "...", "a"]) + equation[at:]
    if draw.chance(5):
        shapes = [mistaken(draw, s) for s in shapes]
    return {"equation": equation, "tensors": shapes}


# Operators whose kernels read what they are given without looking at its sizes.
TRUSTING = (
    "_adaptive_avg_pool2d_backward",
    "_embedding_bag",
    "_embedding_bag_backward",
    "_embedding_bag_dense_backward",
    "_prelu_kernel",
    "embedding_dense_backward",
    "_log_softmax_backward_data",
    "_low_memory_max_pool_offsets_to_indices",
    "_native_batch_norm_legit",
    "_native_batch_norm_legit_no_training",
    "_scaled_dot_product_flash_attention_for_cpu",
    "_scaled_dot_product_flash_attention_for_cpu_backward",
    "_softmax_backward_data",
    "_weight_norm",
    "_weight_norm_interface",
    "_weight_norm_interface_backward",
    "adaptive_max_pool2d_backward",
    "adaptive_max_pool3d_backward",
    "avg_pool2d_backward",
    "avg_pool3d_backward",
    "binary_cross_entropy",
    "binary_cross_entropy_backward",
    "convolution_backward",
    "embedding_backward",
    "embedding_bag",
    "embedding_dense_backward",
    "grid_sampler_2d_backward",
    "grid_sampler_3d_backward",
    "grouped_mm_fallback",
    "grouped_mm_fallback_backward",
    "gru",
    "huber_loss",
    "huber_loss_backward",
    "lstm",
    "max_pool2d_with_indices_backward",
    "max_pool3d_with_indices_backward",
    "mse_loss_backward",
    "native_batch_norm",
    "native_batch_norm_backward",
    "native_group_norm_backward",
    "native_layer_norm_backward",
    "nll_loss2d_backward",
    "rnn_relu",
    "rnn_tanh",
    "smooth_l1_loss_backward",
)

# Operators whose kernels take the last dimension for contiguous.
ROW_MAJOR = ("_scaled_dot_product_flash_attention_for_cpu",)


def transformed(draw, _):
    """Something along each dimension that is transformed."""
    return {"self": [positive(draw) + draw.choice([0, 0, 2]) for _ in range(draw.choice([0, 1, 1, 2, 2, 3]))]}


def pairs(draw, _):
    """A last dimension of two parts."""
    return {"self": shape(draw, (0, 1, 1, 2, 2, 3)) + [2]}


def reinterpreted(draw, _):
    """A last dimension that elements twice or four times as large may divide."""
    return {"self": shape(draw, (0, 1, 1, 2)) + [draw.choice([2, 4, 4, 8, 3])] if draw.chance(92) else []}


def smaller(draw, sizes, dim):
    """Sizes of indices into `sizes`, which may be larger along `dim` alone."""
    return [draw.between(0, 4) if d == dim else s if draw.chance(60) else draw.between(0, s) for d, s in enumerate(sizes)]


def along_a_dimension(draw):
    """A shape, one of its dimensions."""
    own = shape(draw, (0, 1, 1, 2, 2, 3))
    return own, draw.below(max(len(own), 1))


def wrapped(draw, dim, own):
    return dim - max(len(own), 1) if draw.chance(30) else dim


def gather(draw, _):
    own, dim = along_a_dimension(draw)
    return {"self": own, "index": smaller(draw, own, dim), "dim": wrapped(draw, dim, own)}


def scatter(draw, _):
    own, dim = along_a_dimension(draw)
    index = smaller(draw, own, dim)
    src = [s if draw.chance(70) else s + draw.between(0, 2) for s in index]
    return {"self": own, "index": index, "src": src, "dim": wrapped(draw, dim, own)}


def index_along(draw, _):
    """An index that is a vector or one number, and a source with an entry for each."""
    own, dim = along_a_dimension(draw)
    count = draw.between(0, 4)
    index = [] if draw.chance(15) else [count]
    source = [(count if index else 1) if d == dim else s for d, s in enumerate(own)]
    return {"self": own, "index": index, "source": source, "value": [], "dim": wrapped(draw, dim, own)}


def indexed(draw, _):
    """The shape of `values` is drawn when the indices are there."""
    return {"self": shape(draw, (1, 1, 2, 2, 3)), "mask": shape(draw, (0, 1, 1, 2)), "values": []}


def select_scatter(draw, _):
    own, dim = along_a_dimension(draw)
    size = own[dim] if own else 1
    index = draw.between(-size, size - 1) if size else 0
    return {"self": own, "src": own[:dim] + own[dim + 1 :], "dim": wrapped(draw, dim, own), "index": index}


def slice_scatter(draw, _):
    own, dim = along_a_dimension(draw)
    size = own[dim] if own else 1
    start, end, step = draw.between(-size, size), draw.between(-size, size + 1), draw.choice([1, 1, 2, 3])
    src = [len(range(s)[start:end:step]) if d == dim else s for d, s in enumerate(own)]
    return {"self": own, "src": src, "dim": wrapped(draw, dim, own), "start": start, "end": end, "step": step}


def diagonal_scatter(draw, _):
    own = shape(draw, (2, 2, 3))
    dim1, dim2 = draw.shuffled(range(len(own)))[:2]
    offset = draw.between(-2, 2)
    length = min(own[dim1], own[dim2] - offset) if offset >= 0 else min(own[dim1] + offset, own[dim2])
    src = [s for d, s in enumerate(own) if d not in (dim1, dim2)] + [max(length, 0)]
    return {"self": own, "src": src, "offset": offset, "dim1": dim1, "dim2": wrapped(draw, dim2, own)}


def as_strided_scatter(draw, _):
    size_of_view = [size(draw) for _ in range(draw.between(0, 3))]
    return {"self": shape(draw), "src": size_of_view, "size": size_of_view}


def bincount(draw, _):
    count = draw.between(0, 6)
    return {"self": [count], "weights": None if draw.chance(40) else [count]}


def pad(draw, _):
    return padded(draw.choice([1, 1, 2, 2]))(draw, _)


def diff(draw, _):
    sizes = [size(draw) for _ in range(draw.choice([0, 1, 2, 2, 3]))]
    more = sizes[:-1] + [size(draw)] if sizes else [2]
    given = lambda: None if draw.chance(60) else more
    return {"self": sizes, "prepend": given(), "append": given()}


def multinomial(draw, _):
    return {"self": [draw.between(0, 3), positive(draw)] if draw.chance(50) else [positive(draw)] if draw.chance(92) else [1, 2, 3]}
def same(*names):
    """One shape for all, with elements: eager divides by their number."""

    def of(draw, _):
        sizes = [max(size_, 1) for size_ in shape(draw, (0, 1, 1, 2, 2, 3))]
        return {name: sizes for name in names}

    return of


def layer_norm_backward(draw, _):
    rows, inner = shape(draw, (0, 1, 1, 2)), [positive(draw) for _ in range(draw.choice([1, 1, 2]))]
    moments = rows + [1] * len(inner)
    both = {"grad_out": rows + inner, "input": rows + inner, "mean": moments, "rstd": moments}
    return both | {"weight": inner, "bias": inner, "normalized_shape": inner}


def convolution_backward(draw, names):
    """The gradient has the shape of the result."""
    shapes = convolution(draw, names)
    count, groups, transposed = shapes["spatial"], shapes["groups"], shapes["transposed"]
    stride, padding, dilation = ([draw.between(low, 2) for _ in range(count)] for low in (1, 0, 1))
    padding = [min(p, 1) for p in padding]
    weight, image = shapes["weight"], shapes["input"][-count:]
    channels = weight[1] * groups if transposed else weight[0]
    sizes = []
    for at in range(count):
        reach = dilation[at] * (weight[2 + at] - 1)
        if transposed:
            sizes.append((image[at] - 1) * stride[at] - 2 * padding[at] + reach + 1)
        else:
            sizes.append((image[at] + 2 * padding[at] - reach - 1) // stride[at] + 1)
    inner = weight[0] if transposed else weight[1] * groups
    grad = [2, channels] + [max(size, 1) for size in sizes]
    lists = {"stride": stride, "padding": padding, "dilation": dilation, "output_padding": [0] * count}
    return shapes | lists | {"grad_output": grad, "input": [2, inner] + image, "bias_sizes": [channels]}


def loss(draw, names):
    """Samples of classes, a target for each; or one sample."""
    samples, count, reduction = positive(draw), draw.between(2, 4), draw.below(3)
    one = draw.chance(15)
    return {
        "self": [count] if one else [samples, count],
        "target": [] if one else [samples],
        "weight": None if draw.chance(50) else [count],
        "grad_output": [samples] if reduction == 0 and not one else [],
        "total_weight": [],
        "reduction": reduction,
        "classes": count,
    }


def embedding_backward(draw, _):
    rows = shape(draw, (0, 1, 1, 2))
    grad = rows + [positive(draw)]
    return {"grad_output": grad, "grad": grad, "indices": rows}


def images(spatial, ranks=(0, 1, 1)):
    """Images of channels, mostly a batch of them."""

    def of(draw, _):
        sizes = [draw.between(1, 2) for _ in range(draw.choice(ranks))] + [draw.between(1, 3)]
        sizes += [draw.between(2, 5 if spatial == 1 else 4) for _ in range(spatial)]
        return {"self": sizes, "input": sizes, "spatial": spatial}

    return of


def shuffled(back):
    """Images whose channels are squares of a factor, or whose sizes are multiples of it."""

    def of(draw, _):
        factor, lead = draw.between(1, 2), [draw.between(1, 2) for _ in range(draw.choice([0, 1, 1, 2]))]
        channels, height, width = draw.between(1, 2), draw.between(1, 2), draw.between(1, 2)
        image = [channels, height * factor, width * factor] if back else [channels * factor * factor, height, width]
        return {"self": lead + image, "factor": factor}

    return of


def max_pool_backward(draw, names):
    """The gradient and the places have the shape of the result."""
    shapes = images(2)(draw, names)
    kernel, stride, padding = ([draw.between(low, high) for _ in range(2)] for low, high in ((1, 2), (1, 2), (0, 1)))
    padding = [min(p, k // 2) for p, k in zip(padding, kernel)]
    own = shapes["self"]
    made = own[:-2] + [(n + 2 * p - k) // s + 1 for n, k, s, p in zip(own[-2:], kernel, stride, padding)]
    lists = {"kernel_size": kernel, "stride": stride, "padding": padding, "dilation": [1, 1], "ceil_mode": False}
    return shapes | lists | {"grad_output": made, "indices": made, "area": own[-2] * own[-1]}


def put(draw, _):
    """As many elements of the source as there are indices."""
    index = shape(draw, (0, 1, 1, 2))
    count = 1
    for size_ in index:
        count *= size_
    return {"self": shape(draw), "index": index, "source": index if draw.chance(50) else [count]}


def masked_scatter(draw, _):
    """A mask that broadcasts, and mostly enough elements for it."""
    own = shape(draw, (0, 1, 1, 2, 2, 3))
    count = 1
    for size_ in own:
        count *= size_
    source = [count + draw.between(0, 2)] if draw.chance(70) else shape(draw)
    return {"self": own if draw.chance(85) else narrower(draw, own), "mask": own if draw.chance(50) else narrower(draw, own), "source": source}


def diagonals(draw, _):
    """A matrix, mostly a tall one, or a cube."""
    if draw.chance(20):
        return {"self": [positive(draw)] * draw.choice([1, 3, 3, 4])}
    return {"self": [draw.between(0, 8), draw.between(0, 3)]}


def prelu(draw, _):
    """A weight for each index of dimension 1, or one."""
    own = shape(draw, (0, 1, 2, 2, 3, 4))
    channels = own[1] if len(own) > 1 else 1
    return {"self": own, "weight": [] if draw.chance(15) else [1] if draw.chance(30) else [channels]}


def prelu_kernel(draw, _):
    own = shape(draw, (0, 1, 2, 2, 3))
    return {"self": own, "weight": [1 if draw.chance(50) else size_ for size_ in own]}


def glu(draw, _):
    return {"self": [size_ * 2 for size_ in shape(draw, (0, 1, 1, 2, 2, 3))]}


SHAPES = {
    "_fft_c2c": transformed,
    "_fft_r2c": transformed,
    "_fft_c2r": transformed,
    "view_as_complex": pairs,
    "view_as_complex_copy": pairs,
    "view.dtype": reinterpreted,
    "view_copy.dtype": reinterpreted,
    "put": put,
    "masked_scatter": masked_scatter,
    "fill_diagonal_": diagonals,
    "prelu": prelu,
    "_prelu_kernel": prelu_kernel,
    "glu": glu,
    "max_pool2d_with_indices_backward": max_pool_backward,
    "max_pool2d_with_indices": images(2),
    "max_pool2d": images(2),
    "max_pool1d": images(1),
    "avg_pool2d": images(2),
    "avg_pool1d": images(1),
    "_adaptive_avg_pool2d": images(2),
    "adaptive_avg_pool2d": images(2),
    "adaptive_avg_pool1d": images(1),
    "upsample_nearest2d": images(2, (1, 1, 1, 1, 1, 1, 0)),
    "upsample_bilinear2d": images(2, (1, 1, 1, 1, 1, 1, 0)),
    "pixel_shuffle": shuffled(False),
    "pixel_unshuffle": shuffled(True),
    "_softmax_backward_data": same("grad_output", "output"),
    "_log_softmax_backward_data": same("grad_output", "output"),
    "native_layer_norm_backward": layer_norm_backward,
    "convolution_backward": convolution_backward,
    "nll_loss_forward": loss,
    "nll_loss_backward": loss,
    "embedding_dense_backward": embedding_backward,
    "_native_batch_norm_legit": always_running,
    "_native_batch_norm_legit_no_training": always_running,
    "native_batch_norm": channel_norm,
    "batch_norm": channel_norm,
    "instance_norm": channel_norm,
    "native_group_norm": channel_norm,
    "group_norm": channel_norm,
    "rms_norm": rms_norm,
    "matmul": matmul,
    "mv": mv,
    "dot": dot,
    "vdot": dot,
    "outer": outer,
    "addmm_": exactly(addmm),
    "addmv": addmv,
    "addmv_": exactly(addmv),
    "baddbmm": baddbmm,
    "baddbmm_": exactly(baddbmm),
    "addbmm": addbmm,
    "addbmm_": exactly(addbmm),
    "bilinear": bilinear,
    "einsum": einsum,
    "conv1d": spelled_convolution(1, False),
    "conv2d": spelled_convolution(2, False),
    "conv3d": spelled_convolution(3, False),
    "conv_transpose1d": spelled_convolution(1, True),
    "conv_transpose2d": spelled_convolution(2, True),
    "conv_transpose3d": spelled_convolution(3, True),
    "scaled_dot_product_attention": attention,
    "_scaled_dot_product_flash_attention_for_cpu": flash_attention,
    "_unsafe_index": indexed,
    "_unsafe_masked_index_put_accumulate": indexed,
    "as_strided_scatter": as_strided_scatter,
    "bincount": bincount,
    "diagonal_scatter": diagonal_scatter,
    "gather": gather,
    "index_add": index_along,
    "index_copy": index_along,
    "index_fill": index_along,
    "index_put": indexed,
    "index_select": index_along,
    "scatter": scatter,
    "scatter_add": scatter,
    "scatter_reduce": scatter,
    "select_scatter": select_scatter,
    "slice_scatter": slice_scatter,
    **{f"{kind}_pad{n}d": padded(n) for kind in ("reflection", "replication") for n in (1, 2, 3)},
    "pad": pad,
    "constant_pad_nd": lambda draw, _: {"self": shape(draw)},
    "diff": diff,
    "multinomial": multinomial,
    "mm": mm,
    "bmm": bmm,
    "addmm": addmm,
    "linear": linear,
    "convolution": convolution,
    "embedding": embedding,
    "layer_norm": layer_norm,
    "native_layer_norm": layer_norm,
}


def reshaped(draw, sizes):
    """Sizes with as many elements: neighbours joined, sizes split, ones put in, one size left open."""
    out = list(sizes)
    for _ in range(draw.between(0, 3)):
        what = draw.choice(["join", "split", "one"])
        at = draw.below(len(out) + 1)
        if what == "join" and at + 1 < len(out):
            out[at : at + 2] = [out[at] * out[at + 1]]
        elif what == "split" and at < len(out) and out[at] in (4, 6, 8, 9, 12):
            factor = 3 if out[at] % 3 == 0 else 2
            out[at : at + 1] = draw.shuffled([factor, out[at] // factor])
        elif what == "one":
            out.insert(at, 1)
    if out and draw.chance(30):
        out[draw.below(len(out))] = -1
    return out


def expanded(draw, sizes):
    """Sizes that `sizes` expands to: ones grow, others stay or are -1, new dimensions stand in front."""
    out = [size(draw) if s == 1 and draw.chance(60) else -1 if draw.chance(25) else s for s in sizes]
    return [size(draw) for _ in range(draw.choice([0, 0, 1, 2]))] + out


def parts(draw, total):
    """Sizes that add up to `total`."""
    out = []
    while sum(out) < total and len(out) < 4:
        out.append(draw.between(0, total - sum(out)))
    out.append(total - sum(out))
    return out
