"""PyTorch and JAX as the cases call them: imported when one is first asked for, as a process has but one of them.

    from .frameworks import F, jax, jnp, torch
"""

import importlib


class Later:
    """A module that is imported at the first look into it."""

    def __init__(self, name):
        self.name = name

    def __getattr__(self, attribute):
        return getattr(importlib.import_module(self.name), attribute)


torch, F = Later("torch"), Later("torch.nn.functional")
jax, jnp = Later("jax"), Later("jax.numpy")
