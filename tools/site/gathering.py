"""The pages of one language laid together as the generator wants them, with their links led to where things are now."""

from __future__ import annotations

import os
import re
import shutil
from html import escape
from pathlib import Path, PurePosixPath

from campale.cli.book import html
from campale.referee.words import LANGUAGES
from tools.readme import ROOT
from tools.site import api, books
from tools.site.index import DOCS, chapters, decisions, title_of
from tools.site.words import WORDS

LINK = re.compile(r"\]\(([^)\s#:]+)(#[\w-]+)?\)")


class Gathering:
    """The sources of the site in a language, in a folder."""

    def __init__(self, language: str, folder: Path) -> None:
        self.language, self.folder = language, folder
        self.other = next(one for one in LANGUAGES if one != language)
        self.pairs = {page[one]: page for chapter in chapters() for page in chapter.pages for one in LANGUAGES}

    def gather(self, document: api.Schema) -> None:
        for pages in {id(one): one for one in self.pairs.values()}.values():
            source = pages[self.language]
            self.put(DOCS / source, PurePosixPath(source).name, PurePosixPath(pages[self.other]).name)
        listed = [f"# {WORDS[self.language]['decisions']}", WORDS[self.language]["decisions-about"], ""]
        for path in decisions():
            self.put(path, f"decisions/{path.name}")
            listed.append(f"- [{title_of(path.read_text('utf-8'))}]({path.name})")
        self.write("decisions/index.md", "\n\n".join(listed[:2]) + "\n" + "\n".join(listed[2:]) + "\n")
        self.write("api.md", api.page(document, self.language))
        shutil.copytree(DOCS / "pictures", self.folder / "pictures")
        for name, folder in books.books().items():
            self.write(f"books/{name}.md", books.page(name, folder, self.language))
            whole = self.folder / "whole" / f"{name}.html"
            whole.parent.mkdir(exist_ok=True)
            whole.write_text(html(folder, self.language), "utf-8")

    def put(self, source: Path, place: str, other: str | None = None) -> None:
        """A page of the project, with its links."""

        def led(found: re.Match[str]) -> str:
            target = (source.parent / found[1]).resolve()
            if not target.exists():
                return found[0]
            there = self.place(target, found[2] or "")
            return f"]({os.path.relpath(there, PurePosixPath(place).parent)}{self.fragment(there, found[2])})"

        self.write(place, LINK.sub(led, source.read_text("utf-8")), other)

    def write(self, place: str, text: str, other: str | None = None) -> None:
        path = self.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        there = f"../{self.other}/{(other or place).removesuffix('.md')}.html"
        path.write_text(f"---\nother: {there}\n---\n\n{text}", "utf-8")

    def fragment(self, there: str, fragment: str | None) -> str:
        return "" if there == "decisions/index.md" else fragment or ""

    def place(self, target: Path, fragment: str) -> str:
        """Where a file of the project lies in the site, from the root of this language."""
        path = target.relative_to(ROOT).as_posix()
        within = path.removeprefix("docs/")
        if path == "docs/README.md":
            return "decisions/index.md" if fragment == "#decisions" else "index.md"
        if within in self.pairs:
            language, _, name = within.partition("/")
            return name if language == self.language else f"../{language}/{name.removesuffix('.md')}.html"
        if within.startswith(("decisions/", "pictures/")):
            return within
        copy = self.folder / "files" / f"{path}.txt"
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(target, copy)
        return f"files/{path}.txt"


def navigation(language: str) -> list[object]:
    """The chapters with their pages; the rulebooks and the API have theirs, the decisions come last."""
    say, found = WORDS[language], []
    for chapter in chapters():
        found.append({chapter.title[language]: [PurePosixPath(page[language]).name for page in chapter.pages]})
    found.append({say["books"]: [f"books/{name}.md" for name in books.books()]})
    last = ["api.md", {say["decisions"]: ["decisions/index.md", *(f"decisions/{path.name}" for path in decisions())]}]
    found[-2][chapters()[-1].title[language]] += last
    return list(found)


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
