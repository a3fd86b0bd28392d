"""Terrace beside its peers: `./x bench [REGEX]` runs this as `python bench/peers`.

For each number of threads and each case, all peers and contenders are prepared and their results compared with eager's. Then they are
timed in rounds, one after the other, forwards in one round and backwards in the next, so that what else happens on the machine happens to
all. A round of a peer is as many calls as fit the budget; a figure is the least of the medians of the rounds. What a peer allocates for
its results in a call is its own affair: all allocate as their users have it. Only one process works at a time.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

import limits
import machine
import ablation
import random_cases
import random_report
import report
import terrace
from backends import PEERS
from models import case_of, named_cases
from random_cases.programs import GROUPS
from zoo import ZOO

HERE = pathlib.Path(__file__).resolve().parent
#: Calls in a round, at least and at most.
CALLS = 3, 2000


class Connection:
    """A worker's process, as the driver sees it."""

    def __init__(self, backend, threads, folder):
        log = open(folder / f"{backend}-{threads}.log", "w")
        self.process = subprocess.Popen(
            [sys.executable, HERE / "worker.py", backend, str(threads), folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
        )
        if not self.process.stdout.readline():
            raise SystemExit(f"the worker of {backend} does not start: {log.name}")

    def prepare(self, case, peer):
        return self.ask({"prepare": peer, "case": case.name})

    def run(self, case, peer, count):
        return self.ask({"run": peer, "count": count})

    def ask(self, request):
        try:
            print(json.dumps(request), file=self.process.stdin, flush=True)
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        return json.loads(line) if line else {"refused": "its process died"}

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)


def row_of(case, threads, connections, options):
    """Measures a case: {"case", "group", "threads", "flops", "bytes", "peers": {NAME: {"compile_s", "error", "ns"} or {"refused"}}}."""
    row = {"case": case.name, "group": case.group, "threads": threads, "large": case.large, "tolerance": case.tolerance}
    row |= {"size": case.size, "text": case.text} if case.text else {}
    row |= {"flops": case.flops, "bytes": case.bytes, "peers": {}}
    counts, rounds = {}, {}
    for peer, connection in connections.items():
        answer = connection.prepare(case, peer)
        if answer.get("skipped"):
            continue
        row |= {name: answer.pop(name) for name in ("flops", "bytes") if name in answer}
        row["peers"][peer] = answer
        if "refused" in answer:
            continue
        least, most = CALLS
        counts[peer] = max(least, min(most, int(options.budget * 1e6 / max(answer.pop("one_ns"), 1))))
        rounds[peer] = []
    for number in range(options.rounds):
        for peer in list(rounds) if number % 2 == 0 else list(rounds)[::-1]:
            answer = connections[peer].run(case, peer, counts[peer])
            if answer.get("ns"):
                rounds[peer].append(statistics.median(answer["ns"]))
            if "compile_s" in answer:
                row["peers"][peer]["compile_s"] = min(row["peers"][peer]["compile_s"], answer["compile_s"])
    for peer, medians in rounds.items():
        row["peers"][peer] |= {"ns": min(medians), "rounds": medians} if medians else {"refused": "gave no times"}
    return row


def measure(cases, threads, options):
    """Yields the limits of the machine, the row of each case, and the limits again."""
    folder = options.work
    yield limits.measure(threads, folder)
    backends = {name: Connection(name, threads, folder) for name in dict.fromkeys(PEERS[peer] for peer in options.peers)}
    connections = {peer: backends[PEERS[peer]] for peer in options.peers}
    for name, command in options.contenders.items():
        connections[name] = terrace.Contender(name, command, threads, folder)
    for case in cases:
        start = time.monotonic()
        row = row_of(case, threads, connections, options)
        shutil.rmtree(folder / case.name, ignore_errors=True)
        print(report.line(row), f"[{time.monotonic() - start:.0f} s]", flush=True)
        yield row
    for connection in backends.values():
        connection.close()
    yield limits.measure(threads, folder)


