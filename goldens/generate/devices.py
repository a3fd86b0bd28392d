"""Records of what PyTorch's fake tensors say of calls on devices, which no machine with these devices is needed for; but PyTorch as it is
built for CUDA, which chooses libraries for convolutions.

The calls are some of the golden cases, so that a record needs only to name them:

    {"case": "add.Tensor/7", "on": [{"tensors": ["cuda:0", "cpu"], "results": ["cuda:0 f32[2,3] strides [1,2]"]},
                                    {"tensors": ["cuda:0", "cuda:1"], "refused": "Expected all tensors to be on the same device, .."}]}

* `tensors` are the devices of the case's tensors; `device` is the argument of that name, where the call has it.
* A result is `%N` where it is that very tensor, else its device and its layout, as `values.layout` writes it; `?` are sizes that
  depend on elements.
* `unlike` is set where the same call with all tensors on the CPU comes to other layouts than eager's: of such a call
  the fake tensors' layouts say nothing.
"""

import json
import logging
import pathlib
from collections import defaultdict

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv

import values
from draw import Draw

# How many cases of each schema are taken, and of those whose strides may depend on the device.
TAKEN, TAKEN_STRIDES = 2, 10
STRIDES = ("conv", "scaled_dot", "_scaled_dot", "batch_norm", "native_batch_norm", "_native_batch_norm", "native_group_norm", "native_layer_norm")
STRIDES += ("fft_", "_fft", "max_pool", "avg_pool", "adaptive", "_adaptive", "upsample", "lstm", "gru", "rnn", "sort", "topk", "cum", "grid_sampler")


