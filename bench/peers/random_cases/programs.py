"""The classes of operators, and how a program of each is drawn: core ATen operators, and what stands around them in models."""

UNARY = [
    "torch.relu({0})", "torch.sigmoid({0})", "torch.tanh({0})", "F.gelu({0})", "F.gelu({0}, approximate='tanh')", "F.silu({0})", "F.elu({0})",
    "F.selu({0})", "F.softplus({0})", "F.hardswish({0})", "F.leaky_relu({0}, 0.1)", "F.mish({0})", "torch.exp(-{0}.abs())", "torch.abs({0})",
    "torch.sqrt({0}.abs())", "torch.rsqrt({0}.abs() + 1)", "torch.log1p({0}.abs())", "torch.sin({0})", "torch.cos({0})", "torch.erf({0})",
    "{0} * 0.5 + 1", "{0}.clamp(-1, 1)", "torch.square({0})", "-{0}", "torch.round({0})", "torch.sign({0})", "F.hardtanh({0})", "torch.reciprocal({0}.abs() + 1)",
]
BINARY = [
    "{0} + {1}", "{0} * {1}", "{0} - {1}", "{0} / ({1}.abs() + 1)", "torch.maximum({0}, {1})", "torch.minimum({0}, {1})",
    "torch.where({0} > 0, {0}, {1})", "{0} + 0.1 * {1}", "torch.lerp({0}, {1}, 0.3)", "torch.sigmoid({0}) * {1}",
]


def chain(draw, value, shape, least, most):
    """So many operators after each other, some with another argument that may be broadcast."""
    for _ in range(int(draw.random.integers(least, most + 1))):
        if draw.chance(0.4):
            kind = draw.pick(["whole", "row", "column", "channel"])
            other = {"whole": shape, "row": shape[-1:], "column": (*shape[:-1], 1), "channel": (1, *shape[1:2], *[1] * (len(shape) - 2))}[kind]
            name = draw.input(other, laid=kind == "whole")
            draw.line(f"v = {draw.pick(BINARY).format(value, name)}")
        else:
            draw.line(f"v = {draw.pick(UNARY).format(value)}")
        value = "v"
    return value


def pointwise(draw):
    shape = draw.shape(draw.elements(3))
    chain(draw, draw.input(shape), shape, 1, 6)
    draw.line("return v")


def layout(draw):
    """Copies: permutations, concatenation, padding, shifts, windows."""
    shape = draw.shape(draw.elements(2))
    rank, value = len(shape), draw.input(shape)
    kind = draw.pick(["permute", "permute", "permute", "cat", "stack", "pad", "flip", "roll", "repeat", "shuffle", "split"])
    if kind == "permute":
        order = [int(place) for place in draw.random.permutation(rank)]
        draw.line(f"v = {value}.permute({', '.join(map(str, order))}).contiguous()")
    elif kind == "cat":
        place = int(draw.random.integers(rank))
        parts = [value] + [draw.input([size if axis != place else draw.between(1, 2 * size + 1) for axis, size in enumerate(shape)]) for _ in range(2)]
        parts = [draw.pick(["{0}", "{0}", "torch.relu({0})", "{0} * 2"]).format(part) for part in parts]
        draw.line(f"v = torch.cat([{', '.join(parts)}], {place})")
    elif kind == "stack":
        draw.line(f"v = torch.stack([{value}, {draw.input(shape)}], {int(draw.random.integers(rank + 1))})")
    elif kind == "pad":
        mode = draw.pick(["constant", "constant", "reflect", "replicate"]) if rank > 2 and min(shape[-2:]) > 4 else "constant"
        draw.line(f"v = F.pad({value}, ({', '.join(['1', '2', '2', '1'][: 4 if rank > 3 or mode == 'constant' else 2])}), {mode!r})")
    elif kind == "flip":
        draw.line(f"v = {value}.flip({int(draw.random.integers(rank))})")
    elif kind == "roll":
        draw.line(f"v = torch.roll({value}, 3, {int(draw.random.integers(rank))})")
    elif kind == "repeat":
        draw.line(f"v = {value}.repeat_interleave(2, {int(draw.random.integers(rank))})")
    elif kind == "shuffle":
        first = shape[0] // 2 * 2 or 1
        draw.line(f"v = {value}[:{first}].reshape({2 if first > 1 else 1}, -1, *{value}.shape[1:]).transpose(0, 1).reshape({first}, *{value}.shape[1:])")
    else:
        draw.line(f"a, b = {value}.tensor_split(2, -1)")
        draw.line("return torch.relu(a), b.contiguous()")
        return
    if draw.chance(0.3):
        draw.line(f"v = {draw.pick(UNARY).format('v')}")
    draw.line("return v")


