"""What PyTorch's FakeTensorMode takes per operation, over the programs of `terrace-bench fake`: lines of kind, count, nanoseconds."""

import sys
import time

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

# A traced graph calls operators, and not Python's functions.
aten = torch.ops.aten
POINTWISE = [
    lambda a, b: aten.add.Tensor(a, b),
    lambda a, b: aten.mul.Tensor(a, b),
    lambda a, b: aten.relu.default(a),
    lambda a, b: aten.sigmoid.default(a),
]
MIXED = [
    lambda a, b: aten.add.Tensor(a, b),
    lambda a, b: aten.mm.default(a, b),
    lambda a, b: aten.relu_.default(a),
    lambda a, b: aten.transpose.int(a, 0, 1),
    lambda a, b: aten.mul.Tensor(a, b),
    lambda a, b: aten.softmax.int(a, -1),
    lambda a, b: aten.cat.default([a, b], 0),
    lambda a, b: aten.slice.Tensor(a, 0, 0, 64, 1),
    lambda a, b: aten.sigmoid.default(a),
    lambda a, b: aten.contiguous.default(a),
]


def follow(lines, count):
    a, b = torch.empty(64, 64), torch.empty(64, 64)
    start = time.perf_counter_ns()
    for number in range(count):
        a, b = lines[number % len(lines)](a, b), a
    return time.perf_counter_ns() - start


for kind, lines in [("pointwise", POINTWISE), ("mixed", MIXED)]:
    for count in map(int, sys.argv[1:]):
        with FakeTensorMode():
            least = min(follow(lines, count) for _ in range(3))
        print(f"{kind}\t{count}\t{least / count:.0f}")
