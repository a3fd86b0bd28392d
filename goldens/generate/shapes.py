"""Sizes: of the tensors of a call, and lists of integers that are sizes.

The shapes of the tensors of most operators broadcast. The few that are related otherwise stand in SHAPES: a function from the
drawn choices to a shape per tensor argument, None for an optional one that is left out. One in eight calls then gets a
shape that does not fit, for eager's error.
"""

SIZES = {1: 4, 2: 6, 3: 6, 4: 2, 0: 1}


def size(draw):
    return draw.weighted(SIZES)


def positive(draw):
    return draw.between(1, 3)


def shape(draw, ranks=(0, 1, 1, 2, 2, 2, 3, 3, 4)):
    return [size(draw) for _ in range(draw.choice(ranks))]


def narrower(draw, sizes):
    """A shape that broadcasts to `sizes`."""
    if draw.chance(15):
        return []
    out = [1 if draw.chance(25) else size for size in sizes]
    return out[draw.below(len(out) + 1) :] if draw.chance(30) else out


def broadcast(draw, names):
    """Shapes that broadcast together; the first is mostly the widest."""
    wide = shape(draw)
    first = wide if draw.chance(80) else narrower(draw, wide)
    return {name: first if at == 0 else (wide if draw.chance(50) else narrower(draw, wide)) for at, name in enumerate(names)}


def mistaken(draw, sizes):
    """A shape that is a little different."""
    sizes = list(sizes)
    what = draw.choice(["longer", "shorter", "size", "size"])
    if what == "longer" or not sizes:
        sizes.insert(draw.below(len(sizes) + 1), size(draw))
    elif what == "shorter":
        sizes.pop(draw.below(len(sizes)))
    else:
        sizes[draw.below(len(sizes))] += 1
    return sizes


def mm(draw, _):
    m, k, n = size(draw), size(draw), size(draw)
    return {"self": [m, k], "mat2": [k, n]}


def bmm(draw, _):
    b, m, k, n = (size(draw) for _ in range(4))
    return {"self": [b, m, k], "mat2": [b, k, n]}


def addmm(draw, _):
    m, k, n = size(draw), size(draw), size(draw)
    return {"self": narrower(draw, [m, n]), "mat1": [m, k], "mat2": [k, n]}


def linear(draw, _):
    features, out = size(draw), size(draw)
    weight = [features] if draw.chance(15) else [out, features]
    bias = None if draw.chance(40) else [out] if len(weight) == 2 else []
    return {"input": shape(draw, (0, 1, 1, 2)) + [features], "weight": weight, "bias": bias}


def convolution(draw, _):
    spatial, groups = draw.choice([1, 2, 2, 3]), draw.choice([1, 1, 2])
    inner, outer = groups * draw.between(1, 2), groups * draw.between(1, 2)
    kernel = [draw.between(1, 3 if spatial < 3 else 2) for _ in range(spatial)]
    image = [draw.between(2, 4 if spatial < 3 else 3) for _ in range(spatial)]
    transposed = draw.chance(35)
    weight = [inner, outer // groups] if transposed else [outer, inner // groups]
    batch = [] if draw.chance(8) else [draw.between(1, 2)]
    return {
        "input": batch + [inner] + image,
        "weight": weight + kernel,
        "bias": None if draw.chance(40) else [outer],
        "transposed": transposed,
        "groups": groups,
        "spatial": spatial,
    }


def embedding(draw, _):
    return {"weight": [draw.between(2, 4), size(draw)], "indices": shape(draw, (0, 1, 1, 2, 3))}


def layer_norm(draw, _):
    rows, inner = shape(draw, (0, 1, 1, 2)), [positive(draw) for _ in range(draw.choice([1, 1, 2]))]
    return {
        "input": rows + inner,
        "weight": None if draw.chance(35) else inner,
        "bias": None if draw.chance(35) else inner,
        "normalized_shape": inner,
    }


SHAPES = {
    "mm": mm,
    "bmm": bmm,
    "addmm": addmm,
    "linear": linear,
    "convolution": convolution,
    "embedding": embedding,
    "layer_norm": layer_norm,
    "native_layer_norm": layer_norm,
}


def reshaped(draw, sizes):
    """Sizes with as many elements: neighbours joined, sizes split, ones put in, one size left open."""
    out = list(sizes)
    for _ in range(draw.between(0, 3)):
        what = draw.choice(["join", "split", "one"])
        at = draw.below(len(out) + 1)
        if what == "join" and at + 1 < len(out):
            out[at : at + 2] = [out[at] * out[at + 1]]
        elif what == "split" and at < len(out) and out[at] in (4, 6, 8, 9, 12):
            factor = 3 if out[at] % 3 == 0 else 2
            out[at : at + 1] = draw.shuffled([factor, out[at] // factor])
        elif what == "one":
            out.insert(at, 1)
    if out and draw.chance(30):
        out[draw.below(len(out))] = -1
    return out


def expanded(draw, sizes):
    """Sizes that `sizes` expands to: ones grow, others stay or are -1, new dimensions stand in front."""
    out = [size(draw) if s == 1 and draw.chance(60) else -1 if draw.chance(25) else s for s in sizes]
    return [size(draw) for _ in range(draw.choice([0, 0, 1, 2]))] + out


def parts(draw, total):
    """Sizes that add up to `total`."""
    out = []
    while sum(out) < total and len(out) < 4:
        out.append(draw.between(0, total - sum(out)))
    out.append(total - sum(out))
    return out
