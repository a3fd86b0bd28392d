"""Small models of the kinds that people write, for the tests.

The sizes are the least that keep what is typical: two layers, several heads, a mask, a cache. Dropout is off. `make.py` imports
them, fills parameters and inputs, and records what PyTorch computes.
"""

import torch
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx
from torch.func import functional_call
from torch.nn import functional as F

import terrace_import
from fill import Integers, Real, Values


class Model:
    """An imported program, what its inputs are filled with, and the function of PyTorch that it was made from."""

    def __init__(self, program, inputs, reference):
        self.program, self.inputs, self.reference = program, inputs, reference


def export(model, *inputs, decompose=False, any_sizes=None):
    """Imports a module as `torch.export` gives it, or decomposed to the core of ATen. `any_sizes` has the dimensions of each input that the run knows."""
    model.eval()
    examples = tuple(fill.tensor(0) for fill in inputs)
    of_the_run = any_sizes and tuple({dim: torch.export.Dim.DYNAMIC for dim in dims} for dims in any_sizes)
    program = torch.export.export(model, examples, dynamic_shapes=of_the_run, strict=False)
    program = program.run_decompositions() if decompose else program
    return Model(terrace_import.exported(program), inputs, model)


class Residual(nn.Module):
    """A block of ResNet."""

    def __init__(self, channels, out, stride):
        super().__init__()
        self.one, self.two = nn.Conv2d(channels, out, 3, stride, 1, bias=False), nn.Conv2d(out, out, 3, 1, 1, bias=False)
        self.norm_one, self.norm_two = nn.BatchNorm2d(out), nn.BatchNorm2d(out)
        self.short = nn.Sequential(nn.Conv2d(channels, out, 1, stride, bias=False), nn.BatchNorm2d(out))

    def forward(self, x):
        y = F.relu(self.norm_one(self.one(x)), inplace=True)
        y = self.norm_two(self.two(y))
        y += self.short(x)
        return F.relu(y, inplace=True)


def small_convnet():
    return nn.Sequential(
        nn.Conv2d(3, 8, 7, 2, 3, bias=False), nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1),
        Residual(8, 8, 1), Residual(8, 16, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10),
    )


def convnet():
    return export(small_convnet(), Real(2, 3, 32, 32))


def convnet_any():
    """Any batch."""
    return export(small_convnet(), Real(2, 3, 32, 32), any_sizes=[[0]])


def small_bert():
    from transformers import BertConfig, BertModel

    config = BertConfig(
        vocab_size=100, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
        max_position_embeddings=32,
    )
    return BertModel(config)


def bert():
    mask = (torch.arange(12) < torch.tensor([[12], [9]])).long()
    return export(small_bert(), Integers(2, 12, high=100), Values(mask))


def bert_any():
    """Any batch, and any length up to 32."""
    return export(small_bert(), Integers(3, 7, high=100), any_sizes=[[0, 1]])


