"""Element by element: chains, broadcasts, transposed operands, mixed dtypes."""

import numpy as np

from .case import Bf16, drawn, normal, register
from .frameworks import F, jax, jnp, torch


def chain_torch(x, scale, shift, gain):
    y = F.gelu(x * scale + shift, approximate="tanh") * gain
    return torch.relu(torch.sigmoid(y) + x) * 0.5 - shift


def chain_jax(x, scale, shift, gain):
    y = jax.nn.gelu(x * scale + shift, approximate=True) * gain
    return jax.nn.relu(jax.nn.sigmoid(y) + x) * 0.5 - shift


def both_sizes(rows, columns, tag):
    count = rows * columns
    whole, row, column = (rows, columns), (columns,), (rows, 1)

    def case(name, make, in_torch, in_jax, bytes, **others):
        register(f"{name}.{tag}", "pointwise", make, in_torch, jax=in_jax, bytes=bytes, large=tag == "L", **others)

    case("add", drawn(whole, whole), lambda a, b: a + b, lambda a, b: a + b, 12 * count, numpy=np.add)
    case("chain10", drawn(whole, row, row, whole), chain_torch, chain_jax, 12 * count)
    case("gelu_erf", drawn(whole), lambda x: F.gelu(x), lambda x: jax.nn.gelu(x, approximate=False), 8 * count)
    case(
        "silu_mul", drawn(whole, whole), lambda g, u: F.silu(g) * u, lambda g, u: jax.nn.silu(g) * u, 12 * count,
        numpy=lambda g, u: g / (1 + np.exp(-g)) * u,
    )
    case("add_row", drawn(whole, row), lambda a, b: a + b, lambda a, b: a + b, 8 * count, numpy=np.add)
    case("add_col", drawn(whole, column), lambda a, b: a + b, lambda a, b: a + b, 8 * count, numpy=np.add)
    square = drawn((rows, rows), (rows, rows))
    case("add_T", square, lambda a, b: a + b.t(), lambda a, b: a + b.T, 12 * count, numpy=lambda a, b: a + b.T)
    batch = (16, 64, 64) if tag == "S" else (64, 512, 512)
    case(
        "permute_021", drawn(batch), lambda x: x.permute(0, 2, 1).contiguous(), lambda x: jnp.transpose(x, (0, 2, 1)),
        8 * int(np.prod(batch)), numpy=lambda x: np.ascontiguousarray(x.transpose(0, 2, 1)),
    )
    image = (1, 64, 32, 32) if tag == "S" else (16, 64, 128, 128)
    case(
        "nchw2nhwc", drawn(image), lambda x: x.permute(0, 2, 3, 1).contiguous(), lambda x: jnp.transpose(x, (0, 2, 3, 1)),
        8 * int(np.prod(image)),
    )
    quarter = (rows, columns // 4)
    case(
        "cat3", drawn((rows, columns // 2), quarter, quarter),
        lambda a, b, c: torch.cat([torch.relu(a), b * 2, c + 1], 1),
        lambda a, b, c: jnp.concatenate([jax.nn.relu(a), b * 2, c + 1], 1), 8 * count,
    )
    case(
        "where", lambda random: [normal(random, *whole), normal(random, *whole) > 0],
        lambda x, mask: torch.where(mask, x * 0.125, -1e9), lambda x, mask: jnp.where(mask, x * 0.125, -1e9), 9 * count,
    )
    case(
        "bf16_chain", lambda random: [Bf16(normal(random, *whole)), normal(random, *row)],
        lambda x, a: F.gelu(x.float() * a + 1, approximate="tanh"),
        lambda x, a: jax.nn.gelu(x.astype(np.float32) * a + 1, approximate=True), 6 * count, tolerance=2e-2,
    )
    case(
        "bf16_silu_mul", lambda random: [Bf16(normal(random, *whole)), Bf16(normal(random, *whole))],
        lambda g, u: F.silu(g) * u, lambda g, u: jax.nn.silu(g) * u, 6 * count, tolerance=5e-2,
    )


both_sizes(256, 256, "S")
both_sizes(4096, 4096, "L")

# What a call costs where the work is next to nothing.
register(
    "tiny_add", "pointwise", drawn((64,), (64,)), lambda a, b: a + b, jax=lambda a, b: a + b, numpy=np.add, bytes=768,
)
register("tiny_chain", "pointwise", drawn((16, 64), (64,), (64,), (16, 64)), chain_torch, jax=chain_jax, bytes=12 * 1024)
