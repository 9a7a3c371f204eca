"""Charts as SVG: the same bytes from the same numbers, no date and no outside font. Colours are Okabe and Ito's."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from campale.lab.stopping import estimate
from campale.simulate.intervals import Interval

BLUE, ORANGE, DARK, PALE = "#0072B2", "#D55E00", "#222222", "#BBBBBB"
STYLE: Any = {
    "text.parse_math": False,
    "svg.hashsalt": "campale",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9.0,
}
NO_DATA = {"Date": None, "Creator": None, "Format": None, "Type": None}
WIDTH, ROW = 7.2, 0.32
"""Inches."""

LONGEST = 44
STEPS = 60


def intervals(title: str, rows: Sequence[tuple[str, Interval]], even: float | None, percent: bool = True) -> str:
    """Estimates one under another, each with its interval, and a line where all would be even, if there is one."""

    def draw(axes: Any) -> None:
        values = [one.value for _, one in rows]
        below = [max(0.0, one.value - one.low) for _, one in rows]
        above = [max(0.0, one.high - one.value) for _, one in rows]
        axes.errorbar(values, range(len(rows)), xerr=[below, above], fmt="o", color=BLUE, capsize=3, markersize=5)
        if even is not None:
            axes.axvline(even, color=DARK, linewidth=0.8, linestyle="--")
        axes.set_yticks(range(len(rows)), [short(name) for name, _ in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        finish(axes, title, percent)

    return picture(1.0 + ROW * len(rows), draw)


def running(title: str, pairs: Sequence[float], even: float, reach: float) -> str:
    """The mean of the first pairs, with the interval that answers go by, as more are played."""

    def draw(axes: Any) -> None:
        counts = sorted({max(2, round(len(pairs) * part / STEPS)) for part in range(1, STEPS + 1)})
        found = [estimate(pairs[:count], reach) for count in counts]
        axes.plot(counts, [one.value for one in found], color=BLUE)
        axes.fill_between(counts, [one.low for one in found], [one.high for one in found], color=BLUE, alpha=0.15)
        axes.axhline(even, color=DARK, linewidth=0.8, linestyle="--")
        around = max(0.1, 3.0 * (found[-1].high - found[-1].value))
        axes.set_ylim(max(1.0 - reach, found[-1].value - around), min(1.0, found[-1].value + around))
        finish(axes, title, percent=True, is_upright=True)

    return picture(2.6, draw)


def lines(title: str, several: Mapping[str, Sequence[float]]) -> str:
    """Two rows of shares from round to round, told apart by colour and by stroke."""

    def draw(axes: Any) -> None:
        for (name, shares), colour, stroke in zip(several.items(), (BLUE, ORANGE), ("-", "--"), strict=False):
            axes.plot(range(len(shares)), shares, color=colour, linestyle=stroke, marker="o", markersize=3, label=name)
        axes.set_ylim(0.0, 1.05)
        axes.legend(frameon=False)
        finish(axes, title, percent=True, is_upright=True)

    return picture(2.6, draw)


def spread(title: str, values: Sequence[float]) -> str:
    """How often each difference of a pair (-1 to 1, by quarters) came up."""

    def draw(axes: Any) -> None:
        axes.hist(values, bins=[(k - 4.5) / 4 for k in range(10)], color=PALE, edgecolor=DARK, linewidth=0.6)
        axes.axvline(0.0, color=DARK, linewidth=0.8, linestyle="--")
        finish(axes, title, percent=True)

    return picture(2.2, draw)


# ---------------------------------------------------------------- how they look


def picture(height: float, draw: Callable[[Any], None]) -> str:
    """An SVG element of a figure so many inches high."""
    import matplotlib
    from matplotlib.figure import Figure

    written = io.StringIO()
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure.add_subplot())
        figure.savefig(written, format="svg", metadata=NO_DATA, transparent=True)
    text = written.getvalue()
    return text[text.index("<svg") :]


def finish(axes: Any, title: str, percent: bool, is_upright: bool = False) -> None:
    from matplotlib.ticker import PercentFormatter

    axes.figure.suptitle(title, x=0.01, horizontalalignment="left", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y" if is_upright else "x", color=PALE, linewidth=0.4)
    if percent:
        (axes.yaxis if is_upright else axes.xaxis).set_major_formatter(PercentFormatter(1.0, 0))


def short(name: str) -> str:
    """A name on two lines at the most; what is too long for them is cut in the middle, for ends tell names apart."""
    if len(name) > 2 * LONGEST:
        name = name[: LONGEST - 3] + "… " + name[2 - LONGEST :]
    return "\n".join(textwrap.wrap(name, LONGEST, max_lines=2, placeholder="…"))