class Logits(nn.Module):
    """A language model that returns its logits."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids):
        return self.model(input_ids=input_ids).logits


def gpt2():
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(
        vocab_size=100, n_positions=32, n_embd=32, n_layer=2, n_head=4, use_cache=False, bos_token_id=0, eos_token_id=0,
    )
    return export(Logits(GPT2LMHeadModel(config)), Integers(2, 12, high=100))


class CachedAttention(nn.Module):
    """Attention of one token over a cache that is written in place."""

    def __init__(self, width, heads, batch, length):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        for name in ("keys", "values"):
            self.register_buffer(name, torch.zeros(batch, heads, length, width // heads))

    def forward(self, x, position, mask):
        batch, tokens, width = x.shape
        parts = self.qkv(x).split(width, dim=2)
        q, k, v = (part.view(batch, tokens, self.heads, width // self.heads).transpose(1, 2) for part in parts)
        self.keys.index_copy_(2, position, k)
        self.values.index_copy_(2, position, v)
        y = F.scaled_dot_product_attention(q, self.keys, self.values, attn_mask=mask)
        return self.out(y.transpose(1, 2).reshape(batch, tokens, width))


class CachedGPT(nn.Module):
    """GPT-2 that decodes one token."""

    def __init__(self, vocabulary=100, width=32, heads=4, layers=2, batch=2, length=16):
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.attention = nn.ModuleList(CachedAttention(width, heads, batch, length) for _ in range(layers))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2 * layers + 1))
        self.up = nn.ModuleList(nn.Linear(width, 4 * width) for _ in range(layers))
        self.down = nn.ModuleList(nn.Linear(4 * width, width) for _ in range(layers))
        self.register_buffer("steps", torch.arange(length))

    def forward(self, token, position):
        x = self.tokens(token) + self.places(position)
        mask = (self.steps <= position)[None, None, None, :]
        for at, attention in enumerate(self.attention):
            x = x + attention(self.norms[2 * at](x), position, mask)
            x = x + self.down[at](F.gelu(self.up[at](self.norms[2 * at + 1](x)), approximate="tanh"))
        return F.linear(self.norms[-1](x), self.tokens.weight)


def gpt2_cache():
    return export(CachedGPT(), Integers(2, 1, high=100), Values(torch.tensor([5])))


def llama():
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=100, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=32, use_cache=False,
    )
    return export(Logits(LlamaForCausalLM(config)), Integers(2, 12, high=100))


def t5():
    from transformers import T5Config, T5ForConditionalGeneration

    class Both(nn.Module):
        def __init__(self, model):
            super().__init__()
            self.model = model

        def forward(self, input_ids, decoder_input_ids):
            return self.model(input_ids=input_ids, decoder_input_ids=decoder_input_ids).logits

    config = T5Config(
        vocab_size=100, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, use_cache=False, decoder_start_token_id=0,
    )
    return export(Both(T5ForConditionalGeneration(config)), Integers(2, 10, high=100), Integers(2, 6, high=100))


def lstm():
    class Tagger(nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.head = nn.Embedding(50, 12), nn.Linear(32, 7)
            self.cells = nn.LSTM(12, 16, num_layers=2, bidirectional=True, batch_first=True)

        def forward(self, words):
            states, _ = self.cells(self.words(words))
            return F.log_softmax(self.head(states), dim=-1)

    # lstm.input is a loop over the time steps of all layers: PyTorch's decomposition writes it out.
    return export(Tagger(), Integers(2, 6, high=50), decompose=True)


def unet():
    class UNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.time = nn.Sequential(nn.Linear(8, 16), nn.SiLU(), nn.Linear(16, 16))
            self.into, self.down = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 16, 3, 2, 1)
            self.norm, self.middle = nn.GroupNorm(4, 16), nn.Conv2d(16, 16, 3, padding=1)
            self.attend, self.up = nn.MultiheadAttention(16, 2, batch_first=True), nn.ConvTranspose2d(16, 8, 2, 2)
            self.out = nn.Conv2d(16, 3, 3, padding=1)

        def forward(self, x, steps):
            angles = steps[:, None] * torch.exp(-torch.arange(4, dtype=torch.float32))
            time = self.time(torch.cat([angles.sin(), angles.cos()], dim=1))
            first = F.silu(self.into(x))
            y = self.down(first) + time[:, :, None, None]
            y = y + self.middle(F.silu(self.norm(y)))
            flat = y.flatten(2).transpose(1, 2)
            flat = flat + self.attend(flat, flat, flat, need_weights=False)[0]
            y = flat.transpose(1, 2).reshape(y.shape)
            y = F.interpolate(y, scale_factor=2.0, mode="nearest")
            y = F.avg_pool2d(y, 2)
            return self.out(torch.cat([self.up(y), first], dim=1))

    return export(UNet(), Real(2, 3, 16, 16), Values(torch.tensor([3.0, 11.0])))


def moe():
    class Experts(nn.Module):
        """A token goes through two of four experts; each expert's share is found by sorting."""

        def __init__(self, width=16, hidden=32, experts=4):
            super().__init__()
            self.gate = nn.Linear(width, experts, bias=False)
            self.up = nn.Parameter(torch.zeros(experts, width, hidden))
            self.down = nn.Parameter(torch.zeros(experts, hidden, width))

        def forward(self, x):
            flat = x.view(-1, x.shape[-1])
            weights, chosen = torch.topk(F.softmax(self.gate(flat), dim=-1), 2, dim=-1)
            weights = weights / weights.sum(dim=-1, keepdim=True)
            out = torch.zeros_like(flat)
            for expert in range(self.up.shape[0]):
                share = (weights * (chosen == expert)).sum(dim=-1, keepdim=True)
                y = F.silu(flat @ self.up[expert]) @ self.down[expert]
                out.add_(share * y)
            one_hot = torch.zeros(flat.shape[0], self.up.shape[0]).scatter_(1, chosen, 1.0)
            load = one_hot.mean(dim=0)
            return out.view_as(x), load

    return export(Experts(), Real(2, 6, 16))


