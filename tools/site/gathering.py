"""The pages of one language laid together as the generator wants them, with their links led to where things are now."""

from __future__ import annotations

import os
import re
import shutil
from html import escape
from pathlib import Path, PurePosixPath
from typing import Any

from campale.cli.book import html
from campale.referee.telling.words import LANGUAGES
from tools.readme import ROOT
from tools.site import api, books
from tools.site.index import DOCS, chapters, decisions, title_of
from tools.site.words import WORDS

Chapters = dict[str, list[Any]]
THEME = Path(__file__).parent / "theme"
OF_THE_BOOKS = "en/ragnarok.md"
"""A page of the chapter about the books."""
LINK = re.compile(r"\]\(([^)\s#:]+)(#[\w-]+)?\)")


class Gathering:
    """The sources of the site in a language, in a folder."""

    def __init__(self, language: str, folder: Path) -> None:
        self.language, self.folder = language, folder
        self.other = next(one for one in LANGUAGES if one != language)
        self.pages = [page for chapter in chapters() for page in chapter.pages]
        self.known = {page[one] for page in self.pages for one in LANGUAGES}

    def gather(self, document: api.Schema) -> None:
        for page in self.pages:
            source = page[self.language]
            self.put(DOCS / source, PurePosixPath(source).name, PurePosixPath(page[self.other]).name)
        for path in decisions():
            self.put(path, f"decisions/{path.name}")
        self.write("decisions/index.md", self.list_of_decisions())
        self.write("api.md", api.page(document, self.language))
        shutil.copytree(DOCS / "pictures", self.folder / "pictures")
        shutil.copyfile(THEME.parent / "site.css", self.folder / "site.css")
        for name, folder in books.books().items():
            self.write(f"books/{name}.md", books.page(name, folder, self.language))
            whole = self.folder / "whole" / f"{name}.html"
            whole.parent.mkdir(exist_ok=True)
            whole.write_text(html(folder, self.language), "utf-8")

    def list_of_decisions(self) -> str:
        say = WORDS[self.language]
        listed = [f"- [{title_of(path.read_text('utf-8'))}]({path.name})\n" for path in decisions()]
        return f"# {say['decisions']}\n\n{say['decisions-about']}\n\n{''.join(listed)}"

    def put(self, source: Path, place: str, other: str | None = None) -> None:
        """A page of the project, with its links."""

        def led(found: re.Match[str]) -> str:
            target = (source.parent / found[1]).resolve()
            if not target.is_file():
                return found[0]
            there, fragment = self.place(target, found[2] or "")
            return f"]({os.path.relpath(there, PurePosixPath(place).parent)}{fragment})"

        self.write(place, LINK.sub(led, source.read_text("utf-8")), other)

    def write(self, place: str, text: str, other: str | None = None) -> None:
        path = self.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        there = f"../{self.other}/{(other or place).removesuffix('.md')}.html"
        path.write_text(f"---\nother: {there}\n---\n\n{text}", "utf-8")

    def place(self, target: Path, fragment: str) -> tuple[str, str]:
        """Where a file of the project, or a part of it, lies in the site, from the root of this language."""
        path = target.relative_to(ROOT).as_posix()
        within = path.removeprefix("docs/")
        if path == "docs/README.md":
            return ("decisions/index.md" if fragment == "#decisions" else "index.md"), ""
        if within in self.known:
            language, _, name = within.partition("/")
            there = name if language == self.language else f"../{language}/{name.removesuffix('.md')}.html"
            return there, fragment
        if within.startswith(("decisions/", "pictures/")):
            return within, fragment
        copy = self.folder / "files" / f"{path}.txt"
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(target, copy)
        return f"files/{path}.txt", ""


def navigation(language: str) -> list[Chapters]:
    """The chapters with their pages; the rulebooks come after the chapter of the books, the API and decisions last."""
    say = WORDS[language]
    found: list[Chapters] = []
    for chapter in chapters():
        found.append({chapter.title[language]: [entry(page[language]) for page in chapter.pages]})
        if any(page["en"] == OF_THE_BOOKS for page in chapter.pages):
            found.append({say["books"]: [{of_book(name, language): f"books/{name}.md"} for name in books.books()]})
    records = [{title_of(path.read_text("utf-8")): f"decisions/{path.name}"} for path in decisions()]
    last = found[-1][chapters()[-1].title[language]]
    last += [{say["api"]: "api.md"}, {say["decisions"]: ["decisions/index.md", *records]}]
    return found


def entry(page: str) -> dict[str, str]:
    """A page by its first heading."""
    return {title_of((DOCS / page).read_text("utf-8")): PurePosixPath(page).name}


def of_book(name: str, language: str) -> str:
    return title_of((DOCS / language / f"{name}.md").read_text("utf-8"))


def door(languages: dict[str, str]) -> str:
    """The page before both languages: it goes where the browser's language leads, and has both links."""
    links = "".join(
        f'<li><a href="{language}/index.html" lang="{language}">{escape(name)}</a></li>'
        for language, name in languages.items()
    )
    script = 'location.replace((navigator.language || "en").startsWith("it") ? "it/index.html" : "en/index.html")'
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Campale</title>\n'
        f"<script>{script}</script>\n</head>\n<body>\n<h1>Campale</h1>\n<ul>{links}</ul>\n</body>\n</html>\n"
    )
