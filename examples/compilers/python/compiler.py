"""A compiler of its own, with Terrace as a stage: stock mlir-opt with Terrace's plugin, then mlir-translate and llc.

    compiler.py FILE -o FILE.o

TERRACE_PREFIX is where `./x install --prefix` put Terrace; mlir-opt, mlir-translate and llc are those of LLVM 22 in PATH.
"""

import argparse
import os
import pathlib
import subprocess

PLUGIN = pathlib.Path(os.environ["TERRACE_PREFIX"]) / "lib/libterrace_plugin.so"
PASSES = ",".join([
    # linalg on tensors, as loops that are fused
    "func.func(convert-linalg-to-loop)",
    "loop-fuse",
    # scf on memrefs
    "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}",
    "func.func(convert-loop-to-scf,llvm-request-c-wrappers)",
    # LLVM
    "convert-scf-to-cf,expand-strided-metadata,lower-affine,finalize-memref-to-llvm",
    "convert-arith-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts",
])


def run(*command, text=None):
    return subprocess.run([str(word) for word in command], input=text, stdout=subprocess.PIPE, text=True, check=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("-o", dest="output", required=True)
    options = parser.parse_args()
    # Passes of a plugin are reached by --pass-pipeline alone, and their dialects want a plugin's line of their own.
    plugin = [f"--load-dialect-plugin={PLUGIN}", f"--load-pass-plugin={PLUGIN}"]
    llvm = run("mlir-opt", options.file, *plugin, f"--pass-pipeline=builtin.module({PASSES})")
    code = run("mlir-translate", "--mlir-to-llvmir", text=llvm)
    run("llc", "-O3", "-filetype=obj", "-relocation-model=pic", "-o", options.output, text=code)


if __name__ == "__main__":
    main()
