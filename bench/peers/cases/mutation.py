"""Arguments that are written in place: caches, slices, optimizers over many tensors.

JAX has no such thing; it donates the arguments, and its next call takes what this one gave. IREE is left out: it would copy them.
"""

import numpy as np

from .case import drawn, normal, register
from .frameworks import jax, jnp, torch

CACHE, ENTRY = (1, 12, 2048, 64), (1, 12, 1, 64)


def case(name, make, in_torch, in_jax, bytes, written):
    register(name, "mutation", make, in_torch, jax=in_jax, bytes=bytes, written=written, iree=False)


def caches(random):
    return [*(normal(random, *shape) for shape in (CACHE, CACHE, ENTRY, ENTRY)), np.array([100])]


def cache_at_constant(keys, values, key, value, position):
    keys[:, :, 100:101] = key
    values[:, :, 100:101] = value
    return keys, values


def cache_at_constant_jax(keys, values, key, value, position):
    place = (0, 0, 100, 0)
    return jax.lax.dynamic_update_slice(keys, key, place), jax.lax.dynamic_update_slice(values, value, place)


def cache_at_position(keys, values, key, value, position):
    keys.index_copy_(2, position, key)
    values.index_copy_(2, position, value)
    return keys, values


def cache_at_position_jax(keys, values, key, value, position):
    return keys.at[:, :, position].set(key), values.at[:, :, position].set(value)


case("kv_update_static", caches, cache_at_constant, cache_at_constant_jax, 16 * 12 * 64, (0, 1))
case("kv_update_dyn", caches, cache_at_position, cache_at_position_jax, 16 * 12 * 64, (0, 1))


def columns(y, x):
    for at in range(8):
        y[:, at] += x[:, at] * 2.0
    return (y,)


def columns_jax(y, x):
    for at in range(8):
        y = y.at[:, at].add(x[:, at] * 2.0)
    return (y,)


case("slice_inplace", drawn((4096, 64), (4096, 64)), columns, columns_jax, 12 * 4096 * 8, (0,))


def slabs(y, x):
    y[0:1000] += x[0:1000]
    y[1000:2000].mul_(2.0)
    y[2000:3000].copy_(x[3000:4000])
    y[:, 0] = 0
    return (y,)


def slabs_jax(y, x):
    y = y.at[0:1000].add(x[0:1000])
    y = y.at[1000:2000].multiply(2.0)
    y = y.at[2000:3000].set(x[3000:4000])
    return (y.at[:, 0].set(0.0),)


case("slab_inplace", drawn((4096, 1024), (4096, 1024)), slabs, slabs_jax, 4 * 1024 * (3000 + 2000 + 2000), (0,))

#: A hundred parameters of a model, and how many elements they have together.
PARAMETERS = 10 * [
    (64,), (768,), (768, 64), (256, 256), (3072,), (32, 32, 3, 3), (10, 128), (1,), (512, 128), (1000,),
]
COUNT = len(PARAMETERS)
ELEMENTS = sum(int(np.prod(shape)) for shape in PARAMETERS)


def parts(arguments):
    """Parameters, gradients and, one after the other, what else there is for each parameter."""
    return [list(arguments[at : at + COUNT]) for at in range(0, len(arguments), COUNT)]


def sgd(*arguments):
    parameters, gradients = parts(arguments)
    torch._foreach_add_(parameters, gradients, alpha=-0.01)
    return parameters


def sgd_jax(*arguments):
    parameters, gradients = parts(arguments)
    return tuple(p - 0.01 * g for p, g in zip(parameters, gradients))


def adam(*arguments):
    parameters, gradients, first, second = parts(arguments)
    torch._foreach_lerp_(first, gradients, 0.1)
    torch._foreach_mul_(second, 0.999)
    torch._foreach_addcmul_(second, gradients, gradients, 0.001)
    deviation = torch._foreach_sqrt(second)
    torch._foreach_add_(deviation, 1e-8)
    torch._foreach_addcdiv_(parameters, first, deviation, -1e-3)
    return parameters + first + second


def adam_jax(*arguments):
    parameters, gradients, first, second = parts(arguments)
    first = [m + 0.1 * (g - m) for m, g in zip(first, gradients)]
    second = [v * 0.999 + 0.001 * g * g for v, g in zip(second, gradients)]
    parameters = [p - 1e-3 * m / (jnp.sqrt(v) + 1e-8) for p, m, v in zip(parameters, first, second)]
    return (*parameters, *first, *second)


def with_squares(random):
    *others, second = [[normal(random, *shape) for shape in PARAMETERS] for _ in range(4)]
    return [array for part in others for array in part] + [array**2 for array in second]


case("sgd100", drawn(*PARAMETERS, *PARAMETERS), sgd, sgd_jax, 12 * ELEMENTS, range(COUNT))
case(
    "adam100", with_squares, adam, adam_jax, 28 * ELEMENTS, (*range(COUNT), *range(2 * COUNT, 4 * COUNT)),
)
