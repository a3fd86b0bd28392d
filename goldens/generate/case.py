"""A case: storages, views of them, calls one after another, and what eager came to.

A line of JSON, for example

    {"case": "add_.Tensor/7", "storages": ["f32 1 2 3", "f32 0.5"], "tensors": ["@0 f32[3]", "@1 f32[]"],
     "calls": [["add_.Tensor", {"self": "%0", "other": "%1", "alpha": 2}]],
     "results": ["%0"], "after": {"0": "f32 2 3 4"}}

* A storage is its dtype and its elements, of a complex number one part after the other.
* A tensor is `@STORAGE DTYPE[SIZES]`, then `strides [..]`, `offset N`, `conj` and `neg` where they are not those of a new tensor.
* A number that a call gives is a tensor without dimensions.
* `%N` is tensor N: those of `tensors` come first, then the results of the calls in order, those of a list apart.
* A result is `%N` where it is that very tensor, else as a tensor; storages beyond those that are given are new ones, and then
  the elements follow. A tensor that a call changed (`t_`, `resize_`) is no longer the one that came in, and what it is in the end.
* `seed` is that of the generator from which the calls draw: then elements are not eager's, but come from `random_reference.py`.
* `after` has the storages that changed; a case that eager refuses has its message under `error` instead.
* A dtype is its name; numbers that JSON does not have are the strings `nan`, `inf` and `-inf`, and a complex one
  is `{"re": 1, "im": 2}`.
"""

import math

import torch

import random_reference
import values
from arguments import DRAWN, along, argument
from draw import fnv1a
from networks import NETWORKS
from shapes import ROW_MAJOR, SHAPES, TRUSTING, broadcast, mistaken, narrower, shape, size

TABLE = SHAPES | NETWORKS
# More elements than this are not worth their bytes.
LARGEST = 64
# Their integers are places and counts, no converted floats.
PLACES = "argmax argmin argsort count_nonzero cummax cummin max min nonzero sort topk".split()


# Tensors of one dtype, row-major: what autograd gives to its own operators, which do not look.
ALIKE = (
    "_embedding_bag",
    "_embedding_bag_backward",
    "_embedding_bag_dense_backward",
    "_scaled_dot_product_flash_attention_for_cpu_backward",
    "_weight_norm_interface",
    "_weight_norm_interface_backward",
    "binary_cross_entropy_with_logits",
    "convolution_backward",
    "cross_entropy_loss",
    "embedding_backward",
    "embedding_bag",
    "embedding_dense_backward",
    "grid_sampler_2d_backward",
    "grid_sampler_3d_backward",
    "grouped_mm_fallback",
    "grouped_mm_fallback_backward",
    "gru",
    "huber_loss_backward",
    "lstm",
    "mse_loss_backward",
    "native_batch_norm_backward",
    "native_group_norm_backward",
    "native_layer_norm_backward",
    "nll_loss",
    "nll_loss2d_backward",
    "nll_loss2d_forward",
    "nll_loss_backward",
    "nll_loss_forward",
    "nll_loss_nd",
    "rnn_relu",
    "rnn_tanh",
    "smooth_l1_loss_backward",
)
# Those of them whose statistics and parameters may be of f32 beside half precision.
NORMS = ("native_batch_norm_backward", "native_group_norm_backward", "native_layer_norm_backward")
# Operands of one dtype, in any layout.
ONE_DTYPE = (
    "_adaptive_avg_pool2d_backward",
    "_grouped_mm",
    "_weight_norm",
    "avg_pool2d_backward",
    "avg_pool3d_backward",
    "binary_cross_entropy",
    "binary_cross_entropy_backward",
    "grid_sampler",
    "grid_sampler_2d",
    "grid_sampler_3d",
    "huber_loss",
    "kl_div",
)
# What these are given are probabilities.
PROBABILITIES = ("binary_cross_entropy", "binary_cross_entropy_backward")
# What these make of halves every library rounds differently, and of integers eager does not ask for.
FULL_PRECISION = ("lstm", "gru", "rnn_tanh", "rnn_relu")
FLOATS = (
    "_adaptive_avg_pool2d_backward",
    "_embedding_bag_backward",
    "_embedding_bag_dense_backward",
    "_weight_norm",
    "_weight_norm_interface_backward",
    "avg_pool2d_backward",
    "binary_cross_entropy_backward",
    "mse_loss_backward",
    "smooth_l1_loss_backward",
    "upsample_bicubic2d_backward",
    "upsample_bilinear2d_backward",
    "upsample_nearest2d_backward",
)


