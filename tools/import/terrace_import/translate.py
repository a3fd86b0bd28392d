"""An FX graph of ATen operators as a function of the graph dialect, in MLIR's generic form.

Operands, attributes and their order come from operators.json; the types of results from the fake tensors that tracing left
in the graph, which MLIR's verifier then compares with what the operators' own rules say.
"""

import operator
import re
from collections import defaultdict

import torch

from . import text
from .out import spelled_out
from .prepare import attribute, prepared, schema_name

# Arguments that say where a tensor is made and by which library: whether a value is one that needs no counterpart.
PLACEMENT = {
    "device": lambda value: value is None or torch.device(value).type == "cpu",
    "layout": lambda value: value in (None, torch.strided),
    "pin_memory": lambda value: not value,
    "requires_grad": lambda value: not value,
    "non_blocking": lambda value: True,
    "cudnn_enable": lambda value: True,
    "cudnn_enabled": lambda value: True,
}


# What Python computes of sizes. Of numbers that are not negative these are Python's rules.
ARITHMETIC = {
    operator.add: "addi",
    operator.sub: "subi",
    operator.mul: "muli",
    operator.floordiv: "floordivsi",
    operator.mod: "remsi",
    torch.sym_max: "maxsi",
    torch.sym_min: "minsi",
}

# What None stands for where a slice begins or ends.
OPEN = {"start": 0, "end": (1 << 63) - 1}

# What an argument may be that a caller gives: a tensor, or a number that the run knows.
GIVEN = (torch.Tensor, torch.SymInt, torch.SymFloat, torch.SymBool)


class Unsupported(Exception):
    """What of a graph can't be imported, all of it: a line for each kind of thing, with its first node and the line of Python that called it.

    `nodes` has the nodes by what is said of them.
    """

    def __init__(self, nodes):
        lines = [f"  {what} ({len(of)}x): {place(of[0])}" for what, of in sorted(nodes.items())]
        super().__init__("the graph dialect does not have:\n" + "\n".join(lines))
        self.nodes = nodes


def place(node):
    """A node, and the innermost line of the user's Python that called it, else of PyTorch's."""
    frames = re.findall(r'File "(.*)", line (\d+), in (.*)', node.meta.get("stack_trace") or "")
    own = [frame for frame in frames if "/torch/" not in frame[0] and frame[0][0] != "<"] or frames
    return f"{node.name}, {own[-1][0]}:{own[-1][1]} in {own[-1][2]}" if own else node.name


