"""PyTorch and JAX as the cases call them: imported when one is first asked for, as a process has but one of them.

    from .frameworks import F, jax, jnp, torch
"""

import importlib
import sys


class Later:
    """A module that is imported at the first look into it."""

    def __init__(self, name):
        self.name = name

    def __getattr__(self, attribute):
        return getattr(importlib.import_module(self.name), attribute)


torch, F = Later("torch"), Later("torch.nn.functional")
jax, jnp = Later("jax"), Later("jax.numpy")


def load(*names):
    """Puts the modules themselves in their places in all cases: TorchDynamo, which reads the code of a function, goes no further where
    that imports something."""
    for module in list(sys.modules.values()):
        if getattr(module, "__package__", None) == __package__:
            for name, value in list(vars(module).items()):
                if isinstance(value, Later) and value.name in names:
                    setattr(module, name, importlib.import_module(value.name))