class Skip(Exception):
    """Not a case: too large, or without a defined result."""


class Call:
    """What a call has so far: the shapes of its tensors, the arguments drawn before."""

    def __init__(self, shapes):
        self.shapes, self.given, self.self = shapes, {}, None
        # Whether numbers are neither large nor infinite.
        self.finite = False


class Case:
    """A case under construction, with the features that tell whether it is worth keeping."""

    def __init__(self, name, draw):
        self.name, self.draw = name, draw
        self.storages, self.before = [], []
        # Tensors that came in and results of calls; a reference is ("in", N) or ("out", N).
        self.tensors = {"in": [], "out": []}
        self.calls, self.error = [], None
        # What its calls draw from.
        self.generator = random_reference.Generator(fnv1a(name))
        # What the tensors were when they came, and the ones whose object a call changed.
        self.came, self.changed = [], []
        # Results whose elements eager does not define.
        self.unspecified = []
        # Whether a storage grew: its new elements are not defined.
        self.grown = False
        self.features = set()
        self.finite = False
        self.sort = draw.weighted({"plain": 66, "special": 12, "extreme": 12, "wide": 10})

    # Tensors that come in.

    def tensor(self, sizes, dtype, how=None, contents=None):
        """A new tensor on a storage of its own; a reference to it."""
        draw = self.draw
        how = how or draw.weighted(values.LAYOUTS)
        strides, offset = values.strides(draw, sizes, how)
        count = values.reach(sizes, strides, offset) + draw.choice([0, 0, 1])
        if count > LARGEST:
            raise Skip
        if contents is None:
            sorts = values.CONTENTS[values.kind(dtype)]
            sort = self.sort if self.sort in sorts else sorts[0]
            contents = values.storage(draw, dtype, sort, count)
            self.features.add(("contents", sort, dtype))
        else:
            contents = torch.tensor(contents + [0] * (count - len(contents)), dtype=values.DTYPES[dtype][0])[:count]
        self.storages.append(contents)
        self.before.append(contents.clone())
        self.features.add(("layout", how))
        return self.view(len(self.storages) - 1, sizes, strides, offset)

    def view(self, storage, sizes, strides, offset):
        """A new tensor on a storage that is there; a reference to it."""
        # No view of another tensor: eager detaches no views in place.
        of = self.storages[storage]
        self.tensors["in"].append(torch.empty(0, dtype=of.dtype).set_(of.untyped_storage(), offset, sizes, strides))
        self.came.append(self.tensors["in"][-1].detach())
        return "in", len(self.tensors["in"]) - 1

    def at(self, reference):
        """The tensor of a reference."""
        return self.tensors[reference[0]][reference[1]]

    def shared(self, reference, sizes):
        """A tensor again, or another view of its storage; None where that has no room."""
        draw, other = self.draw, self.at(reference)
        if draw.chance(30):
            self.features.add(("shared", "same tensor"))
            return reference
        storage = next((n for n, known in enumerate(self.storages) if same_storage(known, other)), None)
        if storage is None:
            return None
        how = draw.choice(["same", "shifted", "permuted", "expanded"])
        strides, offset = list(other.stride()), other.storage_offset()
        if how == "same":
            sizes = list(other.shape)
        elif how == "shifted":
            sizes = [max(s - 1, 0) if at == 0 else s for at, s in enumerate(other.shape)]
            offset += strides[0] if strides else 0
        elif how == "permuted":
            order = draw.shuffled(range(other.dim()))
            sizes, strides = [other.shape[d] for d in order], [strides[d] for d in order]
        else:
            strides, _ = values.strides(draw, sizes, "expanded")
        if values.reach(sizes, strides, offset) > len(self.storages[storage]):
            return None
        self.features.add(("shared", how))
        return self.view(storage, sizes, strides, offset)

    # A call.

    def call(self, schema, dtypes, own=None):
        """Draws arguments, calls, keeps what came of it. `own` refers to the tensor that is the first argument."""
        draw, operator = self.draw, schema.named
        names = [a.name for a in schema.arguments if a.kind in ("Tensor", "Optional[Tensor]")]
        table = next((TABLE[name] for name in (operator, schema.operator, schema.base) if name in TABLE), None)
        if own is not None and len(names) > 1:
            first = list(self.at(own).shape)
            shapes = {name: first if draw.chance(60) else narrower(draw, first) for name in names}
        else:
            shapes = table(draw, names) if table else broadcast(draw, names)
        if names and schema.operator not in TRUSTING and draw.chance(12):
            wrong = draw.choice(names)
            if shapes[wrong] is not None and (own is None or wrong != names[0]):
                shapes[wrong] = mistaken(draw, shapes[wrong])
        call = Call(shapes)
        call.finite = self.finite
        first_dtype = draw.weighted(dtypes) if own is None else values.NAMES[self.at(own).dtype]
        if schema.base in FULL_PRECISION and first_dtype not in ("f32", "f64"):
            raise Skip
        if schema.base.startswith("grouped_mm") and first_dtype == "bool":
            raise Skip
        if schema.base in FLOATS and values.kind(first_dtype) != "float":
            raise Skip
        given = []
        for argument_ in schema.arguments:
            drawn = argument_.name in DRAWN.get(schema.base, "").split()
            if not argument_.required and not drawn and draw.chance(45):
                continue
            if own is not None and not given:
                value = own
            else:
                value = self.argument(schema, argument_, call, first_dtype, dtypes, given)
            if argument_.kind == "Tensor" and call.self is None:
                call.self = self.at(value)
            call.given[argument_.name] = value
            given.append((argument_, value))
        self.features |= {("given", *(a.name for a, _ in given))}
        self.perform(schema, given)

    def argument(self, schema, argument_, call, first_dtype, dtypes, given):
        """The value of an argument; a tensor as a reference."""
        draw, name, kind = self.draw, argument_.name, argument_.kind
        if kind in ("Tensor", "Optional[Tensor]"):
            if call.shapes[name] is None:
                return None
            return self.operand(schema, name, call, first_dtype, dtypes, given)
        if kind == "List[Tensor]" and schema.foreach:
            return self.entries(schema, name, call, first_dtype, dtypes, given)
        if kind == "List[Tensor]" and schema.base == "stack":
            sizes = shape(draw, (0, 1, 1, 2, 2, 3))
            alike = [mistaken(draw, sizes) if draw.chance(5) else sizes for _ in range(draw.choice([0, 1, 2, 2, 3]))]
            return [self.tensor(s, first_dtype if draw.chance(75) else draw.choice(list(dtypes))) for s in alike]
        if kind == "List[Tensor]":
            if name in call.shapes:
                alike = schema.base in ALIKE
                dtype = lambda: first_dtype if alike or draw.chance(92) else draw.weighted(dtypes)
                return [self.tensor(sizes, dtype(), "contiguous" if alike else None) for sizes in call.shapes[name]]
            return self.grid(dtypes, first_dtype) if schema.operator == "meshgrid" else self.joined(dtypes, first_dtype)
        if kind == "List[Optional[Tensor]]":
            return self.indices(call)
        value = argument(draw, call, schema.base, name, kind, dtypes)
        self.features.add((name, trait(value)))
        return value

    def operand(self, schema, name, call, first_dtype, dtypes, given):
        draw, sizes = self.draw, call.shapes[name]
        if name == "scalars":
            # The number of each entry.
            count = max(call.shapes["entries"] + (draw.choice([-1, 1]) if draw.chance(5) else 0), 0)
            packed = [count] if draw.chance(94) else draw.choice([[], [1, count]])
            return self.tensor(packed, draw.weighted(dtypes), "contiguous" if draw.chance(92) else None)
        tensors = [value for a, value in given if a.kind == "Tensor"]
        if tensors and schema.operator not in TRUSTING and draw.chance(30 if schema.writes else 4):
            shared = self.shared(tensors[0], sizes)
            if shared is not None:
                return shared
        if name == "target" and "classes" in call.shapes:
            # The gradient of images does not look whether a target is a class.
            beyond = 0 if schema.base == "nll_loss2d_backward" else 4
            contents = [draw.between(0, call.shapes["classes"] - 1 + draw.chance(beyond)) for _ in range(math.prod(sizes))]
            return self.tensor(sizes, "i64" if draw.chance(94) else "i32", "contiguous", contents)
        if name == "indices" and "area" in call.shapes:
            contents = [draw.below(call.shapes["area"]) for _ in range(math.prod(sizes))]
            return self.tensor(sizes, "i64" if draw.chance(94) else "i32", "contiguous", contents)
        integers = self.integers(schema, name, call)
        if integers is not None:
            return self.tensor(sizes, call.shapes.setdefault("index", draw.choice(["i64", "i64", "i32"])), "contiguous", integers)
        if schema.base in PROBABILITIES and name in ("self", "target"):
            contents = [draw.between(0, 4 + draw.chance(1)) / 4 for _ in range(2 * math.prod(sizes) + 8)]
            return self.tensor(sizes, first_dtype, None, contents)
        if name == "logsumexp" and first_dtype in ("f16", "bf16"):
            return self.tensor(sizes, "f32", "contiguous")
        if schema.base in NORMS and first_dtype in ("f16", "bf16"):
            # All but the input and what has its type may be of f32.
            wide = call.shapes.setdefault("wide", draw.chance(50)) and name not in ("grad_out", "input")
            return self.tensor(sizes, "f32" if wide else first_dtype, "contiguous")
        if schema.operator in ALIKE and name != "indices":
            return self.tensor(sizes, first_dtype, "contiguous")
        if name == "indices":
            trusted = schema.operator in ALIKE
            limit = 2 if trusted else call.self.shape[0] if call.self.dim() else 1
            dtype = draw.weighted({"i64": 12, "i32": 4, first_dtype: 1})
            low, high = (-1, limit) if draw.chance(10) and not trusted else (0, max(limit - 1, 0))
            return self.tensor(sizes, dtype, "contiguous", [draw.between(low, high) for _ in range(math.prod(sizes))])
        if schema.base in ("bernoulli", "multinomial") and first_dtype in ("f32", "f64") and draw.chance(90):
            return self.tensor(sizes, first_dtype, "contiguous", [draw.between(0, 4) / 4 for _ in range(math.prod(sizes))])
        if name == "index" and schema.base in ("put", "take"):
            limit = call.self.numel()
            low, high = (-limit - 1, limit) if draw.chance(8) else (-limit, max(limit - 1, 0))
            places = [draw.between(low, high) for _ in range(2 * math.prod(sizes) + 8)]
            return self.tensor(sizes, "i64" if draw.chance(92) else first_dtype, "contiguous" if schema.base == "put" else None, places)
        if name == "index":
            limit = along(call)
            dtype = draw.weighted({"i64": 12, "i32": 4, first_dtype: 1})
            low, high = (-limit, limit) if draw.chance(10) else (0, max(limit - 1, 0))
            return self.tensor(sizes, dtype, None, [draw.between(low, high) for _ in range(2 * math.prod(sizes) + 8)])
        if name == "values" and "indices" in call.given:
            sizes = self.indexed(call)
            sizes = mistaken(draw, sizes) if draw.chance(8) else narrower(draw, sizes) if draw.chance(40) else sizes
        if schema.base == "bincount" and name == "self" and draw.chance(90):
            dtype = draw.choice(["i64", "i32"])
            return self.tensor(sizes, dtype, "contiguous", [draw.between(0, 6) for _ in range(math.prod(sizes))])
        if name in ("condition", "mask") and draw.chance(88) or name == "attn_mask" and draw.chance(50):
            return self.tensor(sizes, "bool")
        if schema.base in ONE_DTYPE:
            return self.tensor(sizes, first_dtype)
        # Of indices that name a place twice the last is up to the order in memory.
        how = "contiguous" if schema.operator in ROW_MAJOR or schema.base == "put" and name == "source" else None
        return self.tensor(sizes, first_dtype if not tensors or draw.chance(60) else draw.weighted(dtypes), how)

    def entries(self, schema, name, call, first_dtype, dtypes, given):
        """A tensor for each entry of a list; seldom too few of them. Lists after the first have mostly the shapes of its own."""
        draw = self.draw
        first = next((value for a, value in given if a.kind == "List[Tensor]"), None)
        if first is None:
            count = 0 if draw.chance(4) else draw.choice([1, 2, 2, 3])
            sizes = [shape(draw, (0, 1, 1, 2)) for _ in range(count)]
            own = []
            for each in sizes:
                shared = self.shared(own[0], each) if own and draw.chance(12) else None
                own.append(shared or self.tensor(each, first_dtype if draw.chance(75) else draw.weighted(dtypes)))
            call.shapes["entries"] = count
            return own
        count = max(len(first) + (draw.choice([-1, 1]) if draw.chance(5) else 0), 0)
        numbers = []
        for at in range(count):
            like = self.at(first[min(at, len(first) - 1)]) if first else None
            sizes = list(like.shape) if like is not None else [2]
            sizes = mistaken(draw, sizes) if draw.chance(3) else narrower(draw, sizes) if draw.chance(25) else sizes
            dtype = values.NAMES[like.dtype] if like is not None and draw.chance(75) else draw.weighted(dtypes)
            shared = self.shared(first[at], sizes) if at < len(first) and draw.chance(12) else None
            numbers.append(shared or self.tensor(sizes, dtype))
        return numbers

    def integers(self, schema, name, call):
        """The contents of an operand that names places or counts; None of any other."""
        shapes = call.shapes
        if name in shapes.get("contents", {}):
            return shapes["contents"][name]
        if name == "offs":
            return shapes["ends"]
        if name == "offsets" and "starts" in shapes:
            return shapes["starts"]
        if name == "indices" and "num_weights" in shapes:
            return [self.draw.below(shapes["num_weights"]) for _ in range(math.prod(shapes[name]))]
        if name == "self" and "window" in shapes:
            return [self.draw.below(math.prod(shapes["window"])) for _ in range(math.prod(shapes[name]))]
        return None

    def joined(self, dtypes, first_dtype):
        """Tensors that may be joined: alike except along some dimension."""
        draw = self.draw
        sizes, numbers = shape(draw, (0, 1, 1, 2, 2, 3)), []
        dim = draw.below(len(sizes)) if sizes else 0
        for _ in range(draw.choice([0, 1, 2, 2, 3, 3])):
            own = [size(draw) if d == dim else s for d, s in enumerate(sizes)] if draw.chance(70) else list(sizes)
            if draw.chance(8):
                own = [0]
            elif draw.chance(5):
                own = mistaken(draw, own)
            numbers.append(self.tensor(own, first_dtype if draw.chance(65) else draw.weighted(dtypes)))
        return numbers

    def grid(self, dtypes, first_dtype):
        """Tensors of one dimension or none."""
        draw = self.draw
        ranks = [draw.choice([0, 1, 1, 1]) for _ in range(draw.choice([0, 1, 2, 2, 3, 3]))]
        dtype = lambda: first_dtype if draw.chance(95) else draw.weighted(dtypes)
        return [self.tensor([size(draw)] if rank else [], dtype()) for rank in ranks]

    def indexed(self, call):
        """The shape of what the indices pick; any where they do not fit."""
        indices = [None if index is None else self.at(index) for index in call.given["indices"]]
        try:
            return list(torch.ops.aten.index.Tensor(call.self, indices).shape)
        except Exception:
            return shape(self.draw, (0, 1, 1, 2))

    def indices(self, call):
        """An index per leading dimension: none, positions, or a mask."""
        draw, numbers, dim, of = self.draw, [], 0, call.self
        joined = shape(draw, (0, 1, 1, 2))
        for _ in range(draw.between(1, max(of.dim(), 1))):
            what = draw.weighted({"none": 3, "positions": 6, "mask": 2})
            if what == "none":
                numbers.append(None)
                dim += 1
            elif what == "mask" and dim < of.dim():
                covered = list(of.shape[dim : dim + draw.between(1, 2)])
                covered = mistaken(draw, covered) if draw.chance(8) else covered
                numbers.append(self.tensor(covered, "bool"))
                dim += len(covered)
            else:
                limit = of.shape[dim] if dim < of.dim() else 2
                low, high = (-limit - 1, limit) if draw.chance(8) else (-limit, max(limit - 1, 0))
                sizes = narrower(draw, joined)
                dtype = draw.weighted({"i64": 16, "i32": 4, "f32": 1})
                contents = [draw.between(low, high) for _ in range(math.prod(sizes))]
                numbers.append(self.tensor(sizes, dtype, "contiguous", contents))
                dim += 1
            self.features.add(("index", what, len(numbers)))
        if all(number is None for number in numbers):
            raise Skip
        return numbers

    def perform(self, schema, given):
        """Calls, and keeps the results or the error."""
        arguments = {a.name: self.value(a, value) for a, value in given}
        tensors = list(tensors_in(arguments.values()))
        self.calls.append((schema.name, given))
        self.features |= {("dtypes", *(values.NAMES[t.dtype] for t in tensors))}
        self.features |= {("shapes", *(t.dim() for t in tensors))}
        self.features |= {("empty", at) for at, t in enumerate(tensors) if t.numel() == 0}
        if undefined(schema, arguments):
            raise Skip
        draws = schema.base in random_reference.OPERATORS
        before = random_reference.before(schema.base, tensors)
        room = [(t.untyped_storage(), t.untyped_storage().nbytes()) for t in tensors]
        try:
            results = schema.function(**arguments, **schema.fixed)
        except Exception as error:
            self.error = message(error)
            return
        # Of an expanded tensor addbmm_ makes one that reaches beyond its storage, which grows.
        if not schema.metadata and any(storage.nbytes() > before for storage, before in room):
            raise Skip
        results = list(results) if isinstance(results, (list, tuple)) else [results]
        results = [t if t is None or isinstance(t, torch.Tensor) else number(t) for t in results]
        # A gradient that is not asked for is no result.
        results = [t for t in results if t is not None]
        if draws:
            random_reference.draw(self.generator, schema.base, arguments, before, results)
        # Complex numbers of half precision are none of ours.
        known = all(t.dtype in values.NAMES for t in results)
        if sum(t.numel() for t in results) > LARGEST or not known or any(beyond(t) for t in results):
            raise Skip
        self.grown = any(storage.nbytes() > before for storage, before in room)
        if schema.base not in PLACES and converts(arguments, results):
            raise Skip
        if schema.metadata:
            self.changed += results
        self.tensors["out"] += results
        if self.grown or unspecified(schema):
            self.unspecified += results

    def has_complex(self):
        """Whether a complex number takes part."""
        dtypes = [t.dtype for t in self.tensors["in"] + self.tensors["out"]]
        given = [value for _, arguments in self.calls for _, value in arguments]
        dtypes += [value for value in given if isinstance(value, torch.dtype)]
        return any(dtype.is_complex for dtype in dtypes) or any(isinstance(value, complex) for value in given)

    def value(self, a, value):
        """An argument as torch takes it."""
        if "Tensor" not in a.kind:
            return value
        if isinstance(value, list):
            return [None if v is None else self.at(v) for v in value]
        return None if value is None else self.at(value)

    def written(self, a, value):
        """An argument as JSON."""
        if "Tensor" in a.kind:
            return [self.number(v) for v in value] if isinstance(value, list) else self.number(value)
        if isinstance(value, list):
            return [self.written(a, entry) for entry in value]
        if isinstance(value, torch.dtype):
            return values.NAMES[value]
        if isinstance(value, (torch.memory_format, torch.device)):
            return str(value).removeprefix("torch.")
        if isinstance(value, complex):
            return {"re": value.real, "im": value.imag}
        if isinstance(value, float) and not math.isfinite(value):
            return str(value)
        return value

    def number(self, reference):
        """`%N` for a reference."""
        if reference is None:
            return None
        return f"%{reference[1] + (len(self.tensors['in']) if reference[0] == 'out' else 0)}"

    def described(self, tensor, number):
        """A result: one of the tensors before it, which is the `number`-th, or another."""
        # One that was changed is no longer the tensor that came in.
        first = len(self.tensors["in"]) if any(known is tensor for known in self.changed) else 0
        earlier = (self.tensors["in"] + self.tensors["out"])[:number]
        for same, known in enumerate(earlier):
            if known is tensor and same >= first:
                return f"%{same}"
        storage = self.storage_of(tensor)
        open_ = any(known is tensor for known in self.unspecified)
        elements = "" if open_ or storage < len(self.before) else f": {values.numbers(tensor)}"
        return values.layout(storage, tensor) + elements

    def storage_of(self, tensor):
        """The number of a tensor's storage, which may be a new one."""
        for number, storage in enumerate(self.storages):
            if same_storage(storage, tensor):
                return number
        self.storages.append(tensor)
        return len(self.storages) - 1

    def record(self):
        """The case as an object of JSON."""
        storages = [f"{values.NAMES[s.dtype]} {values.numbers(s)}".strip() for s in self.before]
        tensors = [values.layout(self.storage_of(t), t) for t in self.came]
        calls = [[name, {a.name: self.written(a, value) for a, value in given}] for name, given in self.calls]
        case = {"case": self.name, "storages": storages, "tensors": tensors, "calls": calls}
        if self.error is not None:
            return case | {"error": self.error}
        first = len(tensors)
        results = [self.described(tensor, first + at) for at, tensor in enumerate(self.tensors["out"])]
        after = {}
        for number, before in enumerate(self.before):
            now = values.numbers(self.storages[number])
            if now != values.numbers(before):
                after[str(number)] = f"{values.NAMES[before.dtype]} {now}"
        seed = {"seed": self.generator.seed} if self.generator.operations else {}
        return case | seed | {"results": results} | ({"after": after} if after else {})