def axes(draw, rank):
    """The dimensions that are reduced: the last, the first, one, several, all."""
    kind = draw.pick(["last", "last", "first", "one", "several", "all"])
    some = sorted(int(place) for place in draw.random.permutation(rank)[: int(draw.random.integers(1, rank + 1))])
    return {"last": [rank - 1], "first": [0], "one": [int(draw.random.integers(rank))], "several": some, "all": list(range(rank))}[kind]


def reduction(draw):
    shape = draw.shape(draw.elements(1))
    value = draw.input(shape)
    over = axes(draw, len(shape))
    kind = draw.pick(["sum", "sum", "mean", "mean", "amax", "amin", "var", "std", "norm", "logsumexp", "argmax", "argmin", "max", "any", "prod"])
    # Two ways to compute a function may put another element first.
    if draw.chance(0.4) and kind not in ("argmax", "argmin"):
        value = chain(draw, value, shape, 1, 2)
    if kind in ("argmax", "argmin", "max", "prod"):
        more = {"max": "v = {0}.max({1}).values", "prod": "v = ({0} * 0.01 + 1).prod({1})"}
        draw.line(more.get(kind, f"v = {{0}}.{kind}({{1}})").format(value, over[0]))
    elif kind == "any":
        draw.line(f"v = ({value} > 3).any({over[0]})")
    elif kind == "norm":
        draw.line(f"v = torch.linalg.vector_norm({value}, dim={over})")
    else:
        draw.line(f"v = {value}.{kind}({over})")
    if draw.chance(0.3) and kind in ("sum", "mean", "amax", "var"):
        draw.line("v = torch.relu(v) * 0.5")
    draw.line("return v")


def norm(draw):
    kind = draw.pick(["softmax", "softmax", "log_softmax", "layer_norm", "layer_norm3", "rms_norm", "group_norm", "batch_norm", "batch_norm_train", "normalize", "instance_norm"])
    count = draw.elements(2)
    if kind in ("layer_norm3", "group_norm", "batch_norm", "batch_norm_train", "instance_norm"):
        shape = draw.image(count)
    else:
        shape = draw.shape(count)
    value = draw.input(shape)
    if draw.chance(0.4):
        value = chain(draw, value, shape, 1, 2)
    if kind in ("softmax", "log_softmax"):
        draw.line(f"v = F.{kind}({value}, {draw.pick([-1, -1, -1, 0, int(draw.random.integers(len(shape)))])})")
    elif kind in ("layer_norm", "rms_norm", "layer_norm3"):
        over = shape[1:] if kind == "layer_norm3" else shape[-1:]
        weights = [draw.input(over, laid=False) for _ in range(1 + (kind != "rms_norm"))]
        draw.line(f"v = F.{kind.removesuffix('3')}({value}, {tuple(over)}, {', '.join(weights)})")
    elif kind == "group_norm":
        groups = draw.pick([size for size in (1, 2, 3, 4, 8, 16, 32) if shape[1] % size == 0])
        weights = [draw.input(shape[1:2], laid=False) for _ in range(2)]
        draw.line(f"v = F.group_norm({value}, {groups}, {', '.join(weights)})")
    elif kind == "batch_norm":
        mean, variance = draw.input(shape[1:2], laid=False), draw.input(shape[1:2], what="positive", laid=False)
        draw.line(f"v = F.batch_norm({value}, {mean}, {variance}, {draw.input(shape[1:2], laid=False)}, {draw.input(shape[1:2], laid=False)})")
    elif kind == "batch_norm_train":
        draw.line(f"v = F.batch_norm({value}, None, None, {draw.input(shape[1:2], laid=False)}, {draw.input(shape[1:2], laid=False)}, training=True)")
    elif kind == "instance_norm":
        draw.line(f"v = F.instance_norm({value})")
    else:
        draw.line(f"v = F.normalize({value}, dim={draw.pick([-1, 0])})")
    if draw.chance(0.3):
        draw.line(f"v = {draw.pick(['torch.relu({0})', 'F.silu({0})', '{0} * 0.5']).format('v')}")
    draw.line("return v")


