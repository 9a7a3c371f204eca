"""The turn, the activation of squads and models, action points, the list of actions."""

from __future__ import annotations

import pytest

from campale.mechanics.frames import push, stack
from campale.referee.position import Position
from campale.rulesets.wzr.abilities.index import ON_MODEL, give, use, used_by
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.turn.activation import begin_squad
from campale.rulesets.wzr.turn.menu import cannot_take, list_of_actions
from campale.rulesets.wzr.turn.points import points_of
from campale.rulesets.wzr.turn.sequence import PHASES, activate, control, initiative
from campale.rulesets.wzr.wounds.hits import Hit, push_hits
from tests.rulesets.wzr.kit import finish, play, question_after, squad, table, unit, vehicle

covers = pytest.mark.covers

ENEMY = squad(side=1, at=(24, 40))


def basic(*squads: object, **now: object) -> Position:
    """Without cards: nothing but the squads."""
    return table(*squads, options={"advanced": False}, **now)  # type: ignore[arg-type]


@covers("turn/sequence", "turn/initiative", "core/roll-off")
def test_the_higher_die_has_the_initiative_and_says_who_activates_first() -> None:
    position = basic(squad(), ENEMY, phase="initiative")
    assert PHASES == ("initiative", "activation", "control")
    play(initiative(position), "7 7 3 12", [0], position)
    assert (position.now["initiative"], position.now["first"], position.now["phase"]) == (1, 0, "activation")


@covers("turn/activation-order", "turn/sequence")
def test_the_sides_alternate_and_who_has_squads_left_goes_on_alone() -> None:
    position = basic(squad(at=(10, 4)), squad(at=(20, 4)), squad(at=(30, 4)), ENEMY)
    order = []
    for _ in range(4):
        question = question_after(activate(position))
        order.append(question.side)
        row = 3 if question.side else next(r for r in (0, 1, 2) if not unit(position, r).marks(marks.ACTIVATED))
        assert question.refusal(row) is None
        unit(position, row).mark(marks.ACTIVATED, 1)
        position.now["last"] = question.side
    assert order == [0, 1, 0, 0]
    play(activate(position), position=position)
    assert position.now["phase"] == "control"


@covers("turn/squad-activation")
def test_an_activation_goes_through_its_frames_in_the_books_order() -> None:
    position = basic(squad(2), ENEMY)
    begin_squad(position, unit(position, 0))
    kinds = [frame[0] for frame in reversed(stack(position))]
    assert kinds == ["squad-tests", "tactics", "next-model", "squad-ends"]
    finish(position, answers=[0, ["pass"], 1, ["pass"]])
    assert unit(position, 0).marks(marks.ACTIVATED)


@covers("turn/squad-activation", "turn/model-activation")
def test_each_model_acts_once_and_those_that_are_not_named_forfeit() -> None:
    position = basic(squad(3), ENEMY)
    begin_squad(position, unit(position, 0))
    question = finish(position, answers=[1, ["pass"], "enough"]).questions[2]
    assert question.refusal(1) is not None
    assert [m.marks(marks.ACTED) for m in unit(position, 0).models] == [0, 1, 0]


@covers("turn/model-activation", "actions/pass")
def test_one_action_after_another_until_the_ap_are_spent_and_what_is_left_is_lost() -> None:
    position = basic(squad(1), ENEMY)
    push(position, ("model-begins", 0), ("model", 0), ("model-ends", 0))
    finish(position, answers=[["walk", [[[24.0, 12.0]], 0.0]], ["sentry"]])
    model = position.model(0)
    assert (model.y, model.marks(marks.SENTRY), model.marks(marks.AP)) == (12.0, 1, 0)
    assert model.note(marks.DONE) is None
    idle = basic(squad(1), ENEMY)
    push(idle, ("model-begins", 0), ("model", 0), ("model-ends", 0))
    finish(idle, answers=[["pass"]])
    assert idle.model(0).marks(marks.AP) == 0


@covers("turn/model-activation", "core/removal")
def test_a_model_that_falls_in_its_activation_acts_no_more() -> None:
    position = basic(squad(2), ENEMY)
    push(position, ("model-begins", 1), ("model", 1), ("model-ends", 1))
    push_hits(position, [Hit(target=1, by=2)])
    assert finish(position, "20").prompts == []


@covers("turn/action-points", "close-combat/engaged-ap")
def test_two_ap_one_if_engaged_and_never_fewer_than_none() -> None:
    model = basic(squad(1), ENEMY).model(0)
    assert (points_of(model, False), points_of(model, True)) == (2, 1)
    model.mark(marks.AP_LOST, 1)
    assert (points_of(model, False), points_of(model, True)) == (1, 0)
    model.mark(marks.AP_LOST, 3)
    assert points_of(model, False) == 0
    tank = basic(squad(1, vehicle=vehicle("tank", pa=3)), ENEMY).model(0)
    assert (points_of(tank, False), points_of(tank, True)) == (3, 3)
    walker = basic(squad(1, vehicle=vehicle("walker", pa=3)), ENEMY).model(0)
    assert points_of(walker, True) == 1


@covers("turn/squad-activation", "morale/unpin-test")
def test_ap_that_an_activation_would_have_lacked_are_not_carried_into_the_next_one() -> None:
    position = basic(squad(2), ENEMY)
    position.model(1).mark(marks.AP_LOST, 1)
    push(position, ("squad-ends", 0))
    finish(position)
    assert position.model(1).marks(marks.AP_LOST) == 0


