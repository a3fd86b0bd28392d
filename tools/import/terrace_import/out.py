"""Operators with `out=`, spelled out: what is computed, and a copy of it into the tensor that is given.

Eager gives the tensor the sizes of the result first, and its strides where the sizes were others; that is `resize_`, then
`as_strided_`. What takes a dtype that is not given computes in the one of the tensor.
"""

from operator import getitem

import torch
from torch.fx.node import map_arg

aten = torch.ops.aten

# Arguments that say how a new tensor is made: the tensor that is given says it.
MADE = ("dtype", "layout", "device", "pin_memory")


def spelled_out(module):
    """The module without such operators; itself where there are none."""
    if not any(written(node) for node in module.graph.nodes):
        return module
    graph, values = torch.fx.Graph(), {}
    for node in module.graph.nodes:
        names = written(node)
        operator = computes(node.target) if names else None
        if node.op == "output":
            graph.output(map_arg(node.args[0], lambda old: values[old]))
        elif operator is not None:
            values[node] = into(graph, node, operator, names, values)
        elif node.target is getitem and isinstance(values[node.args[0]], list):
            values[node] = values[node.args[0]][node.args[1]]
        else:
            values[node] = graph.node_copy(node, lambda old: values[old])
    return torch.fx.GraphModule(module, graph)


def written(node):
    """The names of the arguments that an operator writes its results into."""
    if node.op != "call_function" or not isinstance(node.target, torch._ops.OpOverload):
        return []
    return [argument.name for argument in node.target._schema.arguments if argument.is_out]


def computes(overload):
    """The overload that gives what another one writes; None where there is none."""

    def takes(schema):
        return [(a.name, str(a.type)) for a in schema.arguments if not a.is_out and a.name not in MADE]

    packet = overload._overloadpacket
    for name in packet.overloads():
        other = getattr(packet, name)
        results = len(other._schema.returns)
        if not other._schema.is_mutable and results and takes(other._schema) == takes(overload._schema):
            return other
    return None


def into(graph, node, operator, names, values):
    """Computes, then copies each result into its tensor; gives the tensors, as the operator does."""
    given = {name: value for name, value in node.kwargs.items() if name not in names}
    targets = flat([node.kwargs[name] for name in names])
    if "dtype" in [argument.name for argument in operator._schema.arguments] and given.get("dtype") is None:
        given["dtype"] = targets[0].meta["val"].dtype
    made = operator(*map_arg(node.args, value), **map_arg(given, value))
    arguments = map_arg((node.args, given), lambda old: values[old])
    results = [call(graph, node, operator, *arguments, made)]
    if isinstance(made, (list, tuple)):
        results = [call(graph, node, getitem, (results[0], n), {}, part) for n, part in enumerate(made)]
    done = [copied(graph, node, values[target], result) for target, result in zip(targets, results)]
    values.update(zip(targets, done))
    return done[0] if len(done) == 1 else done


def copied(graph, node, target, result):
    """The tensor with the result's elements; with its sizes and strides where it had other sizes."""
    now, wanted = value(target), value(result)
    if now.shape != wanted.shape:
        sizes, strides = list(wanted.shape), list(wanted.stride())
        target = call(graph, node, aten.resize_.default, (target, sizes), {}, now.new_empty(sizes))
        if list(value(target).stride()) != strides:
            offset = now.storage_offset()
            now = now.new_empty_strided(sizes, strides)
            target = call(graph, node, aten.as_strided_.default, (target, sizes, strides, offset), {}, now)
    return call(graph, node, aten.copy_.default, (target, result), {}, value(target))


def call(graph, node, operator, args, kwargs, made):
    """A call in the place of a node, and the fake tensor that it gives."""
    new = graph.call_function(operator, args, kwargs)
    new.meta = {**node.meta, "val": made}
    return new


def value(node):
    return node.meta["val"]


def flat(nested):
    if isinstance(nested, (list, tuple)):
        return [entry for inner in nested for entry in flat(inner)]
    return [nested]