class Translator:
    """A function under construction."""

    def __init__(self, operators):
        self.operators = operators
        # The nodes of lines of the module, by their numbers from 1.
        self.lines, self.nodes, self.missing = [], {}, defaultdict(list)
        self.types, self.result_types, self.results = [], [], []
        self.held = []
        self.numbers, self.used = 0, set()
        # Nodes that are the same tensor as another one, and by that one the node whose sizes and strides the tensor has now.
        self.same, self.now = {}, {}

    # The function.

    def function(self, module, arguments, written):
        """Translates a graph; gives the tensors that it held, which become further arguments."""
        module = self.prepared(module)
        placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
        values = {}
        for node in placeholders[:]:
            if not isinstance(node.meta.get("val"), GIVEN):
                # A constant of the tracing, which nobody looks at any more.
                placeholders.remove(node)
                if node.users:
                    self.missing[f"an input that is {node.meta.get('val')}"].append(node)
        for number, node in enumerate(placeholders):
            meta = node.meta.get("val")
            self.types.append((text.value_type(meta), meta if isinstance(meta, torch.Tensor) else None))
            values[node] = f"%arg{number}"
        self.names = {node.name: values[node] for node in placeholders}
        self.metas = {node.name: node.meta.get("val") for node in placeholders}
        outputs = self.graph(module, values)
        if self.missing:
            raise Unsupported(self.missing)
        for number, node in enumerate(outputs):
            target = written[number] if written else None
            if target is not None:
                ty = text.tensor_type(self.metas[target])
                source = text.tensor_type(node.meta["val"])
                operands = f"{self.names[target]}, {values[node]}"
                self.lines.append(f'  {self.fresh("written")} = "graph.copy_"({operands}) : ({ty}, {source}) -> {ty}')
            elif node is not None:
                self.results.append((values[node], text.value_type(node.meta["val"])))
        return self.held

    def prepared(self, module):
        """A graph of the operators that the dialect has."""
        return prepared(spelled_out(module), self.operators)

    def graph(self, module, values):
        """Translates the nodes of a graph into lines; gives its outputs, flat."""
        for node in module.graph.nodes:
            if node.op == "get_attr":
                self.attribute(module, node, values)
            elif node.op == "call_function":
                self.call(module, node, values)
            elif node.op == "output":
                return [None if output is None else self.current(output) for output in flat(node.args[0])]
        return []

    def attribute(self, module, node, values):
        """A tensor that the module holds is an argument; a graph is one for its caller."""
        held = attribute(module, node.target)
        if isinstance(held, torch.Tensor):
            name = f"%held{len(self.held)}"
            self.held.append((node.target, held))
            self.types.append((text.tensor_type(held), held))
            values[node] = name

    # A tensor, and what it is now.

    def tensor(self, node):
        """The first node that is the same tensor."""
        return self.same.get(node, node)

    def current(self, node):
        """The node that has the sizes and strides of a tensor now."""
        return self.now.get(self.tensor(node), node)

    # A call.

    def call(self, module, node, values):
        target = node.target
        if target is operator.getitem:
            values[node] = self.item(node, values)
        elif target in ARITHMETIC:
            self.arithmetic(node, ARITHMETIC[target], values)
        elif isinstance(target, torch._ops.HigherOrderOperator):
            self.higher_order(module, node, values)
        elif isinstance(target, torch._ops.OpOverload):
            self.operator(node, target, values)
        else:
            self.missing[f"calls of {getattr(target, '__name__', target)}"].append(node)

    def arithmetic(self, node, name, values):
        """What is computed of sizes that the run knows."""
        try:
            operands = ", ".join(self.operand(of, values)[0] for of in node.args)
        except Refused as refused:
            self.missing[f"{node.target.__name__}: {refused}"].append(node)
            return
        values[node] = self.fresh(node.name)
        self.lines.append(f"  {values[node]} = arith.{name} {operands} : i64" + location(node))

    def item(self, node, values):
        source, index = node.args
        of = values.get(source)
        return of[index] if isinstance(of, list) else None

    def higher_order(self, module, node, values):
        """What a region runs under matters to tracing alone: its graph takes the place of the call."""
        graphs = [a for a in node.args if isinstance(a, torch.fx.Node) and a.op == "get_attr" and a not in values]
        name = node.target.name() if callable(getattr(node.target, "name", None)) else str(node.target)
        if len(graphs) != 1 or not name.startswith("wrap_with_"):
            self.missing[f"higher-order operator {name}"].append(node)
            return
        inner = self.prepared(getattr(module, graphs[0].target))
        operands = node.args[node.args.index(graphs[0]) + 1 :]
        inside = dict(values)
        placeholders = [n for n in inner.graph.nodes if n.op == "placeholder"]
        inside.update({p: values.get(a) for p, a in zip(placeholders, operands)})
        outputs = self.graph(inner, inside)
        values[node] = [inside.get(output) for output in outputs]

    def operator(self, node, overload, values):
        schema, name = overload._schema, schema_name(overload)
        narrowed = sliced_to(node) if name == "aten::slice.Tensor" else None
        operation = self.operators.find("aten::narrow" if narrowed else name)
        if operation is None:
            self.missing[f"operator {name}"].append(node)
            return
        given = narrowed or self.arguments(node, schema, operation, name)
        if given is None:
            return
        try:
            self.emit(node, operation, given, values)
        except Refused as refused:
            self.missing[f"{name}: {refused}"].append(node)
        written = given.get(operation.operands[0]["name"]) if operation.writes() else None
        if isinstance(written, torch.fx.Node):
            self.same[node] = self.tensor(written)
            if operation.metadata:
                self.now[self.same[node]] = node

    def arguments(self, node, schema, operation, name):
        """The arguments by the names that the operation gives them; None where one has no place."""
        given = {}
        complete = True
        required = {a["name"] for a in operation.attributes if not a.get("optional") and "default" not in a}
        for position, argument in enumerate(schema.arguments):
            if position < len(node.args) and not argument.kwarg_only:
                value = node.args[position]
            elif argument.name in node.kwargs:
                value = node.kwargs[argument.name]
            else:
                continue
            own = argument.name in operation.arguments
            place = operation.place(argument.name, position)
            # That a new tensor is on the CPU need not be said; that one goes there must be.
            usual = not own or argument.name == "device" and operation.makes()
            if usual and argument.name in PLACEMENT and PLACEMENT[argument.name](value):
                continue
            elif place is not None and place not in given:
                given[place] = value
            elif value is None or value == argument.default_value:
                continue
            else:
                self.missing[f"argument {argument.name} = {value} of {name}"].append(node)
                complete = False
        for position, argument in enumerate(schema.arguments):
            place = operation.place(argument.name, position)
            if place in required and given.get(place) is None and argument.has_default_value():
                given[place] = OPEN.get(place) if argument.default_value is None else argument.default_value
        if "storage_offset" in required and given["storage_offset"] is None:
            # That of the tensor.
            given["storage_offset"] = self.current(given["self"]).meta["val"].storage_offset()
        if "dtype" in required and given.get("dtype") is None:
            # The default of a factory is eager's to know.
            given["dtype"] = flat_tensors(node.meta["val"])[0].dtype
        return given if complete else None

    def emit(self, node, operation, given, values):
        operands, types, segments, present = [], [], [], []
        given, of_the_run = dict(given), {operand["name"] for operand in operation.operands}
        for name in [name for name, value in given.items() if value is not None and f"dynamic_{name}" in of_the_run]:
            # Numbers that the run knows are operands, and a mark stands for them in the list.
            entries = given[name] if isinstance(given[name], (list, tuple)) else [given[name]]
            given[f"dynamic_{name}"] = [entry for entry in entries if symbolic(entry)]
            given[name] = [text.OF_THE_RUN if symbolic(entry) else entry for entry in entries]
        for name in ("size", "shape"):
            # What the sizes of the run leave over the tracer knows: it has solved for it.
            if given.get(f"dynamic_{name}") and -1 in given[name]:
                solved = [text.expression(size) for size in node.meta["val"].shape]
                known = zip(given[name], solved)
                given[name] = [new if old == -1 and isinstance(new, int) else old for old, new in known]
        for operand in operation.operands:
            of = given.get(operand["name"])
            entries = list(of) if isinstance(of, (list, tuple)) else [of]
            if isinstance(of, (list, tuple)):
                present += [entry is not None for entry in entries]
            entries = [self.operand(entry, values) for entry in entries if entry is not None]
            if operand["kind"] == "tensor":
                entries = [self.as_tensor(node, entry) for entry in entries]
            segments.append(len(entries))
            operands += [value for value, _ in entries]
            types += [ty for _, ty in entries]
        attributes = []
        for described in operation.attributes:
            name, kind = described["name"], described["kind"]
            value = present if kind == "list of bools" and name == "present" else given.get(name)
            if value is None:
                continue
            if symbolic(value):
                raise Refused(f"a size of '{name}' that is known at run time only")
            written = text.attribute(kind, value)
            if written is None:
                raise Refused(f"{value} for the {kind} '{name}'")
            attributes.append(f"{name} = {written}")
        if operation.segments:
            attributes.append(f"operandSegmentSizes = {text.array('i32', segments)}")
        results = flat_values(node.meta.get("val"))
        result_types = [text.value_type(result) for result in results]
        name = self.fresh(node.name)
        bound = f"{name}:{len(results)}" if len(results) > 1 else name
        properties = f" <{{{', '.join(attributes)}}}>" if attributes else ""
        signature = f"({', '.join(types)}) -> ({', '.join(result_types)})"
        bound = f"{bound} = " if results else ""
        line = f'  {bound}"{operation.name}"({", ".join(operands)}){properties} : {signature}'
        self.lines.append(line + location(node))
        # Behind the line of the function's name.
        self.nodes[len(self.lines) + 1] = node
        if isinstance(node.meta.get("val"), (list, tuple)):
            parts = iter(f"{name}#{n}" for n in range(len(results)))
            single = len(results) == 1
            values[node] = [
                (name if single else next(parts)) if isinstance(v, torch.Tensor) else None for v in node.meta["val"]
            ]
        else:
            values[node] = name

    def operand(self, value, values):
        """The SSA value of an argument and its type; a number becomes a constant."""
        if isinstance(value, torch.fx.Node):
            value = self.current(value)
            meta = value.meta.get("val")
            if not isinstance(meta, (torch.Tensor, torch.SymInt)):
                raise Refused("a number that is known at run time only")
            # What an unsupported operator would give has no value; the whole list of them is raised at the end.
            return values.get(value) or "%unsupported", text.value_type(meta)
        name = f"%number{self.numbers}"
        self.numbers += 1
        attribute = text.number(value)
        dialect = "complex" if isinstance(value, complex) else "arith"
        self.lines.append(f"  {name} = {dialect}.constant {attribute}")
        ty = "i1" if isinstance(value, bool) else attribute.rsplit(" ", 1)[1]
        return name, ty

    def as_tensor(self, node, entry):
        """A value and its type where the operation takes a tensor only: a number becomes one, as it does in eager."""
        name, ty = entry
        if ty.startswith("!graph.tensor"):
            return entry
        number = {"i": 1, "f": 1.0, "c": 1j}[ty[0]] if ty != "i1" else True
        element = text.ELEMENTS[promoted(node, number)]
        tensor, made = self.fresh(f"{node.name}_{name[1:]}"), f"!graph.tensor<{element}>"
        self.lines.append(f'  {tensor} = "graph.scalar_tensor"({name}) <{{dtype = {element}}}> : ({ty}) -> {made}')
        return tensor, made

    def fresh(self, name):
        """A name that no other value has: graphs inside others name their nodes anew."""
        unique = name if name not in self.used and not name.startswith(("arg", "held", "number")) else f"{name}.{len(self.lines)}"
        self.used.add(unique)
        return f"%{unique}"

    # The text.

    def module(self, arguments, gradients=()):
        """The whole module; arguments declare storage and layout. Tangents and gradients are marked."""
        declared, storages = [], {}
        for number, ((ty, meta), argument) in enumerate(zip(self.types, arguments)):
            beyond = number - (len(self.types) - len(self.held))
            name = f"%arg{number}" if beyond < 0 else f"%held{beyond}"
            if meta is None:
                declared.append(f"{name}: {ty}")
                continue
            own = argument.tensor
            key = own.untyped_storage()._cdata if own is not None else f"input {number}"
            storage = storages.setdefault(key, f"s{len(storages)}")
            marks = ["functional.tangent"] if argument.kind == "tangent" else []
            declared.append(f"{name}: {ty} {{{', '.join(declarations(meta, storage) + marks)}}}")
        lines = [f"func.func @main({', '.join(declared)})" + self.signature(gradients) + " {"]
        lines += self.lines
        names, types = [name for name, _ in self.results], [ty for _, ty in self.results]
        lines.append(f"  return {', '.join(names)} : {', '.join(types)}" if names else "  return")
        return "\n".join([*lines, "}"]) + "\n"

    def signature(self, gradients):
        mark = " {functional.gradient}"
        types = [ty + (mark if number in gradients else "") for number, (_, ty) in enumerate(self.results)]
        return f" -> ({', '.join(types)})" if types else ""


