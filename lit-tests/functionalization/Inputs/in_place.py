"""A program that has every in-place operator that works element by element, read from docs/operators.json: on a part of a transposed
tensor that the caller owns, beside an alias that is read before and after.

The further tensors have the shape of the first, numbers are 1.5 or 2. Elements are f32 where the operator takes them.
"""

import json
import sys

# Operators whose tensors are not all of one shape, that draw, or that test places: they have functions of their own in mutations.mlir.
OTHERS = (
    "add", "baddbmm", "bernoulli", "cumulative", "dropout", "fill", "index", "masked", "normal", "put", "scatter", "triangle",
    "uniform",
)
BY_ELEMENT = ("addcdiv_in_place", "addcmul_in_place")
ELEMENTS = {"bitwise_in_place": "i32", "integers_in_place": "i32", "float_power_in_place": "f64"}


def by_element(name, operation):
    ends = name.partition(".")[2].partition(".")[0].endswith("_")
    rule = operation["rule"]
    if not ends or operation.get("metadata") or not operation["results"] or name.startswith("graph._"):
        return False
    return rule in BY_ELEMENT or not rule.startswith(OTHERS)


def function(name, operation):
    element = ELEMENTS.get(operation["rule"], "f32")
    number = "2 : i64" if element == "i32" else "1.5 : f64"
    view = f"!graph.tensor<2x2x{element}>"
    operands, types, segments = [], [], []
    for operand in operation["operands"]:
        if operand.get("optional") and not name.startswith("graph.clamp"):
            segments.append(0)
            continue
        of = "%k" if operand["kind"] == "number" else "%y" if operands else "%v"
        operands.append(of)
        types.append(view if of != "%k" else number.split(" : ")[1])
        segments.append(1)
    attributes = []
    if operation["segments"]:
        attributes.append(f"operandSegmentSizes = array<i32: {', '.join(map(str, segments))}>")
    for attribute in operation["attributes"]:
        if "default" in attribute:
            attributes.append(f'{attribute["name"]} = {json.dumps(attribute["default"])}')
        else:
            assert attribute.get("optional"), (name, attribute)
    properties = f" <{{{', '.join(attributes)}}}>" if attributes else ""
    whole, across = f"!graph.tensor<2x3x{element}>", f"!graph.tensor<3x2x{element}>"
    return f"""
func.func @"{name}"(%x: {whole} {{graph.storage = "x"}}, %y: {view} {{graph.storage = "y"}}) -> ({across}, {across}) {{
  %k = arith.constant {number}
  %t = graph.t %x : {whole}
  %v = graph.slice %t start [1] end [3] step [1] : {across}
  %before = graph.neg %t : {across}
  %w = "{name}"({', '.join(operands)}){properties} : ({', '.join(types)}) -> {view}
  %after = graph.neg %t : {across}
  return %before, %after : {across}, {across}
}}"""


described = json.load(open(sys.argv[1]))["operations"]
for name, operation in described.items():
    if by_element(name, operation):
        print(function(name, operation))
