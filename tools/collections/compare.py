"""Runs programs of MLIR through Terrace in three ways and through upstream's passes, and says where the numbers differ.

    ./x collections DIR [--filter PART] [--time [ROUNDS]]

Each FILE.mlir below DIR has its arguments in FILE.npz (in0, in1, ...), and what is expected where somebody knows it (out0, ...). Without
that file they are drawn. With --time programs are timed instead, as timing.py says. The first
way is `terrace-run`, which is the pipeline `terrace-x86`; the second `convert-loop-to-scf` and on by upstream; the third the interpreter, which
`terrace-check` compares passes by. The reference is upstream alone.
Results and the memrefs of arguments are compared, numbers that are not whole to a part in a thousand of the largest. A program whose
results by upstream depend on what memory held before has none to compare with.
"""

import argparse
import ctypes
import json
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

PREFIX = pathlib.Path(os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22"))
WAYS = ("terrace-x86", "convert-loop-to-scf", "interpreted")
DTYPES = {"f64": "f8", "f32": "f4", "f16": "f2", "i1": "?", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "index": "i8"}
M_PERTURB = -6  # of malloc.h
WRAPPERS = "func.func(llvm-request-c-wrappers)"
TOSA = (
    "tosa-attach-target{profiles=pro_int,pro_fp extensions=int16,int4,int64,bf16,fft,variable,controlflow,doubleround,inexactround,dynamic level=none},"
    "func.func(tosa-optional-decompositions),canonicalize,func.func(tosa-infer-shapes,tosa-make-broadcastable,tosa-to-linalg-named),canonicalize,"
    "func.func(tosa-to-scf,tosa-layerwise-constant-fold,tosa-make-broadcastable,tosa-to-linalg,tosa-to-arith{include-apply-rescale=true},"
    "tosa-to-tensor),canonicalize"
)
MEMREFS = "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}"
LLVM = (
    "func.func(convert-linalg-to-loops),expand-strided-metadata,lower-affine,convert-scf-to-cf,"
    "arith-expand{include-bf16=true},convert-complex-to-standard,convert-complex-to-llvm,convert-math-to-llvm,convert-math-to-funcs,convert-math-to-libm,memref-expand,"
    "expand-strided-metadata,lower-affine,finalize-memref-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,"
    "convert-cf-to-llvm,convert-func-to-llvm,convert-vector-to-llvm,canonicalize,cse,reconcile-unrealized-casts"
)


class Refused(Exception):
    """A tool has refused a program."""


def tool(*command, seconds=120):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Refused(f"{pathlib.Path(command[0]).name} takes more than {seconds} s") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error:" in line] or done.stderr.splitlines()[-1:]
        raise Refused(lines[0] if lines else f"exit status {done.returncode}")
    return done.stdout


class Program:
    """A function and its arguments."""

    def __init__(self, file, tools, folder):
        self.file, self.tools, self.folder = file, tools, folder
        beside = file.with_suffix(".npz")
        arrays = numpy.load(beside) if beside.exists() else None
        text = tool(PREFIX / "bin/mlir-opt", file, "--mlir-print-op-generic", "--mlir-print-local-scope")
        found = re.findall(r'"func.func"\(\) <\{(?:arg_attrs = .*?, )?function_type = \((.*?)\) -> (.*?)(?:, res_attrs.*?)?, sym_name = "([^"]*)"([^}]*)\}>', text)
        public = [one for one in found if "private" not in one[3]]
        named = re.search(r"@(\w+)\s*$", file.read_text().splitlines()[0])
        chosen = [one for one in public if named and one[2] == named[1]] or [one for one in public if one[2] == "main"] or public
        operands, results, self.name, _ = chosen[0]
        self.operands = types(operands)
        self.results = types(results[1:-1] if results.startswith("(") else results)
        self.expected = []
        if arrays is None:
            random = numpy.random.default_rng(0)
            self.arguments = [ty.drawn(random) for ty in self.operands]
            return
        # Numbers that nobody chose are 1.
        given = lambda i, ty: arrays[f"in{i}"] if f"in{i}" in arrays else numpy.ones((), ty.dtype)
        self.arguments = [given(i, ty) for i, ty in enumerate(self.operands)]
        self.expected = [arrays[f"out{i}"] for i in range(sum(key.startswith("out") for key in arrays))]

    def lowered(self, passes, name, opt):
        """The library that a pipeline makes which ends at LLVM's dialect."""
        text = tool(opt, self.file, f"--pass-pipeline=builtin.module({passes})")
        path = self.folder / f"{name}.mlir"
        path.write_text(re.sub(r"tosa.target_env = #tosa.target_env<[^>]*>", "", text))
        code, made, library = (self.folder / f"{name}.{end}" for end in ("ll", "o", "so"))
        tool(PREFIX / "bin/mlir-translate", path, "--mlir-to-llvmir", "-o", code)
        tool(PREFIX / "bin/llc", "-O1", "-relocation-model=pic", "-filetype=obj", code, "-o", made)
        folder = PREFIX / "lib"
        tool("cc", "-shared", made, f"-L{folder}", f"-Wl,-rpath,{folder}", "-lmlir_c_runner_utils", "-lm", "-o", library)
        return library

    def upstream(self):
        tosa = f"{TOSA}," if "tosa." in self.file.read_text() else ""
        library = self.lowered(f"{tosa}{WRAPPERS},{MEMREFS},{LLVM}", "upstream", PREFIX / "bin/mlir-opt")
        # What malloc returns is full of one byte, then of another: a result that depends on it is not defined.
        made = [self.called(library) for byte in (0x55, 0xAA) if ctypes.CDLL(None).mallopt(M_PERTURB, byte)]
        if difference := agree(*made):
            raise Refused(f"reads memory that nobody has written: {difference}")
        return made[0]

    def by_scf(self):
        passes = f"{WRAPPERS},terrace-to-loop,convert-loop-to-scf,{LLVM}"
        return self.called(self.lowered(passes, "scf", self.tools / "terrace-opt"))

    def interpreted(self):
        return self.compiled("--target=interpret")

    def compiled(self, *options):
        """The outputs by terrace-run."""
        storages, arguments = {}, []
        for i, (array, ty) in enumerate(zip(self.arguments, self.operands)):
            if not ty.shaped:
                arguments.append(array.item())
                continue
            path = self.folder / f"in{i}.npy"
            numpy.save(path, numpy.ascontiguousarray(array))
            storages[f"s{i}"] = {"file": str(path)}
            arguments.append({"storage": f"s{i}", "sizes": list(array.shape)})
        inputs, outputs = self.folder / "inputs.json", self.folder / "outputs.json"
        inputs.write_text(json.dumps({"storages": storages, "args": arguments}))
        outputs.unlink(missing_ok=True)
        tool(self.tools / "terrace-run", self.file, "--entry", self.name, "--inputs", inputs, "--outputs", outputs, *options)
        said = json.loads(outputs.read_text())
        read = lambda one: one if not isinstance(one, dict) else self.view(one, said)
        made = [read(one) for one in said["outputs"]]
        return made + [read(one) for one, ty in zip(said["args"], self.operands) if ty.kind == "memref"]

    def view(self, one, said):
        if "same_as" in one:
            return self.view(said["args"][int(one["same_as"][5:-1])], said)
        storage = said["storages"][one["storage"]]
        data = numpy.load(self.folder / storage["file"]) if "file" in storage else numpy.array(storage["data"])
        data = data.reshape(-1)
        sizes = one["sizes"]
        strides = one.get("strides") or [int(numpy.prod(sizes[d + 1 :])) for d in range(len(sizes))]
        places = numpy.full(sizes, one.get("offset", 0))
        for d, stride in enumerate(strides):
            places = places + numpy.arange(sizes[d]).reshape([-1 if i == d else 1 for i in range(len(sizes))]) * stride
        return data[places]

    def called(self, library):
        """The outputs of the C wrapper in a library."""
        call = getattr(ctypes.CDLL(str(library)), f"_mlir_ciface_{self.name}")
        kept, passed, after = [], [], []
        for array, ty in zip(self.arguments, self.operands):
            if ty.shaped:
                array = numpy.array(array, order="C", copy=True)
                descriptor = ty.descriptor(array)
                kept.append((array, descriptor))
                passed.append(ctypes.byref(descriptor))
                if ty.kind == "memref":
                    after.append(array)
            else:
                passed.append(ty.scalar()(array.item()))
        if len(self.results) == 0:
            call(*passed)
            return after
        if len(self.results) == 1 and not self.results[0].shaped:
            call.restype = self.results[0].scalar()
            return [numpy.array(call(*passed))] + after
        fields = [(f"r{i}", ty.struct() if ty.shaped else ty.scalar()) for i, ty in enumerate(self.results)]
        into = type("Results", (ctypes.Structure,), {"_fields_": fields})()
        call(ctypes.byref(into), *passed)
        return [ty.read(getattr(into, f"r{i}")) for i, ty in enumerate(self.results)] + after


class Type:
    """A type of an argument or result."""

    def __init__(self, text):
        self.text = text
        match = re.match(r"(tensor|memref)<((?:[0-9?]+x)*)([^,>]+)", text)
        self.shaped = bool(match)
        self.kind = match[1] if match else "scalar"
        self.rank = match[2].count("x") if match else 0
        self.sizes = match[2].split("x")[:-1] if match else []
        self.element = match[3] if match else text
        if self.element not in DTYPES:
            raise Refused(f"the table knows no {self.element}")
        self.dtype = numpy.dtype(DTYPES[self.element])

    def drawn(self, random):
        """Elements from 0 to 1, or from 0 to 7."""
        if "?" in self.sizes:
            raise Refused(f"nothing says how large {self.text} is")
        sizes = [int(size) for size in self.sizes]
        drawn = random.random(sizes) if self.dtype.kind == "f" else random.integers(0, 8, sizes)
        return numpy.asarray(drawn).astype(self.dtype)

    def scalar(self):
        return numpy.ctypeslib.as_ctypes_type(self.dtype)

    def struct(self):
        word = ctypes.c_int64
        fields = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p), ("offset", word)]
        if self.rank:
            fields += [("sizes", word * self.rank), ("strides", word * self.rank)]
        return type("Descriptor", (ctypes.Structure,), {"_fields_": fields})

    def descriptor(self, array):
        made = self.struct()(array.ctypes.data, array.ctypes.data, 0)
        for d in range(self.rank):
            made.sizes[d], made.strides[d] = array.shape[d], array.strides[d] // array.itemsize
        return made

    def read(self, field):
        if not self.shaped:
            return numpy.array(field)
        sizes = list(field.sizes) if self.rank else []
        strides = [stride * self.dtype.itemsize for stride in field.strides] if self.rank else []
        if 0 in sizes:
            return numpy.zeros(sizes, self.dtype)
        reach = sum((size - 1) * stride for size, stride in zip(sizes, strides)) + self.dtype.itemsize
        raw = (ctypes.c_char * reach).from_address(field.aligned + field.offset * self.dtype.itemsize)
        return numpy.ndarray(sizes, self.dtype, raw, 0, strides).copy()


