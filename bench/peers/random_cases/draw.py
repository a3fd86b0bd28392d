"""What a random program is drawn with: shapes for a number of bytes, inputs with layouts, and the lines of the program."""

#: Classes of bytes touched: at least and at most.
SIZES = {
    "256 KiB": (16 << 10, 256 << 10),
    "4 MiB": (256 << 10, 4 << 20),
    "16 MiB": (4 << 20, 16 << 20),
    "64 MiB": (16 << 20, 64 << 20),
}
BYTES = {"f32": 4, "f16": 2, "bf16": 2, "i64": 8, "mask": 1}
#: Innermost sizes that models have.
FEATURES = [32, 48, 64, 80, 96, 100, 128, 192, 255, 256, 320, 384, 511, 512, 768, 1000, 1024, 1280, 1536, 2048, 3072, 4096]


class Draw:
    """A program that is being drawn."""

    def __init__(self, random, size):
        self.random, self.size = random, size
        least, most = SIZES[size]
        #: The bytes that it is meant to touch.
        self.budget = int(least * (most / least) ** random.random())
        self.inputs, self.lines = [], []
        self.dtype = self.pick(["f32"] * 8 + ["f16", "bf16"])

    def pick(self, choices):
        return choices[int(self.random.integers(len(choices)))]

    def chance(self, probability):
        return self.random.random() < probability

    def between(self, least, most):
        """A number, small ones as often as large ones."""
        return int(least * (most / least) ** self.random.random())

    def line(self, text):
        self.lines.append(text)

    # Shapes: each has about `count` elements.

    def elements(self, tensors, dtype=None):
        """The elements of a tensor where so many of its size are touched."""
        return max(64, int(self.budget / tensors / BYTES[dtype or self.dtype]))

    def matrix(self, count):
        """Rows and columns: as models have them, square, tall, wide, powers of two, odd."""
        kind = self.pick(["features"] * 4 + ["square", "tall", "wide", "power", "odd"])
        if kind == "square":
            columns = round(count ** 0.5)
        elif kind == "tall":
            columns = self.between(1, 32)
        elif kind == "wide":
            columns = max(1, count // self.between(1, 16))
        elif kind == "power":
            columns = 1 << int(self.random.integers(3, 13))
        elif kind == "odd":
            columns = self.between(9, 3000) | 1
        else:
            columns = self.pick(FEATURES)
        columns = min(columns, count)
        return max(1, count // columns), columns

    def sequence(self, count):
        """Batch, steps, features."""
        features = min(self.pick(FEATURES), max(1, count // 2))
        rest = max(1, count // features)
        batch = min(rest, self.pick([1, 1, 2, 3, 4, 8, 16, 32]))
        return batch, max(1, rest // batch), features

    def image(self, count, rank=2):
        """Batch, channels, and as many sizes as the rank says: about a cube of pixels."""
        channels = min(self.pick([3, 16, 24, 32, 64, 96, 128, 256]), max(1, count // 4**rank))
        rest = max(1, count // channels)
        batch = min(rest, self.pick([1, 1, 2, 4, 8, 16]))
        edge = max(4, round((rest / batch) ** (1 / rank)))
        return batch, channels, *[edge] * rank

    def shape(self, count):
        return self.pick([self.matrix, self.matrix, self.sequence, self.image])(count)

    # Inputs.

    def input(self, shape, dtype=None, what="normal", laid=True):
        """The name of a new argument that is seen with this shape, and now and then lies otherwise."""
        dtype, name, shape = dtype or self.dtype, f"x{len(self.inputs)}", tuple(int(size) for size in shape)
        lies = self.pick(["plain"] * 5 + ["transposed", "sliced", "expanded", "last"]) if laid else "plain"
        if lies == "transposed" and len(shape) > 1:
            stored = (*shape[:-2], shape[-1], shape[-2])
            self.line(f"{name} = {name}.transpose(-1, -2)")
        elif lies == "sliced":
            more = self.pick([1, 8, shape[-1]])
            stored = (*shape[:-1], shape[-1] + more)
            self.line(f"{name} = {name}[..., {self.pick([0, more])}:][..., :{shape[-1]}]")
        elif lies == "expanded" and len(shape) > 1:
            place = int(self.random.integers(len(shape)))
            stored = (*shape[:place], 1, *shape[place + 1 :])
            self.line(f"{name} = {name}.expand({', '.join(map(str, shape))})")
        elif lies == "last" and len(shape) > 2:
            stored = (shape[0], *shape[2:], shape[1])
            self.line(f"{name} = {name}.movedim(-1, 1)")
        else:
            stored = shape
        self.inputs.append((dtype, stored, what))
        return name

    def text(self, group):
        names = ", ".join(f"x{number}" for number in range(len(self.inputs)))
        body = "".join(f"    {line}\n" for line in self.lines)
        inputs = ",\n    ".join(map(repr, self.inputs))
        return f"GROUP, SIZE = {group!r}, {self.size!r}\nINPUTS = [\n    {inputs},\n]\n\n\ndef program({names}):\n{body}"
