"""What operators draw from a generator, by the definition that `dialects/td/operators/Random.td` states, not by eager.

Eager has generators of its own; of a call that draws it gives dtypes, sizes, strides and refusals, and this the elements. A draw is
Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011): the key is the seed, the counter is the number of
the element in row-major order and, in the upper half, the number of the operation among those that drew from the generator. From
the four words of a block come

* a uniform f64: the upper 53 bits of the first two words; of f32, f16, bf16 the upper 24, 11, 8 bits of the first word; in [0, 1);
* a normal number: that of Box and Muller in f64, of one less the uniform f64 of the first two words, and of that of the last two;
* an integer below n: the first two words modulo n.
"""

import math

import torch

MASK = (1 << 32) - 1
# The bits of a uniform number, but of f64.
BITS = {torch.float32: 24, torch.float16: 11, torch.bfloat16: 8}


def philox(counter, key):
    """The four words of a block."""
    a, b, c, d = counter
    low, high = key
    for _ in range(10):
        left, right = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = (right >> 32) ^ b ^ low, right & MASK, (left >> 32) ^ d ^ high, left & MASK
        low, high = (low + 0x9E3779B9) & MASK, (high + 0xBB67AE85) & MASK
    return a, b, c, d


class Generator:
    """A generator: its seed, and how many operations drew."""

    def __init__(self, seed):
        self.seed, self.operations = seed, 0

    def next(self):
        """The words of the elements of another operation: a function of their numbers."""
        operation, key = self.operations, (self.seed & MASK, self.seed >> 32)
        self.operations += 1
        return lambda at: philox((at & MASK, at >> 32, operation & MASK, operation >> 32), key)


def unit(high, low):
    return ((high << 32 | low) >> 11) / 2.0**53


def uniform(words, dtype):
    if dtype in BITS:
        return (words[0] >> (32 - BITS[dtype])) / 2.0 ** BITS[dtype]
    return unit(words[0], words[1])


def normal(words):
    radius, angle = 1.0 - unit(words[0], words[1]), unit(words[2], words[3])
    return math.sqrt(-2.0 * math.log(radius)) * math.cos(2.0 * math.pi * angle)


def filled(tensor, numbers, dtype=torch.float64):
    """Writes numbers in row-major order."""
    tensor.copy_(torch.tensor(numbers, dtype=dtype).reshape(tensor.shape))


def parts(tensor):
    """The parts of complex numbers as they are stored."""
    stored = tensor.conj() if tensor.is_conj() else tensor
    return torch.view_as_real(stored)


def fill_uniform(words, tensor, low=0.0, high=1.0):
    def number(at, dtype):
        value = torch.tensor(low + (high - low) * uniform(words(at), dtype), dtype=torch.float64).to(dtype).double().item()
        return low if value >= high and low < high else value

    if tensor.is_complex():
        dtype = tensor.real.dtype
        pairs = torch.tensor([number(at, dtype) for at in range(2 * tensor.numel())], dtype=dtype)
        tensor.copy_(torch.view_as_complex(pairs.reshape(*tensor.shape, 2)))
    else:
        filled(tensor, [number(at, tensor.dtype) for at in range(tensor.numel())])


def fill_normal(words, tensor, mean=0.0, std=1.0):
    if tensor.is_complex():
        # Either part has the mean, and half of the variance.
        return fill_normal(words, parts(tensor), mean, std / math.sqrt(2.0))
    filled(tensor, [mean + std * normal(words(at)) for at in range(tensor.numel())])


def fill_integers(words, tensor, low, high):
    below = lambda word: (word[0] << 32 | word[1]) % (high - low)
    filled(tensor, [low + below(words(at)) for at in range(tensor.numel())], torch.int64)


def fill_bernoulli(words, tensor, likely):
    """One with the probability that stands at the element's number."""
    filled(tensor, [float(uniform(words(at), torch.float64) < p) for at, p in enumerate(likely)])


def permutation(words, count):
    """The numbers below `count`, in the order of their blocks."""
    return sorted(range(count), key=lambda at: (words(at), at))


def samples(words, row, weights, count, replacement):
    """Places in a row, as likely as their weights."""
    if replacement:
        found = []
        for sample in range(row * count, (row + 1) * count):
            left = uniform(words(sample), torch.float64) * sum(weights)
            place = None
            for at, weight in enumerate(weights):
                left -= weight
                if left < 0:
                    place = at
                    break
            found.append(place if place is not None else max(at for at, weight in enumerate(weights) if weight > 0))
        return found
    # A race of exponential clocks: who weighs nothing comes last.
    clock = lambda at: -math.log(1.0 - uniform(words(row * len(weights) + at), torch.float64))
    times = [clock(at) / weight if weight > 0 else math.inf for at, weight in enumerate(weights)]
    return sorted(range(len(weights)), key=lambda at: times[at])[:count]


def noise(words, tensor, p):
    """What dropout multiplies by: 0 with the probability `p`, else the inverse of the other."""
    made = torch.empty_like(tensor)
    fill_bernoulli(words, made, [1.0 - p] * made.numel())
    return made.div_(1.0 - p)


def before(base, tensors):
    """The first tensor as it is before a call that draws and reads it."""
    reads = base in ("bernoulli", "dropout", "multinomial", "native_dropout")
    # Of a negative of truth values there is no copy.
    return tensors[0].clone() if reads and not (tensors[0].is_neg() and tensors[0].dtype == torch.bool) else None


def draw(generator, base, given, before, results):
    """Puts what is drawn into the results of a call. `before` is the first tensor as it was."""
    result = results[0]
    drops = base in ("dropout", "native_dropout") and given.get("train") is not False and before.numel() > 0
    if base == "dropout":
        if drops and 0.0 < given["p"] < 1.0:
            result.copy_(before * noise(generator.next(), before, given["p"]))
    elif base == "native_dropout":
        if drops:
            mask, p = results[1], given["p"]
            fill_bernoulli(generator.next(), mask, [1.0 - p] * mask.numel())
            result.copy_((before * mask).mul_(1.0 / (1.0 - p) if p < 1.0 else 0.0))
    elif base in ("rand", "rand_like"):
        fill_uniform(generator.next(), result)
    elif base == "uniform":
        fill_uniform(generator.next(), result, given.get("from", 0.0), given.get("to", 1.0))
    elif base in ("randn", "randn_like"):
        fill_normal(generator.next(), result)
    elif base == "normal":
        fill_normal(generator.next(), result, given.get("mean", 0.0), given.get("std", 1.0))
    elif base in ("randint", "randint_like"):
        fill_integers(generator.next(), result, given.get("low", 0), given["high"])
    elif base == "bernoulli":
        likely = [given.get("p", 0.5)] * result.numel() if "p" in given or result is given["self"] else before.double().reshape(-1).tolist()
        fill_bernoulli(generator.next(), result, likely)
    elif base == "randperm":
        filled(result, permutation(generator.next(), result.numel()), torch.int64)
    elif base == "multinomial":
        words, rows = generator.next(), before.reshape(-1, before.shape[-1]).double().tolist()
        count, replacement = given["num_samples"], given.get("replacement", False)
        drawn = [samples(words, row, weights, count, replacement) for row, weights in enumerate(rows)]
        filled(result, [at for places in drawn for at in places], torch.int64)


OPERATORS = ("bernoulli", "dropout", "multinomial", "native_dropout", "normal", "rand", "rand_like", "randint", "randint_like")
OPERATORS += ("randn", "randn_like", "randperm", "uniform")
