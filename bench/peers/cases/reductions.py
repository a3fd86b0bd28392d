"""Sums, norms, softmax, scans, and what follows them."""

import numpy as np

from .case import Bf16, drawn, normal, register
from .frameworks import F, jax, jnp, torch


def normalized(x, axes=1):
    """Less its mean, over its deviation."""
    return (x - x.mean(axes, keepdims=True)) * jax.lax.rsqrt(x.var(axes, keepdims=True) + 1e-5)


def channels(values):
    """One number a channel, against images."""
    return values[None, :, None, None]


def both_sizes(rows, columns, tag):
    count = rows * columns
    whole, row = (rows, columns), (columns,)
    large = tag == "L"

    def case(name, make, in_torch, in_jax, bytes, **others):
        register(f"{name}.{tag}", "reduction", make, in_torch, jax=in_jax, bytes=bytes, large=large, **others)

    for name, dims in ("sum_all", ()), ("sum_row", (1,)), ("sum_col", (0,)):
        total = lambda x, dims=dims: x.sum(*dims)
        case(name, drawn(whole), total, total, 4 * count, numpy=total, tolerance=1e-2)
    case(
        "var_mean", drawn(whole), lambda x: torch.var_mean(x, 1), lambda x: (x.var(1, ddof=1), x.mean(1)), 4 * count,
    )
    case(
        "layernorm", drawn(whole, row, row), lambda x, w, b: F.layer_norm(x, (x.shape[1],), w, b),
        lambda x, w, b: normalized(x) * w + b, 8 * count,
    )
    case(
        "rmsnorm", drawn(whole, row), lambda x, w: x * torch.rsqrt((x * x).mean(1, keepdim=True) + 1e-5) * w,
        lambda x, w: x * jax.lax.rsqrt((x * x).mean(1, keepdims=True) + 1e-5) * w, 8 * count,
    )
    case(
        "add_layernorm", drawn(whole, whole, row, row),
        lambda x, y, w, b: (x + y, F.layer_norm(x + y, (x.shape[1],), w, b)),
        lambda x, y, w, b: (x + y, normalized(x + y) * w + b), 16 * count,
    )
    case(
        "argmax", drawn(whole), lambda x: x.argmax(1), lambda x: x.argmax(1), 4 * count, numpy=lambda x: x.argmax(1),
    )
    for name, dim in ("cumsum_row", 1), ("cumsum_col", 0):
        case(
            name, drawn(whole), lambda x, dim=dim: x.cumsum(dim), lambda x, dim=dim: jnp.cumsum(x, dim), 8 * count,
            numpy=lambda x, dim=dim: x.cumsum(dim), tolerance=2e-2, iree=not large,
        )
    case(
        "logsoftmax_nll", lambda random: [normal(random, *whole), random.integers(0, columns, rows)],
        lambda x, target: F.cross_entropy(x, target),
        lambda x, target: -jnp.take_along_axis(jax.nn.log_softmax(x, 1), target[:, None].astype("int32"), 1).mean(),
        4 * count,
    )
    image = (1, 64, 32, 32) if tag == "S" else (16, 64, 128, 128)

    def images(random):
        x, mean, deviation, weight, bias = (normal(random, *size) for size in (image, *[(image[1],)] * 4))
        return [x, mean, deviation**2 + 1, weight, bias]

    case(
        "bn_infer", images, lambda x, m, v, w, b: F.batch_norm(x, m, v, w, b, False),
        lambda x, m, v, w, b: (x - channels(m)) * jax.lax.rsqrt(channels(v) + 1e-5) * channels(w) + channels(b),
        8 * int(np.prod(image)),
    )
    case(
        "bn_train", images, lambda x, m, v, w, b: F.batch_norm(x, None, None, w, b, True),
        lambda x, m, v, w, b: normalized(x, (0, 2, 3)) * channels(w) + channels(b), 12 * int(np.prod(image)),
    )


both_sizes(256, 256, "S")
both_sizes(4096, 4096, "L")

for columns, tag, rows in (1024, "S", 64), (1024, "L", 16384), (4096, "L", 4096), (32000, "S", 4), (32000, "L", 512):
    register(
        f"softmax_{columns}.{tag}", "reduction", drawn((rows, columns)), lambda x: F.softmax(x, 1),
        jax=lambda x: jax.nn.softmax(x, 1), bytes=8 * rows * columns, large=tag == "L",
    )
register(
    "bf16_softmax_4096.L", "reduction", lambda random: [Bf16(normal(random, 4096, 4096))], lambda x: F.softmax(x, 1),
    jax=lambda x: jax.nn.softmax(x, 1), bytes=4 * 4096 * 4096, large=True, tolerance=5e-2,
)
