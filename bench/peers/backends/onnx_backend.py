"""ONNX Runtime, on what PyTorch exports of a model. A cache is an argument and a result, as its users have it."""

import tempfile
import time

import onnxruntime
import torch

from models import tensor

from . import Prepared, Skipped


class Backend:
    def __init__(self, threads):
        torch.set_grad_enabled(False)
        torch.set_num_threads(threads)
        self.options = onnxruntime.SessionOptions()
        self.options.intra_op_num_threads = threads
        self.options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL

    def prepare(self, case, peer):
        if case.module is None:
            raise Skipped
        module, arguments = case.onnx() if case.onnx else (case.module(), [tensor(a) for a in case.arguments()])
        with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
            names = [f"in{number}" for number in range(len(arguments))]
            torch.onnx.export(module, tuple(arguments), file.name, dynamo=False, input_names=names, opset_version=17)
            start = time.perf_counter()
            session = onnxruntime.InferenceSession(file.name, self.options, providers=["CPUExecutionProvider"])
            seconds = time.perf_counter() - start
        given = dict(zip(names, (argument.numpy() for argument in arguments)))
        # An argument that the program does not read is gone.
        given = {name.name: given[name.name] for name in session.get_inputs()}

        def call():
            return session.run(None, given)

        return Prepared(call, call()[:1], seconds)
