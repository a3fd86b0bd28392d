"""Writes reference.txt: special functions at inputs of all sizes, by mpmath in 60 digits and more.

A line is a function, an input and its value, both as f64 in hexadecimal. Beside inputs of random bits there are those
where a formula changes, and the neighbours of zeros and poles.
"""

import math
import random
import struct

import mpmath

mpmath.mp.dps = 60


def erfinv(x):
    if abs(x) > 1:
        return math.nan
    if abs(x) == 1:
        return math.copysign(math.inf, x)
    z = mpmath.erfinv(mpmath.mpf(x)) if abs(x) > 1e-300 else mpmath.mpf(x) * mpmath.sqrt(mpmath.pi) / 2
    return z


def digamma(x):
    if x == 0:
        return math.copysign(math.inf, -x)
    if x < 0 and (math.isinf(x) or x == math.floor(x)):
        return math.nan
    return math.inf if math.isinf(x) else mpmath.digamma(mpmath.mpf(x))


def lgamma(x):
    if math.isinf(x) or (x <= 0 and x == math.floor(x)):
        return math.inf
    if x > 1e306:
        return mpmath.mpf(x) * (mpmath.log(x) - 1)
    return mpmath.log(abs(mpmath.gamma(mpmath.mpf(x)))) if abs(x) < 1e4 else mpmath.re(mpmath.loggamma(mpmath.mpf(x)))


def i0(x):
    if math.isinf(x):
        return math.nan
    return math.inf if abs(x) > 730 else mpmath.besseli(0, mpmath.mpf(x))


def special_i0e(x):
    if math.isinf(x):
        return 0.0
    x = abs(mpmath.mpf(x))
    return mpmath.besseli(0, x) * mpmath.exp(-x) if x < 1e13 else 1 / mpmath.sqrt(2 * mpmath.pi * x)


def exp(x):
    return (math.inf if x > 0 else 0.0) if abs(x) > 800 else mpmath.exp(mpmath.mpf(x))


def log(x):
    if x <= 0:
        return -math.inf if x == 0 else math.nan
    return math.inf if math.isinf(x) else mpmath.log(mpmath.mpf(x))


FUNCTIONS = {
    "exp": exp,
    "log": log,
    "digamma": digamma,
    "lgamma": lgamma,
    "erfinv": erfinv,
    "i0": i0,
    "special_i0e": special_i0e,
}
EDGES = [0.0, -0.0, 5e-324, 2.2250738585072014e-308, 1e-300, 1e-38, 1e-20, 1e-10, 1e-5, 0.1, 0.25, 0.5, 0.7, 0.85, 0.9]
EDGES += [0.999, 1.0, 1.25, 1.4616321449683622, 1.5, 1.9999, 2.0, 2.5, 3.0, 3.5, 5.0, 7.5, 8.0, 10.0, 12.0, 20.0, 50.0]
EDGES += [88.0, 100.0, 171.6, 500.0, 700.0, 709.7, 713.9, 720.0, 1000.0, 1e5, 1e10, 1e15, 1e20, 1e38, 1e100, 1e305]
EDGES += [math.inf]


def inputs(name):
    draw = random.Random(name)
    values = set()
    for edge in EDGES:
        for sign in (1, -1):
            for step in (math.inf, -math.inf, None):
                x = edge if step is None else math.nextafter(edge, step)
                values.add(struct.pack(">d", sign * x))
    while len(values) < 700:
        kind = draw.random()
        if name == "erfinv":
            x = draw.uniform(-1, 1) if kind < 0.5 else math.copysign(1 - 10 ** draw.uniform(-15, -1), draw.random() - 0.5)
            x = x if kind < 0.8 else math.copysign(10 ** draw.uniform(-30, 0), draw.random() - 0.5)
        elif kind < 0.5:
            x = draw.uniform(-20, 20)
        elif kind < 0.8:
            x = draw.uniform(-750, 750)
        else:
            x = math.copysign(10 ** draw.uniform(-30, 12 if name != "lgamma" else 30), draw.random() - 0.5)
        values.add(struct.pack(">d", x))
    # Numbers that an f32 has too, for tests of both.
    floats = {struct.pack(">d", struct.unpack(">f", struct.pack(">f", v))[0]) for v in
              (struct.unpack(">d", bits)[0] for bits in sorted(values)) if abs(v) < 3e38 or math.isinf(v)}
    return sorted(values | floats)


def main():
    with open(__file__.replace("reference.py", "reference.txt"), "w", encoding="ascii") as out:
        for name, function in FUNCTIONS.items():
            for bits in inputs(name):
                x = struct.unpack(">d", bits)[0]
                value = struct.pack(">d", float(function(x)))
                out.write(f"{name} {bits.hex()} {value.hex()}\n")


main()
