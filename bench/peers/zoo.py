"""Whole models that nobody has tuned for, `./x bench --models`: of torchvision as they are, of transformers small ones of an architecture
each, recurrent layers, and a U-Net. All of them take a batch of one, but for the recurrent ones, and run as in inference; some also in
bf16, and some as a step of training, on small batches.
"""

import numpy as np

from cases import Bf16
from models import Model, images, made, mlp
from training import Training, trained


def of_torchvision(name, **options):
    def make():
        import torchvision

        return getattr(torchvision.models, name)(**options)

    return make


def of_transformers(architecture, **options):
    """The states of the last layer of a model of this architecture."""

    def make():
        import transformers
        from torch import nn

        class Last(nn.Module):
            def __init__(self, model):
                super().__init__()
                self.model = model

            def forward(self, x):
                return self.model(x, return_dict=False)[0]

        config = getattr(transformers, f"{architecture}Config")(**options)
        kind = f"{architecture}EncoderModel" if architecture == "T5" else f"{architecture}Model"
        return Last(getattr(transformers, kind)(config))

    return make


def recurrent(kind):
    """Two recurrent layers, and a linear one on the last step."""

    def make():
        from torch import nn

        class Recurrent(nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = getattr(nn, kind)(128, 256, 2, batch_first=True)
                self.last = nn.Linear(256, 10)

            def forward(self, x):
                return self.last(self.layers(x)[0][:, -1])

        return Recurrent()

    return make


def unet():
    import torch
    from torch import nn

    def block(before, after):
        one = [nn.Conv2d(before, after, 3, padding=1), nn.BatchNorm2d(after), nn.ReLU()]
        return nn.Sequential(*one, nn.Conv2d(after, after, 3, padding=1), nn.BatchNorm2d(after), nn.ReLU())

    class UNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.down = nn.ModuleList([block(3, 32), block(32, 64), block(64, 128)])
            self.wider = nn.ModuleList([nn.ConvTranspose2d(128, 64, 2, 2), nn.ConvTranspose2d(64, 32, 2, 2)])
            self.up = nn.ModuleList([block(128, 64), block(64, 32)])
            self.last = nn.Conv2d(32, 2, 1)

        def forward(self, x):
            first = self.down[0](x)
            second = self.down[1](nn.functional.max_pool2d(first, 2))
            y = self.down[2](nn.functional.max_pool2d(second, 2))
            for wider, up, beside in zip(self.wider, self.up, (second, first)):
                y = up(torch.cat([wider(y), beside], 1))
            return self.last(y)

    return UNet()


def tokens(count, batch=1):
    return lambda random: [random.integers(0, 30000, (batch, count))]


#: Options of transformers' configurations for small models.
SMALL = {"hidden_size": 512, "num_hidden_layers": 4, "num_attention_heads": 8}
DECODER = {**SMALL, "use_cache": False}

#: What makes each model, and its inputs.
_MODELS = {
    **{
        name: (of_torchvision(name), images(1, 3, 224, 224))
        for name in [
            "convnext_tiny", "densenet121", "efficientnet_b0", "mnasnet0_5", "mobilenet_v2", "mobilenet_v3_small", "regnet_y_400mf",
            "resnext50_32x4d", "shufflenet_v2_x1_0", "squeezenet1_1", "swin_t", "vgg11", "vit_b_16",
        ]
    },
    "googlenet": (of_torchvision("googlenet", aux_logits=False, init_weights=False), images(1, 3, 224, 224)),
    "unet": (unet, images(1, 3, 128, 128)),
    "lstm": (recurrent("LSTM"), images(4, 128, 128)),
    "gru": (recurrent("GRU"), images(4, 128, 128)),
    "distilbert": (of_transformers("DistilBert", dim=512, n_layers=4, n_heads=8, hidden_dim=2048), tokens(128)),
    "electra": (of_transformers("Electra"), tokens(128)),
    "gpt_neox": (of_transformers("GPTNeoX", intermediate_size=2048, **DECODER), tokens(128)),
    "llama": (of_transformers("Llama", intermediate_size=1376, num_key_value_heads=2, **DECODER), tokens(128)),
    "mamba": (of_transformers("Mamba", hidden_size=256, num_hidden_layers=2, use_cache=False), tokens(64)),
    "mixtral": (
        of_transformers("Mixtral", intermediate_size=1024, num_key_value_heads=2, num_local_experts=8, **DECODER), tokens(128),
    ),
    "opt": (of_transformers("OPT", ffn_dim=2048, word_embed_proj_dim=512, **DECODER), tokens(128)),
    "t5": (of_transformers("T5", d_model=512, num_layers=4), tokens(128)),
    "vit": (of_transformers("ViT", intermediate_size=1536, **{**SMALL, "hidden_size": 384, "num_attention_heads": 6}), images(1, 3, 224, 224)),
}

#: What makes each model that is trained, and a batch.
_TRAINED = {
    "convnext_tiny": (of_torchvision("convnext_tiny", stochastic_depth_prob=0.0), images(2, 3, 64, 64)),
    "densenet121": (of_torchvision("densenet121"), images(2, 3, 64, 64)),
    "efficientnet_b0": (of_torchvision("efficientnet_b0", stochastic_depth_prob=0.0), images(4, 3, 64, 64)),
    "electra": (of_transformers("Electra", attention_probs_dropout_prob=0.0, hidden_dropout_prob=0.0), tokens(64, 2)),
    "mlp": (mlp, images(64, 784)),
    "mobilenet_v2": (of_torchvision("mobilenet_v2"), images(4, 3, 64, 64)),
    "opt": (of_transformers("OPT", ffn_dim=2048, word_embed_proj_dim=512, dropout=0.0, **DECODER), tokens(64, 2)),
    "resnet18": (of_torchvision("resnet18"), images(4, 3, 64, 64)),
    "unet": (unet, images(2, 3, 64, 64)),
    "vit": (
        of_transformers("ViT", intermediate_size=1536, **{**SMALL, "hidden_size": 384, "num_attention_heads": 6}), images(1, 3, 224, 224),
    ),
}

#: Those that also run with weights and images of bf16.
_NARROW = ["convnext_tiny", "densenet121", "distilbert", "efficientnet_b0", "googlenet", "llama", "mobilenet_v2", "resnext50_32x4d", "unet", "vgg11"]


def narrow(make, inputs):
    """A function that makes the model in bf16, and one that draws its inputs."""

    def drawn(random):
        return [Bf16(array) if array.dtype == np.float32 else array for array in inputs(random)]

    return made(lambda: make().bfloat16()), drawn


ZOO = {
    **{
        f"zoo_{name}": Model(f"zoo_{name}", "model", inputs, module=made(make), large=True, tolerance=1e-2)
        for name, (make, inputs) in sorted(_MODELS.items())
    },
    **{
        f"zoo_{name}_bf16": Model(f"zoo_{name}_bf16", "bf16", drawn, module=module, large=True, tolerance=0.05)
        for name in _NARROW
        for module, drawn in [narrow(*_MODELS[name])]
    },
    **{
        f"zoo_train_{name}": Training(f"zoo_train_{name}", "training", inputs, model=trained(make), large=True, tolerance=0.1)
        for name, (make, inputs) in sorted(_TRAINED.items())
    },
}