def types(text):
    """The types of a list, parted at commas that stand in no brackets."""
    parts, depth = [""], 0
    for letter, before in zip(text, " " + text):
        depth += (letter in "<([") - (letter in "])") - (letter == ">" and before != "-")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [Type(part.strip()) for part in parts if part.strip()]


def agree(own, other):
    """None, or in what the outputs differ."""
    if len(own) != len(other):
        return f"{len(own)} outputs and not {len(other)}"
    for i, (a, b) in enumerate(zip(own, other)):
        a, b = numpy.asarray(a), numpy.asarray(b)
        if a.shape != b.shape:
            return f"output {i} is of sizes {a.shape} and not {b.shape}"
        a, b = a.astype("f8"), b.astype("f8")
        if not numpy.array_equal(numpy.isfinite(a), numpy.isfinite(b)):
            return f"output {i} has other elements that are not finite"
        finite = numpy.isfinite(b)
        most = max(1e-6, numpy.abs(b[finite]).max(initial=0))
        off = numpy.abs(a[finite] - b[finite]).max(initial=0)
        if off > most * 1e-3:
            return f"output {i} is off by {off:.3g} of {most:.3g}"
    return None


def isolated(function):
    """Runs it in a process of its own, for a library may crash: its value, or Refused."""
    ours, theirs = multiprocessing.Pipe(duplex=False)

    def child():
        try:
            theirs.send((True, function()))
        except Refused as why:
            theirs.send((False, str(why)))
        except (OSError, OverflowError) as why:
            theirs.send((False, f"cannot be called: {why}"))

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    theirs.close()
    try:
        good, value = ours.recv()
    except EOFError:
        good, value = False, "crashes"
    process.join()
    if good:
        return value
    raise Refused(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tools", type=pathlib.Path, default="target/release", help="where terrace-opt and terrace-run lie")
    parser.add_argument("--filter", default="", help="a part of the names of those that are run")
    parser.add_argument("--time", type=int, nargs="?", const=9, metavar="ROUNDS", help="times them instead, in so many calls each (9)")
    options = parser.parse_args()
    files = [file for file in sorted(options.folder.rglob("*.mlir")) if options.filter in str(file.relative_to(options.folder))]
    if options.time:
        import timing

        return timing.run(files, options.folder, options.tools.resolve(), options.time)
    table, ran = {way: [0, 0] for way in WAYS}, 0
    for file in files:
        name = str(file.relative_to(options.folder).with_suffix(""))
        with tempfile.TemporaryDirectory() as folder:
            try:
                program = Program(file, options.tools.resolve(), pathlib.Path(folder))
            except Refused as why:
                print(f"{name}: is left aside: {why}")
                continue
            reference, why = program.expected, None
            try:
                upstream = isolated(program.upstream)
                reference = reference or upstream
            except Refused as refusal:
                why = refusal
            ran += why is None
            for way, run in zip(WAYS, (program.compiled, lambda: isolated(program.by_scf), program.interpreted)):
                try:
                    outputs = run()
                    difference = agree(outputs[: len(reference)], reference) if reference else None
                    said = f"differs: {difference}" if difference else "agrees" if reference else "runs"
                except Refused as refusal:
                    said = f"refused: {refusal}"
                table[way][0] += said == "agrees" and why is None
                table[way][1] += said in ("agrees", "runs") and why is not None
                if said != "agrees" or why:
                    beside = f" (upstream: {why})" if why else ""
                    print(f"{name}: {way}: {said}{beside}", flush=True)
    print(f"\n{ran} programs run by upstream's passes")
    for way, (agreeing, more) in table.items():
        print(f"{way}: {agreeing} of them agree; {more} more run")


if __name__ == "__main__":
    sys.exit(main())