class Call:
    """The call of a golden case, which can be made with fake tensors."""

    def __init__(self, record, schema):
        self.record, self.schema = record, schema
        self.storages = [line.partition(" ") for line in record["storages"]]
        self.views = [View(text) for text in record["tensors"]]
        self.arguments = record["calls"][0][1]

    def tensors(self, devices):
        """The tensors, those of one storage on the device of the first of them."""
        known = {}
        for view, device in zip(self.views, devices):
            if view.storage not in known:
                dtype, _, elements = self.storages[view.storage]
                parts = 2 if values.kind(dtype) == "complex" else 1
                known[view.storage] = torch.empty(len(elements.split()) // parts, dtype=values.DTYPES[dtype][0], device=device)
        return [view.of(known[view.storage]) for view in self.views]

    def make(self, devices, **more):
        """What comes of it: results, the error where devices are wrong, None where there is no rule."""
        with FakeTensorMode(shape_env=ShapeEnv()):
            tensors = self.tensors(devices)
            arguments = {a.name: argument(self.arguments[a.name], a.kind, tensors) for a in self.schema.arguments if a.name in self.arguments}
            try:
                results = self.schema.function(**{**arguments, **self.schema.fixed, **more})
            except Exception as error:
                words = str(error).split("\n")[0]
                # Eager takes the call on the CPU: what has nothing to do with devices is not known to FakeTensorMode.
                of_devices = len({*devices, *more.values()}) > 1 and any(word in words for word in ("device", "CPU"))
                return {"refused": f"{words:.120}"} if of_devices and "NVIDIA" not in words else None
            results = results if isinstance(results, (list, tuple)) else [results]
            results = [t for t in results if t is not None]
            # Sizes and numbers are on no device.
            if not all(isinstance(t, torch.Tensor) for t in results):
                return None
            return {"results": [described(t, tensors, self.schema.metadata) for t in results]}

    def unlike(self):
        """Whether fake tensors on the CPU are laid out as eager's are not."""
        said = self.make(["cpu"] * len(self.views))
        if said is None:
            return True
        strip = lambda text: text if text.startswith("%") else text.partition(" ")[2].partition(":")[0]
        eager = [strip(text) for text in self.record["results"]]
        fake = [strip(text) for text in said["results"]]
        return len(eager) != len(fake) or any("?" not in b and a != b and not (a[0] == "%" and self.schema.metadata) for a, b in zip(eager, fake))


class View:
    """A tensor of a case, taken apart."""

    def __init__(self, text):
        words = text.split(" ")
        self.storage = int(words[0][1:])
        self.dtype, _, sizes = words[1].partition("[")
        self.sizes = ints("[" + sizes)
        self.strides, self.offset = list(values.contiguous(self.sizes)), 0
        if "strides" in words:
            self.strides = ints(words[words.index("strides") + 1])
        if "offset" in words:
            self.offset = int(words[words.index("offset") + 1])
        self.conj, self.neg = "conj" in words, "neg" in words

    def of(self, storage):
        """The tensor in a storage."""
        dtype = values.DTYPES[self.dtype][0]
        if storage.dtype != dtype:
            return torch.empty([], dtype=dtype, device=storage.device).set_(storage.untyped_storage(), self.offset, self.sizes, self.strides)
        tensor = storage.as_strided(self.sizes, self.strides, self.offset)
        tensor = tensor.conj() if self.conj else tensor
        return torch._neg_view(tensor) if self.neg else tensor


def ints(text):
    return [int(number) for number in text.strip("[]").split(",") if number]


def argument(value, kind, tensors):
    """An argument as torch takes it."""
    if isinstance(value, list):
        return [argument(entry, kind, tensors) for entry in value]
    if isinstance(value, dict):
        return complex(value["re"], value["im"])
    if not isinstance(value, str):
        return value
    if value.startswith("%"):
        return tensors[int(value[1:])]
    if "dtype" in kind or "ScalarType" in kind or value in values.DTYPES:
        return values.DTYPES[value][0]
    if value in ("contiguous_format", "preserve_format", "channels_last", "channels_last_3d"):
        return getattr(torch, value)
    if value in ("nan", "inf", "-inf"):
        return float(value)
    return torch.device(value) if value == "cpu" else value


def described(tensor, tensors, metadata):
    """A result."""
    for number, known in enumerate(tensors):
        if known is tensor and not metadata:
            return f"%{number}"
    number = lambda n: n if isinstance(n, int) else "?"
    sizes, strides = [number(n) for n in tensor.shape], [number(n) for n in tensor.stride()]
    text = f"{tensor.device} {values.NAMES[tensor.dtype]}{values.ints(sizes)}"
    if "?" in sizes or tuple(strides) != values.contiguous(sizes):
        text += f" strides {values.ints(strides)}"
    if tensor.storage_offset() != 0:
        text += f" offset {number(tensor.storage_offset())}"
    for flag, is_set in (("conj", tensor.is_conj()), ("neg", tensor.is_neg())):
        text += f" {flag}" if is_set else ""
    return text


def placements(draw, call):
    """Devices of the tensors, and arguments beside them."""
    count = len(call.views)
    every = lambda device: [device] * count
    takes_device = any(a.name == "device" for a in call.schema.function._schema.arguments)
    if count:
        yield every("cuda:0"), {}
    if takes_device:
        yield every("cuda:0"), {"device": draw.choice(["cpu", "cuda:1", "cuda", "meta"])}
        yield every("cpu"), {"device": draw.choice(["cuda", "cuda:0", "cuda:2"])}
    if count < 2:
        return
    small = ["cpu" if view.sizes == [] else "cuda:0" for view in call.views]
    if len(set(small)) == 2:
        yield small, {}
    # One alone on the CPU, or on another device.
    for other in ("cpu", "cuda:1"):
        alone = draw.below(count)
        mixed = [other if number == alone else "cuda:0" for number in range(count)]
        if mixed != small:
            yield mixed, {}


def traits(record):
    """What the choice of cases goes by."""
    tensors = record["tensors"]
    dtypes = {t.split(" ")[1].partition("[")[0] for t in tensors}
    return [("count", len(tensors)), ("dtypes", len(dtypes) > 1)] + [("scalar", at) for at, t in enumerate(tensors) if "[]" in t] + [("strided", "strides" in " ".join(tensors)), ("rank", tensors[0].count(",") if tensors else 0)]


def chosen(cases, name):
    """Those of the cases that show most, one after another."""
    wanted, seen, left = TAKEN_STRIDES if name.startswith(STRIDES) else TAKEN, set(), list(cases)
    while left and wanted > 0:
        best = max(left, key=lambda record: len(set(traits(record)) - seen))
        left.remove(best)
        seen |= set(traits(best))
        wanted -= 1
        yield best


def records(table, families):
    """The records, a case after another."""
    logging.disable(logging.CRITICAL)
    by_schema = defaultdict(list)
    for name in sorted(families):
        for record in families[name] if name not in ("programs", "refusals") else ():
            if "error" not in record and len(record["calls"]) == 1:
                by_schema[record["calls"][0][0]].append(record)
    for name, schema in table.items():
        for record in chosen(by_schema[name], name):
            call, draw, on = Call(record, schema), Draw("devices " + record["case"]), []
            for devices, more in placements(draw, call):
                if len({view.storage: device for view, device in zip(call.views, devices)}) < len(call.views) and len(set(devices)) > 1:
                    continue
                said = call.make(devices, **more)
                if said is not None:
                    on.append({"tensors": devices} | more | said)
            if on:
                yield {"case": record["case"]} | ({"unlike": True} if call.unlike() else {}) | {"on": on}


def write(table, families, folder):
    """Writes the records."""
    folder = pathlib.Path(folder) / "devices"
    folder.mkdir(exist_ok=True)
    lines = [json.dumps(record, separators=(",", ":")) for record in records(table, families)]
    (folder / "records.jsonl").write_text("".join(line + "\n" for line in lines))
    return len(lines)
