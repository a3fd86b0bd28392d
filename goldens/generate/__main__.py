"""Makes the golden data: `python goldens/generate docs/operators.json goldens/data`, which `./x goldens` runs.

Calls are drawn at random for each schema, and a case is kept when it shows something that too few kept ones have: a combination
of dtypes, ranks, layouts, contents, arguments, an error. Programs, of views and a write through them, are drawn alike.
"""

import heapq
import itertools
import json
import os
import pathlib
import re
import sys
import warnings
from collections import Counter, defaultdict

# The same kernels, and so the same last bits, on every machine with AVX2.
os.environ["ATEN_CPU_CAPABILITY"] = "avx2"
# Fake tensors on CUDA are the same where there is none.
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import torch

import devices
import random_reference
import values
from case import Case, Skip
from draw import Draw
from refusals import refusals
from schemas import schemas

# How many cases are tried for each schema, and how many kept at most: legal ones, and ones that eager refuses.
ATTEMPTS, KEPT = 1500, (20, 9)
# The same of a further name of an operator, and of one on lists.
KEPT_SYNONYM = (5, 2)
# The same of calls in which complex numbers take part, and of a further name.
COMPLEX_ATTEMPTS, KEPT_COMPLEX, KEPT_COMPLEX_SYNONYM = 400, (5, 2), (2, 1)
# Cases that are kept as well: mistakes that no other shows (docs/guides/goldens.md, "What it would not notice").
ALSO = frozenset(pathlib.Path(__file__).with_name("also.txt").read_text().splitlines())
# How many kept cases a feature needs, and what a case that has it is worth; 1 and 4 where nothing is said.
ENOUGH = {"dtypes": 1, "shapes": 1, "empty": 1, "given": 1, "contents": 2, "layout": 3, "shared": 2, "error": 3}
WORTH = {"error": 40, "both": 1, "refused": 1}
# What does not matter together with others: there would be too many pairs.
ALONE = ("dtypes", "contents", "layout")
# What these make of nan and infinities depends on the algorithm: whether padding is multiplied, how statistics are updated, how
# erf is approximated, how a Fourier transform divides its sums.
FINITE = (
    "_embedding_bag",
    "_embedding_bag_backward",
    "_embedding_bag_dense_backward",
    "_grouped_mm",
    "_native_batch_norm_legit",
    "_native_batch_norm_legit_no_training",
    "_scaled_dot_product_flash_attention_for_cpu",
    "_scaled_dot_product_flash_attention_for_cpu_backward",
    "_weight_norm",
    "_weight_norm_interface",
    "_weight_norm_interface_backward",
    "addbmm",
    "addmm_",
    "addmv",
    "baddbmm",
    "batch_norm",
    "binary_cross_entropy",
    "binary_cross_entropy_backward",
    "binary_cross_entropy_with_logits",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "convolution",
    "convolution_backward",
    "cross_entropy_loss",
    "elu_backward",
    "embedding_bag",
    "fma",
    "gelu",
    "gelu_backward",
    "grid_sampler",
    "grid_sampler_2d",
    "grid_sampler_2d_backward",
    "grid_sampler_3d",
    "grid_sampler_3d_backward",
    "group_norm",
    "grouped_mm_fallback",
    "grouped_mm_fallback_backward",
    "gru",
    "hardswish_backward",
    "hardtanh_backward",
    "huber_loss",
    "huber_loss_backward",
    "instance_norm",
    "kl_div",
    "layer_norm",
    "logit",
    "lstm",
    "mse_loss",
    "mse_loss_backward",
    "native_batch_norm",
    "native_batch_norm_backward",
    "native_group_norm",
    "native_group_norm_backward",
    "native_layer_norm",
    "native_layer_norm_backward",
    "rms_norm",
    "rnn_relu",
    "rnn_tanh",
    "scaled_dot_product_attention",
    "silu_backward",
    "smooth_l1_loss",
    "smooth_l1_loss_backward",
    "softplus_backward",
    "upsample_bicubic2d",
    "upsample_bicubic2d_backward",
    "upsample_bilinear2d",
    "upsample_bilinear2d_backward",
    "var_mean",
)
# These take several steps for an element, one of which may overflow.
STEPS = (
    "addcdiv",
    "celu",
    "float_power",
    "glu",
    "hardswish",
    "index_put",
    "lerp",
    "logit",
    "mish",
    "prelu",
    "put",
    "remainder",
    "scatter_add",
    "scatter_reduce",
    "selu",
    "silu",
    "sinc",
    "xlogy",
)
# These name places, and which of equal elements comes first is up to the algorithm.
DISTINCT = ("topk",)
# What comes of the parts of a complex number where one is nan or infinite, if it is defined: elsewhere it depends on the algorithm.
MOVES = ("add", "cat", "clone", "conj_physical", "copy", "eq", "imag", "index", "isfinite", "isinf", "isnan", "masked_fill", "ne")
MOVES += ("neg", "permute", "real", "select", "stack", "sub", "view_as_complex", "view_as_real", "where")
# The same for the programs of a view or of a write.
PROGRAMS, KEPT_PROGRAMS = 300, (8, 4)
COMPLEX_PROGRAMS, KEPT_COMPLEX_PROGRAMS = 120, (2, 1)