def number(result):
    """A number that a call gives, as a tensor."""
    wide = {bool: torch.bool, int: torch.int64, float: torch.float64, complex: torch.complex128}
    return torch.tensor(result, dtype=wide[type(result)])


def beyond(tensor):
    """Whether a tensor has elements that its storage has not: `set_` of equal sizes does not look."""
    reach = values.reach(list(tensor.shape), tensor.stride(), tensor.storage_offset())
    return reach * tensor.element_size() > tensor.untyped_storage().nbytes()


def same_storage(a, b):
    return a.untyped_storage()._cdata == b.untyped_storage()._cdata


def tensors_in(arguments):
    for value in arguments:
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, torch.Tensor):
                yield item


def message(error):
    """The first line of what eager says."""
    text = str(error).split("\n")[0].split("  (Could this error message be improved?")[0]
    if any(words in text for words in ("Expected a value of type", "INTERNAL ASSERT", "primitive descriptor", "itensor_view", "memory descriptor")):
        raise Skip
    return text


def trait(value):
    """What is worth covering of a number, a flag or a list."""
    if isinstance(value, bool) or value is None or isinstance(value, (str, torch.dtype, torch.memory_format, torch.device)):
        return str(value)
    if isinstance(value, list):
        return "list", len(value), any(not isinstance(v, complex) and v < 0 for v in value), any(v == 0 for v in value)
    if isinstance(value, complex):
        return "complex", value.real == 0, value.imag == 0
    if not math.isfinite(value):
        return str(value)
    return type(value).__name__, value < 0, value == 0, abs(value) > 1000, value == int(value)


