"""Errors in plain data meant as a profile, in both languages.

The reader of the data reports them in English; this module recognises them by their form and adds the Italian.
"""

from __future__ import annotations

import re
from typing import NamedTuple

Title = dict[str, str]
MOST_SIGNS = 600


class Misfit(NamedTuple):
    """A pattern and its translations: ``{0}``, ``{1}``… are the groups of the pattern, ``{advice}`` the last words."""

    said: re.Pattern[str]
    en: str
    it: str


KINDS = {
    "profile": "un profilo",
    "power": "un potere",
    "weapon or equipment": "un'arma o un equipaggiamento",
    "army list": "una lista",
    "option": "un'opzione",
    "unit": "un'unità",
}
"""The kinds of thing that may be unknown, with their Italian names."""

ADVICE = r"(?: (?P<advice>Did you mean .*|Known: .*))?$"
MISFITS = (
    Misfit(
        re.compile(r"unknown field `(.*?)`"),
        "'{0}' is not part of it. Remove it, or see the page on scenario files.",
        "'{0}' non ne fa parte. Toglilo, o guarda la pagina sui file di scenario.",
    ),
    Misfit(
        re.compile(r"missing required field `(.*?)`"),
        "'{0}' is missing. Add it.",
        "manca '{0}'. Aggiungilo.",
    ),
    Misfit(
        re.compile(r"[Ii]nvalid enum value '?(.*?)'?(?: - at `\$\.?(.+?)`)$"),
        "'{1}' cannot be '{0}'. Change it.",
        "'{1}' non può essere '{0}'. Cambialo.",
    ),
    Misfit(
        re.compile(r"[Ee]xpected `(.*?)`(?: (.*?))?(?:, got `.*?`)?(?: - at `\$\.?(.+?)`)$"),
        "'{2}' is not right (wanted: {0} {1}). Change it.",
        "'{2}' non va bene (serve: {0} {1}). Cambialo.",
    ),
    Misfit(
        re.compile(r"[Ee]xpected `object`|one profile is a table"),
        "a profile is a table of keys and values. Write it like that.",
        "un profilo è una tabella di chiavi e valori. Scrivilo così.",
    ),
    Misfit(
        re.compile(rf"[Tt]here is no ({'|'.join(KINDS)}) '(.*?)'\.{ADVICE}"),
        "there is no {0} '{1}'. {advice}",
        "'{1}' non è {0} che ci sia. {advice}",
    ),
    Misfit(
        re.compile(rf"a profile has no (.*?)\.{ADVICE}"),
        "a profile has no '{0}'. {advice}",
        "un profilo non ha '{0}'. {advice}",
    ),
    Misfit(
        re.compile(rf"'(.*?)' is not known\.{ADVICE}"),
        "'{0}' is not known. {advice}",
        "'{0}' non è conosciuto. {advice}",
    ),
    Misfit(
        re.compile(rf"'(.*?)' is not a rule(?: with its number)?\.{ADVICE}"),
        "'{0}' is not a rule with its number. {advice}",
        "'{0}' non è una regola con il suo numero. {advice}",
    ),
    Misfit(
        re.compile(r"'(.*?)' needs a number from (\d+) to (\d+)\. Write '(.*?)'\."),
        "'{0}' needs a number from {1} to {2}. Write '{3}'.",
        "'{0}' vuole un numero da {1} a {2}. Scrivi '{3}'.",
    ),
)
OTHERWISE = Misfit(re.compile(".*"), "{0}", "non si può leggere ({0}). Guarda la pagina sui file di scenario.")
MEANT = re.compile(r"Did you mean '(.*)'\?")
KNOWN = re.compile(r"Known: (.*)\.?")


def told_of(error: Exception) -> Title:
    """The error in both languages; an unknown form stays as it is, with its subject in Italian."""
    why = " ".join((str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)).split())
    for one in MISFITS:
        if match := one.said.search(why[:MOST_SIGNS]):
            groups = match.groups(default="")
            advice = match.groupdict().get("advice") or ""
            italian = tuple(KINDS.get(part, part) for part in groups)
            return {
                "en": tidy(one.en.format(*groups, advice=advice)),
                "it": tidy(one.it.format(*italian, advice=in_italian(advice))),
            }
    return {"en": OTHERWISE.en.format(why[:300]), "it": OTHERWISE.it.format(why[:300].rstrip("."))}


def tidy(text: str) -> str:
    return text.replace(" )", ")").strip()


def in_italian(advice: str) -> str:
    if match := MEANT.match(advice):
        return f"Intendevi '{match[1]}'?"
    match = KNOWN.match(advice)
    if match is None:
        return ""
    return f"Ci sono: {match[1].rstrip('.')}." if match[1].strip(". ") else "Non ce n'è nessuno."
