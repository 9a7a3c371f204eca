"""The names that scenario files may use of each book: ``python -m tools.vocabulary`` writes a page of them."""

from __future__ import annotations

from campale.referee.ruleset import Ruleset, load_ruleset, shipped
from tools.readme import ROOT

PAGES = {"en": ROOT / "docs" / "en" / "scenario-words.md", "it": ROOT / "docs" / "it" / "parole-degli-scenari.md"}
HEADS = {
    "en": (
        "# The words of scenario files",
        "What [scenario files](scenarios.md) call the marks, notes, pools and moments of each book. A word that ends "
        "in `-` begins many. Written by `python -m tools.vocabulary`.",
    ),
    "it": (
        "# Le parole dei file di scenario",
        "Come i [file di scenario](scenari.md) chiamano segnalini, note, riserve di punti e momenti di ogni "
        "regolamento. Una parola che finisce in `-` ne inizia molte. Scritta da `python -m tools.vocabulary`.",
    ),
}
KINDS = {
    "phases": {"en": "phases (`now: {phase: ...}`), in order", "it": "fasi (`now: {phase: ...}`), in ordine"},
    "now": {"en": "the moment (`now`)", "it": "il momento (`now`)"},
    "declared": {"en": "what has been declared (`declared`)", "it": "ciò che è stato dichiarato (`declared`)"},
    "marks": {"en": "marks of models", "it": "segnalini dei modelli"},
    "notes": {"en": "notes of models", "it": "note dei modelli"},
    "unit-marks": {"en": "marks of units", "it": "segnalini delle unità"},
    "unit-notes": {"en": "notes of units", "it": "note delle unità"},
    "pools": {"en": "pools of sides", "it": "riserve di punti delle parti"},
    "holds": {"en": "what sides hold", "it": "ciò che le parti tengono"},
    "causes": {"en": "causes of losses", "it": "cause delle perdite"},
}


def books() -> list[Ruleset]:
    """The complete books that scenario files can be written for."""
    found = [load_ruleset(name) for name in shipped()]
    return [one for one in found if one.is_complete and one.stage is not None]


def page(language: str) -> str:
    parts = list(HEADS[language])
    for book in books():
        parts.append(f"## {book.title[language]} (`{book.name}`)")
        parts += [f"**{kind.capitalize()}**: {words}" for kind, words in lines_of(book, language)]
    return "\n\n".join(parts) + "\n"


def lines_of(book: Ruleset, language: str) -> list[tuple[str, str]]:
    assert book.stage is not None
    phases = tuple(getattr(book.book, "phases", ()))
    words = {"phases": phases, **book.stage.words}
    listed = {kind: names if kind == "phases" else sorted(names) for kind, names in words.items()}
    return [(KINDS[kind][language], ", ".join(f"`{one}`" for one in listed[kind])) for kind in KINDS if kind in listed]


def main() -> None:
    for language, path in PAGES.items():
        path.write_text(page(language), "utf-8")


if __name__ == "__main__":
    main()
