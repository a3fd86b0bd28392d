"""Imports PyTorch programs into Terrace's graph dialect.

`torch.export` programs and plain ATen graphs (of `make_fx`, of AOTAutograd) become a function of the graph dialect, the tensors
that it holds become .npy files, and a JSON file says how to call it. Which operation an operator is, and where its
arguments go, stands in docs/operators.json, which is generated from the dialect: nothing is known here of any operator.

    program = terrace_import.exported(torch.export.export(model, inputs))
    program.save("out", inputs)
"""

from .program import Argument, Invalid, Program, Unsupported, exported, graph

__all__ = ["Argument", "Invalid", "Program", "Unsupported", "exported", "graph"]