class Selection:
    """Which of the cases that were tried are kept: again and again the one that shows most of what too few kept ones show."""

    def __init__(self, limits):
        self.limits, self.tried = limits, {False: [], True: []}

    def consider(self, case):
        """Takes the case into account."""
        refused = case.error is not None
        met = sorted((f for f in case.features if f[0] not in ALONE), key=repr)
        if not refused:
            features = case.features | {("both", *pair) for pair in itertools.combinations(met, 2)}
        else:
            # The error first; then the arguments, as what is refused in one place may be refused in another.
            words = re.sub(r"\[[^]]*\]|\d+|Float|Double|Half|BFloat16|Long|Int|Short|Char|Byte|Bool", "#", case.error)
            features = {("error", words)} | {("refused", feature) for feature in met}
        self.tried[refused].append((features, case))

    @property
    def kept(self):
        """The records of the cases that are kept."""
        cases = []
        for refused in (False, True):
            best = chosen(self.tried[refused], self.limits[refused])
            cases += [case for _, case in self.tried[refused] if case in best or case.name in ALSO]
        return [case.record() for case in cases]


def chosen(tried, limit):
    """At most so many of the cases, in the order in which they were tried."""
    seen, numbers = Counter(), set()

    def gain(features):
        return sum(WORTH.get(f[0], 4) for f in features if seen[f] < ENOUGH.get(f[0], 1))

    # What a case would add grows less with every other that is kept: only the best needs to be looked at again.
    heap = [(-gain(features), number) for number, (features, _) in enumerate(tried)]
    heapq.heapify(heap)
    while heap and len(numbers) < limit:
        _, number = heapq.heappop(heap)
        now = gain(tried[number][0])
        if heap and now < -heap[0][0]:
            heapq.heappush(heap, (-now, number))
        elif now > 0:
            numbers.add(number)
            seen.update(tried[number][0])
        else:
            break
    return [tried[number][1] for number in sorted(numbers)]


def attempts(name, count):
    """The numbers of the cases that are tried: so many, and those that are kept by name."""
    more = (int(kept.removeprefix(name + "/")) for kept in ALSO if kept.startswith(name + "/") and kept.removeprefix(name + "/").isdigit())
    return sorted({*range(count), *more})


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
    selection = Selection(KEPT_SYNONYM if schema.synonym or schema.foreach else KEPT)

    def make(case):
        of_one = schema.base.removeprefix("_foreach_")
        if schema.base in FINITE or schema.operator in FINITE or "fft_" in schema.base:
            case.sort, case.finite = "plain", True
        elif schema.base in DISTINCT:
            case.sort = "distinct"
        elif not (schema.rounds_once and of_one not in STEPS) and case.sort in ("extreme", "wide"):
            case.sort = "special"
        case.call(schema, values.WEIGHTS)
        if schema.base in random_reference.OPERATORS and case.error is None and case.draw.chance(30):
            # The second operation draws other numbers.
            case.call(schema, values.WEIGHTS)
            if case.error is not None:
                raise Skip

    for attempt in attempts(schema.name, ATTEMPTS):
        case = tried(f"{schema.name}/{attempt}", make)
        if case is not None:
            selection.consider(case)
    return selection.kept


def with_complex(schema):
    """The cases of a schema in which complex numbers take part."""
    selection = Selection(KEPT_COMPLEX_SYNONYM if schema.synonym else KEPT_COMPLEX)

    def make(case):
        case.sort = "special" if case.sort != "plain" and schema.base in MOVES else "plain"
        case.call(schema, values.COMPLEX_WEIGHTS)
        if not case.has_complex():
            raise Skip

    for attempt in range(COMPLEX_ATTEMPTS):
        case = tried(f"{schema.name}/complex{attempt}", make)
        if case is not None:
            selection.consider(case)
    return selection.kept


def programs(table):
    """A view, perhaps a view of it, and a write through the last: for each view, then for each write."""
    views = [s for s in table.values() if s.views and not s.synonym and s.arguments[0].name == "self"]
    writes = [s for s in table.values() if s.writes and not s.synonym and s.arguments[0].kind == "Tensor"]
    drawn = ("", values.WEIGHTS, PROGRAMS, KEPT_PROGRAMS), ("complex", values.COMPLEX_WEIGHTS, COMPLEX_PROGRAMS, KEPT_COMPLEX_PROGRAMS)
    for role, subjects in (("view", views), ("write", writes)):
        for subject, (kind, weights, attempts, kept) in ((s, d) for s in subjects for d in drawn):
            selection = Selection(kept)

            def make(case):
                draw = case.draw
                chain = [draw.choice(views) for _ in range(draw.choice([0, 0, 1]))]
                chain += [subject] if role == "view" else [draw.choice(views)]
                write = draw.choice(writes) if role == "view" else subject
                case.sort = "plain"
                own = case.tensor([draw.between(1, 4) for _ in range(draw.choice([1, 2, 2, 3]))], draw.weighted(weights))
                for view in chain:
                    before = len(case.tensors["out"])
                    case.call(view, weights, own)
                    results = len(case.tensors["out"]) - before
                    if case.error is not None or results == 0 or case.grown:
                        raise Skip
                    own = "out", before + draw.below(results)
                case.features = {("chain", *(call[0] for call in case.calls))}
                case.call(write, weights, own)
                if kind and not case.has_complex():
                    raise Skip
                case.features = {f for f in case.features if f[0] in ("chain", "shared")} | {("write", write.name)}

            for attempt in range(attempts):
                case = tried(f"{role} {subject.name}/{kind}{attempt}", make)
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
        families[schema.base] += with_complex(schema)
    families["programs"] = list(programs(table))
    families["refusals"] = list(refusals())
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.jsonl"):
        old.unlink()
    for name, cases in families.items():
        lines = (json.dumps(case, separators=(",", ":")) for case in cases)
        (folder / f"{name}.jsonl").write_text("".join(line + "\n" for line in lines))
    legal = sum("error" not in case for cases in families.values() for case in cases)
    total = sum(map(len, families.values()))
    count = devices.write(table, families, folder)
    print(f"{total} cases of {len(table)} schemas, {total - legal} of them refused by eager; {count} on devices")


if __name__ == "__main__":
    main(*sys.argv[1:])
