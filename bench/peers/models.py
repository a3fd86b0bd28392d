"""Whole models: PyTorch's, and what the importer (tools/import) makes of them. Weights are drawn from one seed, and are arguments.

    mlp_1, mlp_64        784-512-512-10, batches of 1 and 64
    bert_small           4 layers of 512, 128 tokens
    gpt2_prefill         GPT-2 (124M), 128 tokens into an empty cache of 256
    gpt2_decode          GPT-2 (124M), one token behind 128, the cache written in place
    resnet18             one image of 224x224

A module is made when a process first asks for it. ONNX Runtime has no state: caches of GPT-2 are arguments and results there.
"""

import functools
import pathlib
import sys
from dataclasses import dataclass

import numpy as np

import random_cases
from cases import CASES, Bf16, Case

IMPORTER = pathlib.Path(__file__).resolve().parents[2] / "tools" / "import"
LENGTH, PROMPT, VOCABULARY = 256, 128, 50257


def terrace_import():
    """The importer."""
    sys.path.insert(0, str(IMPORTER))
    import terrace_import

    return terrace_import


@dataclass
class Model(Case):
    """A case whose program the importer makes."""

    def save_program(self, folder):
        """Writes program.mlir, inputs.json, and the weights and inputs that it names."""
        import torch

        arguments = tuple(map(tensor, self.arguments()))
        program = torch.export.export(self.module(), arguments, strict=False)
        terrace_import().exported(program).save(folder, arguments)
        (folder / "IN.json").rename(folder / "inputs.json")

    def work(self):
        """Floating-point operations of products, as PyTorch counts them, and the bytes of weights; of a random case, which has none, those
        of arguments and results."""
        from torch.utils.flop_counter import FlopCounterMode

        module, arguments = self.module(), [tensor(argument) for argument in self.arguments()]
        with FlopCounterMode(display=False) as counter:
            results = module(*arguments)
        results = results if isinstance(results, (tuple, list)) else (results,)
        held = [*module.parameters(), *module.buffers()] or [*arguments, *results]
        storages = {one.untyped_storage().data_ptr(): one.untyped_storage().nbytes() for one in held}
        return {"flops": counter.get_total_flops(), "bytes": sum(storages.values())}


def tensor(argument):
    """A tensor of PyTorch of an argument of a case."""
    import torch

    return torch.from_numpy(argument.array).bfloat16() if isinstance(argument, Bf16) else torch.from_numpy(np.array(argument))


def made(module):
    """A function that makes a module, the same one each time it is called."""

    @functools.cache
    def make():
        import torch

        torch.manual_seed(0)
        return module().eval()

    return make


def mlp():
    from torch import nn

    return nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10))


def bert_small():
    from torch import nn
    from transformers import BertConfig, BertModel

    class Last(nn.Module):
        """The states of the last layer."""

        def __init__(self, model):
            super().__init__()
            self.model = model

        def forward(self, tokens):
            return self.model(input_ids=tokens, return_dict=False)[0]

    config = BertConfig(
        hidden_size=512, num_hidden_layers=4, num_attention_heads=8, intermediate_size=2048, attn_implementation="sdpa",
    )
    return Last(BertModel(config, add_pooling_layer=False))


def resnet18():
    import torchvision

    return torchvision.models.resnet18()


def gpt2():
    from gpt2 import GPT2

    return GPT2(vocabulary=VOCABULARY, length=LENGTH)


def with_caches(name):
    """GPT-2 whose caches are arguments, and arguments for it: the inputs of the case, then empty caches."""
    import torch

    module = MODELS["gpt2_decode"].module()
    caches = [buffer for block in module.blocks for buffer in (block.keys, block.values)]
    arguments = [torch.from_numpy(array) for array in MODELS[name].arguments()]
    return module, [*arguments, *(torch.zeros_like(cache) for cache in caches)]


def tokens(count, first):
    """Tokens, and the places where they stand."""
    return lambda random: [random.integers(0, VOCABULARY, (1, count)), np.arange(first, first + count)]


def images(*shape):
    return lambda random: [random.standard_normal(shape, dtype=np.float32)]


#: Models by name. Those of one module share it.
MODELS = {}
_mlp, _gpt2 = made(mlp), made(gpt2)
for _name, _module, _inputs, _others in [
    ("mlp_1", _mlp, images(1, 784), {}),
    ("mlp_64", _mlp, images(64, 784), {}),
    ("bert_small", made(bert_small), lambda random: [random.integers(0, 30000, (1, 128))], {}),
    ("gpt2_prefill", _gpt2, tokens(PROMPT, 0), {"onnx": lambda: with_caches("gpt2_prefill")}),
    ("gpt2_decode", _gpt2, tokens(1, PROMPT), {"onnx": lambda: with_caches("gpt2_decode")}),
    ("resnet18", made(resnet18), images(1, 3, 224, 224), {}),
]:
    MODELS[_name] = Model(_name, "model", _inputs, module=_module, large=_name != "mlp_1", tolerance=1e-2, **_others)


def named_cases():
    """The cases of bench/peers/cases, the models, and the random cases that are kept."""
    return {**CASES, **MODELS, **{name: random_cases.case(name) for name in random_cases.kept()}}


def case_of(name):
    """The case of a name: one that is named, a model of the zoo, or a random one."""
    if name.startswith("zoo_"):
        from zoo import ZOO

        return ZOO[name]
    return CASES.get(name) or MODELS.get(name) or random_cases.case(name)
