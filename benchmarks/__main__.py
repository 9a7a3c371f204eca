"""Runs every benchmark and writes ``results.json`` and ``results.md`` beside this file, with what they ran on.

Run as ``python -m benchmarks``; names after it choose some of the modules, the others keep their last results.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import platform
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def machine() -> dict[str, Any]:
    """The processor and the versions: what figures hang on."""
    return {
        "cpu": processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", "numba", "campale")},
    }


def processor() -> str:
    """The processor's own name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((one.partition(":")[2].strip() for one in lines if one.startswith("model name")), platform.machine())


def modules(wanted: Sequence[str] = ()) -> Iterator[tuple[str, Any]]:
    """The modules beside this one that have a ``run``."""
    for info in pkgutil.iter_modules([str(HERE)]):
        if info.name == "__main__" or (wanted and info.name not in wanted):
            continue
        module = importlib.import_module(f"benchmarks.{info.name}")
        if hasattr(module, "run"):
            yield info.name, module


def told(figures: Any, depth: int = 0) -> Iterator[str]:
    """Figures as a nested list."""
    if not isinstance(figures, dict):
        yield f"{'  ' * depth}- {figures}"
        return
    for name, value in figures.items():
        label = str(name).replace("_", " ")
        if isinstance(value, dict):
            yield f"{'  ' * depth}- {label}"
            yield from told(value, depth + 1)
        else:
            shown = f"{value:.4g}" if isinstance(value, float) else value
            yield f"{'  ' * depth}- {label}: {shown}"


def page(results: dict[str, Any]) -> str:
    """The results as Markdown."""
    lines = ["# Benchmarks", "", "Written by `python -m benchmarks`.", "", *told(results["machine"])]
    for name, figures in results["figures"].items():
        lines += ["", f"## {name}", "", *told(figures)]
    return "\n".join(lines) + "\n"


def main(wanted: Sequence[str]) -> None:
    path = HERE / "results.json"
    before = json.loads(path.read_text(encoding="utf-8"))["figures"] if wanted and path.exists() else {}
    found = dict(before)
    for name, module in modules(wanted):
        print(name, file=sys.stderr)
        found[name] = module.run()
    results = {"machine": machine(), "figures": dict(sorted(found.items()))}
    path.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    (HERE / "results.md").write_text(page(results), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
