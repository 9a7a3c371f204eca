"""Build the site: ``python -m tools.site [FOLDER]``, site/ without one. A warning of the generator is an error."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from campale.referee.words import LANGUAGES
from tools.readme import ROOT
from tools.site import api
from tools.site.gathering import THEME, Gathering, door, navigation
from tools.site.words import WORDS

COLOURS = re.compile(r"\x1b\[[\d;]*m")
SCHEMES = {"light": "default", "dark": "slate"}


class CannotBuild(Exception):
    """The generator found fault with the pages; says what."""


def settings(language: str) -> dict[str, Any]:
    """The settings of the generator: nothing comes from outside, and anchors are those that a forge makes."""
    palette = [
        {"media": f"(prefers-color-scheme: {media})", "scheme": scheme, "primary": "indigo", "accent": "indigo"}
        for media, scheme in SCHEMES.items()
    ]
    slugs = {"object": "pymdownx.slugs.slugify", "kwds": {"case": "lower"}}
    extensions = {
        "attr_list": {},
        "tables": {},
        "toc": {"permalink": True, "toc_depth": "2-3", "slugify": slugs},
        "pymdownx": {"superfences": {}, "highlight": {}},
    }
    return {
        "site_name": "Campale",
        "site_description": WORDS[language]["about"],
        "docs_dir": "pages",
        "site_dir": "site",
        "use_directory_urls": False,
        "nav": navigation(language),
        "extra_css": ["site.css"],
        "extra": {
            "generator": False,
            "homepage": "index.html",
            "alternate": [
                {"name": WORDS[one]["language"], "link": f"../{one}/index.html", "lang": one} for one in LANGUAGES
            ],
        },
        "plugins": {"search": {}},
        "theme": {
            "language": language,
            "font": False,
            "custom_dir": str(THEME),
            "palette": palette,
            "features": [
                "navigation.sections",
                "navigation.indexes",
                "navigation.footer",
                "navigation.top",
                "toc.follow",
            ],
        },
        "markdown_extensions": extensions,
    }


def toml(value: Any) -> str:
    """A value as TOML, tables within the line."""
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{json.dumps(key, ensure_ascii=False)} = {toml(one)}" for key, one in value.items()) + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def build(out: Path) -> None:
    """Both languages into a folder. Raises CannotBuild."""
    shutil.rmtree(out, ignore_errors=True)
    document = api.described()
    for language in LANGUAGES:
        with tempfile.TemporaryDirectory() as folder:
            Gathering(language, Path(folder) / "pages").gather(document)
            generate(Path(folder), settings(language))
            shutil.copytree(Path(folder) / "site", out / language)
    (out / "index.html").write_text(door({one: WORDS[one]["language"] for one in LANGUAGES}), "utf-8")


def generate(folder: Path, chosen: dict[str, Any]) -> None:
    (folder / "zensical.toml").write_text(
        "[project]\n" + "".join(f"{k} = {toml(v)}\n" for k, v in chosen.items()), "utf-8"
    )
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "--clean"],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        told, _, trace = COLOURS.sub("", done.stdout).partition("Traceback")
        raise CannotBuild(f"{told.strip()}\n{trace.strip().rpartition(chr(10))[2]}".strip())


def main(words: list[str]) -> int:
    out = Path(words[0]) if words else ROOT / "site"
    try:
        build(out)
    except CannotBuild as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stderr.write(f"The site is in {out}; python -m http.server --directory {out} shows it.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
