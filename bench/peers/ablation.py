"""What each optimization is worth: the time of a program without it over the time with all of them.

Above 1 the program is slower without it. Passes of which nothing is above 1 anywhere are of no use.
"""

import report

#: What the results are called.
FILE = "ablation"


def without(rows):
    """For each optimization the cases that it makes a difference to: [(ratio, case)], the largest first."""
    found = {}
    for row in rows:
        for name, ratio in report.ratios(row).items():
            if name not in ("eager", "best"):
                found.setdefault(name, []).append((ratio, row["case"]))
    return {name: sorted(ratios, reverse=True) for name, ratios in found.items()}


def compile_times(rows, name):
    """The compile time without an optimization over that with it."""
    pairs = [(row["peers"].get(name, {}).get("compile_s"), row["peers"].get(report.TERRACE, {}).get("compile_s")) for row in rows]
    return report.mean([one / other for one, other in pairs if one and other])


def table(rows):
    lines = []
    for name, ratios in without(rows).items():
        (most, slower), (least, faster) = ratios[0], ratios[-1]
        helped = sum(ratio > 1.1 for ratio, _ in ratios)
        cells = [f"`{name}`", f"{report.mean([ratio for ratio, _ in ratios]):.2f}", f"{helped} of {len(ratios)}"]
        cells += [f"{most:.2f} `{slower}`", f"{least:.2f} `{faster}`", f"{compile_times(rows, name):.2f}"]
        lines.append((report.mean([ratio for ratio, _ in ratios]), cells))
    lines.sort(key=lambda line: -line[0])
    head = ["without", "time, geomean", "above 1.1", "most", "least", "compile time"]
    return report.table(head, [cells for _, cells in lines])


def summary(results):
    parts = []
    for threads in sorted({row["threads"] for row in results["rows"]}):
        rows = [row for row in results["rows"] if row["threads"] == threads]
        parts.append(f"{threads} thread{'s' if threads > 1 else ''}, {len(rows)} cases\n\n{table(rows)}")
    return "\n".join(parts)


def markdown(results):
    return f"{report.heading('Ablation', __doc__, results)}\n{summary(results)}"
