"""Makes the golden data: `python goldens/generate docs/operators.json goldens/data`, which `./x goldens` runs.

Calls are drawn at random for each schema, and a case is kept when it shows something that too few kept ones have: a combination
of dtypes, ranks, layouts, contents, arguments, an error. Programs, of views and a write through them, are drawn alike.
"""

import json
import os
import pathlib
import re
import sys
import warnings
from collections import Counter, defaultdict

# The same kernels, and so the same last bits, on every machine with AVX2.
os.environ["ATEN_CPU_CAPABILITY"] = "avx2"

import torch

import values
from case import Case, Skip
from draw import Draw
from schemas import schemas

# How many cases are tried for each schema, and how many kept at most: legal ones, and ones that eager refuses.
ATTEMPTS, KEPT = 1500, (26, 12)
# The same of a further name of an operator.
KEPT_SYNONYM = (6, 3)
# How many kept cases a feature needs.
ENOUGH = {"dtypes": 1, "shapes": 1, "empty": 1, "given": 1, "contents": 2, "layout": 3, "shared": 2, "error": 3}
# What these make of nan and infinities depends on the algorithm: whether padding is multiplied, how statistics are updated, how
# erf is approximated.
FINITE = (
    "_native_batch_norm_legit",
    "_native_batch_norm_legit_no_training",
    "_scaled_dot_product_flash_attention_for_cpu",
    "addbmm",
    "addmm_",
    "addmv",
    "baddbmm",
    "batch_norm",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "convolution",
    "convolution_backward",
    "gelu",
    "group_norm",
    "instance_norm",
    "layer_norm",
    "native_batch_norm",
    "native_group_norm",
    "native_layer_norm",
    "native_layer_norm_backward",
    "rms_norm",
    "scaled_dot_product_attention",
    "upsample_bilinear2d",
    "var_mean",
)
# These take several steps for an element, one of which may overflow.
STEPS = ("hardswish", "index_put", "lerp", "mish", "scatter_add", "scatter_reduce", "silu")
# These name places, and which of equal elements comes first is up to the algorithm.
DISTINCT = ("topk",)
# The same for the programs of a view or of a write.
PROGRAMS, KEPT_PROGRAMS = 300, (10, 5)


class Selection:
    """Which of the cases that were tried are kept."""

    def __init__(self, limits):
        self.limits, self.kept, self.seen, self.counts = limits, [], Counter(), Counter()

    def consider(self, case):
        """Keeps the case when one of its features is not covered enough."""
        if case.error is None:
            features = case.features
        else:
            # Of a refused call the dtypes, sizes and arguments matter as far as they give another error.
            features = {("error", re.sub(r"\[[^]]*\]|\d+|Float|Double|Half|BFloat16|Long|Int|Short|Char|Byte|Bool", "#", case.error))}
        refused = case.error is not None
        new = any(self.seen[feature] < ENOUGH.get(feature[0], 1) for feature in features)
        if new and self.counts[refused] < self.limits[refused]:
            self.counts[refused] += 1
            self.seen.update(features)
            self.kept.append(case.record())


def tried(name, make):
    """A case, or None where it is none."""
    case = Case(name, Draw(name))
    try:
        make(case)
    except Skip:
        return None
    return case


def operator(schema):
    """The cases of a schema."""
    selection = Selection(KEPT_SYNONYM if schema.synonym else KEPT)

    def make(case):
        if schema.base in FINITE or schema.operator in FINITE:
            case.sort = "plain"
        elif schema.base in DISTINCT:
            case.sort = "distinct"
        elif not (schema.rounds_once and schema.base not in STEPS) and case.sort in ("extreme", "wide"):
            case.sort = "special"
        case.call(schema, values.WEIGHTS)

    for attempt in range(ATTEMPTS):
        case = tried(f"{schema.name}/{attempt}", make)
        if case is not None:
            selection.consider(case)
    return selection.kept


def programs(table):
    """A view, perhaps a view of it, and a write through the last: for each view, then for each write."""
    views = [s for s in table.values() if s.views and not s.synonym and s.arguments[0].name == "self"]
    writes = [s for s in table.values() if s.writes and not s.synonym]
    for role, subjects in (("view", views), ("write", writes)):
        for subject in subjects:
            selection = Selection(KEPT_PROGRAMS)

            def make(case):
                draw = case.draw
                chain = [draw.choice(views) for _ in range(draw.choice([0, 0, 1]))]
                chain += [subject] if role == "view" else [draw.choice(views)]
                write = draw.choice(writes) if role == "view" else subject
                case.sort = "plain"
                own = case.tensor([draw.between(1, 4) for _ in range(draw.choice([1, 2, 2, 3]))], draw.weighted(values.WEIGHTS))
                for view in chain:
                    before = len(case.tensors["out"])
                    case.call(view, values.WEIGHTS, own)
                    results = len(case.tensors["out"]) - before
                    if case.error is not None or results == 0:
                        raise Skip
                    own = "out", before + draw.below(results)
                case.features = {("chain", *(call[0] for call in case.calls))}
                case.call(write, values.WEIGHTS, own)
                case.features = {f for f in case.features if f[0] in ("chain", "shared")} | {("write", write.name)}

            for attempt in range(PROGRAMS):
                case = tried(f"{role} {subject.name}/{attempt}", make)
                if case is not None:
                    selection.consider(case)
            yield from selection.kept


def main(path, folder):
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    table = schemas(path)
    families = defaultdict(list)
    for schema in table.values():
        families[schema.base] += operator(schema)
    families["programs"] = list(programs(table))
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.jsonl"):
        old.unlink()
    for name, cases in families.items():
        lines = (json.dumps(case, separators=(",", ":")) for case in cases)
        (folder / f"{name}.jsonl").write_text("".join(line + "\n" for line in lines))
    legal = sum("error" not in case for cases in families.values() for case in cases)
    total = sum(map(len, families.values()))
    print(f"{total} cases of {len(table)} schemas, {total - legal} of them refused by eager")


if __name__ == "__main__":
    main(*sys.argv[1:])