def scan(draw):
    shape = draw.shape(draw.elements(2))
    value = draw.input(shape)
    kind = draw.pick(["cumsum"] * 4 + ["cumprod", "logcumsumexp", "cummax"])
    place = draw.pick([-1, -1, 0, int(draw.random.integers(len(shape)))])
    if kind == "cummax":
        draw.line(f"v = torch.cummax({value}, {place}).values")
    elif kind == "cumprod":
        draw.line(f"v = torch.cumprod({value} * 0.01 + 1, {place})")
    elif kind == "logcumsumexp":
        draw.line(f"v = torch.logcumsumexp({value}, {place})")
    else:
        draw.line(f"v = torch.cumsum({value}, {place})")
    if draw.chance(0.4):
        draw.line(f"v = {draw.pick(UNARY).format('v')}")
    draw.line("return v")


def indexing(draw):
    kind = draw.pick(["embedding", "gather", "index_select", "index", "scatter_add", "index_add", "index_put", "take_along", "masked_fill", "scatter", "slice_write", "triu", "one_hot"])
    rows, columns = draw.matrix(draw.elements(2))
    if kind == "one_hot":
        index = draw.input((rows,), "i64", columns, laid=False)
        draw.line(f"return (F.one_hot({index}, {columns}).float() * 0.9 + 0.1)")
        return
    value = draw.input((rows, columns), laid=kind not in ("scatter_add", "index_add", "index_put"))
    if kind in ("embedding", "index_select", "index"):
        index = draw.input((draw.between(1, 2 * rows),), "i64", rows, laid=False)
        draw.line({"embedding": "v = F.embedding({1}, {0})", "index_select": "v = {0}.index_select(0, {1})", "index": "v = {0}[{1}]"}[kind].format(value, index))
    elif kind in ("gather", "take_along"):
        place = int(draw.random.integers(2))
        index = draw.input((rows, columns), "i64", (rows, columns)[place], laid=False)
        draw.line(f"v = {value}.gather({place}, {index})")
    elif kind in ("scatter_add", "scatter"):
        index = draw.input((rows, columns), "i64", rows, laid=False)
        if kind == "scatter":
            draw.line(f"v = torch.zeros_like({value}).scatter(0, {index}, 2.0)")
        else:
            draw.line(f"v = torch.zeros_like({value}).scatter_add(0, {index}, {value})")
    elif kind in ("index_add", "index_put"):
        index = draw.input((rows,), "i64", rows, laid=False)
        call = "index_add(0, {1}, {2})" if kind == "index_add" else "index_put(({1},), {2}, accumulate=True)"
        draw.line(f"v = torch.zeros_like({value}).{call.format('', index, value)}")
    elif kind == "masked_fill":
        draw.line(f"v = {value}.masked_fill({draw.input((rows, columns), 'mask', 'mask')}, -1.0)")
    elif kind == "slice_write":
        draw.line(f"v = {value}.clone()")
        draw.line(f"v[{rows // 4}:{max(rows // 2, rows // 4 + 1)}, ::2] = 1.5")
    else:
        draw.line(f"v = torch.{draw.pick(['triu', 'tril'])}({value})")
    if draw.chance(0.3):
        draw.line("v = v * 2 + 1")
    draw.line("return v")


def pooling(draw):
    rank = draw.pick([1, 2, 2, 2, 3])
    kind = draw.pick(["max", "max", "avg", "avg", "adaptive", "upsample", "bilinear"])
    count = draw.elements(5 if kind in ("upsample", "bilinear") else 1.3)
    draw.dtype = "f32"
    batch, channels, *edge = draw.image(count, rank)
    value = draw.input((batch, channels, *edge))
    size, stride = draw.pick([(2, 2), (3, 2), (3, 1)])
    padding = draw.pick([0, 1]) if size == 3 else 0
    if kind in ("max", "avg"):
        draw.line(f"v = F.{kind}_pool{rank}d({value}, {size}, {stride}, {padding})")
    elif kind == "adaptive":
        draw.line(f"v = F.adaptive_avg_pool{rank}d({value}, {draw.pick([1, 1, 2, 4])})")
    elif kind == "upsample" or rank != 2:
        draw.line(f"v = F.interpolate({value}, scale_factor=2, mode='nearest')")
    else:
        draw.line(f"v = F.interpolate({value}, scale_factor=2, mode='bilinear')")
    if draw.chance(0.3):
        draw.line("v = torch.relu(v)")
    draw.line("return v")


