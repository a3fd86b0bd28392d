"""Choices without a random number generator: a documented integer hash, the same on every machine and version.

A `Draw` is the stream of splitmix64 whose seed is the 64-bit FNV-1a hash of a name. A case draws from its own name, so that
adding an operator or an attempt changes no other case.
"""

MASK = (1 << 64) - 1


def fnv1a(name):
    """The 64-bit FNV-1a hash of a string."""
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = (value ^ byte) * 0x100000001B3 & MASK
    return value


class Draw:
    """A stream of choices that its name decides."""

    def __init__(self, name):
        self.state = fnv1a(name)

    def bits(self):
        """The next 64 bits."""
        self.state = self.state + 0x9E3779B97F4A7C15 & MASK
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        return z ^ z >> 31

    def below(self, count):
        """An integer from 0 to count, exclusive."""
        return self.bits() % count

    def between(self, low, high):
        """An integer from low to high, inclusive."""
        return low + self.below(high - low + 1)

    def chance(self, percent):
        """True so many times in a hundred."""
        return self.below(100) < percent

    def choice(self, items):
        """One of a sequence."""
        return items[self.below(len(items))]

    def weighted(self, weights):
        """One of the keys of a dictionary, by their weights."""
        at = self.below(sum(weights.values()))
        for item, weight in weights.items():
            at -= weight
            if at < 0:
                return item

    def shuffled(self, items):
        """The items in a drawn order."""
        items = list(items)
        for at in range(len(items) - 1, 0, -1):
            other = self.below(at + 1)
            items[at], items[other] = items[other], items[at]
        return items
