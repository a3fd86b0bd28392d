"""Cases as files, for contenders in other processes.

A folder has `inputs.json`, which is what `terrace-run --inputs` reads, `in0.npy`, ... that it names (a bf16 element is two bytes of no
type, `V2`), and `out0.npy`, ...: what eager PyTorch computes, floats as f32.
"""

import json

import numpy as np

from cases import Bf16


def write_inputs(folder, arguments):
    storages, views = {}, []
    for number, argument in enumerate(arguments):
        array = argument.bits().reshape(argument.array.shape) if isinstance(argument, Bf16) else np.asarray(argument)
        np.save(folder / f"in{number}.npy", array)
        storages[f"s{number}"] = {"file": f"in{number}.npy"}
        views.append({"storage": f"s{number}", "sizes": list(array.shape)})
    (folder / "inputs.json").write_text(json.dumps({"storages": storages, "args": views}))


def write_results(folder, results):
    for number, result in enumerate(results):
        np.save(folder / f"out{number}.npy", result)


def read_results(folder):
    """The arrays of out0.npy, ...; bf16 as f32."""
    results = []
    while (file := folder / f"out{len(results)}.npy").exists():
        array = np.load(file)
        results.append(Bf16.from_bits(array) if array.dtype == np.dtype("V2") else array)
    return results


def error(results, expected):
    """The largest difference, relative to one more than the number that is expected. Infinite where sizes or what is no number differ."""
    if len(results) != len(expected):
        return float("inf")
    worst = 0.0
    for result, right in zip(results, expected):
        if result.size != right.size:
            return float("inf")
        result, right = (np.asarray(array, np.float64).reshape(-1) for array in (result, right))
        same = (result == right) | (np.isnan(result) & np.isnan(right))
        with np.errstate(invalid="ignore"):
            difference = np.where(same, 0.0, np.abs(result - right) / (1 + np.abs(right)))
        largest = float(difference.max(initial=0.0))
        worst = max(worst, float("inf") if np.isnan(largest) else largest)
    return worst
