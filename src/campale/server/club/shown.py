"""Battles, invitations and the ladder of a club as the page shows them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from campale.referee.ruleset import ruleset_names
from campale.server.battle.agreement import title
from campale.server.battle.draft import Draft
from campale.server.battle.hall import result_told
from campale.server.club.house import Club
from campale.server.club.ladder import ladder
from campale.server.club.records import ClubTable, Me, OpenInvitation, PlayerShown, RungShown
from campale.server.club.tables import AccountRow, InvitationRow
from campale.server.club.ties import Tied
from campale.server.told import called


def me_of(account: AccountRow) -> Me:
    return Me(account.id, account.name, account.role, account.created)


def tables_shown(found: Sequence[Tied], names: dict[str, str], language: str) -> list[ClubTable]:
    """Battles as anybody may know them, without those of missing rulebooks."""
    known = set(ruleset_names())
    return [table_shown(one, names, language) for one in found if one.book in known]


def table_shown(one: Tied, names: dict[str, str], language: str) -> ClubTable:
    by_side = enumerate(zip(one.accounts, one.names, one.are_open, strict=True))
    players = [
        PlayerShown(names.get(account or "") or called(name, k, language), account, is_open)
        for k, (account, name, is_open) in by_side
    ]
    is_over = one.stage == "over"
    told = result_told(one.book, one.result, one.names, language) if is_over else None
    winner = one.winner() if is_over else None
    draft = msgspec.json.decode(one.draft, type=Draft)
    return ClubTable(
        one.battle,
        one.book,
        title(draft, language),
        one.stage,
        players,
        winner,
        told,
        one.created,
        one.updated,
    )


def names_of(club: Club) -> dict[str, str]:
    return {one.id: one.name for one in club.members.all()}


def invitations_shown(rows: Sequence[InvitationRow], names: dict[str, str]) -> list[OpenInvitation]:
    return [OpenInvitation(one.id, one.note, one.role, names.get(one.account or ""), one.until) for one in rows]


def rungs(club: Club, book: str | None) -> list[RungShown]:
    """The ladder of one rulebook, or of all together."""
    names = names_of(club)
    results = []
    for one in club.ties.of_two(book):
        first, second = one.accounts
        winner = one.winner()
        if first is not None and second is not None:
            results.append((first, second, 0.5 if winner is None else 1.0 - winner))
    rated = ladder(results)
    return [
        RungShown(one.account, names[one.account], round(one.rating), one.won, one.drawn, one.lost)
        for one in rated
        if one.account in names
    ]
