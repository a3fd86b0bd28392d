"""IREE's compiler for this processor, on the StableHLO that JAX makes of a case."""

import os
import pathlib
import subprocess
import time

import numpy as np

os.environ["JAX_PLATFORMS"] = "cpu"

import iree.compiler  # noqa: E402
import iree.runtime  # noqa: E402
import jax  # noqa: E402

from . import Prepared, Skipped  # noqa: E402
from .jax_backend import device_array  # noqa: E402

COMPILER = pathlib.Path(iree.compiler.__file__).parent / "_mlir_libs" / "iree-compile"
OPTIONS = [
    "--iree-input-type=stablehlo", "--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3",
]
#: Seconds that it may take to compile.
PATIENCE = 120


class Backend:
    def __init__(self, threads):
        # local-sync runs in the calling thread.
        self.config = iree.runtime.Config("local-sync" if threads == 1 else "local-task")

    def prepare(self, case, peer):
        if case.jax is None or not case.iree:
            raise Skipped
        arguments = [device_array(argument) for argument in case.arguments()]
        text = str(jax.jit(case.jax, keep_unused=True).lower(*arguments).compiler_ir("stablehlo"))
        start = time.perf_counter()
        compiled = subprocess.run(
            [COMPILER, "-", "-o", "-", *OPTIONS], input=text.encode(), capture_output=True, timeout=PATIENCE,
        )
        if compiled.returncode:
            raise RuntimeError(compiled.stderr.decode()[:200])
        context = iree.runtime.SystemContext(config=self.config)
        module = iree.runtime.VmModule.copy_buffer(context.instance, compiled.stdout)
        context.add_vm_module(module)
        seconds = time.perf_counter() - start
        function = context.modules[module.name].main
        held = [iree.runtime.asdevicearray(self.config.device, np.asarray(argument)) for argument in arguments]

        def call():
            return function(*held)

        results = call()
        results = results if isinstance(results, (tuple, list)) else (results,)
        return Prepared(call, [array(result) for result in results], seconds)


def array(result):
    host = np.asarray(result.to_host())
    return host.astype("float32") if str(result.dtype) == "bfloat16" else host
