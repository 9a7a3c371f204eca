"""Chapters "turn", "sequence" and "victory"."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.setup.drawing_up import deploy_question, standing
from campale.rulesets.e3m.assault import result
from campale.rulesets.e3m.assault.moves import may_assault
from campale.rulesets.e3m.battle.missions import (
    attrition,
    counts,
    end_if_wiped_out,
    quarters_held,
    units_at_the_centre,
)
from campale.rulesets.e3m.battle.missions import (
    finish as end_battle,
)
from campale.rulesets.e3m.battle.preparation import (
    choose_mission,
    drawing_up,
)
from campale.rulesets.e3m.command.units import ACTED, LEADS
from campale.rulesets.e3m.fire.kinds import KINDS
from campale.rulesets.e3m.fire.wounds import lose_model
from campale.rulesets.e3m.turn.sequence import (
    BY_NAME,
    STEPS,
    assaulting,
    begin_declarations,
    begin_recovery,
    defending,
    end_turn,
    preparing,
    step,
    tell_idle,
    to_act,
)
from campale.screen.scene import result_of
from campale.table.measure import overlaps_outline
from campale.table.shapes import Circle, Solid
from campale.table.terrain import Piece
from tests.rulesets.e3m.kit import finish, left, model, piece, play, squad, table, unit
from tests.screen.test_scene import teller_of

covers = pytest.mark.covers


# ---------------------------------------------------------------- the turn


@covers("sequence/turn-order", "turn/simultaneous-phases")
@covers("initiative/declarations-use-movement", "initiative/third-draw-scope")
def test_the_steps_of_a_turn_and_where_a_chit_is_drawn() -> None:
    assert [one.name for one in STEPS] == [
        *("recovery", "command", "preparatory", "movement", "declarations", "defensive", "advancing"),
        *("assault", "melees"),
    ]
    assert [one.name for one in STEPS if one.draws] == ["preparatory", "movement", "defensive", "assault"]
    assert [one.name for one in STEPS if one.by_group] == ["movement", "declarations", "assault"]


@covers("turn/alternate-elements", "turn/leftover-elements", "turn/eligible-elements", "turn/no-passing")
def test_elements_alternate_and_the_larger_side_finishes_alone() -> None:
    position = table(
        squad("line-warden", 2, at=(10, 20)),
        squad("line-warden", 2, at=(20, 20)),
        squad("scrapper", 2, side=1, at=(15, 30)),
        squad("scrapper", 2, side=1, at=(25, 30), order="ready"),
    )
    row = BY_NAME["preparatory"]
    assert preparing(position, 1) == [2]
    assert to_act(position, row)[1] == 0
    position.now["last"] = 0
    assert to_act(position, row)[1] == 1
    unit(position, 2).mark("acted", 1)
    assert to_act(position, row)[1] == 0
    unit(position, 0).mark("acted", 1)
    unit(position, 1).mark("acted", 1)
    assert to_act(position, row)[1] is None


@covers("initiative/element-chits", "orders/reveal", "turn/no-passing")
def test_the_element_of_a_chit_opens_and_a_unit_named_shows_its_order() -> None:
    position = table(
        squad("line-warden", 2, at=(10, 20), order=None),
        squad("line-warden", 2, at=(20, 20), order="fire"),
        squad("scrapper", 2, side=1, at=(15, 30)),
        opens=0,
    )
    position.declare("secret-0", ((0, "fire"),))
    play(step(position), answers=[0], position=position)
    assert unit(position, 0).note("order") == "fire"
    assert position.declared["doing"] == (("fire", 0, "preparatory"),)
    play(step(position), answers=[["hold"]], position=position)
    assert unit(position, 0).marks("acted") == 1
    assert (position.now["last"], position.now["opens"]) == (0, -1)


@covers("sequence/step-1-recovery", "sequence/recover-from-ground", "sequence/end-of-turn")
def test_halts_are_lifted_and_markers_cleared() -> None:
    position = table(
        squad("scout", 1, order="halt", marks={"moved": 1, "fired": 1}),
        squad("scout", 1, at=(20, 10), order="retreat"),
        squad("scout", 1, at=(30, 10), order="march"),
    )
    end_turn(position)
    assert position.now["turn"] == 3
    assert [unit(position, row).note("order") for row in range(3)] == ["halt", "retreat", None]
    assert unit(position, 0).marks("moved") == 0
    play(begin_recovery(position))
    assert unit(position, 0).note("order") is None
    assert position.declared["doing"] == (("rally", 1),)


# ---------------------------------------------------------------- victory


@covers("setup/game-length")
def test_a_side_without_models_has_lost_at_once_and_after_six_turns_the_mission_decides() -> None:
    position = table(squad("scout", 1), squad("brawler", 1, side=1, at=(10, 40)), mission="attrition", turn=6)
    end_if_wiped_out(position)
    assert not position.result
    end_turn(position)
    assert position.result
    wiped = table(squad("scout", 1), squad("brawler", 1, side=1, at=(10, 40)))
    lose_model(model(wiped, 1), "fire")
    end_if_wiped_out(wiped)
    assert wiped.result is not None
    assert wiped.result.winner == 0


@covers("victory/scoring-units")
def test_which_units_count() -> None:
    position = table(
        squad("scout", 4),
        squad("scout", 2, at=(10, 10), order="retreat"),
        squad("carrier", at=(50, 30), models={"immobilised": 1}),
    )
    assert [counts(unit(position, row)) for row in range(3)] == [True, False, False]
    for row in (0, 1):
        lose_model(model(position, row), "fire")
    assert counts(unit(position, 0))
    lose_model(model(position, 2), "fire")
    assert not counts(unit(position, 0))


@covers("victory/quarters")
def test_a_quarter_is_held_by_a_unit_wholly_inside_without_the_enemy() -> None:
    position = table(
        squad("scout", 1, at=(10, 10)),
        squad("scout", 1, at=(35.9, 40)),
        squad("scout", 1, at=(50, 10)),
        squad("brawler", 1, side=1, at=(60, 10)),
        squad("brawler", 1, side=1, at=(60, 40)),
    )
    assert [quarters_held(position, side) for side in (0, 1)] == [1, 1]


@covers("victory/centre")
def test_units_within_twelve_inches_of_the_centre_count() -> None:
    position = table(
        squad("scout", 1, at=(48.5, 24)), squad("scout", 1, at=(48.6, 30)), squad("brawler", 1, side=1, at=(36, 24))
    )
    assert [units_at_the_centre(position, side) for side in (0, 1)] == [1, 1]


@covers("victory/attrition")
def test_points_of_the_destroyed_the_routed_and_half_of_the_crippled() -> None:
    position = table(
        squad("scout", 1),
        squad("scrapper", 1, side=1, at=(10, 40)),
        squad("scrapper", 3, side=1, at=(20, 40)),
        squad("clan-wagon", side=1, at=(40, 40), models={"immobilised": 1}),
        squad("brawler", 1, side=1, at=(60, 40), order="retreat"),
        mission="attrition",
    )
    for row in (1, 2, 3):
        lose_model(model(position, row), "fire")
    assert attrition(position, 0) == 11 + 33 // 2 + 112 // 2 + 11
    assert left(position, 2) == 1
    end_battle(position)
    assert position.result is not None
    assert position.result.winner == 0


# ---------------------------------------------------------------- what is asked in which step


@covers("sequence/step-2-command", "hierarchy/leader-loss", "orders/secret-orders")
def test_step_2_attaches_replaces_leaders_and_writes_orders() -> None:
    position = table(
        squad("scout", 1, at=(10, 10), order=None, group=1, models={LEADS: 1}),
        squad("brawler", 1, side=1, at=(30, 40), order=None, group=2, models={LEADS: 2}),
        phase="command",
        begun=0,
    )
    play(step(position))
    assert [frame[0] for frame in reversed(position.declared["doing"])] == [
        *("attach", "attach", "leaders", "orders", "orders-given"),
    ]


@covers("fire/opportunity-order", "fire/opportunity-windows")
def test_at_the_end_of_a_step_ready_units_fire_in_turn_until_both_pass() -> None:
    position = table(
        squad("line-warden", 2, at=(20, 20), order="ready"), squad("scrapper", 2, side=1, at=(20, 34), order="ready")
    )
    position.declare("doing", (("step-end", 1, 0),))
    played = finish(position, "1 1", [1, ["area", [20.5, 20.5, 2]], "nobody"])
    assert [question.side for question in played.questions if question.prompt == "step-end-fire"] == [1, 0]
    assert unit(position, 1).marks("watched") == 1
    assert unit(position, 0).marks("watched") == 0


@covers("fire/opportunity-after-melee")
def test_after_a_melee_the_side_with_the_initiative_is_asked_first() -> None:
    position = table(
        squad("line-warden", 2, at=(20, 20), order="ready"),
        squad("scrapper", 2, side=1, at=(20, 34), order="ready"),
        phase="melees",
        first=1,
    )
    position.declare("doing", (("after-melee",),))
    played = finish(position, "", ["nobody", "nobody"])
    assert [(question.prompt, question.side) for question in played.questions] == [
        *(("step-end-fire", 1), ("step-end-fire", 0)),
    ]


@covers("fire/opportunity-once", "fire/opportunity-windows")
def test_a_unit_that_is_named_and_holds_its_fire_is_not_named_again() -> None:
    position = table(
        squad("line-warden", 2, at=(20, 20), order="ready"), squad("scrapper", 2, side=1, at=(20, 34), order="ready")
    )
    position.declare("doing", (("step-end", 1, 0),))
    played = finish(position, "", [1, ["hold"], 0, ["hold"]])
    asked = [(question.prompt, question.side) for question in played.questions]
    assert asked == [("step-end-fire", 1), ("fire.opportunity", 1), ("step-end-fire", 0), ("fire.opportunity", 0)]
    assert [unit(position, row).marks("watched") for row in (0, 1)] == [1, 1]


@covers("initiative/melee-order", "sequence/step-8-melee", "fire/opportunity-after-melee")
def test_melees_are_picked_in_turn_and_ready_units_may_fire_after_each() -> None:
    position = table(
        squad("scout", 1, at=(10, 20)),
        squad("brawler", 1, side=1, at=(10, 21)),
        squad("scout", 1, at=(30, 20)),
        squad("brawler", 1, side=1, at=(30, 21)),
        phase="melees",
        first=1,
        last=-1,
    )
    play(step(position), answers=[2], position=position)
    assert position.now["last"] == 1
    assert position.declared["doing"] == (("melee", (2, 3)),)
    play(step(position), "1 1 | 1 1 1", accepting=True)
    assert ("after-melee",) in position.declared["doing"]
    play(result.next_melee(position))
    assert position.declared["doing"][-1] == ("melee", (0, 1))


@covers("assault/defensive-fire-effects", "orders/forced-halt-limits")
def test_an_assaulter_that_breaks_or_is_halted_drops_its_assault() -> None:
    for dice in ("3 3", "6 6"):
        position = table(
            squad("scout", 4, at=(20, 20), order="assault"), squad("brawler", 2, side=1, at=(20, 26)), phase="defensive"
        )
        position.declare("assaults", ((0, (1,)),))
        lose_model(model(position, 3), "fire")
        position.declare("doing", (("tests", (), 0),))
        finish(position, dice)
        assert not may_assault(unit(position, 0))


@covers("base-general/model-bases", "general/third-edition-base")
@pytest.mark.parametrize(
    ("kind", "radius"), [("line-warden", 0.5), ("bulwark", 0.8), ("lancer", 0.8), ("runner", 0.5), ("crusher", 1.2)]
)
def test_the_bases_of_men_heavy_troops_cavalry_and_great_creatures(kind: str, radius: float) -> None:
    assert model(table(squad(kind, 1)), 0).profile.shape == Circle(radius)


@covers("fire/kinds")
def test_kinds_of_fire_differ_in_strength_and_in_who_takes_part() -> None:
    full = {name for name, kind in KINDS.items() if not kind.reduced}
    assert full == {"preparatory", "opportunity"}
    assert [kind.name for kind in KINDS.values() if kind.snipes] == ["preparatory"]
    assert [kind.name for kind in KINDS.values() if kind.heavy == "none"] == ["advancing"]


# ---------------------------------------------------------------- who can act in the steps of the assault


@covers("turn/eligible-elements", "sequence/step-5-declaration")
@pytest.mark.parametrize(("marks", "able"), [({"stood": 1}, [1]), ({}, []), ({"stood": 1, "acted": 1}, [])])
def test_whoever_stands_under_a_declaration_may_fire_in_defence(marks: dict[str, int], able: list[int]) -> None:
    position = table(
        squad("scout", 3, at=(20, 20), order="assault"), squad("scrapper", 3, side=1, at=(20, 25), marks=marks)
    )
    position.declare("assaults", ((0, (1,)),))
    assert defending(position, 1) == able
    assert defending(position, 0) == []


@covers("turn/eligible-elements", "sequence/step-7-assault")
def test_groups_with_a_unit_that_may_assault_act_in_step_7() -> None:
    position = table(
        squad("scout", 3, at=(20, 20), order="assault", group=1), squad("scout", 3, at=(40, 20), order="fire", group=2)
    )
    assert assaulting(position, 0) == [1]
    unit(position, 0).mark("acted", 1)
    assert assaulting(position, 0) == []


@covers("vehicles/moved-status")
@pytest.mark.parametrize(("gone", "is_fast"), [(0.0, 0), (4.0, 1)])
def test_what_a_vehicle_did_in_the_turn_before_is_forgotten_if_it_stayed(gone: float, is_fast: int) -> None:
    position = table(squad("carrier", at=(20, 20), models={"fast": 1}))
    model(position, 0).jot("gone", gone)
    play(begin_declarations(position))
    assert model(position, 0).marks("fast") == is_fast


@covers("setup/mission")
@pytest.mark.parametrize(("die", "mission"), [("2", "quarters"), ("3", "centre"), ("4", "centre"), ("5", "attrition")])
def test_a_die_chooses_the_mission_where_none_is_agreed_on(die: str, mission: str) -> None:
    position = table(squad("scout", 1))
    position.now.pop("mission", None)
    play(choose_mission(position), die)
    assert position.now["mission"] == mission
    position.now["mission"] = "centre"
    play(choose_mission(position))
    assert position.now["mission"] == "centre"


@covers("setup/mission")
@pytest.mark.parametrize(("side", "winner"), [(0, 0), (1, 1)])
def test_the_mission_decides_who_has_won(side: int, winner: int) -> None:
    near, far = (36, 24), (70, 46)
    position = table(
        squad("scout", 2, at=near if side == 0 else (2, 2)),
        squad("brawler", 2, side=1, at=near if side == 1 else far),
        mission="centre",
    )
    end_battle(position)
    assert position.result is not None
    assert (position.result.winner, position.result.rule) == (winner, "victory/centre")
    assert position.result.counts == {"score": [1 - side, side]}
    assert (
        result_of(position, teller_of(position))
        == f"The battle is over: {['Red', 'Blue'][winner]} wins (score Red {1 - side}, Blue {side})."
    )


@pytest.mark.parametrize(("name", "shuns"), [("scout", False), ("lancer", True), ("leaper", True), ("jetbike", True)])
def test_difficult_ground_is_proposed_last_to_whom_it_is_dangerous(name: str, shuns: bool) -> None:
    def first(*pieces: Piece) -> list[Solid]:
        own = squad(name, 3, at=[(50, 40), (55, 40), (60, 40)])
        position = table(own, squad("brawler", 1, side=1, at=(5, 5)), pieces=pieces)
        models = unit(position, 0).models
        question = deploy_question(drawing_up(unit(position, 0), models), "deploy", {})
        return standing(models, question.suggestions()[0], 2.0)

    usual = first()
    wood = piece("wood", usual[1].x, usual[1].y)
    assert "difficult" in wood.tags
    assert any(overlaps_outline(one, wood.outline) for one in first(wood)) is not shuns


@covers("turn/no-passing")
@pytest.mark.parametrize(
    ("happens", "lost", "told"),
    [(False, (), [(0, 1)]), (True, (), []), (False, (0,), [(1,)]), (False, (0, 1), [])],
)
def test_the_journal_says_who_was_to_act_and_did_nothing(happens: bool, lost: tuple[int, ...], told: list[Any]) -> None:
    position = table(squad("scout", at=(20, 10)), squad("scout", at=(30, 10)), squad("brawler", side=1, at=(20, 40)))
    for row in lost:
        position.remove(position.model(row), "fire")
    position.reveal("goes", side=0, phase="movement")
    for row in (0, 1):
        unit(position, row).mark(ACTED, 1)
    if happens:
        position.write("fires", unit=0, fire="preparatory")
    tell_idle(position)
    tell_idle(position)
    assert position.journal is not None
    found: list[Any] = [event.values["units"] for event in position.journal.events if event.kind == "idle"]
    assert [tuple(rows) for rows in found] == told
