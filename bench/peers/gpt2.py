"""GPT-2 with a cache of keys and values that is written in place, as one writes it for PyTorch."""

import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    """Attention over the cache, then two layers."""

    def __init__(self, width, heads, length):
        super().__init__()
        self.heads = heads
        self.norm_one, self.norm_two = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        for name in "keys", "values":
            self.register_buffer(name, torch.zeros(1, heads, length, width // heads))

    def forward(self, x, places, mask, cache):
        batch, count, width = x.shape
        parts = self.qkv(self.norm_one(x)).split(width, dim=2)
        q, k, v = (part.view(batch, count, self.heads, width // self.heads).transpose(1, 2) for part in parts)
        if cache:
            cache = [old.index_copy(2, places, new) for old, new in zip(cache, (k, v))]
        else:
            self.keys.index_copy_(2, places, k)
            self.values.index_copy_(2, places, v)
        keys, values = cache or (self.keys, self.values)
        attended = F.scaled_dot_product_attention(q, keys, values, attn_mask=mask)
        x = x + self.out(attended.transpose(1, 2).reshape(batch, count, width))
        return x + self.down(F.gelu(self.up(self.norm_two(x)), approximate="tanh")), cache


class GPT2(nn.Module):
    """The logits of the last token, of tokens at places. Caches that are arguments are not written: new ones are results."""

    def __init__(self, vocabulary, length, width=768, heads=12, layers=12):
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(1024, width)
        self.blocks = nn.ModuleList(Block(width, heads, length) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.register_buffer("steps", torch.arange(length))
        # As its authors drew them: logits stay small.
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.normal_(parameter, std=0.02)

    def forward(self, tokens, places, *caches):
        x = self.tokens(tokens) + self.places(places)
        mask = (self.steps <= places[:, None])[None, None]
        new = []
        for number, block in enumerate(self.blocks):
            x, cache = block(x, places, mask, caches[2 * number : 2 * number + 2])
            new += cache
        logits = F.linear(self.norm(x[:, -1:]), self.tokens.weight)
        return (logits, *new) if new else logits
