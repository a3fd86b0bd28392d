"""The named cases, in the order of the table: `CASES` has them by name. Sizes end in .S for what fits a cache and in .L for what does not."""

from . import pointwise, reductions, indexing, products, mutation
from .case import CASES, Bf16, Case

__all__ = ["CASES", "Bf16", "Case"]
