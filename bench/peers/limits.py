"""What the machine can do at most, by limits.c."""

import json
import os
import pathlib
import subprocess

SOURCE = pathlib.Path(__file__).with_name("limits.c")
#: Elements of an array: in a core's own cache, in the cache of all, in memory.
SIZES = {"core": 1 << 16, "cache": 1 << 20, "memory": 1 << 25}


def measure(threads, folder):
    """Bytes and operations a second: {"cache": B/s, "memory": B/s, "flops": 1/s}."""
    binary = folder / "limits"
    options = ["-O3", "-march=native", "-fopenmp"]
    subprocess.run(["gcc", *options, SOURCE, "-o", binary], check=True)
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "true"}

    def streams(elements):
        said = subprocess.run([binary, str(elements)], env=environment, capture_output=True, text=True, check=True)
        return json.loads(said.stdout)

    measured = {name: streams(elements) for name, elements in SIZES.items()}

    def fastest(*names):
        return max(measured[name][stream] for name in names for stream in ("triad", "streamed"))

    return {
        "cache": fastest("core", "cache"),
        "memory": fastest("memory"),
        "flops": max(one["flops"] for one in measured.values()),
    }


def best(one, other):
    """The higher of two measurements: a limit is what was reached once."""
    return {name: max(one[name], other[name]) for name in one}


def seconds(limits, flops, bytes, large):
    """The least time for a case."""
    return max(flops / limits["flops"], bytes / limits["memory" if large else "cache"])
