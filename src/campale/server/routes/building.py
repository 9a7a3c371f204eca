"""Building armies from the books' own lists, over HTTP: the options, with cards and prices."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response

from campale.referee.armies.building import ArmyList, Field, Kind
from campale.referee.offers import Choice, Roster
from campale.referee.ruleset import Ruleset, load_ruleset
from campale.screen.looking import card
from campale.screen.shown import Card
from campale.server.routes.asking import Language
from campale.server.routes.catalogue import Book, playable
from campale.server.routes.openapi import gives, lasting

router = APIRouter(prefix="/api/books", tags=["building"])


class Picked(msgspec.Struct, frozen=True):
    """``about``: a sentence about the value, or nothing."""

    value: Any
    text: str
    about: str


class FieldShown(msgspec.Struct, frozen=True):
    """A field of a unit or an army; its kinds are those of ``referee.armies.building.Field``."""

    name: str
    title: str
    kind: str
    choices: list[Picked]
    values: list[int]
    least: int
    most: int
    usual: dict[str, int]


class KindShown(msgspec.Struct, frozen=True):
    """``row``: the constant part of its row in an army file; ``prices``: the cost by number of models."""

    id: str
    title: str
    row: dict[str, Any]
    fields: list[FieldShown]
    prices: list[tuple[int, int]]
    card: Card


class ArmyListShown(msgspec.Struct, frozen=True):
    """``force``: the constant part of an army file.

    ``rows``: the key of its units; ``fields``: the fields of the whole army.
    """

    id: str
    title: str
    force: dict[str, Any]
    rows: str
    kinds: list[KindShown]
    fields: list[FieldShown]


@router.get(
    "/{book}/lists", **gives(list[ArmyListShown], text="The lists from which armies of a book are put together.")
)
def lists(request: Request, book: Book, language: Language) -> Response:
    return lasting(request, lists_told(playable(book).name, language))


@lru_cache(maxsize=16)
def lists_told(name: str, language: str) -> bytes:
    ruleset = load_ruleset(name)
    found = ruleset.army_lists() if ruleset.army_lists is not None else ()
    return msgspec.json.encode([list_shown(one, ruleset, language) for one in found])


def list_shown(one: ArmyList, ruleset: Ruleset, language: str) -> ArmyListShown:
    kinds = [kind_shown(kind, ruleset, language) for kind in one.kinds]
    fields = [field_shown(field, language) for field in one.fields]
    return ArmyListShown(one.id, one.title[language], one.force, one.rows, kinds, fields)


def kind_shown(kind: Kind, ruleset: Ruleset, language: str) -> KindShown:
    model = Roster(kind.title, kind.title, 1, 0, kind.profile).model(ruleset)
    fields = [field_shown(one, language) for one in kind.fields]
    return KindShown(kind.id, kind.title[language], kind.row, fields, list(kind.prices), card(model, language))


def field_shown(one: Field, language: str) -> FieldShown:
    choices = [picked(choice, language) for choice in one.choices]
    limits = one.least, one.most
    return FieldShown(one.name, one.title[language], one.kind, choices, list(one.values), *limits, one.usual)


def picked(choice: Choice, language: str) -> Picked:
    return Picked(choice.value, choice.title[language], choice.about[language] if choice.about else "")
