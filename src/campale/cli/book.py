"""The rulebook as one HTML page: every entry in the ledger's order, with its ruling, its code and its tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from pathlib import Path
from textwrap import dedent

from campale.cli.common import say
from campale.referee.ledgers import sources
from campale.referee.ledgers.ledger import Entry, Ledger, chapter_title, read_ledger
from campale.referee.telling.words import words

STYLE = """
:root{color-scheme:light dark;--ink:#1d1d1b;--paper:#fbfaf6;--soft:#efece2;--line:#cfc9b8;--link:#005a8c}
@media (prefers-color-scheme:dark){:root{--ink:#e9e6dc;--paper:#191917;--soft:#262522;--line:#45423a;--link:#7cc4f2}}
*{box-sizing:border-box}
body{margin:0;color:var(--ink);background:var(--paper);font:17px/1.55 Georgia,serif;display:grid;
grid-template-columns:minmax(13rem,18rem) minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;border-right:1px solid var(--line);
font:14px/1.5 system-ui,sans-serif}
nav ol{list-style:none;padding:0;margin:0 0 .8rem}
main{padding:1rem 2rem 6rem;max-width:56rem}
a{color:var(--link)}
input{width:100%;padding:.5rem;font:inherit;color:inherit;background:var(--soft);border:1px solid var(--line)}
article{border-top:1px solid var(--line);padding:1rem 0}
h3{margin:0}
h3 small{font-weight:normal;opacity:.75}
.id{font:13px ui-monospace,monospace;opacity:.85}
.ruling{border-left:4px solid #b06a00;padding:.2rem .8rem;background:var(--soft)}
pre{overflow:auto;background:var(--soft);padding:.8rem;font:13px/1.45 ui-monospace,monospace}
summary{cursor:pointer;font:14px system-ui,sans-serif}
[hidden]{display:none}
@media (max-width:50rem){body{display:block}nav{position:static;height:auto;border:0}}
"""

SCRIPT = """
const box=document.getElementById("search"),rules=[...document.querySelectorAll("article")];
const counted=document.getElementById("counted");
box.addEventListener("input",()=>{const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);let shown=0;
for(const rule of rules){const text=rule.textContent.toLowerCase();rule.hidden=!words.every(w=>text.includes(w));
if(!rule.hidden)shown+=1}
for(const part of document.querySelectorAll("section"))part.hidden=!part.querySelector("article:not([hidden])");
counted.textContent=words.length?`${shown} / ${rules.length}`:""});
"""

ID = re.compile(r"[a-z0-9][\w.\-]*/[\w.\-]+")


def html(folder: Path, language: str) -> str:
    """The rulebook of the ruleset in a folder."""
    ledger = read_ledger(folder / "rules.yaml")
    code, tests = functions_by_id(folder), tests_by_id(folder)
    title = ledger.title.get(language) or ledger.title["en"]
    body = [f"<h1>{escape(title)}</h1>", *(f"<p>{escape(t)}</p>" for t in ledger.title.values() if t != title)]
    for chapter in ledger.chapters():
        entries = [e for e in ledger.entries.values() if e.id.partition("/")[0] == chapter]
        body.append(f'<section id="{escape(anchor(chapter))}"><h2>{escape(named(folder, language, chapter))}</h2>')
        body += [part for entry in entries for part in article(entry, ledger, language, code, tests)]
        body.append("</section>")
    return page(title, language, contents(folder, ledger, language), "\n".join(body))


def page(title: str, language: str, navigation: str, body: str) -> str:
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n{navigation}\n<main>\n{body}\n</main>\n"
        f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def contents(folder: Path, ledger: Ledger, language: str) -> str:
    """The search box and the chapters."""
    chapters = "".join(
        f'<li><a href="#{escape(anchor(chapter))}">{escape(named(folder, language, chapter))}</a></li>'
        for chapter in ledger.chapters()
    )
    return (
        f'<nav><label for="search">{escape(say("search"))}</label><input id="search" type="search">'
        f'<p id="counted" role="status"></p><ol>{chapters}</ol></nav>'
    )


def named(folder: Path, language: str, chapter: str) -> str:
    return chapter_title(chapter, words(language, folder / "words"))


def anchor(id_: str) -> str:
    return id_.replace("/", "--")


def article(
    entry: Entry, ledger: Ledger, language: str, code: dict[str, list[sources.Place]], tests: dict[str, list[str]]
) -> Iterator[str]:
    """One entry."""
    own = entry.title.get(language) or entry.title.get("en", entry.id)
    others = " · ".join(title for tongue, title in entry.title.items() if tongue != language)
    yield f'<article id="{escape(anchor(entry.id))}">'
    yield f'<h3>{escape(own)} <small lang="{"en" if language == "it" else "it"}">{escape(others)}</small></h3>'
    yield f'<p class="id"><a href="#{escape(anchor(entry.id))}">{escape(entry.id)}</a> · {escape(entry.kind)}</p>'
    text = (entry.text_it if language == "it" else None) or entry.text
    yield f"<p>{linked(text, ledger)}</p>"
    ruling = (entry.ruling_it if language == "it" else None) or entry.ruling
    if ruling:
        yield f'<p class="ruling"><strong>{escape(say("ruling"))}.</strong> {linked(ruling, ledger)}</p>'
    if entry.needs:
        yield f"<p>{escape(say('needs'))}: {linked(', '.join(entry.needs), ledger)}</p>"
    for place in code.get(entry.id, ()):
        where = f"{place.path.name}, {place.name}"
        yield f"<details><summary>{escape(where)}</summary><pre><code>{escape(place.source)}</code></pre></details>"
    if tests.get(entry.id):
        listed = "".join(f"<li>{escape(test)}</li>" for test in tests[entry.id])
        yield f"<details><summary>{escape(say('tests'))} ({len(tests[entry.id])})</summary><ul>{listed}</ul></details>"
    yield "</article>"


def linked(text: str, ledger: Ledger) -> str:
    """The text with the ids of other entries as links."""

    def link(found: re.Match[str]) -> str:
        id_ = found[0].rstrip(".")
        rest = found[0][len(id_) :]
        return f'<a href="#{escape(anchor(id_))}">{id_}</a>{rest}' if id_ in ledger.entries else found[0]

    return ID.sub(link, escape(" ".join(text.split()), quote=False))


@lru_cache(maxsize=16)
def functions_by_id(folder: Path) -> dict[str, list[sources.Place]]:
    """For every id, the functions marked with it and their source."""
    found: dict[str, list[sources.Place]] = {}
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        lines = source.split("\n")
        for node, name in sources.functions(ast.parse(source)):
            for id_ in (one for mark in node.decorator_list for one in sources.ids_of(mark, "rule")):
                segment = dedent("\n".join(lines[node.lineno - 1 : node.end_lineno]))
                found.setdefault(id_, []).append(sources.Place(path, node.lineno, name, segment))
    return found


@lru_cache(maxsize=16)
def tests_by_id(folder: Path) -> dict[str, list[str]]:
    """For every id, the tests that cover it, as sentences; empty if the tests are not available."""
    return {
        id_: [f"{path.stem}: {test.replace('test_', '').replace('_', ' ')}" for path, test in found]
        for id_, found in sources.covering(folder).items()
    }
