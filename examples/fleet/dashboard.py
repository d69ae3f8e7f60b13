#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""dashboard.py FOLDER OUTPUT: draws what dashboard.sql has written to FOLDER, versions.json,
scheduling.json and blockers.json, as one HTML page that loads nothing and needs no script."""

import collections
import html
import json
import math
import pathlib
import re
import sys

STYLE = """
:root { color-scheme: light dark; --text: #1c2128; --dim: #59636e; --line: #d1d9e0;
  --page: #ffffff; --bar: #a8cbf0; --mark: #0a5cba; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --dim: #9aa4af; --line: #3d444d; --page: #0d1117; --bar: #274a70;
    --mark: #6cb0ff; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 75rem; background: var(--page);
  color: var(--text); font: 1rem/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .25rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p, .dim { color: var(--dim); } p { margin: .25rem 0 .75rem; }
.row { display: grid; grid-template-columns: minmax(5rem, 12rem) 1fr 15rem; gap: .25rem 1rem;
  align-items: center; padding: .35rem 0; border-top: 1px solid var(--line); }
.row > :first-child { font-weight: 600; overflow-wrap: anywhere; }
.numbers { font-variant-numeric: tabular-nums; text-align: right; }
.range, .bar { position: relative; height: 1.25rem; }
.range i { position: absolute; top: .5rem; height: .25rem; background: var(--bar); }
.range b { position: absolute; top: 0; width: .3rem; margin-left: -.15rem; height: 1.25rem;
  background: var(--mark); }
.range u { position: absolute; top: .25rem; width: .15rem; height: .75rem;
  background: var(--dim); }
.bar i { position: absolute; height: 100%; min-width: 2px; background: var(--bar); }
.axis { position: relative; height: 1.3rem; font-size: .8rem; color: var(--dim); }
.axis span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
.axis span:first-child { transform: none; }
.axis span:last-child { transform: translateX(-100%); }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr));
  gap: 0 2rem; }
.blocker { padding: .35rem 0; border-top: 1px solid var(--line); }
.blocker > div:first-child { display: flex; flex-wrap: wrap; justify-content: space-between;
  gap: 0 1rem; }
.blocker .bar { height: .6rem; margin: .2rem 0; }
code { font: .85rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--dim); font-size: .85rem; }
details code { display: block; padding: .25rem 0 .25rem 1rem; }
@media (max-width: 40rem) {
  .row { grid-template-columns: 1fr auto; }
  .row > .range, .row > .axis { grid-column: 1 / -1; order: 3; }
}
"""


def duration(ns):
    """A time with three digits and its unit."""
    for unit, size in ("s", 1e9), ("ms", 1e6), ("µs", 1e3):
        if ns >= size:
            return f"{ns / size:.3g} {unit}" if ns < 1000 * size else f"{ns / size:,.0f} {unit}"
    return f"{ns:.0f} ns"


def natural(version):
    """Sorts 1.9 before 1.10."""
    return [(int(part), "") if part.isdigit() else (-1, part)
            for part in re.split(r"(\d+)", version)]


def count(number, noun):
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class Scale:
    """Places durations on a logarithmic axis from one power of ten to another one."""

    def __init__(self, values):
        self.low = math.floor(math.log10(max(1, min(values))))
        self.high = max(self.low + 1, math.ceil(math.log10(max(2, *values))))

    def place(self, ns):
        share = (math.log10(max(1, ns)) - self.low) / (self.high - self.low)
        return f"{100 * min(1, max(0, share)):.2f}%"

    def axis(self):
        step = max(1, math.ceil((self.high - self.low) / 5))
        ticks = (10**power for power in range(self.low, self.high + 1, step))
        return "".join(f'<span style="left:{self.place(tick)}">{duration(tick)}</span>'
                       for tick in ticks)


def draw_scheduling(rows):
    scale = Scale([row[name] for row in rows for name in ("p50", "p99", "p999")])
    yield "<h2>Scheduling latency by version</h2>"
    yield ("<p>How long goroutines that could run waited for a processor: from the median to "
           "99.9 % of the waits, and the thick mark at 99 %.</p>")
    for row in sorted(rows, key=lambda row: natural(row["version"])):
        p50, p99, p999 = (scale.place(row[name]) for name in ("p50", "p99", "p999"))
        yield (f'<div class="row"><span>{html.escape(row["version"])}</span>'
               f'<div class="range"><i style="left:{p50};right:calc(100% - {p999})"></i>'
               f'<u style="left:{p50}"></u><u style="left:{p999}"></u><b style="left:{p99}"></b>'
               f'</div><span class="numbers">p99 {duration(row["p99"])} <span class="dim">of '
               f'{row["waits"]:,}</span></span></div>')
    yield f'<div class="row"><span></span><div class="axis">{scale.axis()}</div><span></span></div>'


def draw_blocker(row, most, traced):
    width = 100 * row["ns"] / most if most else 0
    frames = "<br>".join(html.escape(frame) for frame in reversed(row["stack"].split(";")))
    return (f'<div class="blocker"><div><code>{html.escape(row["blocker"])}</code>'
            f'<span class="numbers">{duration(row["ns"] / traced * 1e9)} a second '
            f'<span class="dim">{count(row["waits"], "wait")}</span></span></div>'
            f'<div class="bar"><i style="width:{width:.2f}%"></i></div>'
            f'<details><summary>stack</summary><code>{frames}</code></details></div>')


def draw_blockers(rows, traced):
    """Versions beside each other, with the same scale."""
    by_version = collections.defaultdict(list)
    for row in rows:
        by_version[row["version"]].append(row)
    most = max(row["ns"] / traced[row["version"]] for row in rows)
    yield "<h2>Top blockers by version</h2>"
    yield ("<p>The program's functions that end the most waiting of other goroutines, such as "
           "those that unlock a mutex or send on a channel: how long others waited for them in a "
           "second of the traces.</p>")
    yield '<div class="columns">'
    for version in sorted(by_version, key=natural):
        yield f"<div><h3>{html.escape(version)}</h3>"
        for row in by_version[version]:
            yield draw_blocker(row, most * traced[version], traced[version])
        yield "</div>"
    yield "</div>"


def draw_service(service, versions, scheduling, blockers):
    traced = {row["version"]: max(1, row["traced_ns"]) for row in versions}
    dates = sorted({row[name] for row in versions for name in ("first_date", "last_date")
                    if row[name] != "unknown"})
    span = ", " + " to ".join(dates[:1] + dates[1:][-1:]) if dates else ""
    yield f"<h1>{html.escape(service)}</h1>"
    yield (f'<p>{count(sum(row["traces"] for row in versions), "trace")} of '
           f'{count(len(versions), "version")}, {duration(sum(traced.values()))} in all'
           f'{html.escape(span)}</p>')
    for draw, rows in (draw_scheduling, scheduling), (lambda r: draw_blockers(r, traced), blockers):
        if rows:
            yield from draw(rows)


def draw(tables):
    services = sorted({row["service"] for row in tables["versions"]})
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{html.escape(', '.join(services))}: traces</title><style>{STYLE}</style></head>"
    yield "<body>"
    for service in services:
        yield from draw_service(service, *([row for row in rows if row["service"] == service]
                                           for rows in tables.values()))
    yield "</body></html>"


def main(folder, output):
    tables = {name: json.loads(pathlib.Path(folder, name + ".json").read_text(encoding="utf-8"))
              for name in ("versions", "scheduling", "blockers")}
    pathlib.Path(output).write_text("\n".join(draw(tables)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
