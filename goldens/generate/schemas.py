"""The schemas that the graph dialect takes, from docs/operators.json and torch's own schema objects."""

import json
from dataclasses import dataclass

import torch


@dataclass
class Argument:
    """An argument that our operation takes."""

    name: str
    kind: str
    keyword: bool
    required: bool


@dataclass
class Schema:
    """One of ATen's schemas, by its name without the namespace, and the operation that stands for it."""

    name: str
    operator: str
    function: object
    arguments: list
    named: str
    operation: dict

    @property
    def base(self):
        """The operation's name without dialect, the underscore of its in-place form and the overload."""
        return self.named.partition(".")[0].removesuffix("_")

    @property
    def writes(self):
        return self.named.partition(".")[0].endswith("_")

    @property
    def synonym(self):
        """Whether it is another name of the operation."""
        return self.operator != self.named.partition(".")[0]

    @property
    def views(self):
        """Whether the results are views of the first operand."""
        return not self.writes and "aliases" in self.operation["results"][0]

    @property
    def rounds_once(self):
        """Whether each element is rounded once, from elements at the same place."""
        pointwise = "in_place" in self.operation or "out_of_place" in self.operation
        return pointwise and all(argument.name != "alpha" for argument in self.arguments)


def schemas(path):
    """All of them, by name."""
    with open(path) as file:
        documented = json.load(file)
    return {
        name.removeprefix("aten::"): schema(name.removeprefix("aten::"), operation, documented["operations"][operation])
        for name, operation in documented["schemas"].items()
    }


def schema(name, named, operation):
    operator, _, overload = name.partition(".")
    function = getattr(getattr(torch.ops.aten, operator), overload or "default")
    arguments = []
    for at, argument in enumerate(function._schema.arguments):
        # Arguments have the same names, or where overloads are one operation at least the same order.
        names = operation["arguments"]
        ours = argument.name if argument.name in names else names[at] if at < len(names) and not argument.kwarg_only else None
        if ours is None:
            continue
        described = next(a for a in operation["operands"] + operation["attributes"] if a["name"] == ours)
        optional = "default" in described or described.get("optional", False)
        required = not argument.has_default_value() or not optional
        arguments.append(Argument(argument.name, str(argument.real_type), argument.kwarg_only, required))
    return Schema(name, operator, function, arguments, named.removeprefix("graph."), operation)
