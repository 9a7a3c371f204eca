"""A battle of the table again, from its row: the same answers and dice, now with a journal, as a saved game."""

from __future__ import annotations

from pathlib import Path

from campale.lab.errors import LabError
from campale.lab.keeping import ROWS, read_plan, row_in
from campale.lab.plan import Battle, Plan, versions
from campale.lab.playing import players_of, unpacked
from campale.lab.tables import BattleRow
from campale.referee.game import Drift, Game, RefereeError
from campale.referee.records.saved import from_line
from campale.referee.ruleset import load_ruleset
from campale.simulate import play_on


def replayed(folder: Path, number: int) -> Game:
    """The battle of a row, checked against the row's last position. Raises LabError."""
    plan = read_plan(folder).plan
    row = row_at(folder, number)
    if row.winner == "failed":
        raise LabError("failed-battle", number=number, fault=row.fault)
    check_versions(plan, row)
    battle = plan.battle(number)
    try:
        game = played_again(battle) if row.record is None else from_record(battle, row.record)
    except (Drift, RefereeError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise LabError("replay-differs", number=number, error=error) from None
    found = game.position.state_hash()
    if found != row.final_hash:
        raise LabError("replay-differs", number=number, error=f"{found}, {row.final_hash}")
    return game


def row_at(folder: Path, number: int) -> BattleRow:
    try:
        with (folder / ROWS).open("rb") as journal:
            for line in journal:
                row = row_in(line)
                if row is not None and row.number == number:
                    return row
    except OSError as error:
        raise LabError("no-results", folder=folder, error=error.strerror or str(error)) from None
    raise LabError("no-battle", number=number, folder=folder)


def check_versions(plan: Plan, row: BattleRow) -> None:
    here = versions(plan.ruleset)
    if here != (row.campale, row.rules_hash):
        raise LabError("other-rules", then=f"{row.campale}, {row.rules_hash}", now=", ".join(here))


def played_again(battle: Battle) -> Game:
    game = Game(load_ruleset(battle.setup.ruleset), battle.setup, battle.seed)
    play_on(game, players_of(battle), battle.most_answers)
    return game


def from_record(battle: Battle, record: bytes) -> Game:
    """The battle of players who would not give the same answers again, from those they gave."""
    return from_line(load_ruleset(battle.setup.ruleset), battle.setup, battle.seed, unpacked(record))