def out_of_range(tensor, dtype):
    """Whether converting to an integer dtype is undefined."""
    if tensor.is_complex() and not dtype.is_complex:
        tensor = tensor.resolve_conj().real
    if not tensor.dtype.is_floating_point or dtype.is_floating_point or dtype.is_complex or dtype == torch.bool:
        return False
    limits = torch.iinfo(dtype)
    low, high = max(limits.min, -(2**31)), min(limits.max, 2**31 - 1)
    whole = tensor.double().trunc()
    return bool((~((whole >= low) & (whole <= high))).any())


def unspecified(schema):
    """Whether the elements of the results are not defined."""
    return schema.base.startswith(("empty", "new_empty")) and not schema.writes


def undefined(schema, arguments):
    """Whether the call converts floats that no integer stands for: C++ does not say what comes of it."""
    if arguments.get("mode") == "circular" and min(arguments["pad"], default=0) < 0:
        # What is cut may be all that there is to repeat.
        return True
    if schema.foreach and schema.writes:
        return any(out_of_range(t, own.dtype) for own in arguments["self"] for t in tensors_in(arguments.values()))
    if schema.base == "set" and "source" in arguments and arguments["source"].dtype != arguments["self"].dtype:
        # Eager takes the bytes for another dtype.
        return True
    if schema.base in ("signbit", "copysign") and any(t.dtype == torch.bfloat16 and t.isnan().any() for t in tensors_in(arguments.values())):
        # Its nan has a sign.
        return True
    target = arguments["self"].dtype if schema.writes else arguments.get("dtype")
    if schema.base == "logspace" and target is not None and values.kind(values.NAMES[target]) == "integer":
        base, ends = arguments.get("base", 10.0), (arguments["start"], arguments["end"])
        return any(isinstance(end, complex) or abs(base) ** end > torch.iinfo(target).max for end in ends)
    return target is not None and any(out_of_range(t, target) for t in tensors_in(arguments.values()))


def converts(arguments, results):
    return any(out_of_range(t, result.dtype) for t in tensors_in(arguments.values()) for result in results)
