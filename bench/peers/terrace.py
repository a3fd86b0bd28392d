"""Contenders: commands, one call a round. Terrace is the first of them.

A command gets `{program}`, `{folder}` (as exchange.py describes it), `{out}` (where out0.npy, ... go), `{threads}` and `{iterations}`. It
calls the program once, writes what that gave, then times so many calls, and prints `compile_ms: X` and the nanoseconds of each
call, one a line. What it cannot run it says on standard error, and fails.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess

import exchange

PROGRAMS = pathlib.Path(__file__).resolve().parents[1] / "cases"
#: Seconds for one round.
PATIENCE = 600


def of_terrace(binary, isa, without=None):
    """`terrace-run`: compiles in every round; what it allocates for results is kept for the next call."""
    options = "--inputs {folder}/inputs.json --bench {iterations} --threads {threads} --out-dir {out}"
    options += " --cpu x86-64-v3" if isa == "avx2" else ""
    options += f" --without {without}" if without else ""
    return f"{shlex.quote(str(binary))} {{program}} {options}"


def optimizations(binary):
    """What `terrace-run` can leave out, as its help says."""
    text = subprocess.run([binary, "--help"], check=True, capture_output=True, text=True).stdout
    found = re.search(r"--without .*?\[possible values: (.*?)\]", text, re.DOTALL)
    return re.split(r",\s*", found[1])


class Contender:
    """A command, for one number of threads; it has the methods of a worker's connection."""

    def __init__(self, name, command, threads, folder):
        self.name, self.command, self.threads, self.folder = name, command, threads, folder

    def prepare(self, case, peer):
        """Compiles it, compares with eager, and says what one call takes."""
        answer = self.round(case, 3)
        if "refused" in answer:
            return answer
        expected = exchange.read_results(self.folder / case.name)
        wrong = exchange.error(*case.compared(exchange.read_results(self.out(case)), expected))
        shutil.rmtree(self.out(case))
        return {"compile_s": answer["compile_s"], "error": wrong, "one_ns": min(answer["ns"])}

    def run(self, case, peer, count):
        return self.round(case, count)

    def out(self, case):
        return self.folder / case.name / self.name

    def round(self, case, count):
        folder = self.folder / case.name
        own = folder / "program.mlir"
        program = own if own.exists() else PROGRAMS / f"{case.name}.mlir"
        words = {"program": program, "folder": folder, "out": self.out(case), "threads": self.threads, "iterations": count}
        command = shlex.split(self.command.format(**words))
        environment = {**os.environ, "OMP_NUM_THREADS": str(self.threads)}
        try:
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return {"refused": f"takes longer than {PATIENCE} s"}
        if done.returncode:
            return {"refused": said(done.stderr) or f"exit status {done.returncode}"}
        compiled, times = 0.0, []
        for line in done.stdout.split("\n"):
            if line.startswith("compile_ms:"):
                compiled = float(line.removeprefix("compile_ms:")) / 1e3
            elif line.strip():
                times.append(float(line))
        return {"compile_s": compiled, "ns": times}


def said(text):
    """The first error of a command, without the name of the file."""
    lines = [line for line in text.splitlines() if line.strip()]
    errors = [line.split("error: ", 1)[1] for line in lines if "error: " in line]
    return (errors or lines or [""])[0][:300]
