"""Products of matrices, attention, convolutions."""

import numpy as np

from .case import Bf16, drawn, normal, register
from .frameworks import F, jax, jnp, torch
from .reductions import channels


def case(name, make, in_torch, in_jax, flops, bytes, tolerance=1e-2, **others):
    register(name, "product", make, in_torch, jax=in_jax, flops=flops, bytes=bytes, tolerance=tolerance, **others)


def scaled(*shapes_and_scales):
    """Draws an argument for each shape and multiplies it: weights that keep the size of what goes through them."""
    return lambda random: [normal(random, *shape) * np.float32(scale) for shape, scale in shapes_and_scales]


def in_bf16(make):
    return lambda random: [Bf16(array) for array in make(random)]


for size in 256, 512, 1024, 2048:
    case(
        f"mm{size}", drawn((size, size), (size, size)), lambda a, b: a @ b, lambda a, b: a @ b, 2 * size**3, 12 * size**2,
        numpy=np.matmul if size < 2048 else None, tuned=True,
    )


def linear_gelu(name, rows, inner, columns, scale):
    case(
        name, scaled(((rows, inner), 1), ((columns, inner), scale), ((columns,), 1)),
        lambda x, w, b: F.gelu(F.linear(x, w, b)), lambda x, w, b: jax.nn.gelu(x @ w.T + b, approximate=False),
        2 * rows * inner * columns, 4 * (rows * inner + inner * columns + rows * columns), tuned=True,
    )


linear_gelu("mm_bias_gelu", 1024, 1024, 4096, 0.02)
linear_gelu("mm_bias_gelu.S", 64, 256, 256, 0.06)

vector = scaled(((1, 4096), 1), ((4096, 4096), 0.02))
case(
    "gemv_4096", vector, lambda x, w: F.linear(x, w), lambda x, w: x @ w.T, 2 * 4096**2, 4 * 4096**2,
    large=True, tuned=True,
)
case(
    "bf16_gemv_4096", in_bf16(vector), lambda x, w: F.linear(x, w), lambda x, w: x @ w.T, 2 * 4096**2, 2 * 4096**2,
    large=True, tuned=True, tolerance=1e-1,
)
case(
    "bf16_mm1024", in_bf16(drawn((1024, 1024), (1024, 1024))), lambda a, b: a @ b, lambda a, b: a @ b,
    2 * 1024**3, 6 * 1024**2, tuned=True, tolerance=2,
)
case(
    "bmm_small", drawn((512, 32, 64), (512, 64, 32)), lambda a, b: torch.bmm(a, b), lambda a, b: jnp.matmul(a, b),
    2 * 512 * 32 * 32 * 64, 4 * 512 * (2 * 32 * 64 + 32 * 32), tuned=True,
)


def attention_torch(q, k, v):
    return F.softmax(q @ k.transpose(-1, -2) * 0.125, -1) @ v


def attention_jax(q, k, v):
    return jax.nn.softmax(q @ jnp.swapaxes(k, -1, -2) * 0.125, -1) @ v


for name, heads, length in ("attention", 12, 512), ("attention.L", 8, 2048):
    case(
        name, drawn(*[(1, heads, length, 64)] * 3), attention_torch, attention_jax, 4 * heads * length**2 * 64,
        16 * heads * length * 64,
    )


def images(random):
    x, kernel = normal(random, 4, 64, 56, 56), normal(random, 64, 64, 3, 3) * np.float32(0.05)
    mean, deviation, weight, bias = (normal(random, 64) for _ in range(4))
    return [x, kernel, mean, deviation**2 + 1, weight, bias]


def convolved(x, kernel, groups=1):
    return jax.lax.conv_general_dilated(
        x, kernel, (1, 1), "SAME", dimension_numbers=("NCHW", "OIHW", "NCHW"), feature_group_count=groups,
    )


case(
    "conv3x3_bn_relu", images,
    lambda x, k, m, v, w, b: F.relu(F.batch_norm(F.conv2d(x, k, padding=1), m, v, w, b, False)),
    lambda x, k, m, v, w, b: jax.nn.relu(
        (convolved(x, k) - channels(m)) * jax.lax.rsqrt(channels(v) + 1e-5) * channels(w) + channels(b)
    ),
    2 * 4 * 64 * 56 * 56 * 64 * 9, 8 * 4 * 64 * 56 * 56,
)
case(
    "dwconv3x3", drawn((4, 128, 56, 56), (128, 1, 3, 3)), lambda x, k: F.conv2d(x, k, padding=1, groups=128),
    lambda x, k: convolved(x, k, 128), 2 * 4 * 128 * 56 * 56 * 9, 8 * 4 * 128 * 56 * 56,
)