@covers("turn/action-once", "actions/list")
def test_each_action_once_but_rest_and_none_that_costs_more_than_is_left() -> None:
    position = basic(squad(1, models={marks.AP: 1}), ENEMY)
    model = position.model(0)
    rules = {}
    for name in ("walk", "run"):
        refusal = cannot_take(model, name)
        rules[name] = "" if refusal is None else refusal.rule
    assert rules == {"walk": "", "run": "turn/action-points"}
    model.jot(marks.DONE, ("walk", "rest"))
    model.mark(marks.STUN, 1)
    assert cannot_take(model, "rest") is None
    model.mark(marks.STUN, 0)
    refusal = cannot_take(model, "walk")
    assert refusal is not None
    assert refusal.rule == "turn/action-once"


@covers("turn/action-once", "abilities/leap", "actions/rapid-fire", "close-combat/trample-move")
@pytest.mark.parametrize(
    ("done", "name", "word"),
    [
        ("walk", "walk", ""),
        ("walk", "leap", "leap-or-walk"),
        ("shoot", "rapid-fire", "one-shot"),
        ("trample", "run", "run-alone"),
        ("run", "trample", "run-alone"),
    ],
)
def test_actions_that_exclude_each_other_say_so(done: str, name: str, word: str) -> None:
    model = basic(squad(1, base="medium", abilities=("leap 4",), models={marks.AP: 2}), ENEMY).model(0)
    model.jot(marks.DONE, (done,))
    refusal = cannot_take(model, name)
    assert refusal is not None
    assert (refusal.rule, refusal.word) == ("turn/action-once", word)


@covers("actions/list", "vehicles/actions-list")
def test_what_each_action_costs_and_whose_list_it_stands_on() -> None:
    actions = list_of_actions()
    costs = {
        **dict.fromkeys(("walk", "shoot", "aim", "sentry", "combat", "cast", "dive", "rest", "spy", "execution"), 1),
        **dict.fromkeys(("run", "charge", "rapid-fire"), 2),
    }
    assert {name: actions[name].cost for name in costs} == costs
    assert cannot_take(basic(squad(1, vehicle=vehicle(), models={marks.AP: 3}), ENEMY).model(0), "walk") is not None
    foot = cannot_take(basic(squad(1, models={marks.AP: 2}), ENEMY).model(0), "tactical")
    assert foot is not None
    assert foot.rule == "vehicles/actions-list"


@covers("close-combat/engaged-ap")
@pytest.mark.parametrize("name", ["run", "sentry", "dive", "spy", "charge"])
def test_whoever_was_engaged_at_the_start_neither_runs_nor_stands_sentry(name: str) -> None:
    position = basic(squad(1, models={marks.AP: 2, marks.BEGAN_ENGAGED: 1}, abilities=("espionage",)), ENEMY)
    refusal = cannot_take(position.model(0), name)
    assert refusal is not None
    assert refusal.rule == "close-combat/engaged-ap"
    assert cannot_take(position.model(0), "walk") is None


@covers("turn/control-phase", "core/durations", "actions/sentry")
def test_in_the_control_phase_sentries_stand_down_and_squads_may_act_again() -> None:
    position = basic(squad(2, models={marks.SENTRY: 1, marks.ACTED: 1}, marks={marks.ACTIVATED: 1}), ENEMY)
    position.gain(0, marks.SPIED, 1)
    play(control(position), position=position)
    assert [m.marks(marks.SENTRY) for m in unit(position, 0).models] == [0, 0]
    assert not unit(position, 0).marks(marks.ACTIVATED)
    assert position.holds(0, marks.SPIED) == 0


@covers("core/stunned", "vehicles/ap-order")
def test_a_vehicle_sheds_its_stun_with_its_ap() -> None:
    position = basic(squad(1, vehicle=vehicle("tank", pa=3), models={marks.STUN: 2}), ENEMY)
    push(position, ("model-begins", 0))
    finish(position, accepting=True)
    assert (position.model(0).marks(marks.STUN), position.model(0).marks(marks.AP)) == (0, 1)


@covers("abilities/duelist", "abilities/hatred", "turn/model-activation")
def test_what_works_once_in_an_activation_works_again_after_that_of_another_model() -> None:
    position = basic(squad(1), squad(1, side=1, at=(24, 40), abilities=("duelist",)))
    use(position.model(1), "duelist")
    push(position, ("model-ends", 0))
    finish(position)
    assert used_by(position.model(1)) == ()


@covers("morale/pinned-effects", "turn/model-activation")
@pytest.mark.parametrize(("pinned", "prompts"), [(0, ["act"]), (1, [])])
def test_a_model_that_is_pinned_in_its_activation_acts_no_more(pinned: int, prompts: list[str]) -> None:
    position = basic(squad(at=(20, 10), models={marks.PINNED: pinned, marks.AP: 1}), squad(side=1, at=(20, 30)))
    push(position, ("model", 0))
    assert finish(position, "", [["pass"]] * len(prompts)).prompts == prompts


@covers("morale/pinned-effects", "close-combat/ccwr-increase")
@pytest.mark.parametrize(("y", "pinned"), [(11.7, 0), (11.71, 1)])
def test_whom_a_lengthened_reach_engages_is_not_pinned_when_his_squad_is_activated(y: float, pinned: int) -> None:
    position = basic(squad(models={marks.PINNED: 1}, at=(24, 10)), squad(side=1, at=(24, y)))
    give(position, "monofilament-blade", ON_MODEL, 1, "")
    begin_squad(position, unit(position, 0))
    assert position.model(0).marks(marks.PINNED) == pinned
