"""Elements at places that other tensors name."""

import numpy as np

from .case import normal, register
from .frameworks import F


def both_sizes(rows, width, count, tag):
    large = tag == "L"
    distinct = min(count, rows)

    def case(name, make, in_torch, in_jax, bytes, **others):
        register(f"{name}.{tag}", "indexing", make, in_torch, jax=in_jax, bytes=bytes, large=large, **others)

    case(
        "embedding", lambda random: [normal(random, rows, width), random.integers(0, rows, count)],
        lambda weight, indices: F.embedding(indices, weight), lambda weight, indices: weight[indices], 8 * count * width,
        numpy=lambda weight, indices: weight[indices],
    )
    case(
        "index_add",
        lambda random: [normal(random, rows, width), random.integers(0, rows, count), normal(random, count, width)],
        lambda into, indices, source: into.index_add(0, indices, source),
        lambda into, indices, source: into.at[indices].add(source), 8 * rows * width + 12 * count * width,
    )
    case(
        "index_put",
        lambda random: [
            normal(random, rows, width), random.permutation(rows)[:distinct], normal(random, distinct, width),
        ],
        lambda into, indices, source: into.index_put((indices,), source),
        lambda into, indices, source: into.at[indices].set(source), 8 * rows * width + 8 * distinct * width,
    )
    sources = 4 * 1024 * 1024 if large else 65536
    case(
        "scatter_add",
        lambda random: [
            np.zeros(sources // 16, np.float32), random.integers(0, sources // 16, sources), normal(random, sources),
        ],
        lambda into, indices, source: into.scatter_add(0, indices, source),
        lambda into, indices, source: into.at[indices].add(source), 12 * sources,
    )


both_sizes(1024, 64, 1024, "S")
both_sizes(50257, 768, 16384, "L")
