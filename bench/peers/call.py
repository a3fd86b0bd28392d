"""What sums of tensors of 64 elements take eager PyTorch and NumPy: lines of count, microseconds, microseconds."""

import sys
import time

import numpy
import torch

CALLS = 500


def least(add, runs):
    times = []
    for _ in range(runs):
        start = time.perf_counter_ns()
        for _ in range(CALLS):
            add()
        times.append((time.perf_counter_ns() - start) / CALLS / 1000)
    return min(times)


def summed(tensors):
    total = tensors[0] + tensors[1]
    for tensor in tensors[2:]:
        total = total + tensor
    return total


torch.set_num_threads(1)
runs = int(sys.argv[1])
for count in map(int, sys.argv[2:]):
    arrays = [numpy.ones(64, numpy.float32) for _ in range(count)]
    tensors = [torch.from_numpy(array) for array in arrays]
    with torch.inference_mode():
        eager = least(lambda: summed(tensors), runs)
    print(f"{count}\t{eager:.2f}\t{least(lambda: summed(arrays), runs):.2f}")
