"""What stands in a graph before it is translated: the checks of tracing are gone, and an operator that the graph dialect does not have
is spelled by others, as PyTorch's own table of decompositions says, or as the operator itself does it.

A region under autocast is traced under autocast, so that its casts stand in the graph.
"""

import functools
from operator import getitem

import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.node import map_arg
from torch.utils._pytree import tree_flatten, tree_unflatten

from .out import written

# What checks or times, and computes nothing.
CHECKS = ("aten::_assert", "aten::sym_constrain", "profiler::")


def bags(weight, indices, offsets, scale=False, mode=0, sparse=False, weights=None, last=False, padding=None):
    """`embedding_bag` by the operator that it calls: of what else it gives, eager and tracing disagree on the sizes."""
    padding = -1 if padding is None else padding % weight.shape[0]
    return torch.ops.aten._embedding_bag(weight, indices, offsets, scale, mode, sparse, weights, last, padding)


# By what an operator is spelled in any case.
SPELLED = {torch.ops.aten.embedding_bag.default: bags, torch.ops.aten.embedding_bag.padding_idx: bags}


def schema_name(overload):
    """`aten::add.Tensor`."""
    schema = overload._schema
    return schema.name + (f".{schema.overload_name}" if schema.overload_name else "")


def is_operator(node):
    return node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload)


def prepared(module, operators):
    """The graph module without checks, and without operators that others spell; itself where there are none."""
    left_out = checks(module.graph)
    lacking = {node for node in module.graph.nodes if node not in left_out and lacks(node, operators)}
    if not left_out and not lacking:
        return module
    table = decompositions(operators)
    graph, values, held = torch.fx.Graph(), {}, {}
    for node in module.graph.nodes:
        if node in left_out:
            continue
        inner = traced(module, node, table) if node in lacking else None
        if node.op == "output":
            graph.output(map_arg(node.args[0], lambda old: values[old]))
        elif inner is not None:
            values[node] = spelled(graph, node, inner, values, held)
        elif node.target is getitem and isinstance(values[node.args[0]], (list, tuple)):
            values[node] = values[node.args[0]][node.args[1]]
        else:
            values[node] = graph.node_copy(node, lambda old: values[old])
            if node.op == "get_attr":
                held[node.target] = attribute(module, node.target)
    return torch.fx.GraphModule(held, graph)


def attribute(module, path):
    """What a module holds under a path with dots."""
    return functools.reduce(getattr, path.split("."), module)


def checks(graph):
    """The nodes that check, and what is computed of numbers for them alone."""
    found = set()
    for node in reversed(graph.nodes):
        if node.op != "call_function":
            continue
        own = is_operator(node) and schema_name(node.target).startswith(CHECKS)
        number = not isinstance(node.meta.get("val"), (torch.Tensor, list, tuple, type(None)))
        if all(user in found for user in node.users) and (own or node.users and number):
            found.add(node)
    return found


def lacks(node, operators):
    """Whether a node is of an operator that the dialect does not have, or that is spelled by another, or a region under autocast."""
    if node.target is torch.ops.higher_order.wrap_with_autocast or node.target in SPELLED:
        return True
    return is_operator(node) and not written(node) and operators.find(schema_name(node.target)) is None


def decompositions(operators):
    """PyTorch's decompositions of the operators that the dialect does not have."""
    table = torch._decomp.decomposition_table
    return {
        overload: function
        for overload, function in table.items()
        if isinstance(overload, torch._ops.OpOverload) and operators.find(schema_name(overload)) is None
    }


def traced(module, node, table):
    """The graph of other operators that a node computes; None where there is none."""
    leaves, form = tree_flatten((node.args, node.kwargs))
    places = [n for n, leaf in enumerate(leaves) if isinstance(leaf, torch.fx.Node) and leaf.op != "get_attr"]

    def call(*given):
        now = list(leaves)
        for place, value in zip(places, given):
            now[place] = value
        args, kwargs = tree_unflatten(now, form)
        if is_operator(node):
            return SPELLED.get(node.target, node.target)(*args, **kwargs)
        device, dtype, enabled, cache, body, *operands = args
        with torch.autocast(device, dtype=dtype, enabled=enabled, cache_enabled=cache):
            return getattr(module, body.target)(*operands)

    given = [leaves[place].meta["val"] for place in places]
    try:
        with torch.no_grad():
            inner = make_fx(call, decomposition_table=table, tracing_mode="fake")(*given)
    except (NotImplementedError, RuntimeError):
        return None
    for other in sorted(checks(inner.graph), reverse=True):
        inner.graph.erase_node(other)
    return None if any(other.target == node.target for other in inner.graph.nodes) else inner


def spelled(graph, node, inner, values, held):
    """Puts a graph in the place of a node, and the tensors that it holds among those of the whole; gives what it returns."""
    leaves = tree_flatten((node.args, node.kwargs))[0]
    given = iter(leaf for leaf in leaves if isinstance(leaf, torch.fx.Node) and leaf.op != "get_attr")
    own = {}
    for other in inner.graph.nodes:
        if other.op == "placeholder":
            own[other] = values[next(given)]
        elif other.op == "output":
            return map_arg(other.args[0], lambda old: own[old])
        else:
            own[other] = graph.node_copy(other, lambda old: own[old])
            own[other].meta = {**node.meta, "val": other.meta.get("val")}
            if other.op == "get_attr":
                own[other].target = f"{node.name}.{other.target}"
                held[own[other].target] = attribute(inner, other.target)
    return None
