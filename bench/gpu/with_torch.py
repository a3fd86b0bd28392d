"""PyTorch on the card: the cases of the bundles, eager and by Inductor, a line of JSON each: name, peer, microseconds.

Arguments are on the card, in copies that take turns beyond its cache, as terrace-gpu-run has them; time is the card's own, by
events, the best of several tries of many calls in a row.
"""

import json
import sys
from pathlib import Path

import numpy as np
import torch

from peers.cases import CASES, Bf16

CACHE = 4 * getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 1 << 26)


def on_card(argument):
    if isinstance(argument, Bf16):
        return torch.from_numpy(np.ascontiguousarray(argument.array)).to("cuda", torch.bfloat16)
    if isinstance(argument, np.ndarray):
        return torch.from_numpy(np.ascontiguousarray(argument)).cuda()
    if isinstance(argument, (list, tuple)):
        return type(argument)(on_card(own) for own in argument)
    return argument


def microseconds(function, copies):
    turn = 0

    def call():
        nonlocal turn
        turn += 1
        return function(*copies[turn % len(copies)])

    def several(count):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for _ in range(count):
            call()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) * 1e3 / count

    for _ in range(len(copies) + 2):
        call()
    first = several(1)
    count = int(min(1000, max(1, 20_000 / first)))
    return min(several(count) for _ in range(5))


def main():
    torch.set_grad_enabled(False)
    torch.backends.cuda.matmul.allow_tf32 = False
    for name in sorted(path.name for path in Path("bundles").iterdir()):
        case = CASES.get(name)
        if case is None or case.torch is None:
            continue
        own = case.arguments()
        count = int(min(64, CACHE // max(case.bytes, 1) + 2))
        copies = [[on_card(argument) for argument in own] for _ in range(count)]
        for peer, make in {"eager": lambda f: f, "inductor": lambda f: torch.compile(f, dynamic=False)}.items():
            torch._dynamo.reset()
            line = {"bundle": name, "peer": peer}
            try:
                line["us"] = microseconds(make(case.torch), copies)
            except Exception as error:  # What a peer does not do stands in the table.
                line["why"] = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    sys.exit(main())
