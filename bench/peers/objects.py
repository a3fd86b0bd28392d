"""Objects of models whose batch, and length, the run knows: each is compiled once, and called with several sizes beside eager PyTorch.

    ./x bench --list                                     # makes the environment
    .venv-bench/bin/python bench/peers/objects.py target/release

The folder has terrace-compile and libterrace_rt.a. A line is a call: the sizes of its inputs, and the largest difference, or what refuses it.
"""

import ctypes
import pathlib
import subprocess
import sys
import tempfile
import time

import torch

import models

sys.path.insert(0, str(models.IMPORTER))
import terrace_import  # noqa: E402

ANY = torch.export.Dim.DYNAMIC
#: A model, an example of its inputs, the dimensions of each that the run knows, and the inputs of the calls.
CASES = [
    ("mlp_64", lambda n: (torch.randn(n, 784),), [{0: ANY}], [1, 2, 7, 0]),
    ("resnet18", lambda n: (torch.randn(n, 3, 224, 224),), [{0: ANY}], [1, 2, 7, 0]),
    ("bert_small", lambda n, m=128: (torch.randint(0, 30000, (n, m)),), [{0: ANY, 1: ANY}],
     [1, 2, 7, 0, (3, 512), (2, 1), (1, 1), (2, 513)]),
    # Tokens into its cache of one batch; the logits of the last one.
    ("gpt2_decode", lambda n: (torch.randint(0, 50257, (1, n)), torch.arange(n)), [{1: ANY}, {0: ANY}], [1, 2, 7, 100]),
]


class Object:
    """A compiled program in this process."""

    def __init__(self, program, tools, folder):
        self.program = program
        source, object_file, library = (folder / name for name in ("program.mlir", "program.o", "program.so"))
        source.write_text(program.module)
        start = time.perf_counter()
        subprocess.run([tools / "terrace-compile", source, "-o", object_file, "--opt=fast"], check=True)
        self.seconds, self.bytes = time.perf_counter() - start, object_file.stat().st_size
        runtime = ["-Wl,--whole-archive", tools / "libterrace_rt.a", "-Wl,--no-whole-archive", "-lpthread", "-ldl", "-lm"]
        subprocess.run(["cc", "-shared", "-o", library, object_file, *runtime], check=True)
        self.library = ctypes.CDLL(str(library))
        self.library.terrace_rt_context_create.restype = ctypes.c_void_p
        self.library.terrace_rt_context_error.restype = ctypes.c_char_p
        self.library.terrace_rt_context_error.argtypes = [ctypes.c_void_p]
        self.library.terrace_rt_free.argtypes = [ctypes.c_void_p] * 2
        self.context = self.library.terrace_rt_context_create()

    def __call__(self, inputs, rank):
        """The result, a tensor of float32, or the text of an error."""
        rest = list(inputs)
        tensors = [rest.pop(0) if own.tensor is None else own.tensor.detach() for own in self.program.arguments]
        descriptors = [descriptor(tensor) for tensor in tensors]
        result = (ctypes.c_int64 * (3 + 2 * rank))()
        entry = self.library._terrace_entry_main
        entry.argtypes = [ctypes.c_void_p] * (2 + len(descriptors))
        if entry(self.context, ctypes.byref(result), *map(ctypes.byref, descriptors)):
            return self.library.terrace_rt_context_error(self.context).decode()
        allocated, start, offset = result[:3]
        sizes, strides = result[3 : 3 + rank], result[3 + rank :]
        reach = sum((n - 1) * s for n, s in zip(sizes, strides)) + offset + 1 if all(sizes) else 0
        held = torch.empty(0) if reach == 0 else torch.frombuffer((ctypes.c_float * reach).from_address(start), dtype=torch.float32)
        copy = held.as_strided(sizes, strides, offset).clone() if reach else torch.empty(sizes)
        self.library.terrace_rt_free(self.context, allocated)
        return copy


def descriptor(tensor):
    base = tensor.untyped_storage().data_ptr()
    return (ctypes.c_int64 * (3 + 2 * tensor.dim()))(base, base, tensor.storage_offset(), *tensor.shape, *tensor.stride())


def run(name, inputs_of, dims, calls, tools):
    module = models.MODELS[name].module()
    exported = torch.export.export(module, inputs_of(3), dynamic_shapes=tuple(dims), strict=False)
    with tempfile.TemporaryDirectory() as folder:
        compiled = Object(terrace_import.exported(exported), tools, pathlib.Path(folder))
    print(f"{name}: compiled in {compiled.seconds:.2f} s, {compiled.bytes} bytes")
    for sizes in calls:
        inputs = inputs_of(*(sizes if isinstance(sizes, tuple) else (sizes,)))
        try:
            with torch.no_grad():
                expected = module(*inputs)
        except RuntimeError as error:
            expected = str(error).splitlines()[0]
        rank = 3 if isinstance(expected, str) else expected.dim()
        found = compiled(inputs, rank)
        if isinstance(found, str) or isinstance(expected, str):
            said = ["a result" if isinstance(value, torch.Tensor) else value for value in (expected, found)]
            print(f"  {sizes}: eager: {said[0]}; ours: {said[1]}")
            continue
        difference = (found - expected).abs().max().item() if expected.numel() else 0.0
        print(f"  {sizes}: {list(found.shape)}, largest difference {difference:.1e}")
        assert found.shape == expected.shape and difference < 1e-3


if __name__ == "__main__":
    torch.manual_seed(0)
    for case in CASES:
        run(*case, pathlib.Path(sys.argv[1]).resolve())