class Refused(Exception):
    """An argument has no counterpart."""


def declarations(tensor, storage):
    declared = [f'graph.storage = "{storage}"']
    sizes, strides = ([text.expression(number) for number in numbers] for numbers in (tensor.shape, tensor.stride()))
    offset = text.expression(tensor.storage_offset())
    if not row_major(sizes, strides) or offset != 0:
        numbers = [number if isinstance(number, int) else "?" for number in (*strides, offset)]
        strides = ", ".join(map(str, numbers[:-1]))
        declared.append(f"graph.layout = strided<[{strides}], offset: {numbers[-1]}>")
    return declared


def row_major(sizes, strides):
    """Whether elements lie row-major; sizes and strides are numbers and expressions."""
    following = 1
    for size, stride in zip(reversed(sizes), reversed(strides)):
        if size == 0:
            return True
        if size != 1 and stride != following:
            return False
        following = following * size
    return True


def location(node):
    """The module that called the operator, as a location."""
    stack = node.meta.get("nn_module_stack")
    path = list(stack.values())[-1][0] if stack else ""
    path = path.replace("L['self'].", "").replace("L['self']", "")
    return f" loc({text.quoted(path)})" if path else ""


def flat(nested):
    """The nodes of an output, in order; None for what is no node."""
    if isinstance(nested, (list, tuple)):
        for entry in nested:
            yield from flat(entry)
    elif isinstance(nested, dict):
        yield from flat(list(nested.values()))
    elif isinstance(nested, torch.fx.Node):
        yield nested


