"""`python -m terrace_import PROGRAM.pt2 FOLDER`: imports what `torch.export.save` wrote.

FOLDER gets program.mlir, the tensors as .npy files, and IN.json with the example inputs of the export, so that

    terrace-run FOLDER/program.mlir --inputs FOLDER/IN.json

calls it.
"""

import sys

import torch

from . import Invalid, Unsupported, exported


def main(arguments):
    if len(arguments) != 2:
        print("usage: python -m terrace_import PROGRAM.pt2 FOLDER", file=sys.stderr)
        return 2
    program = torch.export.load(arguments[0])
    inputs, named = program.example_inputs or ((), {})
    try:
        exported(program).save(arguments[1], torch.utils._pytree.tree_leaves((inputs, named)))
    except (Unsupported, Invalid, FileNotFoundError) as refused:
        print(f"{arguments[0]}: {refused}", file=sys.stderr)
        return 1
    return 0


sys.exit(main(sys.argv[1:]))
