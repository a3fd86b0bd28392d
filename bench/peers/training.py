"""Steps of training: what a model makes of a batch, the mean of its squares as the loss, and the gradient of each parameter."""

import functools
from dataclasses import dataclass

import numpy as np

from models import Model, tensor, terrace_import

#: Below it is what is 0 but for rounding: the gradient of a bias that batch norm takes away.
NOISE = 1e-6


@functools.cache
def _step():
    import torch

    class Step(torch.nn.Module):
        """The loss and the gradients; `compiled` is the model or what a compiler made of it."""

        def __init__(self, model, compiled):
            super().__init__()
            self.model, self.compiled = model, compiled

        def forward(self, *arguments):
            with torch.inference_mode(False), torch.enable_grad():
                return gradients(self.compiled(*arguments), list(self.model.parameters()))

    return Step


def gradients(result, parameters):
    """The loss, and the gradients of those parameters that have one."""
    import torch

    loss = result.square().mean()
    found = torch.autograd.grad(loss, parameters, allow_unused=True)
    return loss.detach(), *(gradient for gradient in found if gradient is not None)


def trained(make):
    """A function that makes a model for training, the same one each time it is called. Nothing in it is drawn at random."""

    @functools.cache
    def model():
        import torch

        torch.manual_seed(0)
        own = make().train()
        for part in own.modules():
            if isinstance(part, torch.nn.Dropout):
                part.p = 0.0
        return own

    return model


@dataclass
class Training(Model):
    """A case whose program is the graph of the loss and its gradients, with parameters and buffers for arguments."""

    #: Makes the model.
    model: object = None

    def __post_init__(self):
        self.module = lambda: _step()(self.model(), self.model())

    def compared(self, results, expected):
        """Both in units of the largest number of each gradient, for gradients are small."""
        scales = [NOISE + float(np.abs(right).max(initial=0.0)) for right in expected]
        return tuple([array / scale for array, scale in zip(arrays, scales)] + arrays[len(scales) :] for arrays in (results, expected))

    def compiled(self, compiler):
        return _step()(self.model(), compiler(self.model()))

    def save_program(self, folder):
        import torch
        from torch.func import functional_call
        from torch.fx.experimental.proxy_tensor import make_fx

        model = self.model()
        parameters = {name: parameter.detach() for name, parameter in model.named_parameters()}
        buffers = {name: buffer.clone() for name, buffer in model.named_buffers()}

        def step(parameters, buffers, *arguments):
            tracked = {name: parameter.detach().requires_grad_() for name, parameter in parameters.items()}
            return gradients(functional_call(model, {**tracked, **buffers}, arguments), list(tracked.values()))

        arguments = [tensor(argument) for argument in self.arguments()]
        with torch.enable_grad():
            traced = make_fx(step)(parameters, {name: buffer.clone() for name, buffer in buffers.items()}, *arguments)
        program = terrace_import().graph(traced)
        program.save(folder, [*parameters.values(), *buffers.values(), *arguments])
        (folder / "IN.json").rename(folder / "inputs.json")
