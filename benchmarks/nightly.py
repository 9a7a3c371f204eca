"""What the nightly runs write down: their figures, when it was, on what machine, and what else went on there."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.__main__ import machine, told

HERE = Path(__file__).parent


def load() -> str:
    """The load of the machine over the last 1, 5 and 15 minutes, this run included."""
    try:
        return ", ".join(f"{one:.1f}" for one in os.getloadavg())
    except OSError:
        return "unknown"


def write(name: str, title: str, figures: dict[str, Any]) -> None:
    about = {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "load of the machine at the end (1, 5, 15 minutes)": load(),
        **machine(),
    }
    lines = [f"# {title}", "", f"Written by `python -m benchmarks.{name}` (`make nightly`).", "", *told(about)]
    (HERE / f"{name}.md").write_text("\n".join([*lines, "", "## Figures", "", *told(figures)]) + "\n", encoding="utf-8")
