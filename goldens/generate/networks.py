"""Sizes for the operators of neural networks: losses, recurrent networks, gradients, sampling, bags of rows. As in shapes.py."""

from shapes import channel_norm, embedding_backward, flash_attention, images, loss, max_pool_backward, narrower, positive, shape


def offsets_of_windows(draw, names):
    shapes = windows_of_either(draw, names)
    dims = len(shapes["kernel_size"])
    return shapes | {"self": shapes["grad_output"], "input_size": shapes["self"][-dims:], "window": shapes["kernel_size"]}


def windows_of_either(draw, names):
    """Over images or volumes."""
    return max_pool_backward(draw, names) if draw.chance(60) else volume_pool_backward(False)(draw, names)


def grouped(draw, _):
    """Rows in groups that end at places that ascend, some rows perhaps in none."""
    rows, inner, columns, groups = draw.between(0, 5), positive(draw), positive(draw), positive(draw)
    ends = sorted(draw.between(0, rows) for _ in range(groups))
    return {
        "input": [rows, inner],
        "weight": [groups, inner, columns],
        "offs": [groups],
        "grad_output": [rows, columns],
        "ends": ends,
    }


def grouped_product(draw, _):
    """Two matrices, two batches, or one of each; rows of 16 bytes."""
    groups, batch_a, batch_b = draw.between(1, 2), draw.chance(50), draw.chance(50)
    unit = draw.choice([4, 4, 8])
    rows, inner, columns = draw.between(1, 4) if batch_b else unit, unit, unit
    along = [rows, columns, inner][batch_a + 2 * (not batch_a and not batch_b)]
    given = (not batch_a or not batch_b) if draw.chance(95) else draw.chance(50)
    return {
        "self": [groups] * batch_a + [rows, inner],
        "mat2": [groups] * batch_b + [inner, columns],
        "offs": [groups] if given else None,
        "bias": None if draw.chance(95) else [columns],
        "ends": sorted(draw.between(0, along) for _ in range(groups - 1)) + [along],
        "index": "i32" if draw.chance(95) else "i64",
    }


def flash_attention_backward(draw, names):
    shapes = flash_attention(draw, names)
    return shapes | {"grad_out": shapes["query"], "out": shapes["query"], "logsumexp": shapes["query"][:-1]}


