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

from campale.referee.telling.words import LANGUAGES
from tools.readme import ROOT
from tools.site import api, searching
from tools.site.gathering import THEME, Gathering, door, navigation
from tools.site.words import WORDS

COLOURS = re.compile(r"\x1b\[[\d;]*m")
SCHEMES = {"light": "default", "dark": "slate"}


class CannotBuild(Exception):
    """The generator found fault with the pages; says what."""


def settings(language: str) -> dict[str, Any]:
    """The settings of the generator: nothing comes from outside, and anchors are those that a forge makes."""
    slugs = {"object": "pymdownx.slugs.slugify", "kwds": {"case": "lower"}}
    others = [{"name": WORDS[one]["language"], "link": f"../{one}/index.html", "lang": one} for one in LANGUAGES]
    return {
        "site_name": "Campale",
        "site_description": WORDS[language]["about"],
        "docs_dir": "pages",
        "site_dir": "site",
        "use_directory_urls": False,
        "nav": navigation(language),
        "extra_css": ["site.css"],
        "extra": {"generator": False, "homepage": "index.html", "alternate": others},
        "plugins": {"search": {}},
        "theme": theme(language),
        "markdown_extensions": {
            "attr_list": {},
            "tables": {},
            "toc": {"permalink": True, "toc_depth": "2-3", "slugify": slugs},
            "pymdownx": {"superfences": {}, "highlight": {}},
        },
    }


def theme(language: str) -> dict[str, Any]:
    palette = [
        {"media": f"(prefers-color-scheme: {media})", "scheme": scheme, "primary": "indigo", "accent": "indigo"}
        for media, scheme in SCHEMES.items()
    ]
    features = ("sections", "indexes", "footer", "top")
    return {
        "language": language,
        "font": False,
        "custom_dir": str(THEME),
        "palette": palette,
        "features": [*(f"navigation.{one}" for one in features), "toc.follow"],
    }


def toml(value: Any) -> str:
    """A value as TOML, tables within the line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml(key)} = {toml(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def build(out: Path) -> None:
    """Both languages into a folder, in the place of an earlier build. Raises CannotBuild, OtherSearch."""
    if out.is_dir() and {one.name for one in out.iterdir()} - {*LANGUAGES, "index.html"}:
        raise CannotBuild(f"{out} holds other things than a site, and was left alone. Give a new folder.")
    document = api.described()
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made"
        for language in LANGUAGES:
            place = Path(folder) / language
            Gathering(language, place / "pages").gather(document)
            generate(place, settings(language))
            searching.translate(place / "site", language)
            shutil.copytree(place / "site", made / language)
        (made / "index.html").write_text(door({one: WORDS[one]["language"] for one in LANGUAGES}), "utf-8")
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(made, out)


def generate(folder: Path, chosen: dict[str, Any]) -> None:
    lines = "".join(f"{key} = {toml(value)}\n" for key, value in chosen.items())
    (folder / "zensical.toml").write_text(f"[project]\n{lines}", "utf-8")
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
    except (CannotBuild, searching.OtherSearch) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stderr.write(f"The site is in {out}; python -m http.server --directory {out} shows it.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
