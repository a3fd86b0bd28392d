"""The reference values of examples/mlp.mlir: numpy, f64, textbook formulas. `python3 examples/reference.py` writes them.

Inputs are those of examples/README.md: element i of the tensor with seed s is (splitmix64(s * 2^32 + i) >> 40) / 2^24 - 0.5.
"""

from math import erf, sqrt
from pathlib import Path

import numpy as np

SHAPES = [(128, 256), (1024, 256), (1024,), (128, 1024), (1024,), (1024,), (256, 1024), (256,)]


def splitmix64(x):
    with np.errstate(over="ignore"):
        x = x + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def tensor(seed, shape):
    index = np.arange(np.prod(shape), dtype=np.uint64) + np.uint64(seed << 32)
    return ((splitmix64(index) >> np.uint64(40)).astype(np.float64) / 2**24 - 0.5).reshape(shape)


def mlp(x, w1, b1, residual, gain, shift, w2, b2):
    h = x @ w1.T + b1
    h = h * 0.5 * (1 + np.vectorize(erf)(h / sqrt(2)))
    h = h + residual
    h = (h - h.mean(1, keepdims=True)) / np.sqrt(h.var(1, keepdims=True) + 1e-5) * gain + shift
    o = h @ w2.T + b2
    e = np.exp(o - o.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


if __name__ == "__main__":
    result = mlp(*(tensor(seed, shape) for seed, shape in enumerate(SHAPES)))
    np.save(Path(__file__).with_name("mlp.expected.npy"), result.astype(np.float32))
    print("mean", result.mean(), "largest", result.max())
