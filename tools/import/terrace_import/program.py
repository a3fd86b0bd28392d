"""Programs: a function of the graph dialect, and the tensors that it is called with."""

import json
import pathlib

import numpy
import torch

from . import text
from .operators import Operators
from .translate import Translator, Unsupported

__all__ = ["Argument", "Program", "Unsupported", "exported", "graph"]


class Argument:
    """An argument of the function.

    `name` is the one of the parameter, buffer or input that it stands for; `kind` one of `parameter`, `buffer`, `constant`, `input` and
    `tangent`; `tensor` its value, None for an input and a tangent.
    """

    def __init__(self, name, kind, tensor=None):
        self.name, self.kind, self.tensor = name, kind, tensor


class Program:
    """The module's text, its arguments in order, and its results by name."""

    def __init__(self, module, arguments, results):
        self.module, self.arguments, self.results = module, arguments, results

    def save(self, folder, inputs):
        """Writes program.mlir, a .npy file for each storage, and IN.json, with which `terrace-run --inputs` calls it."""
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "program.mlir").write_text(self.module)
        inputs = list(inputs)
        storages, args = {}, []
        for number, argument in enumerate(self.arguments):
            tensor = inputs.pop(0) if argument.tensor is None else argument.tensor
            if not isinstance(tensor, torch.Tensor):
                args.append(tensor)
                continue
            tensor = tensor.detach()
            key = tensor.untyped_storage()._cdata
            if key not in storages:
                name = f"s{len(storages)}"
                whole = torch.empty(0, dtype=tensor.dtype).set_(tensor.untyped_storage())
                numpy.save(folder / f"{name}.npy", whole.numpy())
                storages[key] = name
            args.append(
                {
                    "storage": storages[key],
                    "sizes": list(tensor.shape),
                    "strides": list(tensor.stride()),
                    "offset": tensor.storage_offset(),
                }
            )
        files = {name: {"file": f"{name}.npy"} for name in storages.values()}
        (folder / "IN.json").write_text(json.dumps({"storages": files, "args": args}, indent=1) + "\n")


def exported(program, operators=None):
    """The program of `torch.export.export`, functional or not, decomposed or not.

    Parameters and buffers are the first arguments. Buffers that the exported program updates are written in place.

    Raises:
        Unsupported: it uses operators that the graph dialect does not have; all of them are listed.
    """
    signature = program.graph_signature
    held = {**program.state_dict, **program.constants}
    arguments = []
    for spec in signature.input_specs:
        kind = spec.kind.name.lower()
        if kind == "user_input":
            arguments.append(Argument(spec.arg.name, "input"))
            continue
        kind = {"constant_tensor": "constant"}.get(kind, kind)
        arguments.append(Argument(spec.target, kind, held[spec.target]))
    # Outputs that are new values of buffers or inputs go back to them.
    written = []
    targets = {spec.target: spec.arg.name for spec in signature.input_specs if spec.target is not None}
    for spec in signature.output_specs:
        name = spec.kind.name
        if name == "USER_OUTPUT":
            written.append(None)
        elif name == "USER_INPUT_MUTATION":
            written.append(spec.target)
        elif name in ("BUFFER_MUTATION", "PARAMETER_MUTATION"):
            written.append(targets[spec.target])
        else:
            written.append(None)
    return translate(program.graph_module, arguments, written, operators)


def graph(module, arguments=None, operators=None, gradients=()):
    """A graph module of ATen operators, such as `make_fx` and AOTAutograd give; its placeholders are the arguments.

    `arguments` are `Argument`s, one for each placeholder; by default all are inputs. Tensors that the module holds as attributes
    become arguments too, after them. Of a joint forward and backward graph, `gradients` are the numbers of the results that are
    gradients.

    Raises:
        Unsupported: as for `exported`.
    """
    if arguments is None:
        names = [node.name for node in module.graph.nodes if node.op == "placeholder"]
        arguments = [Argument(name, "input") for name in names]
    return translate(module, list(arguments), None, operators, gradients)


def translate(module, arguments, written, operators, gradients=()):
    translator = Translator(operators or Operators())
    held = translator.function(module, arguments, written)
    arguments += [Argument(name, "constant", tensor) for name, tensor in held]
    return Program(translator.module(arguments, gradients), arguments, translator.results)
