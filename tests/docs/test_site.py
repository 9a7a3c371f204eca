"""The site: it is built whole, every link and anchor in it leads somewhere, nothing comes from outside."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from tools.readme import ROOT
from tools.site.__main__ import CannotBuild, build, generate, settings
from tools.site.books import books
from tools.site.index import DOCS, chapters, decisions
from tools.site.searching import PROGRAM, SAID, OtherSearch, piece, translate

from campale.cli.book import anchor
from campale.referee.ledgers.ledger import read_ledger
from campale.referee.telling.words import LANGUAGES

COUNTED = ("h1", "h2", "h3", "li", "pre", "td", "th", "img", "strong", "em", "a", "blockquote")


class Page(HTMLParser):
    """What a page links to, loads and may be linked by, and how many tags there are in its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.ids: set[str] = set()
        self.tags = dict.fromkeys(COUNTED, 0)
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids.add(found.get("id") or "")
        target = found.get("href") or found.get("src")
        if target is not None:
            (self.links if tag == "a" else self.loads).append(target)
        if tag in self.tags and (tag != "a" or "href" in found) and found.get("class") != "headerlink":
            self.tags[tag] += 1


def pages(folder: Path) -> dict[Path, Page]:
    return {path.resolve(): Page(path.read_text("utf-8")) for path in folder.rglob("*.html") if path.name != "404.html"}


def astray(found: dict[Path, Page], root: Path) -> Iterator[str]:
    """What leads nowhere, or outside."""
    for path, page in found.items():
        for link in [*page.links, *page.loads]:
            parts = urlsplit(link)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            is_there = target.is_file() and (
                target not in found or not parts.fragment or parts.fragment in found[target].ids
            )
            if parts.scheme or parts.netloc or not is_there:
                yield f"{path.relative_to(root)}: {link}"


def text_of(path: Path) -> str:
    """The article of a page, without what stands about it."""
    return path.read_text("utf-8").partition("<article")[2].partition("</article>")[0]


def test_the_site_is_built_and_whole(tmp_path: Path) -> None:
    site = tmp_path.resolve() / "site"
    build(site)
    found = pages(site)
    assert list(astray(found, site)) == []
    for language in LANGUAGES:
        names = [Path(page[language]).name for chapter in chapters() for page in chapter.pages]
        for name in [*names, "api.md", *(f"decisions/{path.name}" for path in decisions())]:
            assert (site / language / name).with_suffix(".html") in found, name
        for chapter in chapters():
            for page in chapter.pages:
                is_read_alike(DOCS / page[language], site / language / Path(page[language]).with_suffix(".html").name)
        has_every_rule(site / language, found)
        searches_in(site / language, language)


def searches_in(folder: Path, language: str) -> None:
    """What the search says is said in the language of the page, by the program that the page loads."""
    programs = list(folder.glob(PROGRAM))
    text = "".join(path.read_text("utf-8") for path in programs)
    assert [path.name for path in programs] == [Path(one).name for one in loaded(folder) if "bundle" in one]
    for word in SAID:
        assert piece(word, language) in text, word
        assert language == "en" or piece(word, "en") not in text, word


def loaded(folder: Path) -> list[str]:
    return Page((folder / "index.html").read_text("utf-8")).loads


def test_a_search_that_says_something_else_is_told(tmp_path: Path) -> None:
    program = tmp_path / PROGRAM.replace("*", "1")
    program.parent.mkdir(parents=True)
    program.write_text("".join(piece(word, "en") for word in SAID if word != "search-none"), "utf-8")
    with pytest.raises(OtherSearch, match="No results"):
        translate(tmp_path, "it")


def is_read_alike(source: Path, built: Path) -> None:
    """The generator makes of a page what a forge makes of it."""
    forge = Page(MarkdownIt("commonmark").enable("table").render(source.read_text("utf-8"))).tags
    assert Page(text_of(built)).tags == forge, source.name


def has_every_rule(folder: Path, found: dict[Path, Page]) -> None:
    """On the page of its book, in that of ``campale book``, and in the search."""
    sought = {one["location"] for one in json.loads((folder / "search.json").read_text("utf-8"))["items"]}
    for name, place in books().items():
        for id_ in read_ledger(place / "rules.yaml").entries:
            assert anchor(id_) in found[folder / "books" / f"{name}.html"].ids
            assert anchor(id_) in found[folder / "whole" / f"{name}.html"].ids
            assert f"books/{name}.html#{anchor(id_)}" in sought


def test_a_link_that_leads_nowhere_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "index.md").write_text("# Home\n\n[nowhere](nowhere.md)\n", "utf-8")
    with pytest.raises(CannotBuild, match="does not exist"):
        generate(tmp_path, settings("en") | {"nav": ["index.md"], "extra_css": []})


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear", "utf-8")
    with pytest.raises(CannotBuild, match="left alone"):
        build(tmp_path)
    assert (tmp_path / "letter.txt").is_file()


def test_what_leads_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="b.html#x">b</a> <a href="#y">y</a> <img src="https://c.org/c.png">', "utf-8"
    )
    (tmp_path / "b.html").write_text('<h1 id="z">b</h1>', "utf-8")
    assert list(astray(pages(tmp_path), tmp_path)) == ["a.html: b.html#x", "a.html: #y", "a.html: https://c.org/c.png"]


def test_every_page_has_a_chapter() -> None:
    found = [page for chapter in chapters() for page in chapter.pages]
    for language in LANGUAGES:
        there = {f"{language}/{path.name}" for path in (DOCS / language).glob("*.md")}
        assert {page[language] for page in found} == there
        assert len(found) == len(there)


def test_git_ignores_the_site() -> None:
    assert "/site/" in (ROOT / ".gitignore").read_text("utf-8").splitlines()
