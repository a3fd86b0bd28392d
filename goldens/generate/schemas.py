"""The schemas that the graph dialect takes, from docs/operators.json and torch's own schema objects."""

import json
from dataclasses import dataclass

import torch

# What registers the operators of other namespaces than ATen's.
import torch._inductor.inductor_prims  # noqa: F401
import transformers.integrations.moe  # noqa: F401


@dataclass
class Argument:
    """An argument that our operation takes."""

    name: str
    kind: str
    keyword: bool
    required: bool


@dataclass
class Schema:
    """A schema, by its name, and the operation that stands for it. The namespace is left out where it is ATen's."""

    name: str
    operator: str
    function: object
    arguments: list
    named: str
    operation: dict
    # What our operation does not take and eager has no default for.
    fixed: dict

    @property
    def base(self):
        """The operation's name without dialect, the underscore of its in-place form and the overload."""
        return self.named.partition(".")[0].removesuffix("_")

    @property
    def writes(self):
        return self.named.partition(".")[0].endswith("_") and not self.metadata

    @property
    def metadata(self):
        """Whether it changes a tensor object, and no element."""
        return self.operation.get("metadata", False)

    @property
    def foreach(self):
        """Whether it works on each tensor of its lists."""
        return self.base.startswith("_foreach_")

    @property
    def synonym(self):
        """Whether it is another name of the operation."""
        return self.operator != self.named.partition(".")[0]

    @property
    def views(self):
        """Whether the results are views of the first operand."""
        results = self.operation["results"]
        return (self.metadata or not self.writes) and bool(results) and "aliases" in results[0]

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


# The same for all calls.
FIXED = {"requires_grad": False}


def schema(name, named, operation):
    space, _, rest = name.rpartition("::")
    operator, _, overload = rest.partition(".")
    function = getattr(getattr(getattr(torch.ops, space or "aten"), operator), overload or "default")
    arguments, fixed = [], {}
    for at, argument in enumerate(function._schema.arguments):
        # Arguments have the same names, or where overloads are one operation at least the same order.
        names = operation["arguments"]
        ours = argument.name if argument.name in names else names[at] if at < len(names) and not argument.kwarg_only else None
        if ours is None:
            if not argument.has_default_value():
                fixed[argument.name] = FIXED[argument.name]
            continue
        described = next(a for a in operation["operands"] + operation["attributes"] if a["name"] == ours)
        optional = "default" in described or described.get("optional", False)
        required = not argument.has_default_value() or not optional
        arguments.append(Argument(argument.name, str(argument.real_type), argument.kwarg_only, required))
    named = named.removeprefix("graph.")
    return Schema(name, operator, function, arguments, named.removeprefix(space + "."), operation, fixed)
