"""A process of one backend: `python worker.py BACKEND THREADS FOLDER`. Requests come as lines of JSON, answers go as lines of JSON.

    {"prepare": PEER, "case": NAME}    compiles, and compares with eager; {"compile_s", "error", "one_ns"}, {"skipped"} or {"refused"}
    {"run": PEER, "count": N}          {"ns": [...]}

The eager peer writes the case to FOLDER/NAME for all others, and must be prepared first. One process of them works at a time.
"""

import json
import os
import pathlib
import sys
import time
import warnings


def main(name, threads, folder):
    # Results of our own, and not what the frameworks print.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    warnings.filterwarnings("ignore")
    for variable in "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS":
        os.environ[variable] = str(threads)
    allowed = os.sched_getaffinity(0)
    # Some pools have as many threads as there are processors when they start.
    os.sched_setaffinity(0, sorted(allowed)[-threads:])
    from backends import backend

    worker = Worker(backend(name, threads), folder)
    # From here on the scheduler chooses.
    for thread in os.listdir("/proc/self/task"):
        try:
            os.sched_setaffinity(int(thread), allowed)
        except OSError:
            pass
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(worker.answer(json.loads(line))), file=answers, flush=True)


class Worker:
    """The prepared peers of the case of now."""

    def __init__(self, backend, folder):
        self.backend, self.folder = backend, pathlib.Path(folder)
        self.case, self.calls = None, {}

    def answer(self, request):
        from backends import Skipped

        try:
            return self.prepare(request) if "prepare" in request else self.run(request["run"], request["count"])
        except Skipped:
            return {"skipped": True}
        except Exception as wrong:  # whatever a peer says, the others go on
            return {"refused": f"{type(wrong).__name__}: {wrong}"[:300]}

    def prepare(self, request):
        import exchange
        from models import case_of

        name, peer = request["case"], request["prepare"]
        case = case_of(name)
        if name != self.case:
            self.case, self.calls = name, {}
        folder = self.folder / name
        prepared = self.backend.prepare(case, peer)
        if peer == "eager":
            self.write(case, folder, prepared.results)
            wrong = 0.0
        else:
            expected = exchange.read_results(folder)
            # A peer may return less: a model without its caches.
            wrong = exchange.error(*case.compared(prepared.results, expected[: len(prepared.results)]))
        self.calls[peer] = prepared.call
        answer = {"compile_s": prepared.compile_seconds, "error": wrong, "one_ns": min(self.run(peer, 2)["ns"])}
        if peer == "eager" and case.module:
            answer.update(case.work())
        return answer

    def write(self, case, folder, results):
        """The case as files, for all others."""
        import exchange

        folder.mkdir(parents=True, exist_ok=True)
        exchange.write_results(folder, results)
        if case.module:
            case.save_program(folder)
        else:
            exchange.write_inputs(folder, case.arguments())

    def run(self, peer, count):
        call, clock = self.calls[peer], time.perf_counter_ns
        call()
        times = []
        for _ in range(count):
            start = clock()
            call()
            times.append(clock() - start)
        return {"ns": times}


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
