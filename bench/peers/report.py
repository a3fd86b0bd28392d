"""Results as a table. A ratio is a peer's time over Terrace's: above 1 Terrace is faster."""

import math

import limits
from backends import PEERS

TERRACE = "terrace"
#: What the results are called.
FILE = "results"
#: Peers whose compile times stand in the table.
COMPILED = [TERRACE, "inductor", "jax", "iree", "onnxruntime"]


def time(nanoseconds):
    for unit, size in ("ms", 1e6), ("us", 1e3):
        if nanoseconds >= size * 10:
            return f"{nanoseconds / size:.4g} {unit}" if nanoseconds < 1e4 * size else f"{nanoseconds / size:.0f} {unit}"
    return f"{nanoseconds / 1e3:.3g} us"


def is_wrong(row, peer):
    return peer.get("error", 0.0) > row["tolerance"]


def line(row):
    """One line for the terminal."""
    words = []
    for name, peer in row["peers"].items():
        if "refused" in peer:
            words.append(f"{name}: {peer['refused'][:60]}")
        else:
            words.append(f"{name} {time(peer['ns'])}" + (f" WRONG by {peer['error']:.1e}" if is_wrong(row, peer) else ""))
    return f"{row['threads']} {row['case']:<20} " + ", ".join(words)


def ratios(row):
    """Each peer's time over Terrace's. What computes something wrong has none."""
    own = row["peers"].get(TERRACE, {})
    if "ns" not in own or is_wrong(row, own):
        return {}
    others = {name: peer for name, peer in row["peers"].items() if name != TERRACE and "ns" in peer}
    found = {name: peer["ns"] / own["ns"] for name, peer in others.items() if not is_wrong(row, peer)}
    return {**found, "best": min(found.values())} if found else {}


def mean(values):
    """The geometric one."""
    return math.exp(sum(map(math.log, values)) / len(values))


def geomeans(rows):
    """{group: {peer: (geomean, number of cases)}}, and "all"."""
    groups = [*dict.fromkeys(row["group"] for row in rows), "all"]
    result = {}
    for group in groups:
        chosen = [ratios(row) for row in rows if group in (row["group"], "all")]
        names = dict.fromkeys(name for found in chosen for name in found)
        result[group] = {
            name: (mean(values), len(values)) for name in names if (values := [found[name] for found in chosen if name in found])
        }
    return result


def heading(title, text, results):
    """What stands above a report: when, of what, on which machine; and what it says."""
    row, machine = results["rows"][0] if results["rows"] else {}, results["machine"]
    isa = f", held to {results['settings']['isa']}" if results["settings"]["isa"] else ""
    return f"# {title}\n\n{row.get('date')}, commit {row.get('commit')}. {machine['processor']}{isa}, {machine['cores']} cores. {text.strip()}\n"


def table(head, rows):
    text = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in text) + "\n"


def columns(rows):
    known = [*PEERS, *dict.fromkeys(name for row in rows for name in row["peers"])]
    used = {name for row in rows for name in row["peers"]} - {TERRACE}
    return [name for name in dict.fromkeys(known) if name in used]


def cells(row, names, measured):
    own, found = row["peers"].get(TERRACE, {}), ratios(row)
    if "ns" in own:
        least = limits.seconds(measured, row["flops"], row["bytes"], row["large"]) * 1e9
        state = [f"wrong by {own['error']:.1e}" if is_wrong(row, own) else time(own["ns"]), f"{least / own['ns']:.2f}"]
    else:
        state = ["refused" if own else "-", "-"]

    def other(name):
        peer = row["peers"].get(name)
        if peer is None:
            return ""
        if "refused" in peer:
            return "refused"
        if is_wrong(row, peer):
            return "wrong"
        # Without a figure of ours, the peer's own.
        return f"{found[name]:.2f}" if name in found else time(peer["ns"])

    def compile_time(name):
        peer = row["peers"].get(name, {})
        return f"{peer['compile_s'] * 1e3:.0f}" if "ns" in peer else ""

    shown = [compile_time(name) for name in COMPILED if name == TERRACE or name in names]
    best = [f"{found['best']:.2f}" if found else ""]
    return [f"`{row['case']}`", *state, *(other(name) for name in names), *best, *shown]


def summary(results):
    """Geomeans of the ratios by group, for each number of threads."""
    parts = []
    for threads in dict.fromkeys(row["threads"] for row in results["rows"]):
        rows = [row for row in results["rows"] if row["threads"] == threads]
        names, by_group = [*columns(rows), "best"], geomeans(rows)
        body = [
            [group, *(f"{of[name][0]:.2f} ({of[name][1]})" if name in of else "" for name in names)]
            for group, of in by_group.items()
        ]
        parts.append(f"{threads} thread{'s' * (threads > 1)}\n\n" + table(["geomean", *names], body))
    return "\n".join(parts)


def markdown(results):
    machine = results["machine"]
    # A run may have been taken up again later.
    made = "; ".join(dict.fromkeys(f"{row['date']}, commit {row['commit']}" for row in results["rows"]))
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    text = [
        "# Terrace beside its peers\n",
        f"{made}. {machine['processor']}, {machine['cores']} cores, {machine['memory_gib']} GiB, "
        f"{machine['system']}, Python {machine['python']}. {versions}. `./x bench {results['settings'].get('of', '')}--record` makes this table.\n",
        "Numbers under a peer are its time over Terrace's: above 1 Terrace is faster. Where Terrace has none, they are the peer's times. "
        "`best` is the fastest peer. `of limit` is the least time that the machine allows (bytes at the rate of its memory or caches, or "
        "operations at that of its FMA units, whichever is longer) over Terrace's time. Results are compared with eager's: `wrong` is "
        "beyond the case's tolerance. A figure is the least of the medians of "
        f"{results['settings']['rounds']} rounds of {results['settings']['budget_ms']:.0f} ms. "
        "Terrace reuses the memory of results that a caller has dropped, as eager with its own allocator does; JAX donates what is written in "
        "place; IREE and ONNX Runtime allocate.\n",
        "## Geomeans of the ratios, and over how many cases\n",
        summary(results),
    ]
    for threads in dict.fromkeys(row["threads"] for row in results["rows"]):
        rows = [row for row in results["rows"] if row["threads"] == threads]
        names, measured = columns(rows), results["limits"][str(threads)]
        compiled = [f"{name} compiles, ms" for name in COMPILED if name == TERRACE or name in names]
        text.append(f"## {threads} thread{'s' * (threads > 1)}\n")
        text.append(
            f"Limits: {measured['memory'] / 1e9:.1f} GB/s of memory, {measured['cache'] / 1e9:.0f} GB/s of caches, "
            f"{measured['flops'] / 1e9:.0f} GFLOP/s in f32.\n"
        )
        head = ["case", "Terrace", "of limit", *names, "best", *compiled]
        text.append(table(head, [cells(row, names, measured) for row in rows]))
    refused = {
        f"* `{row['case']}`: {peer['refused']}" if name == TERRACE else f"* `{row['case']}`, {name}: {peer['refused'].splitlines()[0]}": None
        for row in results["rows"] for name, peer in row["peers"].items() if "refused" in peer
    }
    if refused:
        text += ["## Refused\n", "\n".join(refused) + "\n"]
    return "\n".join(text)