def arguments():
    parser = argparse.ArgumentParser(
        prog="./x bench", description="Terrace beside its peers.", formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("cases", nargs="?", default="", help="the cases whose names have a match of this regular expression; all without it")
    add("--list", action="store_true", help="names the cases, and ends")
    add("--random", type=int, metavar="N", help="so many cases that a seed draws, in the place of those that have names")
    add("--seed", default=machine.commit()[:8], help="the seed of those, hexadecimal digits; those that the commit begins with")
    add("--class", dest="groups", default="", metavar="CLASS,...", help=f"the classes of operators that are drawn; all of {','.join(GROUPS)}")
    add("--models", action="store_true", help="whole models that nobody has tuned for, in the place of the cases that have names")
    add("--ablate", action="store_true", help="each optimization left out, beside all of them, and not beside peers")
    add("--isa", choices=["avx2"], help="holds Terrace and PyTorch to this")
    add("--threads", default="1,2", help="numbers of threads (1,2)")
    add("--peers", help=f"peers; eager is always asked ({','.join(PEERS)}; of random cases and --models eager,inductor)")
    add("--rounds", type=int, default=5, help="rounds (5)")
    add("--budget", type=float, default=40.0, help="milliseconds for a peer in a round (40)")
    add("--contender", action="append", default=[], metavar="NAME=COMMAND", help="one more, as terrace.py describes it")
    add("--terrace-run", type=pathlib.Path, help="the terrace-run that is measured; ./x bench builds one")
    add("--work", type=pathlib.Path, default=pathlib.Path("target/bench"), help="a folder for what lasts as long as the run")
    add("--record", action="store_true", help="writes the results to bench/results, and not to the folder of --work")
    add("--resume", action="store_true", help="adds to the results that are there, of the same machine and versions, what they lack")
    options = parser.parse_args()
    options.peers = options.peers or ("eager,inductor" if options.random or options.models else ",".join(PEERS))
    options.peers = [peer for peer in PEERS if peer == "eager" or peer in options.peers.split(",")]
    own = terrace.of_terrace(options.terrace_run, options.isa)
    options.contenders = {"terrace": own} if options.terrace_run else {}
    if options.ablate:
        options.peers = ["eager"]
        for name in terrace.optimizations(options.terrace_run) if options.terrace_run else ():
            options.contenders[name] = terrace.of_terrace(options.terrace_run, options.isa, name)
    options.contenders |= dict(one.split("=", 1) for one in options.contender)
    options.work = options.work.resolve()
    return options


def main():
    options = arguments()
    if options.random:
        names = random_cases.names(options.random, options.seed, options.groups.split(",") if options.groups else [])
    elif options.models:
        names = list(ZOO)
    else:
        # A random case and a model of the zoo are measured by their names, too.
        alone = random_cases.text(options.cases) or options.cases in ZOO
        names = [options.cases] if alone else list(named_cases())
    if options.isa:
        # What workers start with.
        os.environ |= {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2", "MKL_ENABLE_INSTRUCTIONS": "AVX2"}
    cases = [case_of(name) for name in names if re.search(options.cases, name)]
    if options.list or not cases:
        print("\n".join(case.name for case in cases) or f"no case matches {options.cases}")
        return 0 if cases else 1
    options.work.mkdir(parents=True, exist_ok=True)
    own = machine.description()
    made = {"date": own.pop("date"), "commit": own.pop("commit")}
    results = {"machine": own, "settings": {"rounds": options.rounds, "budget_ms": options.budget, "isa": options.isa}, "limits": {}, "rows": []}
    results["settings"] |= {"of": "--models "} if options.models else {}
    folder = HERE.parent / "results" if options.record else options.work
    folder.mkdir(exist_ok=True)
    shown_by = ablation if options.ablate else random_report if options.random else report
    name = "models" if options.models else shown_by.FILE
    file = folder / f"{name}{options.isa and '-' + options.isa or ''}.json"
    if options.resume and file.exists():
        before = json.loads(file.read_text())
        differs = [name for name in ("machine", "settings") if before[name] != results[name]]
        if differs:
            print(f"{file} has another {differs[0]}: {before[differs[0]]}, not {results[differs[0]]}")
            return 1
        results = before
    for threads in map(int, options.threads.split(",")):
        known = {row["case"] for row in results["rows"] if row["threads"] == threads}
        left = [case for case in cases if case.name not in known]
        # What was measured stays if the rest is not waited for.
        for measured in measure(left, threads, options) if left else ():
            if "case" in measured:
                results["rows"].append(measured | made)
                results["rows"].sort(key=lambda row: (row["threads"], names.index(row["case"])))
            else:
                # As JSON has it, names are text.
                limit = results["limits"].get(str(threads))
                results["limits"][str(threads)] = limits.best(limit, measured) if limit else measured
            file.write_text(json.dumps(results, indent=1) + "\n")
            file.with_suffix(".md").write_text(shown_by.markdown(results))
    print(f"\n{shown_by.summary(results)}\n{file.with_suffix('.md')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
