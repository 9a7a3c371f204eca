"""Lists of other programs over HTTP: what a book makes of each line, and what it still needs to be told."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Response

from campale.referee.armies.lists import Check, Fate, ListAsked, ListRead, Mend
from campale.referee.ruleset import Ruleset
from campale.referee.telling.spoken import told
from campale.server.battle.draft import Unknown
from campale.server.routes.asking import Language
from campale.server.routes.catalogue import Book, ForceShown, faults_of, force_tried, playable
from campale.server.routes.openapi import answer, body_of, gives

router = APIRouter(prefix="/api/books", tags=["lists"])
LARGEST = 12_000_000
MOST_MENDS, MOST_KNOWN = 600, 40


class ListSent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A list as pasted text (``text``), or as the content of a file (``data``, in base64).

    ``mends``: the player's answers to what was not understood, by name; ``known``: his own armies, whose units a text
    may name; ``agreed``: the terms agreed, for the book's objections to the army.
    """

    text: str = ""
    data: bytes = b""
    mends: Annotated[dict[str, str], msgspec.Meta(max_length=MOST_MENDS)] = {}
    known: Annotated[list[dict[str, Any]], msgspec.Meta(max_length=MOST_KNOWN)] = []
    agreed: dict[str, Any] = {}


class LineShown(msgspec.Struct, frozen=True):
    """``unit``: the number of the line's unit."""

    text: str
    depth: int
    fate: Fate
    whys: list[str]
    unit: int | None


class ListShown(msgspec.Struct, frozen=True):
    """The result of reading a list. ``refused``: why it could not be read at all.

    ``plain`` is the army as its file has it, ``force`` its content, ``reasons`` the book's objections.
    """

    program: str
    name: str
    lines: list[LineShown]
    mends: list[Mend]
    checks: list[Check]
    refused: list[str]
    reasons: list[str]
    plain: dict[str, Any] | None = None
    force: ForceShown | None = None


@router.post("/{book}/list", **gives(ListShown, takes=ListSent, text="What the book makes of a list."))
def read_list(
    book: Book, sent: Annotated[ListSent, Depends(body_of(ListSent, LARGEST))], language: Language
) -> Response:
    ruleset = playable(book)
    if ruleset.read_list is None:
        raise Unknown("no-lists", book=book[:60])
    asked = ListAsked(sent.data or sent.text.encode("utf-8", "replace"), sent.mends, tuple(sent.known))
    return answer(list_shown(ruleset, ruleset.read_list(asked), sent.agreed, language))


def list_shown(ruleset: Ruleset, read: ListRead, agreed: dict[str, Any], language: str) -> ListShown:
    lines = [
        LineShown(one.text, one.depth, one.fate, [told(why, language) for why in one.whys], one.unit)
        for one in read.lines
    ]
    return ListShown(
        read.program,
        read.name,
        lines,
        [in_tongue(one, language) for one in read.mends],
        [Check(one.is_right, told(one.text, language)) for one in read.checks],
        [told(one, language) for one in read.refused],
        faults_of(ruleset, read.force, agreed, language) if read.force is not None else [],
        read.force,
        force_tried(ruleset, read.force, language) if read.force is not None else None,
    )


def in_tongue(mend: Mend, language: str) -> Mend:
    choices = tuple(msgspec.structs.replace(one, title=told(one.title, language)) for one in mend.choices)
    return msgspec.structs.replace(mend, title=told(mend.title, language), choices=choices)
