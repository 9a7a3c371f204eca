"""What a person gets in the browser: the size of the first load, frames while dragging.

Run as ``python -m benchmarks.page``. The board with 200 bases (``web/bench``) is built into a folder of its own and
dragged about on in Chromium, served from 127.0.0.1. Frames are those of a browser without a graphics card.
"""

from __future__ import annotations

import gzip
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright
from tools import page as built
from tools.chromium import chromium

WEB = built.ROOT / "web"
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage"]
SIZE = {"width": 1400, "height": 900}
LEVEL = 6
"""How hard the server compresses."""

ROUNDS = 3

# ---------------------------------------------------------------- first load


def files_of(index: Path) -> list[Path]:
    """A page and all that it names."""
    named = re.findall(r'(?:src|href)="/([^"]+)"', index.read_text(encoding="utf-8"))
    return [index, *(index.parent / name for name in named)]


def compressed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), LEVEL))


def first_load() -> dict[str, Any]:
    """Bytes of the built page, and of what comes only when it is wanted."""
    built.build()
    page = built.page_of(built.ROOT)
    first = files_of(page / "index.html")
    later = sorted({*(page / "assets").iterdir()} - {*first})
    return {
        "files": len(first),
        "bytes": sum(path.stat().st_size for path in first),
        "bytes, gzip": sum(map(compressed, first)),
        "bytes on demand, gzip": {
            "the view from a model's eye": sum(compressed(one) for one in later if one.name.startswith("Eye")),
            "all other pages": sum(compressed(one) for one in later if not one.name.startswith("Eye")),
        },
    }


# ---------------------------------------------------------------- frames


class Quiet(SimpleHTTPRequestHandler):
    """Files of a folder, without a word about each."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a folder's files."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def build_board(folder: Path) -> None:
    tool = built.npm()
    if tool is None:
        raise built.CannotBuild(built.MISSING)
    vite = ("vite", "build", "bench", "-c", "vite.config.ts", "--outDir", str(folder), "--emptyOutDir")
    built.run(tool, WEB, "exec", "--", *vite)


def drags(address: str, path: str) -> list[dict[str, float]]:
    """What the page tells of each of its drags; the first only warms up."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        try:
            page = browser.new_page(viewport={"width": SIZE["width"], "height": SIZE["height"]})
            page.goto(address)
            page.wait_for_selector("[data-handle]")
            told: list[dict[str, float]] = [page.evaluate("measured()") for _ in range(ROUNDS + 1)]
            return told[1:]
        finally:
            browser.close()


def frames() -> dict[str, Any]:
    """The times between frames, in milliseconds: the middle one of some drags."""
    path = chromium()
    if path is None:
        return {"left out": "no Chromium"}
    with TemporaryDirectory() as folder:
        build_board(Path(folder))
        with serving(Path(folder)) as address:
            drag = sorted(drags(address, path), key=lambda one: one["p95"])[ROUNDS // 2]
    return {
        "frames per second, median": round(1e3 / drag["median"], 1),
        "median, milliseconds": round(drag["median"], 1),
        "p95, milliseconds": round(drag["p95"], 1),
        "longest, milliseconds": round(drag["longest"], 1),
        "frames": drag["frames"],
    }


def run() -> dict[str, Any]:
    """Every figure."""
    return {
        "first load": first_load(),
        "dragging a unit among 200 bases": frames(),
    }


if __name__ == "__main__":
    from benchmarks.__main__ import told

    print("\n".join(told(run())))
