"""The peers. A backend is a process's worth of them: `prepare` compiles a case for one of its peers.

| backend | peers |
|---|---|
| torch | eager, inductor, inductor_tuned (max-autotune), inductor_frozen (freezing: weights are constants), numpy |
| jax | jax |
| iree | iree |
| onnx | onnxruntime |
"""

import importlib
from dataclasses import dataclass
from typing import Callable, Sequence

PEERS = {
    "eager": "torch", "inductor": "torch", "inductor_tuned": "torch", "inductor_frozen": "torch", "numpy": "torch",
    "jax": "jax", "iree": "iree", "onnxruntime": "onnx",
}


class Skipped(Exception):
    """The peer has no such case, or it is not asked for it."""


@dataclass
class Prepared:
    """A case that is ready to be called again and again."""

    #: Runs it once, to the end.
    call: Callable
    #: What the first call gave.
    results: Sequence
    #: What it took to compile, in seconds.
    compile_seconds: float


def backend(name, threads):
    """Makes one. It fixes how many threads the process has."""
    return importlib.import_module(f"{__name__}.{name}_backend").Backend(threads)