def promoted(node, number):
    """The dtype in which eager computes an operator of tensors and a number."""
    values = [arg.meta.get("val") for arg in node.args if isinstance(arg, torch.fx.Node)]
    tensors = [value for value in values if isinstance(value, torch.Tensor)]
    return torch.result_type(tensors[0], number) if tensors else torch.tensor(number).dtype


def flat_tensors(value):
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [tensor for entry in value for tensor in flat_tensors(entry)]
    return []


def flat_values(value):
    """Tensors, and a number that the run knows."""
    return [value] if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)) else flat_tensors(value)


def sliced_to(node):
    """What a slice of a dimension of open size is as a `narrow`, where the tracer knows how many elements it has, as of `x[:, -1:]`.

    A slice ends where the tensor does, so its size would be open; the tracer has taken for granted that the elements are there.
    """
    given = dict(zip(("self", "dim", "start", "end", "step"), node.args), **node.kwargs)
    dim, start, step = given.get("dim", 0), given.get("start") or 0, given.get("step", 1)
    source, length = given["self"].meta["val"].shape[dim], node.meta["val"].shape[dim]
    if step != 1 or not isinstance(start, int) or not isinstance(length, int) or isinstance(source, int):
        return None
    return {"self": given["self"], "dim": dim, "start": start, "length": length}


def symbolic(value):
    entries = value if isinstance(value, (list, tuple)) else [value]
    return any(isinstance(entry, (torch.fx.Node, torch.SymInt)) for entry in entries)
