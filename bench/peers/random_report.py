"""What random cases come to: geomeans by class of operators and of bytes, the share that is behind, and the programs that are furthest behind.

A ratio is a peer's time over Terrace's: above 1 Terrace is faster. `better` is the faster peer of a case.
"""

import report

#: What the results are called.
FILE = "random"
#: How many programs are printed, and the ratio below which a case counts as behind.
WORST, BEHIND = 20, 0.8


def by(rows, key):
    """Rows of a table: a class, how many cases, and for each peer the geomean; the share of cases that are behind the better peer."""
    peers = [*report.columns(rows), "best"]
    body = []
    for name in [*sorted({row[key] for row in rows}), "all"]:
        chosen = [found for row in rows if name in (row[key], "all") and (found := report.ratios(row))]
        if chosen:
            means = [[one[peer] for one in chosen if peer in one] for peer in peers]
            behind = sum(one["best"] < BEHIND for one in chosen) / len(chosen)
            body.append([name, str(len(chosen)), *(f"{report.mean(one):.2f}" if one else "" for one in means), f"{behind:.0%}"])
    heads = [key, "cases", *("better" if peer == "best" else peer for peer in peers), f"below {BEHIND}"]
    return report.table(heads, body)


def summary(results):
    parts = []
    for threads in dict.fromkeys(row["threads"] for row in results["rows"]):
        rows = [{**row, "operators": row["group"], "bytes": row["size"]} for row in results["rows"] if row["threads"] == threads]
        parts.append(f"## {threads} thread{'s' * (threads > 1)}\n\n{by(rows, 'operators')}\n{by(rows, 'bytes')}")
        parts += [f"Without a ratio: {said}\n" for said in without(rows)]
    return "\n".join(parts)


def without(rows):
    """What has no ratio, and why."""
    for row in rows:
        own = row["peers"].get(report.TERRACE, {})
        if "refused" in own:
            yield f"`{row['case']}` is refused: {own['refused']}"
        elif report.is_wrong(row, own):
            yield f"`{row['case']}` differs from eager by {own['error']:.1e}"


def worst(results):
    """The programs that are furthest behind the better peer at any number of threads."""
    rows = [(found["best"], row) for row in results["rows"] if (found := report.ratios(row))]
    parts, seen = [], set()
    for ratio, row in sorted(rows, key=lambda one: one[0]):
        if len(seen) == WORST:
            break
        if row["case"] not in seen:
            seen.add(row["case"])
            parts.append(f"### {ratio:.2f} at {row['threads']}: {row['case']}\n\n{report.line(row)}\n\n```python\n{row['text']}```\n")
    return "\n".join(parts)


def markdown(results):
    return f"{report.heading('Random cases', __doc__, results)}\n{summary(results)}\n## The worst {WORST}\n\n{worst(results)}"
