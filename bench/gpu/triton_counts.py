"""How many machine instructions Triton spends on each element of the cases: `./x gpu-table --triton` writes triton.jsonl.

Kernels for the same operations, written as Triton's tutorials do, are compiled ahead of time for sm_90; no GPU is needed. Of several
numbers of elements a thread the best counts. Instructions are counted as ours are, by `terrace-bench sass`, whose path is the argument.
"""

import glob
import json
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.language.extra import libdevice

TARGET = GPUTarget("cuda", 90, 32)


@triton.jit
def add(x, y, to, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(to + at, tl.load(x + at) + tl.load(y + at))


@triton.jit
def silu_mul(gate, up, to, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    g = tl.load(gate + at).to(tl.float32)
    tl.store(to + at, g * tl.sigmoid(g) * tl.load(up + at).to(tl.float32))


@triton.jit
def gelu_erf(x, to, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    v = tl.load(x + at)
    tl.store(to + at, v * 0.5 * (1 + tl.erf(v * 0.7071067811865476)))


@triton.jit
def chain(x, scale, shift, gain, to, N: tl.constexpr, COLUMNS: tl.constexpr):
    """relu(sigmoid(gelu(x * scale + shift) * gain) + x) * 0.5 - shift; gelu is tanh's."""
    at = tl.program_id(0) * N + tl.arange(0, N)
    column = at % COLUMNS
    v, b = tl.load(x + at), tl.load(shift + column)
    h = v * tl.load(scale + column) + b
    h = 0.5 * h * (1 + libdevice.tanh(0.7978845608028654 * (h + 0.044715 * h * h * h)))
    h = tl.sigmoid(h * tl.load(gain + at)) + v
    tl.store(to + at, tl.maximum(h, 0) * 0.5 - b)


@triton.jit
def sum_row(x, to, N: tl.constexpr):
    row = tl.program_id(0)
    tl.store(to + row, tl.sum(tl.load(x + row * N + tl.arange(0, N)), 0))


@triton.jit
def var_mean(x, variance, mean, N: tl.constexpr):
    row = tl.program_id(0)
    v = tl.load(x + row * N + tl.arange(0, N))
    m = tl.sum(v, 0) / N
    tl.store(mean + row, m)
    tl.store(variance + row, tl.sum((v - m) * (v - m), 0) / (N - 1))


@triton.jit
def layernorm(x, weight, bias, to, N: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, N)
    v = tl.load(x + row * N + at)
    d = v - tl.sum(v, 0) / N
    scale = tl.rsqrt(tl.sum(d * d, 0) / N + 1e-5)
    tl.store(to + row * N + at, d * scale * tl.load(weight + at) + tl.load(bias + at))


@triton.jit
def rmsnorm(x, weight, to, N: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, N)
    v = tl.load(x + row * N + at)
    tl.store(to + row * N + at, v * tl.rsqrt(tl.sum(v * v, 0) / N + 1e-5) * tl.load(weight + at))


@triton.jit
def softmax(x, to, N: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, N)
    v = tl.load(x + row * N + at).to(tl.float32)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(to + row * N + at, e / tl.sum(e, 0))


# The kernel, the types of its pointers, other constants, and the elements of a block: any, or those of a row.
CASES = {
    "add.L": (add, ["fp32"] * 3, {}, None),
    "silu_mul.L": (silu_mul, ["fp32"] * 3, {}, None),
    "bf16_silu_mul.L": (silu_mul, ["bf16"] * 3, {}, None),
    "gelu_erf.L": (gelu_erf, ["fp32"] * 2, {}, None),
    "chain10.L": (chain, ["fp32"] * 5, {"COLUMNS": 4096}, None),
    "sum_row.L": (sum_row, ["fp32"] * 2, {}, 4096),
    "var_mean.L": (var_mean, ["fp32"] * 3, {}, 4096),
    "layernorm.L": (layernorm, ["fp32"] * 4, {}, 4096),
    "rmsnorm.L": (rmsnorm, ["fp32"] * 3, {}, 4096),
    "softmax_1024.L": (softmax, ["fp32"] * 2, {}, 1024),
    "softmax_4096.L": (softmax, ["fp32"] * 2, {}, 4096),
    "bf16_softmax_4096.L": (softmax, ["bf16"] * 2, {}, 4096),
}


def instructions(cubin: bytes, nvdisasm: str) -> int:
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        text = subprocess.run([nvdisasm, "-c", file.name], capture_output=True, text=True, check=True).stdout
    counted = subprocess.run([sys.argv[1], "sass"], input=text, capture_output=True, text=True, check=True).stdout
    return int(counted)


def count(kernel, pointers, constants, row, nvdisasm):
    names = kernel.arg_names
    best = None
    for warps in 4, 8:
        for block in [row] if row else [1024, 2048, 4096]:
            own = constants | {"N": block}
            signature = {n: f"*{p}" for n, p in zip(names, pointers)} | {n: "constexpr" for n in own}
            aligned = {(i,): [["tt.divisibility", 16]] for i in range(len(pointers))}
            source = ASTSource(kernel, signature=signature, constexprs=own, attrs=aligned)
            made = triton.compile(source, target=TARGET, options={"num_warps": warps})
            each = instructions(made.asm["cubin"], nvdisasm) / (block / (32 * warps))
            best = each if best is None else min(best, each)
    return best


def main():
    (nvdisasm,) = glob.glob(".venv/lib/python*/site-packages/nvidia/*/bin/nvdisasm")
    for case, about in CASES.items():
        print(json.dumps({"case": case, "instructions": round(count(*about, nvdisasm), 3)}), flush=True)


if __name__ == "__main__":
    main()
