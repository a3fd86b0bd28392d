"""Makes the imported models of the tests: `python tools/import/make.py goldens/models [NAME...]`, which `./x models` runs.

For each model NAME.mlir is the program, and NAME.json says what its arguments hold (`fill.py`) and what PyTorch computes:

    {"arguments": [{"dtype": "f32", "sizes": [2, 3], "real": [-1.0, 1.0]},
                   {"dtype": "i64", "sizes": [2], "integers": [0, 100]}, {"dtype": "bool", "sizes": [1], "values": [true]}],
     "results": [{"dtype": "f32", "sizes": [2], "elements": [0.5, 0.25]}],
     "after": {"0": [0.5, 0.25, 0.5, 1.0, 2.0, 3.0]}}

`after` has the arguments that were written. Elements are in row-major order. An argument without `dtype` shares the memory of the one
that `same_as` numbers.
"""

import json
import pathlib
import sys
import warnings

import torch

from fill import Real, Values, of_parameter
from models import MODELS

warnings.filterwarnings("ignore")
NAMES = {torch.bool: "bool", torch.int64: "i64", torch.int32: "i32", torch.float32: "f32", torch.float64: "f64"}


def filled(model):
    """The arguments as JSON; parameters and buffers get what it says."""
    inputs, described, known = list(model.inputs), [], {}
    given = []
    for number, argument in enumerate(model.program.arguments):
        tensor = argument.tensor
        if tensor is not None and tensor.data_ptr() in known and tensor.numel() > 0:
            described.append({"same_as": known[tensor.data_ptr()]})
            continue
        if tensor is None:
            fill = inputs.pop(0)
            tensor = fill.tensor(number)
            given.append(tensor)
        else:
            known[tensor.data_ptr()] = number
            moment = argument.name.endswith(".second")
            fill = Real(*tensor.shape, low=0.005, high=0.01) if moment else of_parameter(argument.name, tensor)
            # A buffer that is computed when the model is made holds what it holds.
            if argument.kind == "constant" or argument.kind == "buffer" and "." in argument.name and not is_state(argument):
                fill = Values(tensor)
            with torch.no_grad():
                tensor.copy_(fill.tensor(number, tensor.dtype))
        described.append({"dtype": NAMES[tensor.dtype], "sizes": list(tensor.shape), **fill.described()})
    return given, described


def is_state(argument):
    """Whether a buffer is state that a program updates, and not a table."""
    ends = ("running_mean", "running_var", ".first", ".second", "keys", "values")
    return argument.name.endswith(ends)


def tensors(value):
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        return tensors(list(value.values()))
    return [tensor for entry in value or () for tensor in tensors(entry)] if isinstance(value, (list, tuple)) else []


def elements(tensor):
    """Row-major; floats with the digits that tell them apart."""
    digits = 9 if tensor.dtype == torch.float32 else 17
    shorten = (lambda x: float(f"{x:.{digits}g}")) if tensor.is_floating_point() else (lambda x: x)
    return [shorten(x) for x in tensor.detach().reshape(-1).tolist()]


def record(name, model, folder):
    given, described = filled(model)
    held = {n: a.tensor for n, a in enumerate(model.program.arguments) if a.tensor is not None}
    before = {number: tensor.detach().clone() for number, tensor in held.items()}
    with torch.enable_grad() if name in ("training", "joint") else torch.no_grad():
        results = tensors(model.reference(*given))
    after = {str(n): elements(held[n]) for n, was in before.items() if not torch.equal(held[n], was)}
    results = [{"dtype": NAMES[r.dtype], "sizes": list(r.shape), "elements": elements(r)} for r in results]
    data = {"arguments": described, "results": results, "after": after}
    lines = [f'"{key}": {json.dumps(value)}' for key, value in data.items()]
    (folder / f"{name}.json").write_text("{" + ",\n".join(lines) + "}\n")
    (folder / f"{name}.mlir").write_text(model.program.module)
    print(f"{name}: {len(model.program.module.splitlines())} lines, {sum(len(r['elements']) for r in results)} elements")


def main(folder, names):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for make in MODELS:
        if not names or make.__name__ in names:
            record(make.__name__, make(), folder)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
