"""Eager PyTorch, Inductor at its settings, and NumPy, which needs no process of its own."""

import os
import time

import numpy as np

os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"
# Huge pages: what the allocation of large results costs is a quarter then.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")

import torch  # noqa: E402
import torch._inductor.config  # noqa: E402

from cases import frameworks  # noqa: E402
from models import tensor  # noqa: E402

from . import Prepared, Skipped  # noqa: E402

#: What Inductor cannot take whole it refuses: elsewhere Dynamo would call eager for the rest without a word.
WHOLE = {"dynamic": False, "fullgraph": True}
TUNED = {"max_autotune": True, "max_autotune_gemm_backends": "ATEN,CPP"}


class Weights(torch.nn.Module):
    """A function whose arguments but the first are weights, as a model would have them."""

    def __init__(self, function, weights):
        super().__init__()
        self.function = function
        self.weights = torch.nn.ParameterList(torch.nn.Parameter(weight, requires_grad=False) for weight in weights)

    def forward(self, first):
        return self.function(first, *self.weights)


class Backend:
    def __init__(self, threads):
        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)
        if os.environ.get("ATEN_CPU_CAPABILITY") == "avx2":
            # What g++ makes of Inductor's loops, too.
            torch._inductor.config.cpp.march = "x86-64-v3"
        frameworks.load("torch", "torch.nn.functional")
        # The first compilation of a process loads the compiler.
        torch.compile(lambda x: x * 3 + 1)(torch.ones(9))

    def prepare(self, case, peer):
        if peer == "numpy":
            return self.numpy(case)
        arguments = [tensor(argument) for argument in case.arguments()]
        function = case.module() if case.module else case.torch
        torch._dynamo.reset()
        if peer == "inductor":
            function = case.compiled(lambda own: torch.compile(own, **WHOLE))
        elif peer == "inductor_tuned":
            if not case.tuned:
                raise Skipped
            function = torch.compile(function, **WHOLE, options=TUNED)
        elif peer == "inductor_frozen":
            if case.group not in ("product", "model"):
                raise Skipped
            if not case.module:
                function, arguments = Weights(function, arguments[1:]).eval(), arguments[:1]
            function = torch.compile(function, **WHOLE, options={"freezing": True, **TUNED})

        def call():
            # In this mode Inductor freezes, and eager keeps no account of versions and views.
            with torch.inference_mode():
                return function(*arguments)

        start = time.perf_counter()
        results = call()
        seconds = 0.0 if peer == "eager" else time.perf_counter() - start
        # In-place cases go on to write what they returned.
        return Prepared(call, [array(result) for result in tuple_of(results)], seconds)

    def numpy(self, case):
        if case.numpy is None:
            raise Skipped
        arguments = case.arguments()

        def call():
            return case.numpy(*arguments)

        return Prepared(call, [np.asarray(result) for result in tuple_of(call())], 0.0)


def array(result):
    result = result.detach()
    return (result.float() if result.is_floating_point() else result).clone().numpy()


def tuple_of(results):
    return results if isinstance(results, (tuple, list)) else (results,)
