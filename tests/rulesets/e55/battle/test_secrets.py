"""What a side does not see, and what it imagines in its place."""

from __future__ import annotations

from random import Random

import pytest

from campale.conformance.test_views import elsewhere
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.ruleset import Setup, load_ruleset
from campale.referee.view import view, view_bytes
from campale.rulesets.e55.armies import forces
from campale.rulesets.e55.armies.forces import decode, encode
from campale.rulesets.e55.armies.offers import setup_seen_by
from campale.rulesets.e55.armies.setting_out import ROSTER, roster
from campale.rulesets.e55.battle.deployment import LEFT, announced, deploy
from campale.rulesets.e55.battle.holding_back import Note, keep_notes, may_outflank, notes_of
from campale.rulesets.e55.battle.secrets import imagine, next_round, seen_by
from tests.rulesets.e55.battle.test_preparation import before_battle, deployed, mustered, spec
from tests.rulesets.e55.kit import play, question_after, squad, table

RULESET = load_ruleset("e55")
ARMIES = tuple(forces.FORCES.plain(f"{name}-750") for name in ("lantern-guard", "mire-brood"))
THEIRS = (spec("militia", 5, "the-secret-five"), spec("tank", 1, "the-secret-tank"))


def begun(seed: str = "secrets") -> Game:
    return Game(RULESET, Setup("e55", {}, ARMIES, {"points": 750, "scenery": "lot", "cover": "presets"}), seed)


def with_notes(position: Position, side: int = 1, turn: int = 5) -> Position:
    keep_notes(position, side, [Note(((encode(THEIRS[1]), -1),), turn, "west", 1)])
    return position


def bytes_for(side: int | None, position: Position) -> bytes:
    return seen_by(side, position.copy()).to_bytes()


# ---------------------------------------------------------------- seeing


@pytest.mark.covers("10.5/reserve-secrecy")
def test_the_other_side_and_the_public_see_nothing_of_what_is_not_placed() -> None:
    position = with_notes(before_battle(spec("militia"), theirs=THEIRS))
    for side in (0, None):
        assert b"the-secret" not in bytes_for(side, position)
    assert bytes_for(1, position).count(b"the-secret-five") >= 1
    assert notes_of(seen_by(1, position.copy()), 1) == notes_of(position, 1)


@pytest.mark.covers("10.5/reserve-secrecy")
def test_the_set_up_shows_a_side_its_own_army_and_the_public_none() -> None:
    setup = begun().setup
    assert setup_seen_by(0, setup).forces == (ARMIES[0], {})
    assert setup_seen_by(1, setup).forces == ({}, ARMIES[1])
    assert setup_seen_by(None, setup).forces == ({}, {})
    assert setup_seen_by(0, setup).agreed == setup.agreed


@pytest.mark.covers("10.5/reserve-secrecy", "10.5/arrival-secrecy")
def test_units_turns_and_ways_do_not_show() -> None:
    plain, other = before_battle(spec("militia")), before_battle(spec("militia"))
    mustered(plain, 1, *THEIRS)
    mustered(other, 1, spec("biker", 3))
    keep_notes(plain, 1, [])
    with_notes(other)
    for side in (0, None):
        assert bytes_for(side, plain) == bytes_for(side, other)
    assert bytes_for(1, plain) != bytes_for(1, other)


@pytest.mark.covers("10.5/reserve-secrecy")
def test_a_unit_is_seen_once_it_has_been_named() -> None:
    position = before_battle(*THEIRS, theirs=THEIRS)
    play(deploy(position))
    assert seen_by(1, position.copy()).unit_names == []
    play(deploy(position), answers=[1])
    assert [one.name for one in announced(position)] == ["the-secret-tank"]
    seen = seen_by(1, position.copy())
    assert seen.unit_names == ["the-secret-tank"]
    assert roster(seen, 0) == {}


@pytest.mark.covers("10.5/reserve-secrecy")
def test_with_one_unit_left_its_owner_is_asked_all_the_same() -> None:
    """Else it would show that it is the last."""
    position = before_battle(spec("militia"), theirs=THEIRS)
    play(deploy(position))
    assert question_after(deploy(position)).prompt == "deploy-next"


@pytest.mark.covers("10.5/reserve-secrecy")
def test_what_the_sides_write_and_hold_is_in_no_other_view() -> None:
    game = begun()
    words = [encode(unit).encode() for unit in forces.FORCES.from_plain(ARMIES[1]).units]
    rng = Random(3)
    for _ in range(60):
        if game.is_over or game.position.now.get("turn", 0):
            break
        side = rng.choice(game.asked)
        assert side is not None
        assert game.answer(side, game.pending[side].sample(rng)) is None
        for other in (0, None):
            shown = view_bytes(game, other)
            assert not any(word in shown for word in words)
            assert game.position.hand(1, ROSTER)


@pytest.mark.covers("10.5/reserve-secrecy")
def test_the_question_what_to_deploy_is_seen_by_who_is_asked_alone() -> None:
    game = begun()
    while game.position.now["phase"] != "deployment" or len(game.pending) > 1:
        question = game.question
        assert question is not None
        assert game.answer(question.side, question.suggestions()[0]) is None
    (side,) = game.pending
    assert side is not None
    assert view(game, side).question is not None
    assert view(game, 1 - side).question is None


# ---------------------------------------------------------------- imagining


