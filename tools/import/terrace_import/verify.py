"""Whether terrace-opt takes a module: what an importer writes is verified before anybody has it.

The program is that of the environment variable TERRACE_OPT, of this checkout (`cargo build --release`), or of the search path.
"""

import os
import pathlib
import re
import shutil
import subprocess

from .translate import place

BUILT = pathlib.Path(__file__).resolve().parents[3] / "target" / "release" / "terrace-opt"


class Invalid(Exception):
    """What terrace-opt says of a module, at the node and the line of Python that it is about."""


def terrace_opt():
    """The program's path.

    Raises:
        FileNotFoundError: there is none.
    """
    given = os.environ.get("TERRACE_OPT") or (str(BUILT) if BUILT.exists() else shutil.which("terrace-opt"))
    if given is None:
        raise FileNotFoundError("terrace-opt, which verifies what is imported: build it, or name it by TERRACE_OPT")
    return given


def verify(module, nodes):
    """Verifies a module's text; `nodes` has the node of each line that has one, by its number from 1.

    Raises:
        Invalid: it is refused.
        FileNotFoundError: there is no terrace-opt.
    """
    done = subprocess.run([terrace_opt(), "-", "-o", os.devnull], input=module, capture_output=True, text=True)
    if done.returncode == 0:
        return
    lines = []
    for line, what in re.findall(r"^\S*?:(\d+):\d+: error: (.*)", done.stderr, re.MULTILINE):
        node = nodes.get(int(line))
        lines.append(f"  {what}: {place(node)}" if node is not None else f"  {what}")
    raise Invalid("terrace-opt refuses the module:\n" + ("\n".join(lines) or done.stderr))