def fused(draw):
    """Neighbourhoods of real models, without their products."""
    FUSED[draw.pick(list(FUSED))](draw)


def residual_norm(draw):
    shape = draw.sequence(draw.elements(3))
    value, other = draw.input(shape), draw.input(shape)
    weight, bias = draw.input(shape[-1:], laid=False), draw.input(shape[-1:], laid=False)
    draw.line(f"h = {value} + {other}")
    draw.line(f"return h, F.layer_norm(h, ({shape[-1]},), {weight}, {bias})")


def swiglu(draw):
    batch, steps, features = draw.sequence(draw.elements(1.5))
    value = draw.input((batch, steps, 2 * features // 2 * 2))
    draw.line(f"a, b = {value}.chunk(2, -1)")
    draw.line("return F.silu(a) * b")


def masked_softmax(draw):
    heads = draw.pick([4, 8, 12])
    edge = max(4, round((draw.elements(2) / heads) ** 0.5))
    value = draw.input((heads, edge, edge))
    draw.line(f"v = {value} * 0.125")
    mask = draw.input((edge, edge), "mask", "mask", laid=False)
    draw.line(f"return F.softmax(v.masked_fill(~{mask}, -1e4), -1)")


def cross_entropy(draw):
    rows, columns = draw.matrix(draw.elements(1))
    value = draw.input((rows, columns))
    draw.line(f"return F.cross_entropy({value}.float(), {draw.input((rows,), 'i64', columns, laid=False)})")


def rotary(draw):
    batch, heads, steps, features = 1, draw.pick([4, 8, 12]), 1, draw.pick([32, 64, 128])
    steps = max(1, draw.elements(2) // heads // features)
    value = draw.input((batch, steps, heads, features))
    draw.line(f"q = {value}.transpose(1, 2)")
    angle = draw.input((steps, features), laid=False)
    half = features // 2
    draw.line(f"r = torch.cat([-q[..., {half}:], q[..., :{half}]], -1)")
    draw.line(f"return q * torch.cos({angle}) + r * torch.sin({angle})")


def adam(draw):
    shape = draw.matrix(draw.elements(7))
    draw.dtype = "f32"
    names = [draw.input(shape, laid=False) for _ in range(3)] + [draw.input(shape, what="positive", laid=False)]
    draw.line("p, g, m, s = {}".format(", ".join(names)))
    draw.line("m = m * 0.9 + g * 0.1")
    draw.line("s = s * 0.999 + g * g * 0.001")
    draw.line("return p - 0.001 * m / (s.sqrt() + 1e-8), m, s")


def gru_gates(draw):
    rows, columns = draw.matrix(draw.elements(8))
    value, hidden, state = draw.input((rows, 3 * columns)), draw.input((rows, 3 * columns)), draw.input((rows, columns))
    draw.line(f"a, b, c = {value}.chunk(3, 1)")
    draw.line(f"d, e, f = {hidden}.chunk(3, 1)")
    draw.line("r, z = torch.sigmoid(a + d), torch.sigmoid(b + e)")
    draw.line(f"return (1 - z) * torch.tanh(c + r * f) + z * {state}")


def heads(draw):
    batch, steps, features = draw.sequence(draw.elements(2))
    count = draw.pick([size for size in (1, 2, 4, 8, 12, 16) if features % size == 0])
    value, bias = draw.input((batch, steps, features)), draw.input((features,), laid=False)
    draw.line(f"v = ({value} + {bias}).view({batch}, {steps}, {count}, {features // count})")
    draw.line("return (v.permute(0, 2, 1, 3) * 0.125).contiguous()")


def squeeze_excite(draw):
    shape = draw.image(draw.elements(2))
    value = draw.input(shape)
    scale = draw.input(shape[1:2], laid=False)
    draw.line(f"s = torch.sigmoid({value}.mean((2, 3), keepdim=True) * {scale}.view(1, -1, 1, 1))")
    draw.line(f"return {value} * s")


def conv_tail(draw):
    shape = draw.image(draw.elements(3))
    value, other = draw.input(shape), draw.input(shape)
    parts = [draw.input(shape[1:2], what=what, laid=False) for what in ("normal", "positive", "normal", "normal")]
    draw.line(f"v = F.batch_norm({value}, {', '.join(parts)})")
    draw.line(f"return torch.relu(v + {other})")


def norm_gradient(draw):
    shape = draw.matrix(draw.elements(3))
    value, gradient, weight = draw.input(shape), draw.input(shape), draw.input(shape[-1:], laid=False)
    draw.line(f"c = {value} - {value}.mean(-1, keepdim=True)")
    draw.line("r = torch.rsqrt(c.square().mean(-1, keepdim=True) + 1e-5)")
    draw.line(f"h, g = c * r, {gradient} * {weight}")
    draw.line("d = (g - g.mean(-1, keepdim=True) - h * (g * h).mean(-1, keepdim=True)) * r")
    draw.line(f"return d, ({gradient} * h).sum(0), {gradient}.sum(0)")


FUSED = {
    one.__name__: one
    for one in (residual_norm, swiglu, masked_softmax, cross_entropy, rotary, adam, gru_gates, heads, squeeze_excite, conv_tail, norm_gradient)
}


def product(draw):
    """Products and convolutions, with what comes after them."""
    kind = draw.pick(["linear", "linear", "mm", "bmm", "mv", "attention", "conv1d", "conv2d", "conv2d", "conv3d", "depthwise", "transposed", "transposed"])
    draw.dtype = draw.pick(["f32"] * 6 + ["bf16"])
    if kind in ("linear", "mm"):
        edge = max(8, round(draw.elements(3) ** 0.5))
        rows, inner, columns = [max(1, int(edge * draw.pick([0.25, 0.5, 1, 1, 2]))) for _ in range(3)]
        if kind == "mm":
            draw.line(f"v = {draw.input((rows, inner))} @ {draw.input((inner, columns))}")
        else:
            draw.line(f"v = F.linear({draw.input((rows, inner))}, {draw.input((columns, inner), laid=False)}, {draw.input((columns,), laid=False)})")
    elif kind == "mv":
        rows, inner = draw.matrix(draw.elements(1))
        draw.line(f"v = {draw.input((rows, inner))} @ {draw.input((inner,), laid=False)}")
    elif kind == "bmm":
        edge = draw.pick([16, 32, 64, 96, 128])
        batch = max(1, draw.elements(3) // edge**2)
        draw.line(f"v = {draw.input((batch, edge, edge))} @ {draw.input((batch, edge, edge))}")
    elif kind == "attention":
        features, count = draw.pick([32, 64, 128]), draw.pick([1, 4, 8, 12])
        steps = max(4, min(1024, draw.elements(4) // features // count))
        parts = [draw.input((1, count, steps, features), laid=False) for _ in range(3)]
        draw.line(f"return F.scaled_dot_product_attention({', '.join(parts)}, is_causal={draw.chance(0.5)})")
        return
    else:
        rank = {"conv1d": 1, "conv3d": 3}.get(kind, draw.pick([1, 2, 2, 3]) if kind == "transposed" else 2)
        batch, channels, *edge = draw.image(draw.elements(2), rank)
        channels, edge = min(channels, 64), [max(size, 5) for size in edge]
        size, stride = draw.pick([(1, 1), (3, 1), (3, 1), (3, 2)] if rank < 3 else [(3, 1), (2, 2)])
        value = draw.input((batch, channels, *edge), laid=False)
        if kind == "depthwise":
            weight = draw.input((channels, 1, *[size] * rank), laid=False)
            draw.line(f"v = F.conv2d({value}, {weight}, None, {stride}, {size // 2}, groups={channels})")
        else:
            after = draw.pick([8, 16, 32, 64])
            ends = (channels, after) if kind == "transposed" else (after, channels)
            weight = draw.input((*ends, *[size] * rank), laid=False)
            call = "conv_transpose" if kind == "transposed" else "conv"
            draw.line(f"v = F.{call}{rank}d({value}, {weight}, {draw.input((after,), laid=False)}, {stride}, {size // 2})")
    if draw.chance(0.5):
        draw.line(f"v = {draw.pick(['torch.relu({0})', 'F.gelu({0})', 'F.silu({0})', '{0} * 0.5 + 1']).format('v')}")
    draw.line("return v")


#: The classes of operators, in the order in which they go round. Products come last: `--class` leaves them out where they are not meant.
GROUPS = {one.__name__: one for one in (pointwise, layout, reduction, norm, scan, indexing, pooling, fused, product)}
