"""Programs: a function of the graph dialect, and the tensors that it is called with."""

import json
import pathlib

import numpy
import torch

from torch.export.graph_signature import ConstantArgument

from .operators import Operators
from .translate import GIVEN, Translator, Unsupported
from .verify import Invalid, verify

__all__ = ["Argument", "Invalid", "Program", "Unsupported", "exported", "graph"]


class Argument:
    """An argument of the function.

    `name` is the one of the parameter, buffer or input that it stands for; `kind` one of `parameter`, `buffer`, `constant`, `input` and
    `tangent`; `tensor` its value, None for an input and a tangent.
    """

    def __init__(self, name, kind, tensor=None):
        self.name, self.kind, self.tensor = name, kind, tensor


class Program:
    """The module's text, its arguments in order, and its results by name.

    `constants` has what the export made a constant of, by its number among the inputs: a Python number, a string, None. No argument stands
    for it.
    """

    def __init__(self, module, arguments, results, constants):
        self.module, self.arguments, self.results, self.constants = module, arguments, results, constants

    def save(self, folder, inputs):
        """Writes program.mlir, a .npy file for each storage, and IN.json, with which `terrace-run --inputs` calls it.

        Raises:
            ValueError: an input is not the constant that it was when the program was exported.
        """
        inputs = list(inputs)
        for number, constant in self.constants.items():
            if type(inputs[number]) is not type(constant) or inputs[number] != constant:
                raise ValueError(f"input {number} is {inputs[number]!r}, but the program was exported with {constant!r}")
        inputs = [value for number, value in enumerate(inputs) if number not in self.constants]
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "program.mlir").write_text(self.module)
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
                # An element that NumPy does not have is two bytes of no type.
                bits = whole.view(torch.int16).numpy().view("V2") if whole.dtype == torch.bfloat16 else whole.numpy()
                numpy.save(folder / f"{name}.npy", bits)
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
        Invalid: terrace-opt refuses what it became.
    """
    signature = program.graph_signature
    held = {**program.state_dict, **program.constants}
    arguments, constants, inputs = [], {}, 0
    for spec in signature.input_specs:
        kind = spec.kind.name.lower()
        if kind == "token":
            continue
        if kind == "user_input":
            if isinstance(spec.arg, ConstantArgument):
                constants[inputs] = spec.arg.value
            else:
                arguments.append(Argument(spec.arg.name, "input"))
            inputs += 1
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
    return translate(program.graph_module, arguments, written, operators, constants=constants)


def graph(module, arguments=None, operators=None, gradients=()):
    """A graph module of ATen operators, such as `make_fx` and AOTAutograd give; its placeholders are the arguments.

    `arguments` are `Argument`s, one for each placeholder; by default all are inputs. Tensors that the module holds as attributes
    become arguments too, after them. Of a joint forward and backward graph, `gradients` are the numbers of the results that are
    gradients.

    Raises:
        Unsupported: as for `exported`.
    """
    placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
    values = [node.meta.get("val") for node in placeholders]
    constants = {number: value for number, value in enumerate(values) if not isinstance(value, GIVEN)}
    if arguments is None:
        arguments = [Argument(node.name, "input") for node in placeholders]
    arguments = [argument for number, argument in enumerate(arguments) if number not in constants]
    return translate(module, arguments, None, operators, gradients, constants)


def translate(module, arguments, written, operators, gradients=(), constants=None):
    translator = Translator(operators or Operators())
    held = translator.function(module, arguments, written)
    arguments += [Argument(name, "constant", tensor) for name, tensor in held]
    text = translator.module(arguments, gradients)
    verify(text, translator.nodes)
    return Program(text, arguments, translator.results, constants or {})
