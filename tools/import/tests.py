"""What the importer takes and what it refuses: `python tools/import/tests.py`, which `./x models` runs first.

What is taken is compiled and called by terrace-run, and gives what PyTorch gives.
"""

import pathlib
import subprocess
import tempfile
import unittest

import numpy
import torch
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx

import terrace_import
from terrace_import.operators import Operators
from terrace_import.verify import terrace_opt

TERRACE_RUN = pathlib.Path(terrace_opt()).with_name("terrace-run")


class Calls(nn.Module):
    """A function as a module."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def exported(model, *inputs, **options):
    return terrace_import.exported(torch.export.export(model, inputs, **options))


def run(program, inputs):
    """What the compiled program gives."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        program.save(folder, inputs)
        command = [TERRACE_RUN, folder / "program.mlir", "--inputs", folder / "IN.json", "--out-dir", folder]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return [numpy.load(folder / f"out{number}.npy") for number in range(len(program.results))]


class Taken(unittest.TestCase):
    """Programs that run as PyTorch runs them."""

    def check(self, program, inputs, expected):
        results = run(program, [value.clone() if isinstance(value, torch.Tensor) else value for value in inputs])
        expected = [expected] if isinstance(expected, torch.Tensor) else list(expected)
        self.assertEqual(len(results), len(expected))
        for result, right in zip(results, expected):
            if right.dtype == torch.bfloat16:
                result = torch.from_numpy(result.view(numpy.int16)).view(torch.bfloat16)
            torch.testing.assert_close(torch.as_tensor(result), right.detach())

    def same(self, model, *inputs, decompose=False):
        program = torch.export.export(model, inputs)
        program = program.run_decompositions() if decompose else program
        self.check(terrace_import.exported(program), inputs, model(*inputs))

    def test_a_number_in_the_place_of_a_tensor(self):
        self.same(Calls(lambda x: 1 - x), torch.randn(3), decompose=True)
        self.same(Calls(lambda x: 2.5 - x), torch.arange(3), decompose=True)

    def test_as_strided_at_the_offset_of_the_tensor(self):
        self.same(Calls(lambda x: x[1:].as_strided((2,), (1,)) + 1), torch.randn(4))

    def test_batch_norm_that_trains_decomposed(self):
        program = torch.export.export(nn.BatchNorm1d(3).train(), (torch.randn(4, 3),)).run_decompositions()
        x = torch.randn(4, 3)
        self.check(terrace_import.exported(program), [x], nn.BatchNorm1d(3).train()(x))

    def test_any_batch(self):
        model = nn.Linear(8, 4)
        sizes = ({0: torch.export.Dim.DYNAMIC},)
        program = torch.export.export(model, (torch.randn(5, 8),), dynamic_shapes=sizes)
        x = torch.randn(7, 8)
        self.check(terrace_import.exported(program), [x], model(x))
        placeholder = program.graph.find_nodes(op="placeholder")[-1]
        self.assertIsInstance(placeholder.meta["val"].shape[0], torch.SymInt)

    def test_a_size_of_the_elements(self):
        self.same(Calls(lambda x: x.nonzero().view(-1)), torch.tensor([1.0, 0.0, 2.0]))

    def test_an_optimizer(self):
        def step(w, g):
            w = w.detach().requires_grad_()
            w.grad = g
            torch.optim.SGD([w], lr=0.1, foreach=False).step()
            return w.detach()

        w, g = torch.randn(3), torch.randn(3)
        program = terrace_import.graph(make_fx(step)(w.clone(), g))
        self.check(program, [w, g], step(w.clone(), g))

    def test_gradients_of_views(self):
        def gradient(x):
            return torch.autograd.grad((x[1] * x[0, 1:].sum()).sum(), x)

        x = torch.randn(3, 2, requires_grad=True)
        self.check(terrace_import.graph(make_fx(gradient)(x)), [x], gradient(x))

    def test_bf16(self):
        self.same(nn.Linear(3, 2).bfloat16(), torch.randn(1, 3).bfloat16())

    def test_autocast(self):
        linear = nn.Linear(4, 4)

        def forward(x):
            with torch.autocast("cpu", torch.bfloat16):
                return linear(x).float() + x

        self.same(Calls(forward), torch.randn(2, 4))

    def test_strings_numbers_and_none(self):
        model = Calls(lambda x, mode, scale, y=None: x.sum(1) * scale if mode == "sum" else x)
        x = torch.randn(3, 2)
        program = exported(model, x, "sum", 2.5, None)
        self.check(program, [x, "sum", 2.5, None], x.sum(1) * 2.5)

    def test_embedding_bag(self):
        bags = torch.tensor([1, 2, 3, 4]), torch.tensor([0, 2, 4])
        for mode in ("sum", "mean", "max"):
            self.same(nn.EmbeddingBag(10, 4, mode=mode, include_last_offset=True), *bags)
            self.same(nn.EmbeddingBag(10, 4, mode=mode, padding_idx=-7), *bags)

    def test_what_others_spell(self):
        x, y, z = (torch.randn(4, 8) for _ in range(3))
        self.same(Calls(nn.functional.smooth_l1_loss), x, y)
        self.same(nn.TripletMarginLoss(), x, y, z)


class Refused(unittest.TestCase):
    """Programs that can't be imported, and calls that an imported one does not take."""

    def refuses(self, expected, kind, function):
        with self.assertRaises(kind) as refused:
            function()
        self.assertRegex(str(refused.exception), expected)

    def test_another_number_than_that_of_the_export(self):
        x = torch.ones(3)
        program = exported(Calls(lambda x, s: x * s), x, 2.5)
        with tempfile.TemporaryDirectory() as folder:
            says = r"input 1 is 10.0, but the program was exported with 2.5"
            self.refuses(says, ValueError, lambda: program.save(folder, [x, 10.0]))

    def test_a_branch(self):
        model = Calls(lambda x: torch.cond(x.sum() > 0, lambda y: y + 1, lambda y: y - 1, (x,)))
        says = r"higher-order operator cond \(1x\): cond, .*tests.py:\d+ in "
        self.refuses(says, terrace_import.Unsupported, lambda: exported(model, torch.ones(3)))

    def test_arithmetic_of_numbers_that_the_run_knows(self):
        def step(w, t):
            return w / (1 - 0.9 ** t.item())

        traced = make_fx(step, tracing_mode="fake")(torch.ones(3), torch.tensor(2.0))
        self.refuses(r"calls of pow \(1x\)", terrace_import.Unsupported, lambda: terrace_import.graph(traced))

    def test_an_operator_with_no_counterpart(self):
        program = torch.export.export(Calls(torch.linalg.inv), (torch.eye(3),)).run_decompositions()
        says = r"operator aten::linalg_inv_ex \(1x\): linalg_inv_ex, .*tests.py:\d+ in"
        self.refuses(says, terrace_import.Unsupported, lambda: terrace_import.exported(program))

    def test_what_does_not_verify(self):
        operators = Operators()
        operators.schemas["aten::relu"] = "graph.sum"
        program = torch.export.export(Calls(torch.relu), (torch.ones(3),))
        says = r"terrace-opt refuses the module:\n.*'graph.sum' op .*: relu, .*tests.py:\d+ in"
        self.refuses(says, terrace_import.Invalid, lambda: terrace_import.exported(program, operators))


if __name__ == "__main__":
    unittest.main()
