"""How the tests run: one folder per dialect, pass and tool; RUN lines call the tools by name.

Parameters: tools=FOLDER (where the tools are; target/release), verify_roundtrip=1 (every terrace-opt also prints what it has
parsed, as text and as bytecode, reads it back and compares).

Features: x86, avx2, avx512 (this machine runs such code), nvptx (ptxas is here), cuda (a GPU is here), roundtrip.

Substitutions beside lit's own: %mlir-opt-plugin (stock mlir-opt with the plugin loaded), %plugin (the plugin), %terrace-rt (the runtime archive),
%fake-cuda (the stand-in for NVIDIA's driver),
%ptxas, %python, %llvm (where LLVM is), %root (of the repository), %tools (where the tools are).
"""

import ctypes
import os
import platform
import re
import sys
from pathlib import Path

import lit.formats
import lit.util

root = Path(__file__).resolve().parent.parent
tools = Path(lit_config.params.get("tools", root / "target/release")).resolve()
llvm = Path(os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22"))

config.name = "terrace"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Output"]
config.test_source_root = str(root / "lit-tests")
config.test_exec_root = str(tools / "lit")
config.environment["PATH"] = os.pathsep.join([str(tools), str(llvm / "bin"), os.environ["PATH"]])
config.environment["FILECHECK_OPTS"] = "--enable-var-scope"


def processor_has(flag):
    try:
        return flag in re.findall(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)[0].split()
    except (OSError, IndexError):
        return False


def has_gpu():
    try:
        return ctypes.CDLL("libcuda.so.1").cuInit(0) == 0
    except OSError:
        return False


if lit.util.which("terrace-opt", str(tools)) is None:
    lit_config.fatal(f"no terrace-opt in {tools}; build it, or name its folder by --param tools=FOLDER")
if lit_config.params.get("verify_roundtrip") == "1":
    config.available_features.add("roundtrip")
    # The tool by its name, not as a part of a path; a RUN line that asks for the check itself may not ask twice.
    config.substitutions.append(
        (r"(?<![\w./%-])terrace-opt(?![\w./-])(?!.*--verify-roundtrip)", "terrace-opt --verify-roundtrip")
    )

plugin = tools / "libterrace_plugin.so"
ptxas = next(iter(sorted(Path(sys.prefix).glob("lib/python*/site-packages/nvidia/*/bin/ptxas"))), None)
for name, value in {
    "%mlir-opt-plugin": f"{llvm}/bin/mlir-opt --load-dialect-plugin={plugin} --load-pass-plugin={plugin}",
    "%plugin": plugin,
    "%fake-cuda": tools / "libterrace_fake_cuda.so",
    "%terrace-rt": tools / "libterrace_rt.a",
    "%ptxas": ptxas,
    "%python": sys.executable,
    "%llvm": llvm,
    "%root": root,
    "%tools": tools,
}.items():
    if value is not None:
        config.substitutions.append((name, str(value)))

if platform.machine() == "x86_64":
    config.available_features.add("x86")
for feature, flag in {"avx2": "avx2", "avx512": "avx512f"}.items():
    if processor_has(flag):
        config.available_features.add(feature)
if ptxas is not None:
    config.available_features.add("nvptx")
if has_gpu():
    config.available_features.add("cuda")