def avg_pool_backward(draw, names):
    """The gradient has the shape of the result."""
    shapes = images(2)(draw, names)
    kernel, stride, padding = ([draw.between(low, high) for _ in range(2)] for low, high in ((1, 3), (1, 2), (0, 1)))
    own, ceil = shapes["self"], draw.chance(40)
    kernel = [min(k, n) for k, n in zip(kernel, own[-2:])]
    padding = [min(p, k // 2) for p, k in zip(padding, kernel)]

    def count(n, k, s, p):
        made = -(-(n + 2 * p - k) // s) + 1 if ceil else (n + 2 * p - k) // s + 1
        return made - 1 if ceil and (made - 1) * s >= n + p else made

    made = own[:-2] + [count(*of) for of in zip(own[-2:], kernel, stride, padding)]
    lists = {"kernel_size": kernel, "stride": stride, "padding": padding, "ceil_mode": ceil}
    return shapes | lists | {"grad_output": made}


def adaptive_backward(draw, names):
    shapes = images(2)(draw, names)
    return shapes | {"grad_output": shapes["self"][:-2] + [positive(draw), positive(draw)]}


def adaptive_max_backward(images):
    """The gradient and the places have the shape of the result."""

    def of(draw, names):
        own = [max(size, 1) for size in images(draw, names)["self"]]
        dims = 2 if images is not volumes else 3
        own = [1] * (dims + 1 - len(own)) + own
        made = own[:-dims] + [positive(draw) for _ in range(dims)]
        area = 1
        for size in own[-dims:]:
            area *= size
        return {"self": own, "spatial": dims, "grad_output": made, "indices": made, "area": area}

    return of


def volumes_of(draw, count):
    """A batch of volumes, or one alone."""
    lead = [draw.between(1, 2) for _ in range(draw.choice([1, 1, 2]))]
    return {"self": lead + [draw.between(2, 3) if draw.chance(85) else draw.between(0, 1) for _ in range(3)], "spatial": count}


def volume_pool(draw, _):
    shapes = volumes_of(draw, 3)
    if draw.chance(4):
        shapes["self"][draw.below(len(shapes["self"]))] = 0
    return shapes


def volume_pool_backward(means):
    """The gradient has the shape of the result."""

    def of(draw, names):
        shapes = volumes_of(draw, 3)
        own = [max(size, 1) for size in shapes["self"]]
        kernel, stride, padding = ([draw.between(low, high) for _ in range(3)] for low, high in ((1, 2), (1, 2), (0, 1)))
        kernel = [min(k, n) for k, n in zip(kernel, own[-3:])]
        padding = [min(p, k // 2) for p, k in zip(padding, kernel)]
        made = own[:-3] + [(n + 2 * p - k) // s + 1 for n, k, s, p in zip(own[-3:], kernel, stride, padding)]
        lists = {"kernel_size": kernel, "stride": stride, "padding": padding, "dilation": [1, 1, 1], "ceil_mode": False}
        area = {} if means else {"indices": made, "area": own[-3] * own[-2] * own[-1]}
        return shapes | lists | area | {"self": own, "grad_output": made}

    return of


def volumes(draw, _):
    sizes = [draw.between(1, 2) for _ in range(draw.choice([0, 1, 2, 2]))] + [draw.between(1, 3) for _ in range(3)]
    return {"self": sizes, "spatial": 3}


def upsample_backward(draw, _):
    lead, output = [draw.between(1, 2), draw.between(1, 2)], [draw.between(1, 5), draw.between(1, 5)]
    image = [draw.between(1, 4), draw.between(1, 4)]
    return {"grad_output": lead + output, "size_of_output": output, "size_of_input": lead + image}


def sampled(dims):
    """Images or volumes, and as many coordinates as they have dimensions for each element of the result."""

    def of(draw, _):
        count = dims or draw.choice([2, 2, 3])
        lead, image, grid = [draw.between(1, 2), draw.between(1, 2)], *([positive(draw) for _ in range(count)] for _ in range(2))
        return {"input": lead + image, "grid": lead[:1] + grid + [count], "grad_output": lead + grid}

    return of


def bags(draw, _):
    """Rows in bags; a weight for each of them where they are summed."""
    rows, width, count = draw.between(2, 4), positive(draw), draw.between(0, 6)
    number, mode, last = draw.between(1, 3), draw.below(3), draw.chance(30)
    starts = [0] + sorted(draw.between(0, count) for _ in range(number - 1))
    given = mode == 0 and draw.chance(40)
    return {
        "weight": [rows, width],
        "indices": [count],
        "offsets": [number + last],
        "starts": starts + [count] * last,
        "per_sample_weights": [count] if given else None,
        "mode": mode,
        "include_last_offset": last,
    }


def bags_backward(draw, _):
    rows, width, number = draw.between(2, 4), positive(draw), draw.between(1, 3)
    of = sorted(draw.below(number) for _ in range(draw.between(1, 6)))
    mode = draw.below(3)
    sizes = [max(of.count(bag), 1) for bag in range(number)]
    return {
        "grad": [number, width],
        "indices": [len(of)],
        "offsets": [number],
        "offset2bag": [len(of)],
        "bag_size": [number],
        "maximum_indices": [number, width] if mode == 2 else [number],
        "per_sample_weights": [len(of)] if mode == 0 and draw.chance(40) else None,
        "num_weights": rows,
        "mode": mode,
        "contents": {
            "offsets": [sum(other < bag for other in of) for bag in range(number)],
            "offset2bag": of,
            "bag_size": sizes,
            "maximum_indices": [draw.below(rows) for _ in range(number * width if mode == 2 else number)],
        },
    }


def weight_norm(draw, names):
    """Lengths along a dimension, which is mostly the first or the last one."""
    v = [positive(draw) for _ in range(draw.between(1, 3))]
    dim = draw.choice([0, 0, len(v) - 1, draw.below(len(v))])
    g = [size if d == dim else 1 for d, size in enumerate(v)]
    return {"v": v, "g": g, "grad_w": v, "saved_v": v, "saved_g": g, "saved_norms": g, "dim": dim}


def norm_backward(draw, names):
    shapes = channel_norm(draw, names)
    channels, images_ = shapes["C"], shapes["N"]
    grouped_ = "rstd" in names
    moments = [images_, shapes["group"]] if grouped_ else [channels]
    own = shapes["input"]
    return shapes | {
        "grad_out": own,
        "mean": moments,
        "rstd": moments,
        "running_mean": [channels],
        "running_var": [channels],
        "save_mean": [channels],
        "save_invstd": [channels],
    }


def recurrent(gates, states):
    """Weights of a few layers in one direction or two, an input and states."""

    def of(draw, _):
        layers, directions, biases = draw.choice([1, 1, 2]), draw.choice([1, 2]), draw.chance(70)
        steps, batch, features, hidden = positive(draw), draw.between(1, 2), positive(draw), draw.between(1, 2)
        first, params = draw.chance(40), []
        for layer in range(layers):
            for _ in range(directions):
                width = features if layer == 0 else hidden * directions
                params += [[gates * hidden, width], [gates * hidden, hidden]] + [[gates * hidden]] * (2 * biases)
        state = [layers * directions, batch, hidden]
        counts = sorted((draw.between(1, batch) for _ in range(steps - 1)), reverse=True)
        counts = [batch] + counts
        return {
            "data": [sum(counts), features],
            "batch_sizes": [steps],
            "contents": {"batch_sizes": counts},
            "input": [batch, steps, features] if first else [steps, batch, features],
            "hx": [state] * states if states > 1 else state,
            "params": params,
            "has_biases": biases,
            "num_layers": layers,
            "bidirectional": directions == 2,
            "batch_first": first,
        }

    return of


def loss_of_elements(draw, names):
    """The target and the weights broadcast to the input."""
    own = shape(draw, (0, 1, 1, 2, 2, 3))
    given = lambda: None if draw.chance(55) else narrower(draw, own)
    reduction = draw.below(3)
    target = own if "weight" in names or draw.chance(75) else narrower(draw, own)
    return {
        "self": own,
        "target": target,
        "weight": given(),
        "pos_weight": given(),
        "grad_output": own if reduction == 0 else [],
        "reduction": reduction,
    }


def loss_of_images(ranks):
    """A class for each element of an image."""

    def of(draw, _):
        samples, count, reduction = draw.between(1, 2), draw.between(2, 3), draw.below(3)
        image = [positive(draw) for _ in range(draw.choice(ranks))]
        return {
            "self": [samples, count] + image,
            "target": [samples] + image,
            "weight": None if draw.chance(50) else [count],
            "grad_output": [samples] + image if reduction == 0 else [],
            "total_weight": [],
            "reduction": reduction,
            "classes": count,
        }

    return of


def loss_nd(draw, names):
    return loss(draw, names) if draw.chance(40) else loss_of_images((1, 2, 2, 3))(draw, names)


def cross_entropy(draw, names):
    shapes = loss_nd(draw, names)
    if draw.chance(35):
        del shapes["classes"]
        shapes["target"] = shapes["self"]
    return shapes


NETWORKS = {
    "_low_memory_max_pool_with_offsets": windows_of_either,
    "_low_memory_max_pool_offsets_to_indices": offsets_of_windows,
    "_grouped_mm": grouped_product,
    "grouped_mm_fallback": grouped,
    "grouped_mm_fallback_backward": grouped,
    "_scaled_dot_product_flash_attention_for_cpu_backward": flash_attention_backward,
    "avg_pool2d_backward": avg_pool_backward,
    "max_pool3d": volume_pool,
    "max_pool3d_with_indices": volume_pool,
    "max_pool3d_with_indices_backward": volume_pool_backward(False),
    "avg_pool3d": volume_pool,
    "avg_pool3d_backward": volume_pool_backward(True),
    "_adaptive_avg_pool2d_backward": adaptive_backward,
    "_adaptive_avg_pool3d": volumes,
    "adaptive_max_pool1d": images(1),
    "adaptive_max_pool2d": images(2),
    "adaptive_max_pool3d": volumes,
    "adaptive_max_pool2d_backward": adaptive_max_backward(images(2)),
    "adaptive_max_pool3d_backward": adaptive_max_backward(volumes),
    "adaptive_avg_pool3d": volumes,
    "upsample_bicubic2d": images(2, (1, 1, 1, 1, 1, 1, 0)),
    "upsample_nearest2d_backward": upsample_backward,
    "upsample_bilinear2d_backward": upsample_backward,
    "upsample_bicubic2d_backward": upsample_backward,
    "grid_sampler": sampled(None),
    **{f"grid_sampler_{dims}d{kind}": sampled(dims) for dims in (2, 3) for kind in ("", "_backward")},
    "_embedding_bag": bags,
    "embedding_bag": bags,
    "_embedding_bag_backward": bags_backward,
    "_embedding_bag_dense_backward": bags_backward,
    "embedding_backward": embedding_backward,
    "_weight_norm": weight_norm,
    "_weight_norm_interface": weight_norm,
    "_weight_norm_interface_backward": weight_norm,
    "native_batch_norm_backward": norm_backward,
    "native_group_norm_backward": norm_backward,
    "lstm": recurrent(4, 2),
    "gru": recurrent(3, 1),
    "rnn_tanh": recurrent(1, 1),
    "rnn_relu": recurrent(1, 1),
    **{
        name: loss_of_elements
        for name in (
            "mse_loss mse_loss_backward l1_loss smooth_l1_loss smooth_l1_loss_backward huber_loss huber_loss_backward kl_div "
            "binary_cross_entropy binary_cross_entropy_backward binary_cross_entropy_with_logits"
        ).split()
    },
    "nll_loss": loss,
    "nll_loss_nd": loss_nd,
    "nll_loss2d_forward": loss_of_images((2,)),
    "nll_loss2d_backward": loss_of_images((2,)),
    "cross_entropy_loss": cross_entropy,
}
