"""JAX: jit, arguments that are written donated."""

import os
import time

import numpy as np

os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

from cases import Bf16  # noqa: E402

from . import Prepared, Skipped  # noqa: E402


class Backend:
    def __init__(self, threads):
        # XLA has as many threads as the process has processors when it starts.
        jax.jit(lambda x: x * 3 + 1)(np.ones(9, "f4")).block_until_ready()

    def prepare(self, case, peer):
        if case.jax is None:
            raise Skipped
        arguments = [device_array(argument) for argument in case.arguments()]
        written = tuple(case.written)
        start = time.perf_counter()
        function = jax.jit(case.jax, donate_argnums=written).lower(*arguments).compile()
        seconds = time.perf_counter() - start

        def call():
            results = jax.block_until_ready(function(*arguments))
            for number, place in enumerate(written):
                arguments[place] = results[number]
            return results

        results = call()
        results = results if isinstance(results, (tuple, list)) else (results,)
        return Prepared(call, [array(result) for result in results], seconds)


def device_array(argument):
    if isinstance(argument, Bf16):
        return jnp.asarray(argument.array).astype(jnp.bfloat16)
    return jnp.asarray(argument)


def array(result):
    return np.array(result.astype("float32") if result.dtype == jnp.bfloat16 else result)
