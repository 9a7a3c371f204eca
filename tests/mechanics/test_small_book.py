"""What a small book is made of: units, wounds, needs, missions, phases, forces, and odds by playing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from campale.conformance.bench import carried_out
from campale.dice import odds
from campale.dice.needs import Need, Part
from campale.mechanics import alternation, attacks, bases, forecasts, missions, phases, units, wounds
from campale.mechanics.armies.alike import AlikeForce, AlikeForces
from campale.mechanics.armies.faults import Breach
from campale.mechanics.armies.rows import rows_from
from campale.mechanics.judgement.advice import by_ends, by_odds, by_unit, exchange, expected
from campale.mechanics.moves import barring, coherency, going
from campale.mechanics.setup.agreed import SetupError
from campale.referee.ask import roll
from campale.referee.looks import Forecast, Step
from campale.referee.position import GONE, RESERVE, TABLE, Harm, Model, Position, Unit
from campale.referee.question import Choose, MoveUnit, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.referee.ruleset import Setup
from campale.rulesets._template import RULESET
from campale.rulesets._template.profile import FOLDER, PROFILES, Profile
from campale.table.shapes import Circle, Solid
from campale.table.terrain import Ground


def table(*squads: tuple[str, int, list[tuple[float, float]]]) -> Position:
    """Units of a kind and a side, at places."""
    position = Position(RULESET, Ground(24.0, 24.0))
    for kind, side, places in squads:
        unit = position.add_unit(kind, side)
        for x, y in places:
            position.add_model(kind, PROFILES[kind], side, unit).move_to(x, y)
    return position


@pytest.fixture
def position() -> Position:
    """A captain and two riflemen of ours, a gunner of theirs."""
    return table(("captain", 0, [(4, 4)]), ("rifleman", 0, [(8, 4), (10, 4)]), ("gunner", 1, [(10, 10)]))


# ---------------------------------------------------------------- units


def test_who_is_left_of_a_unit_is_told_by_where_he_is(position: Position) -> None:
    rifles = Unit(position, 1)
    assert [m.row for m in units.members(rifles)] == [1, 2]
    position.remove(position.model(1), "fire")
    assert [m.row for m in units.members(rifles)] == [2]
    assert [m.row for m in units.members(rifles, (TABLE, GONE))] == [1, 2]
    position.remove(position.model(2), "fire")
    assert [unit.row for unit in units.units_of(position, 0)] == [0]
    assert units.rows_of(position, 0, (GONE,)) == [1]


def test_units_in_reserve_wait_in_the_order_of_their_list(position: Position) -> None:
    position.take_off(position.model(2), RESERVE)
    position.take_off(position.model(0), RESERVE)
    assert [unit.row for unit in units.waiting(position, 0)] == [0, 1]
    assert [m.row for m in units.in_reserve(Unit(position, 1))] == [2]
    assert units.waiting(position, 1) == []


def test_marks_are_dropped_and_tell_who_has_none(position: Position) -> None:
    Unit(position, 0).mark("acted", 1)
    assert [unit.row for unit in units.unmarked(position, 0, "acted")] == [1]
    units.drop_marks(position, ("acted", "never"))
    assert [unit.row for unit in units.unmarked(position, 0, "acted")] == [0, 1]


def test_units_are_as_far_apart_as_their_nearest_models(position: Position) -> None:
    rifles, gunner = Unit(position, 1), Unit(position, 2)
    assert units.gap_between(rifles, gunner) == units.gap_between(gunner, rifles) == 5.0
    assert units.too_far_away(rifles, gunner, 5.0) is None
    assert units.too_far_away(rifles, gunner, 4.99) == Fault(None, 5.0, 4.99, 3)
    assert [(a.row, b.row) for a, b in units.nearest_pairs(rifles, gunner, lambda m: 5.2)] == [(2, 3)]


def test_an_enemy_is_chosen_among_those_whom_nothing_forbids(position: Position) -> None:
    @rule("fire/range")
    def far(unit: Unit, target: Unit) -> Fault | None:
        return units.too_far_away(unit, target, 6.0)

    run = carried_out(units.choose_enemy(Unit(position, 1), "fire", (far,)), [2])
    assert run.value == Unit(position, 2)
    assert run.questions[0].about == {"unit": 1}
    assert carried_out(units.choose_enemy(Unit(position, 1), "fire", ()), [None]).value is None
    nobody = carried_out(units.choose_enemy(Unit(position, 0), "fire", (far,)))
    assert (nobody.value, nobody.questions) == (None, [])


# ---------------------------------------------------------------- bases


def test_gaps_are_those_of_the_bases_whatever_their_form(position: Position) -> None:
    models = position.models
    assert bases.gaps(models[:1], models[1:3]).tolist() == [[3.0, 5.0]]
    assert bases.distance(models[0], models[1]) == 3.0
    hull = Profile(6, 4, 1, 12, 1, 2, shape=Circle(2.0))
    position.add_model("wagon", hull, 1, Unit(position, 2)).move_to(4.0, 10.0)
    assert bases.gaps(models[:1], position.models[4:]).tolist() == [[3.5]]


def test_a_solid_is_kept_until_something_moves(position: Position) -> None:
    model = position.model(0)
    assert bases.upright(model) is bases.upright(model)
    assert bases.upright(model) == Solid(Circle(0.5), 4.0, 4.0, 0.0, 0.0, 1.5)
    model.move_to(5.0, 4.0)
    assert bases.upright(model).x == 5.0


# ---------------------------------------------------------------- wounds and dice


def test_wounds_go_to_the_wounded_first_and_what_is_too_much_is_lost() -> None:
    position = table(("captain", 0, [(4, 4), (6, 4)]))
    position.harms = []
    captains = Unit(position, 0)
    assert wounds.take_wounds(captains.models, 2, "fire", by=7) == 0
    assert [m.marks("wounds") for m in captains.models] == [0, 2]
    assert wounds.take_wounds(captains.models, 2, "fire", by=7) == 1
    assert [(m.row, m.marks("wounds")) for m in captains.models] == [(0, 1)]
    assert wounds.take_wounds(captains.models, 9, "fire") == 1
    assert [(loss.model, loss.by) for loss in position.losses] == [(1, 7), (0, -1)]
    assert sum(harm.wounds for harm in position.harms if isinstance(harm, Harm)) == 6


@rule("toy/dark")
def dark(model: Model) -> int:
    return -1 if model.row else 0


@rule("toy/aimed")
def aimed(model: Model) -> int:
    return 1


def test_a_need_names_the_modifiers_that_apply(position: Position) -> None:
    assert attacks.modified(4, (dark, aimed), position.model(0)) == Need(4, (Part("toy/aimed", 1),))
    assert attacks.modified(4, (dark,), position.model(1)) == Need(4, (Part("toy/dark", -1),))


def test_dice_of_the_same_need_are_rolled_together() -> None:
    run = carried_out(attacks.roll_hits(0, "to-hit", [Need(4), Need(5), Need(4)]), dice=[4, 3, 5])
    assert run.value == 2
    assert carried_out(attacks.roll_hits(0, "to-hit", [])).value == 0


# ---------------------------------------------------------------- missions and phases


@pytest.mark.parametrize(
    ("score", "least", "winner"), [((2, 1), 0, 0), ((1, 2), 0, 1), ((1, 1), 0, None), ((9, 1), 9, None), ((1, 9), 8, 1)]
)
def test_whoever_leads_by_enough_wins(score: tuple[int, int], least: float, winner: int | None) -> None:
    position = table()
    missions.finish_by_score(position, "toy/end", score, least)
    assert position.result is not None
    assert (position.result.winner, position.result.rule) == (winner, "toy/end")
    assert position.result.counts == {"score": list(score)}


@pytest.mark.parametrize(
    ("left", "is_over", "winner"), [((1, 1), False, None), ((1, 0), True, 0), ((0, 1), True, 1), ((0, 0), True, None)]
)
def test_whoever_is_wiped_out_has_lost(left: tuple[int, int], is_over: bool, winner: int | None) -> None:
    result = missions.wiped_out(lambda side: left[side], "toy/end")
    assert (result is not None) == is_over
    assert result is None or (result.winner, result.counts) == (winner, {})


@pytest.mark.parametrize(
    ("gone", "is_last", "ends"),
    [((), False, None), ((), True, 1), ((2,), False, 0), ((0, 1), True, 1), ((0, 1, 2), False, "draw")],
)
def test_a_battle_ends_when_a_side_is_gone_or_after_the_last_turn(
    position: Position, gone: tuple[int, ...], is_last: bool, ends: int | str | None
) -> None:
    """Side 1 is ahead in points, which count only while both sides have somebody."""
    position.gain(1, missions.POINTS, 2)
    for row in gone:
        for model in Unit(position, row).models:
            position.remove(model, "fire")
    missions.finish_if_over(position, "toy/end", is_last)
    found = position.result
    assert (found is None) == (ends is None)
    if found is not None:
        assert ("draw" if found.winner is None else found.winner) == ends
        assert (found.rule, found.counts) == ("toy/end", {"score": [0, 2]})


def test_units_act_once_each_and_the_sides_in_turn(position: Position) -> None:
    acted: list[tuple[int, int]] = []

    async def act(unit: Unit) -> None:
        acted.append((position.now["side"], unit.row))

    position.now["side"] = 0
    run = carried_out(alternation.activate(position, act, "acted"), [1])
    assert (run.value, run.prompts, position.now["side"]) == (True, ["activate"], 1)
    assert carried_out(alternation.activate(position, act, "acted")).value
    assert carried_out(alternation.activate(position, act, "acted")).value
    assert acted == [(0, 1), (1, 2), (0, 0)]
    assert not carried_out(alternation.activate(position, act, "acted")).value
    position.now["side"] = 1
    Unit(position, 0).mark("acted", 0)
    assert carried_out(alternation.activate(position, act, "acted")).value
    assert (acted[-1], position.now["side"]) == ((1, 0), 1)  # side 1 is passed over, and its turn comes again


def test_an_exchange_is_the_best_attack_less_the_worst_to_be_suffered() -> None:
    place = table(("captain", 0, [(4, 4)]), ("gunner", 1, [(10, 10)]), ("rifleman", 1, [(12, 10)]))
    means = {(0, 1): 2.0, (0, 2): 3.0, (1, 0): 4.0, (2, 0): 1.0}

    def odds(unit: Unit, target: Unit) -> Forecast | None:
        mean = means.get((unit.row, target.row))
        chances = ((0, 0.5), (int(mean * 2), 0.5)) if mean else ()
        return Forecast(unit.row, target.row, (), (Step("losses", "toy/losses", chances),)) if mean else None

    assert exchange(Unit(place, 0), odds, 0.5) == 3.0 - 0.5 * 4.0
    del means[1, 0]
    assert exchange(Unit(place, 0), odds, 0.5) == 3.0 - 0.5 * 1.0
    means.clear()
    assert exchange(Unit(place, 0), odds, 0.5) == 0.0


def test_a_place_is_held_by_whoever_is_alone_there(position: Position) -> None:
    assert missions.only_side_near(position, (4.0, 6.5), 2.0) == 0
    assert missions.only_side_near(position, (4.0, 6.6), 2.0) is None
    assert missions.only_side_near(position, (10.0, 7.0), 2.5) is None
    assert missions.only_side_near(position, (10.0, 7.0), 2.5, lambda m: m.side == 1) == 1
    position.gain(1, missions.POINTS, 2)
    assert missions.scored(position) == [0, 2]


def test_after_the_last_phase_the_next_turn_begins() -> None:
    position = table()
    position.now.update(phase="end", turn=1)
    phases.begin_turn_again(position, None, "orders")
    assert (position.now["phase"], phases.turn_of(position)) == ("orders", 2)
    phases.begin_turn_again(position, "moves", "orders")
    assert (position.now["phase"], phases.turn_of(position)) == ("moves", 2)


# ---------------------------------------------------------------- moves


def test_bases_of_other_units_bar_and_those_of_ones_own_do_not(position: Position) -> None:
    barred = barring.bases(position.model(1))
    assert barred.rows == (0, 3)
    assert barring.bases(position.model(2)) is barred
    assert barring.base_field(position.model(1)) is barred.field

    def from_enemies(model: Model, other: Model) -> float | None:
        return 1.0 if other.side != model.side else None

    marker = barring.Marker(Solid(Circle(1.0), 2.0, 2.0), 0.0)
    apart = barring.barred_for(position.model(1), "apart", from_enemies, markers=[marker])
    assert (apart.rows, list(apart.field.gaps)) == ((3, -1), [1.0, 0.0])


def test_a_unit_goes_where_it_is_told(position: Position) -> None:
    goals = list(going.usual_goals(Unit(position, 1), units.members(Unit(position, 1))))
    assert goals == [(10.0, 10.0), (8.0, -2.0)]
    assert [m.row for m in going.nearest_of_units(position, 0, (9.0, 4.0))] == [1, 0]


def test_models_beyond_their_link_are_told_with_the_limit(position: Position) -> None:
    models = units.members(Unit(position, 1))
    solids = [m.solid for m in models]
    assert coherency.beyond_link(models, solids, 1.0) is None
    assert coherency.beyond_link(models, solids, 0.9) == Fault(limit=0.9, model=1)


# ---------------------------------------------------------------- forces


@rule("toy/few")
def too_few(force: AlikeForce) -> Iterator[Breach]:
    if len(list(force.kinds())) < 2:
        yield Breach(None, 1, 2)


def force(*rows: dict[str, Plain]) -> dict[str, Plain]:
    return {"name": {"en": "One", "it": "Una"}, "units": list(rows)}


@pytest.fixture
def forces(tmp_path: Path) -> AlikeForces:
    (tmp_path / "words").mkdir()
    for tongue in ("en", "it"):
        (tmp_path / "words" / f"{tongue}.json").write_text('{"army.too-few": "{who}: {measured} of {limit}."}', "utf-8")
    return AlikeForces(tmp_path, PROFILES, (too_few,))


def test_forces_of_like_models_are_enlisted_unit_by_unit(forces: AlikeForces) -> None:
    ours = force({"unit": "captain", "name": {"en": "Rosa", "it": "Rosa"}}, {"unit": "rifleman", "size": 2})
    position = table()
    forces.enlist(position, Setup("toy", forces=(ours, ours)))
    assert [unit.name for unit in position.units] == ["Rosa", "rifleman"] * 2
    assert position.unit_side == [0, 0, 1, 1]
    assert [m.name for m in position.models][:3] == ["captain", "rifleman", "rifleman"]


def test_what_is_wrong_with_a_force_is_told_and_stops_it(forces: AlikeForces) -> None:
    assert forces.messages(force({"unit": "captain", "size": 2}), {}) == []
    assert [str(one) for one in forces.messages(force({"unit": "captain"}), {})] == ["The army: 1 of 2. [toy/few]"]
    (stranger,) = forces.messages(force({"unit": "capitan"}), {})
    assert "'capitan'" in stranger
    assert "captain" in stranger
    alone = force({"unit": "captain"})
    with pytest.raises(SetupError, match="toy/few"):
        forces.enlist(table(), Setup("toy", forces=(alone, alone)))


def test_rows_of_a_file_are_structs_by_their_ids() -> None:
    assert rows_from(FOLDER / "profiles.yaml", Profile)["captain"].wounds == 3


# ---------------------------------------------------------------- odds and advice


async def shoot(unit: Unit, target: Unit) -> int:
    hits = await attacks.roll_hits(unit.side, "to-hit", [Need(4)] * 2)
    wounds.take_wounds(units.members(target), hits, "fire")
    return hits


def test_the_odds_of_an_attack_are_what_playing_it_on_copies_comes_to(position: Position) -> None:
    before = position.to_bytes()
    found = forecasts.of_attack(Unit(position, 1), Unit(position, 2), shoot, "toy/hits", "toy/losses")
    assert [(one.kind, one.rule, one.is_main) for one in found.steps] == [
        ("hits", "toy/hits", False),
        ("losses", "toy/losses", True),
    ]
    assert [dict(one.chances) for one in found.steps] == [{0: 0.25, 1: 0.5, 2: 0.25}, {0: 0.25, 1: 0.75}]
    assert (found.actor, found.target, expected(found)) == (1, 3, 0.75)
    assert position.to_bytes() == before


def test_too_many_branches_leave_no_steps(position: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds, "MOST_RUNS", 2_000)

    async def endless(copy: Position) -> int:
        for _ in range(40):
            await roll(0, "die", 3)
        return 0

    found = forecasts.by_playing(position, 0, 3, endless, (forecasts.Counting("hits", "toy/hits", lambda *_: 0),))
    assert (found.steps, found.gap) == ((), "too-many")
    assert expected(found) == 0.0 == expected(None)


def worth(unit: Unit, target: Unit) -> Forecast:
    return Forecast(unit.row, target.row, (), (Step("losses", "toy/losses", ((target.row, 1.0),)),))


def test_an_answer_is_worth_what_its_odds_come_to(position: Position) -> None:
    by_fire = forecasts.AtUnits({"fire": worth})
    question = Choose(0, "fire", [2, None], of="unit", about={"unit": 1})
    assert list(by_odds(by_fire.of_answer)(position, question, question.about)) == [(2, 2.0), (None, 0.0)]
    assert by_fire.of_answer(position, Choose(0, "other", [2]), 2) is None
    assert by_fire.between(position, 1, 3) == [replace(worth(Unit(position, 1), Unit(position, 2)), ways=("fire",))]
    assert by_fire.between(position, 1, 2) == []


def test_units_and_moves_are_worth_what_a_book_says(position: Position) -> None:
    def height(unit: Unit) -> float:
        return max(m.y for m in units.members(unit))

    which = Choose(0, "activate", [0, 2, None], of="unit")
    assert list(by_unit(height)(position, which, {})) == [(0, 4.0), (2, 10.0)]
    stay: Plain = [[[], None], [[], None]]
    up: Plain = [[[[8.0, 6.0]], None], [[], None]]
    about: dict[str, Any] = {"unit": 1, "models": [1, 2]}
    moving: Question = MoveUnit(0, "move", lambda _: None, lambda _: stay, lambda: [stay, up], {}, about)
    assert list(by_ends(height)(position, moving, about)) == [(stay, 4.0), (up, 6.0)]
