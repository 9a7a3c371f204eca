"""Odds are what comes of playing: forecasts against the same attacks played many times."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from campale.dice.odds import first_suggestion
from campale.mechanics.script_form import form_of
from campale.referee.position import RESERVE, Position, Unit
from campale.referee.question import Choose
from campale.referee.telling.teller import Teller
from campale.referee.telling.words import LANGUAGES
from campale.rulesets.w10 import RULESET
from campale.rulesets.w10.armies.staging import prepare, profile
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.basics.units import members
from campale.rulesets.w10.odds.forecasts import forecast_of, of_shots, struck
from campale.rulesets.w10.shooting.declaring import HOLD, SPLIT, declaration
from campale.rulesets.w10.shooting.eligible import guns_of
from campale.rulesets.w10.shooting.targets import shots_of, targets_of
from campale.table.terrain import Ground
from tests.rulesets.simulated import is_near, played, simulated, step

SHOOTING = [
    ("line-squad", 10, "line-squad", 10, 10.0),
    ("line-squad", 10, "walker", 1, 20.0),
    ("seer", 1, "jump-squad", 5, 9.0),
    ("walker", 1, "beast", 1, 8.0),
    ("walker", 1, "seer", 1, 6.0),
    ("gun-team", 1, "line-squad", 10, 30.0),
    ("lieutenant", 1, "scout-team", 5, 20.0),
    ("beast", 1, "line-squad", 5, 10.0),
]
FIGHTING = [("beast", 1, "walker", 1), ("walker", 1, "line-squad", 5), ("jump-squad", 3, "seer", 1)]


def table(ours: str, count: int, theirs: str, other: int, apart: float) -> Position:
    position = Position(RULESET, Ground(60.0, 44.0, ()))
    for side, (name, many, y) in enumerate(((ours, count, 10.0), (theirs, other, 10.0 + apart))):
        unit = position.add_unit(name, side)
        for k in range(many):
            model = position.add_model(name, profile({"profile": name}), side, unit, RESERVE)
            model.move_to(20.0 + 1.5 * (k % 5), y + (1.5 if side else -1.5) * (k // 5), facing=0.0)
    prepare(position)
    return position


def lost(position: Position, shots: object, rng: Random) -> int:
    copy = position.copy()
    played(resolve(Unit(copy, 0), shots), first_suggestion, rng)  # type: ignore[arg-type]
    return len(members(Unit(position, 1))) - len(members(Unit(copy, 1)))


@pytest.mark.covers("attack/sequence", "attack/fast-dice", "attack/allocate")
@pytest.mark.parametrize(("ours", "count", "theirs", "other", "apart"), SHOOTING)
def test_the_odds_of_shots_are_what_comes_of_them(ours: str, count: int, theirs: str, other: int, apart: float) -> None:
    position = table(ours, count, theirs, other, apart)
    unit, target = Unit(position, 0), Unit(position, 1)
    shots = [shots_of(gun, target) for gun in targets_of(position, 0, guns_of(unit))[1]]
    told = of_shots(unit, target, shots, "shooting")
    assert told.gap == ""
    found = simulated(lambda rng: lost(position, shots, rng))
    assert is_near(found, step(told, "losses"))


def test_of_weapons_that_fire_apart_each_is_told_at_its_own_target() -> None:
    position = table("line-squad", 5, "line-squad", 10, 10.0)
    walker = position.add_unit("walker", 1)
    model = position.add_model("walker", profile({"profile": "walker"}), 1, walker, RESERVE)
    model.move_to(28.0, 28.0, facing=0.0)
    prepare(position)
    unit = Unit(position, 0)
    form = form_of(0, "shooting", partial(declaration, unit), unit=0)
    field = form.field([SPLIT])
    assert isinstance(field, Choose)
    assert field.prompt == "weapon-at"
    for target in (1, walker.row):
        told = forecast_of(position, field, target)
        shots = [shots_of(gun, Unit(position, target)) for gun in guns_of(unit)]
        assert told == of_shots(unit, Unit(position, target), shots, "shooting")
    held = forecast_of(position, field, HOLD)
    assert held is not None
    assert held.steps == ()


@pytest.mark.covers("stratagems/fire-overwatch")
def test_of_overwatch_the_odds_are_told_before_it_is_paid_for() -> None:
    position = table("line-squad", 10, "line-squad", 10, 20.0)
    question = Choose(1, "enemy-moves", ["pass", ("fire-overwatch", 1)], "stratagem", about={"mover": 0})
    unit, mover = Unit(position, 1), Unit(position, 0)
    guns = targets_of(position, 1, guns_of(unit))[0]
    snap, aimed = ([shots_of(gun, mover, is_snap) for gun in guns] for is_snap in (True, False))
    told = forecast_of(position, question, ("fire-overwatch", 1))
    assert told is not None
    assert told == of_shots(unit, mover, snap, "shooting")
    assert step(told, "hits").mean < step(of_shots(unit, mover, aimed, "shooting"), "hits").mean
    assert forecast_of(position, question, "pass") is None


@pytest.mark.covers("fight-phase/make-attacks", "weapon-abilities/devastating-wounds", "weapon-abilities/anti")
@pytest.mark.parametrize(("ours", "count", "theirs", "other"), FIGHTING)
def test_the_odds_of_blows_are_what_comes_of_them(ours: str, count: int, theirs: str, other: int) -> None:
    near = {"beast": 3.4, "walker": 2.5, "jump-squad": 1.5}[ours]
    position = table(ours, count, theirs, other, near)
    shots = struck(Unit(position, 0), Unit(position, 1))
    told = of_shots(Unit(position, 0), Unit(position, 1), shots, "melee")
    assert shots
    assert told.gap == ""
    assert is_near(simulated(lambda rng: lost(position, shots, rng)), step(told, "losses"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_choices_along_the_way_and_notes_are_told_in_words(language: str) -> None:
    teller = Teller(RULESET, language)
    again = [f"reroll-{one}" for one in ("to-hit", "plain-to-hit", "to-wound", "plain-to-wound", "save", "damage")]
    chosen = [*again, "reroll-attacks", "reroll-hazardous", "who-takes", "re-roll-hits", "re-roll-wounds"]
    assert [one for one in chosen if not teller.words.has(f"forecast.decided.{one}")] == []
    assert teller.words.has("forecast.note.other-targets")