def imagined(position: Position, seed: int = 1, side: int = 0) -> Position:
    return imagine(position.copy(), side, Random(seed))


@pytest.mark.covers("10.5/reserve-secrecy")
def test_what_is_imagined_is_another_army_of_those_that_there_are() -> None:
    position = before_battle(spec("militia"), theirs=THEIRS)
    position.now["points"] = 750
    known = {unit.title["en"] for name in forces.FORCES.names() for unit in forces.FORCES.named(name).units}
    drawn = []
    for seed in range(8):
        units = roster(imagined(position, seed), 1).values()
        assert units
        assert {unit.title["en"] for unit in units} <= known
        assert sum(unit.points for unit in units) <= 750
        drawn.append(tuple(unit.title["en"] for unit in units))
    assert len(set(drawn)) > 4


@pytest.mark.covers("10.5/reserve-secrecy")
def test_what_is_imagined_does_not_hang_on_what_is_true() -> None:
    one, other = before_battle(spec("militia"), theirs=THEIRS), before_battle(spec("militia"), theirs=(spec("biker"),))
    with_notes(other)
    for position in (one, other):
        position.now["points"] = 750
        position.now[LEFT] = (1, 1)
    for seed in range(6):
        assert imagined(one, seed).to_bytes() == imagined(other, seed).to_bytes()


@pytest.mark.covers("10.5/reserve-secrecy")
def test_what_one_holds_oneself_is_not_drawn_anew() -> None:
    position = with_notes(before_battle(*THEIRS, theirs=(spec("biker"),)), side=0)
    position.now["points"] = 750
    assert bytes_for(0, imagined(position)) == bytes_for(0, position)
    assert bytes_for(None, imagined(position)) == bytes_for(None, position)


@pytest.mark.covers("10.5/reserve-secrecy")
def test_points_that_are_on_the_table_already_are_not_imagined_again() -> None:
    position = before_battle(spec("militia"), theirs=THEIRS)
    position.now.update(points=750)
    position.now[LEFT] = (1, 1)
    guard = forces.FORCES.named("lantern-guard-750")
    for unit in guard.units[:4]:
        row = position.add_unit(unit.title["en"], 1)
        for profile in unit.profiles:
            position.add_model(profile.title["en"], profile, 1, row)
    seen = sum(profile.points for unit in guard.units[:4] for profile in unit.profiles)
    known = {
        unit.title["en"] for name in ("750", "1500") for unit in forces.FORCES.named(f"lantern-guard-{name}").units
    }
    for seed in range(6):
        drawn = [*roster(imagined(position, seed), 1).values()]
        drawn += [decode(text) for note in notes_of(imagined(position, seed), 1) for text, _ in note.units]
        assert sum(unit.points for unit in drawn) <= 750 - seen
        assert {unit.title["en"] for unit in drawn} <= known


@pytest.mark.covers("10.5/reserve-secrecy")
@pytest.mark.parametrize("left", [0, 1])
def test_whether_something_is_left_to_deploy_is_known_and_kept(left: int) -> None:
    position = before_battle(spec("militia"), theirs=THEIRS)
    position.now["points"] = 750
    position.now[LEFT] = (1, left)
    for seed in range(6):
        assert bool(roster(imagined(position, seed), 1)) is bool(left)


@pytest.mark.covers("10.5/reserve-secrecy", "10.5/arrival-secrecy")
def test_turns_and_ways_are_drawn_from_those_that_may_still_come() -> None:
    position = with_notes(table(squad("militia"), turn=6, side=0, first=1))
    position.now.update(points=1500)
    position.now[LEFT] = (0, 0)
    notes = [note for seed in range(40) for note in notes_of(imagined(position, seed), 1)]
    assert {note.turn for note in notes} == {4, 5, 6, 7}
    for note in notes:
        assert note.way == "edge" or may_outflank(decode(note.units[0][0]))
    assert {note.way for note in notes} >= {"edge", "west", "east"}


@pytest.mark.parametrize(
    ("turn", "active", "wanted"), [(0, 0, 2), (1, 0, 2), (3, 0, 2), (4, 1, 3), (5, 0, 3), (6, 1, 4), (8, 1, 5)]
)
def test_the_first_turn_for_which_side_1_has_not_rolled(turn: int, active: int, wanted: int) -> None:
    """Side 0 has the first turn; in its own turns side 1 has rolled already."""
    position = table(turn=turn, side=active)
    position.now["let-in"] = turn
    assert next_round(position, 1) == wanted


def test_of_two_battles_that_differ_in_a_secret_both_go_on() -> None:
    """Deployed to the end by what is proposed, whatever the other side has is imagined to be."""
    game = begun("two")
    for number in range(4):
        other = elsewhere(game, 0, Random(number))
        for _ in range(200):
            if other.is_over or other.position.now.get("turn", 0):
                break
            question = other.question
            assert question is not None
            assert other.answer(question.side, question.suggestions()[0]) is None
        assert other.position.now["turn"] == 1


def test_the_deployment_of_an_imagined_position_comes_to_its_end() -> None:
    position = before_battle(spec("militia"), theirs=THEIRS)
    position.now["points"] = 750
    play(deploy(position))
    for seed in range(3):
        other = imagined(position, seed)
        deployed(other, 100)
        assert len({m.side for m in other.on_table()}) == 2
