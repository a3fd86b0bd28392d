"""Times programs that came in and went out as loops beside upstream's default lowering of them: `./x collections DIR --time`.

Every way ends in LLVM's dialect by the same passes of upstream, and is compiled by clang -O3 for this processor, on one thread:

* `upstream`: the loops as they are written, linalg by `convert-linalg-to-loops`;
* `fused`: `terrace-to-loop,convert-loop-to-scf`;
* `any order`: the same behind `convert-affine-to-loop{reassociate-floats}`, which lets sums of floats be combined in any order.

Arguments are those beside the program, or drawn. They are put back before each call. Ways take turns; each is as fast as its fastest call.
"""

import ctypes
import pathlib
import statistics
import tempfile
import time

import numpy

from compare import LLVM, PREFIX, WRAPPERS, Program, Refused, agree, tool

OUT = f"terrace-to-loop,convert-loop-to-scf,{LLVM}"
WAYS = {
    "upstream": LLVM,
    "fused": OUT,
    "any order": f"func.func(convert-affine-to-loop{{reassociate-floats=true version-aliases=true}}),{OUT}",
}


class Timed:
    """A program compiled one way, with memory of its own."""

    def __init__(self, program, way):
        self.program = program
        opt = PREFIX / "bin/mlir-opt" if way == "upstream" else program.tools / "terrace-opt"
        name = way.replace(" ", "-")
        text = tool(opt, program.file, f"--pass-pipeline=builtin.module({WRAPPERS},{WAYS[way]})")
        path, code, library = (program.folder / f"{name}.{end}" for end in ("mlir", "ll", "so"))
        path.write_text(text)
        tool(PREFIX / "bin/mlir-translate", path, "--mlir-to-llvmir", "-o", code)
        links = [f"-L{PREFIX / 'lib'}", f"-Wl,-rpath,{PREFIX / 'lib'}", "-lmlir_c_runner_utils", "-lm"]
        tool(PREFIX / "bin/clang", "-O3", "-march=native", "-Wno-override-module", "-fPIC", "-shared", code, *links, "-o", library)
        self.function = getattr(ctypes.CDLL(str(library)), f"_mlir_ciface_{program.name}")
        self.arrays = [numpy.array(array, copy=True) for array in program.arguments]
        self.passed = []
        for array, ty in zip(self.arrays, program.operands):
            self.passed.append(ctypes.byref(ty.descriptor(array)) if ty.shaped else ty.scalar()(array.item()))

    def call(self):
        """Seconds of a call."""
        for array, given in zip(self.arrays, self.program.arguments):
            array[...] = given
        started = time.perf_counter()
        self.function(*self.passed)
        return time.perf_counter() - started


def timed(program, rounds):
    """The fastest calls by way, and what is wrong with those that have none."""
    if program.results:
        raise Refused("only functions that write memrefs are timed")
    found, wrong = {}, {}
    for way in WAYS:
        try:
            found[way] = Timed(program, way)
        except Refused as why:
            wrong[way] = str(why)
    if "upstream" not in found:
        raise Refused(wrong["upstream"])
    best = {way: one.call() for way, one in found.items()}
    for way, one in found.items():
        difference = agree(one.arrays, found["upstream"].arrays)
        if difference:
            wrong[way] = difference
    for _ in range(rounds - 1):
        for way, one in found.items():
            best[way] = min(best[way], one.call())
    return {way: seconds for way, seconds in best.items() if way not in wrong}, wrong


def run(files, folder, tools, rounds):
    """Prints a table, of Markdown."""
    own = [way for way in WAYS if way != "upstream"]
    print(f"| program | upstream, ms | {' | '.join(own)} |\n|---|---:|{'---:|' * len(own)}", flush=True)
    ratios = {way: [] for way in own}
    for file in files:
        name = str(file.relative_to(folder).with_suffix(""))
        with tempfile.TemporaryDirectory() as made:
            try:
                best, wrong = timed(Program(file, tools, pathlib.Path(made)), rounds)
            except Refused as why:
                print(f"| {name} | is left aside: {why} |", flush=True)
                continue
        cells = []
        for way in own:
            if way in best:
                ratios[way].append(best[way] / best["upstream"])
                cells.append(f"{ratios[way][-1]:.2f}")
            else:
                cells.append(wrong[way])
        print(f"| {name} | {1e3 * best['upstream']:.2f} | {' | '.join(cells)} |", flush=True)
    print("\nTimes of the other columns are parts of upstream's: below 1 is faster.")
    for way, all_of_it in ratios.items():
        slower = sum(ratio > 1.05 for ratio in all_of_it)
        print(f"{way}: {statistics.geometric_mean(all_of_it):.2f} in the geometric mean, {slower} of {len(all_of_it)} above 1.05")