def training():
    """One step of a classifier: loss, gradients, and Adam in place."""
    model = nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(64, 16), nn.Tanh(),
        nn.LayerNorm(16), nn.Linear(16, 5),
    )
    names = [name for name, _ in model.named_parameters()]
    parameters = [parameter.detach() for parameter in model.parameters()]

    def step(x, labels):
        return update(parameters, *moments, x, labels)

    def update(parameters, first, second, x, labels):
        tracked = [parameter.detach().requires_grad_() for parameter in parameters]
        loss = F.cross_entropy(functional_call(model, dict(zip(names, tracked)), (x,)), labels)
        gradients = torch.autograd.grad(loss, tracked)
        with torch.no_grad():
            for p, g, m, v in zip(parameters, gradients, first, second):
                m.mul_(0.9).add_(g, alpha=0.1)
                v.mul_(0.999).addcmul_(g, g, value=0.001)
                p.addcdiv_(m / (1 - 0.9), (v / (1 - 0.999)).sqrt_().add_(1e-8), value=-0.01)
        return loss.detach()

    moments = [[torch.zeros_like(p) for p in parameters] for _ in range(2)]
    inputs = (Real(3, 1, 8, 8), Integers(3, high=5))
    examples = [fill.tensor(0) for fill in inputs]
    traced = make_fx(update, tracing_mode="fake")(parameters, *moments, *examples)
    arguments = [terrace_import.Argument(name, "parameter", p) for name, p in zip(names, parameters)]
    for prefix, moment in zip(("first", "second"), moments):
        arguments += [terrace_import.Argument(f"{n}.{prefix}", "buffer", m) for n, m in zip(names, moment)]
    arguments += [terrace_import.Argument("x", "input"), terrace_import.Argument("labels", "input")]
    return Model(terrace_import.graph(traced, arguments), inputs, step)


def outs():
    """Operators with `out=`: into no elements, a view, an operand, a wider dtype, several views of one buffer."""

    def step(x, y, empty, turned, wide, buffer):
        torch.add(x, y, alpha=2, out=empty)
        torch.exp(x.t(), out=turned)
        torch.cumsum(x, 1, out=wide[1:3])
        torch.cumprod(y, 0, out=wide[2:4])
        torch.sum(x, 1, out=wide[0, :2])
        torch.mul(y, 0.5, out=wide[3:5])
        torch.split_with_sizes_copy(x, [1, 2], dim=1, out=[buffer[4:6, None], buffer[:4].view(2, 2)])
        values, places = torch.max(x, dim=1, out=(buffer[6:8], torch.empty(0, dtype=torch.int64)))
        torch.sub(x, y, out=x)
        torch.cat([x, y], out=empty)
        torch.arange(0, 3, 1, out=y[1])
        return x, y, empty, turned, wide, buffer, values, places

    wide = Values(torch.zeros(5, 3, dtype=torch.float64))
    inputs = (Real(2, 3), Real(2, 3), Real(0), Real(0), wide, Real(8))
    examples = [fill.tensor(0) for fill in inputs]
    traced = make_fx(step, tracing_mode="fake")(*examples)
    return Model(terrace_import.graph(traced), inputs, step)


class Block(nn.Module):
    """Attention under a causal mask, then two layers with a nonlinearity between, as both begin with a norm and add to their operand."""

    def __init__(self, width, heads, hidden):
        super().__init__()
        self.heads = heads
        self.norm_one, self.norm_two = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def forward(self, x, mask):
        batch, tokens, width = x.shape
        parts = self.qkv(self.norm_one(x)).split(width, dim=2)
        q, k, v = (part.view(batch, tokens, self.heads, width // self.heads).transpose(1, 2) for part in parts)
        scores = q @ k.transpose(-2, -1) * (width // self.heads) ** -0.5
        attended = torch.softmax(scores.masked_fill(mask, -1e9), dim=-1) @ v
        x = x + self.out(attended.transpose(1, 2).reshape(batch, tokens, width))
        return x + self.down(F.gelu(self.up(self.norm_two(x)), approximate="tanh"))


def joint(layers=1, width=8, heads=2, hidden=16, batch=2, tokens=4):
    """Blocks, forward and backward in one graph: the result, and gradients of parameters and input for one of the result."""
    blocks = nn.ModuleList(Block(width, heads, hidden) for _ in range(layers))
    names = [name for name, _ in blocks.named_parameters()]
    parameters = [parameter.detach() for parameter in blocks.parameters()]

    def both(parameters, x, mask, tangent):
        tracked, start = [parameter.detach().requires_grad_() for parameter in parameters], x.detach().requires_grad_()
        y = start
        for number, block in enumerate(blocks):
            of = f"{number}."
            own = {name.removeprefix(of): p for name, p in zip(names, tracked) if name.startswith(of)}
            y = functional_call(block, own, (y, mask))
        return [y.detach(), *torch.autograd.grad(y, [*tracked, start], tangent)]

    mask = Values(torch.ones(tokens, tokens, dtype=torch.bool).triu(1))
    inputs = (Real(batch, tokens, width), mask, Real(batch, tokens, width))
    examples = [fill.tensor(0) for fill in inputs]
    traced = make_fx(both, tracing_mode="fake")(parameters, *examples)
    arguments = [terrace_import.Argument(name, "parameter", p) for name, p in zip(names, parameters)]
    arguments += [terrace_import.Argument(name, "input") for name in ("x", "mask")]
    arguments.append(terrace_import.Argument("tangent", "tangent"))
    program = terrace_import.graph(traced, arguments, gradients=range(1, len(names) + 2))
    return Model(program, inputs, lambda *given: both(parameters, *given))


MODELS = [convnet, convnet_any, bert, bert_any, gpt2, gpt2_cache, llama, t5, lstm, unet, moe, training, joint, outs]
