"""Chapter "turn": initiative, the order of phases, the activation of a model."""

from __future__ import annotations

import pytest

from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.turn import sequence
from campale.rulesets.wzr.turn.activation import model_acts, model_ends
from campale.rulesets.wzr.turn.menu import PASS, cannot_take, list_of_actions
from tests.rulesets.wzr.kit import finish, play, squad, table

covers = pytest.mark.covers


@covers("turn/sequence", "turn/initiative", "core/roll-off")
@pytest.mark.parametrize(("dice", "winner"), [("12 11", 0), ("11 12", 1), ("7 7 3 9", 1)])
def test_the_higher_d20_has_the_initiative_and_says_who_activates_first(dice: str, winner: int) -> None:
    position = table(squad(1), squad(1, 1, (24.0, 40.0)), phase="initiative")
    played = play(sequence.initiative(position), dice, [1 - winner], position)
    assert [question.side for question in played.questions if not question.is_chance] == [winner]
    assert (position.now["initiative"], position.now["first"], position.now["phase"]) == (
        winner,
        1 - winner,
        "activation",
    )
    assert [event.values["side"] for event in played.events if event.kind == "opens"] == [1 - winner]


@covers("turn/sequence")
def test_initiative_then_activation_then_control() -> None:
    assert sequence.PHASES == ("initiative", "activation", "control")
    assert sequence.TURNS == 6


@covers("turn/model-activation", "actions/pass")
def test_one_action_after_another_until_the_ap_are_gone_or_it_passes() -> None:
    position = table(squad(1), squad(1, 1, (24.0, 40.0)))
    model = position.model(0)
    model.mark(marks.AP, 2)
    play(model_acts(position, 0), answers=[["walk", [[[24.0, 12.0]], 0.0]]], position=position)
    finish(position, answers=[[PASS]])
    assert (model.at, model.marks(marks.AP)) == ((24.0, 12.0), 0)
    play(model_ends(position, 0), position=position)
    assert model.note(marks.DONE) is None
    assert model.marks(marks.ACTED) == 1


@covers("turn/model-activation")
def test_unspent_ap_are_lost() -> None:
    position = table(squad(1), squad(1, 1, (24.0, 40.0)))
    position.model(0).mark(marks.AP, 1)
    play(model_ends(position, 0), position=position)
    assert position.model(0).marks(marks.AP) == 0
    assert play(model_acts(position, 0), position=position).prompts == []


@covers("actions/list", "turn/action-points")
@pytest.mark.parametrize(
    ("cost", "names"),
    [
        (1, ("walk", "shoot", "aim", "sentry", "combat", "cast", "dive", "rest", "spy", "execution")),
        (2, ("run", "charge", "rapid-fire")),
    ],
)
def test_the_list_of_actions_and_what_they_cost(cost: int, names: tuple[str, ...]) -> None:
    actions = list_of_actions()
    assert {name: actions[name].cost for name in names} == dict.fromkeys(names, cost)


@covers("actions/list", "turn/action-points")
def test_what_is_dearer_than_the_ap_left_is_barred() -> None:
    position = table(squad(1), squad(1, 1, (24.0, 40.0)))
    model = position.model(0)
    model.mark(marks.AP, 1)
    assert cannot_take(model, "walk") is None
    refusal = cannot_take(model, "run")
    assert refusal is not None
    assert refusal.rule == "turn/action-points"
