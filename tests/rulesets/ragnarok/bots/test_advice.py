"""What a bot that plays nothing through makes of a table: who acts and how, targets of a mission, reactions."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.columns import Effect
from campale.referee.position import Position
from campale.referee.question import Choose
from campale.referee.ruleset import WASTE
from campale.rulesets.ragnarok.bots.advice import acts_of, advise, chances_of, lie_of
from campale.rulesets.ragnarok.bots.prospects import saved
from campale.rulesets.ragnarok.moving.movement import good_paths
from campale.rulesets.ragnarok.shooting.weapon_rules import PLAIN, STEAM
from tests.rulesets.ragnarok.kit import a, piece, table

REACH = a("steam_rifleman").profile.ranged_weapons[0].range


def best(position: Position, prompt: str, side: int = 0, **about: Any) -> Any:
    found = advise(position, Choose(side, prompt, ("any",), about=about), about)
    return max(found, key=lambda one: one[1])[0]


def worths(position: Position, prompt: str, side: int = 0, **about: Any) -> dict[Any, float]:
    return dict(advise(position, Choose(side, prompt, ("any",), about=about), about))


def facing(gap: float, **marks: Any) -> Position:
    return table(a("steam_rifleman", at=(60, 20), **marks), a("raider", 1, at=(60, 20 + gap)))


@pytest.mark.parametrize(("gap", "act"), [(REACH - 2.0, "fire"), (REACH + 8.0, "move")])
def test_whoever_has_an_enemy_in_reach_fires_and_whoever_has_not_goes_nearer(gap: float, act: str) -> None:
    position = facing(gap)
    assert best(position, "action", model=0) == act
    assert best(position, "model") == 0


def test_the_same_again_tires_and_is_worth_less() -> None:
    tables = facing(10), facing(10, **{"used-fire": 1})
    fresh, used = (acts_of(position.model(0), lie_of(position, 0)) for position in tables)
    assert fresh["fire"] > used.get("fire", 0.0)


def test_a_phase_ends_where_nothing_is_worth_doing() -> None:
    position = facing(10)
    position.model(0).mark("charisma", 0)
    assert best(position, "model") in ("end", "hand-out")
    assert ("end", 0.0) in advise(position, Choose(0, "model", ("any",)), {})


def test_the_commander_is_a_better_target_where_he_is_to_be_felled() -> None:
    def worth(mission: str) -> float:
        position = table(a("steam_rifleman", at=(60, 20)), a("raider", 1, at=(60, 40), commander=1), mission=mission)
        return chances_of(position.model(0), lie_of(position, 0).foes)[0].fire

    assert worth("assassination") > worth("extermination") > 0.0


@pytest.mark.parametrize(("gap", "reaction"), [(10.0, "reaction-fire"), (REACH + 20.0, "none")])
def test_a_reaction_is_made_where_something_may_come_of_it(gap: float, reaction: str) -> None:
    position = table(a("raider", at=(60, 20)), a("steam_rifleman", 1, at=(60, 20 + gap)))
    assert best(position, "reaction", side=1, model=1, actor=0) == reaction


def test_what_was_done_already_in_this_turn_tires() -> None:
    def worth(used: int) -> float:
        position = table(a("raider", at=(60, 20)), a("steam_rifleman", 1, at=(60, 30)))
        position.model(1).mark("used-reaction-fire", used)
        about = {"model": 1, "actor": 0}
        return dict(advise(position, Choose(1, "reaction", ("any",), about=about), about))["reaction-fire"]

    assert worth(1) < worth(0)


# ---------------------------------------------------------------- what comes to nothing


@pytest.mark.parametrize(("gap", "is_wasted"), [(REACH, False), (REACH + 0.5, True)])
def test_a_shot_out_of_range_is_wasted(gap: float, is_wasted: bool) -> None:
    """``gap``: between the bases."""
    position = facing(gap + 2.5)
    wasted = [
        worths(position, "action", model=0).get("fire") == WASTE,
        worths(position, "action", model=0).get("suppressive-fire") == WASTE,
        worths(position, "weapon", model=0)[0] == WASTE,
        worths(position, "target", model=0, weapon=0)[1] == WASTE,
        worths(position, "reaction", side=0, model=0, actor=1)["reaction-fire"] == WASTE,
    ]
    assert wasted == [is_wasted] * len(wasted)


def test_of_two_targets_the_one_is_shot_that_stands_to_lose_more() -> None:
    position = table(a("steam_rifleman", at=(60, 20)), a("raider", 1, at=(60, 30)), a("raider", 1, at=(60, 20 + REACH)))
    found = worths(position, "target", model=0, weapon=0)
    assert found[1] > found[2] > 0.0


@pytest.mark.parametrize(("points", "is_wasted"), [(2, False), (1, True)])
def test_who_could_not_shoot_after_it_does_not_aim(points: int, is_wasted: bool) -> None:
    position = facing(10.0, charisma=points)
    assert (worths(position, "action", model=0).get("aim") == WASTE) == is_wasted
    assert worths(facing(10.0, charisma=points, hidden=1), "action", model=0)["aim"] == WASTE


@pytest.mark.parametrize(("gap", "is_wasted"), [(12.0, False), (60.0, True)])
def test_nobody_charges_farther_than_his_dice_can_carry_him(gap: float, is_wasted: bool) -> None:
    position = facing(gap)
    assert (worths(position, "action", model=0).get("charge") == WASTE) == is_wasted
    assert (worths(position, "charge-target", model=0)[1] == WASTE) == is_wasted


def test_full_steam_costs_what_it_may_do_to_the_shooter() -> None:
    """What is gained is the same; a shooter who is worth much has more to fear, but not under Supersteam."""

    def gain(points: float, safe: bool = False) -> float:
        changes = {"points": points, "armour_save": None}
        position = table(a("steam_rifleman", at=(60, 20), changes=changes), a("raider", 1, at=(60, 30)))
        if safe:
            position.begin(Effect("abilities/supersteam", 0, 0, "turn-9", 0))
        about = {"model": 0, "weapon": 0, "target": 1}
        found = dict(advise(position, Choose(0, "doubling", (PLAIN, STEAM), about=about), about))
        return found[STEAM] - found[PLAIN]

    assert gain(1.0) > 0.0 > gain(300.0)
    assert gain(300.0, safe=True) > 0.0


def test_a_commander_does_not_go_ahead_of_his_force() -> None:
    def step(leader: float) -> float:
        others = [a("raider", at=(x, 40.0)) for x in (40.0, 60.0, 80.0)]
        position = table(a("raider", at=(60, leader), commander=1), *others, a("raider", 1, at=(60, 110)))
        return acts_of(position.model(0), lie_of(position, 0)).get("move", 0.0)

    assert step(30.0) > 0.0 == step(50.0)


def test_every_mark_of_fatigue_makes_a_step_shorter() -> None:
    def step(fatigue: int) -> float:
        position = table(a("raider", at=(60, 20), fatigue=fatigue), a("raider", 1, at=(60, 110)))
        return acts_of(position.model(0), lie_of(position, 0)).get("move", 0.0)

    assert step(0) > step(1) > step(2)


# ---------------------------------------------------------------- acts without effect


@pytest.mark.parametrize(("salvoed", "goes"), [(0, True), (1, False)])
def test_nobody_declares_a_move_that_leads_nowhere(salvoed: int, goes: bool) -> None:
    """Who has shot a Salvo only turns."""
    position = facing(REACH + 30.0, salvoed=salvoed)
    assert (best(position, "model") == 0) == goes
    assert (worths(position, "action", model=0).get("move") != WASTE) == goes


def test_who_stands_before_a_building_goes_round_it() -> None:
    """Straight on the model could come no nearer to its enemy: the building is 15 cm wide."""
    position = table(a("raider", at=(60, 52)), a("raider", 1, at=(60, 95)), pieces=[piece("workshop", 60, 60)])
    model = position.model(0)
    for _ in range(6):
        model.move_to(*next(good_paths(model, 8.0)).points[-1][:2])
    assert model.y > 70.0


@pytest.mark.parametrize(("beyond", "is_wasted"), [(0.0, False), (1.0, True)])
def test_nobody_throws_farther_than_the_dice_can_carry(beyond: float, is_wasted: bool) -> None:
    raider = a("raider", at=(60, 10))
    farthest = raider.profile.constitution * 10 + 12
    apart = farthest + beyond + raider.profile.base_radius * 2
    position = table(raider, a("raider", 1, at=(60, 10 + apart)))
    assert (worths(position, "action", model=0).get("fire") == WASTE) == is_wasted
    weapon = next(k for k, one in enumerate(raider.profile.weapons) if one.kind == "thrown")
    assert (worths(position, "weapon", model=0).get(weapon) == WASTE) == is_wasted


def test_who_is_hidden_acts_only_for_more_than_its_hiding_is_worth() -> None:
    plain, hidden = (facing(REACH + 8.0, hidden=one) for one in (0, 1))
    steps = [acts_of(one.model(0), lie_of(one, 0)).get("move", 0.0) for one in (plain, hidden)]
    assert steps[0] > steps[1]


@pytest.mark.parametrize(("of_the_friend", "of_the_captain", "helps"), [(1, 1, True), (0, 2, True), (0, 1, False)])
def test_steam_is_given_while_somebody_can_still_use_it(of_the_friend: int, of_the_captain: int, helps: bool) -> None:
    captain = a("crucible_captain", at=(60, 20), charisma=of_the_captain)
    position = table(
        captain, a("steam_rifleman", at=(64, 20), charisma=of_the_friend), a("raider", 1, at=(60, 35), hidden=1)
    )
    assert ("ability" in acts_of(position.model(0), lie_of(position, 0))) == helps


@pytest.mark.parametrize(("beyond", "helps"), [(6.0, True), (9.0, False)])
def test_steam_is_given_where_it_brings_an_enemy_into_range(beyond: float, helps: bool) -> None:
    """It adds two dice to the range."""
    apart = REACH + beyond + 2.0 * a("raider").profile.base_radius
    position = table(
        a("crucible_captain", at=(60, 20), charisma=1),
        a("steam_rifleman", at=(64, 20), charisma=1),
        a("raider", 1, at=(64, 20 + apart), hidden=1),
    )
    assert ("ability" in acts_of(position.model(0), lie_of(position, 0))) == helps


@pytest.mark.parametrize(
    ("gap", "points", "helps"), [(20.0, 1, True), (20.0, 0, False), (60.0, 1, False), (2.5, 0, True)]
)
def test_a_furious_charge_is_called_for_who_may_charge_or_fights(gap: float, points: int, helps: bool) -> None:
    position = table(
        a("barrow_jarl", at=(60, 20), charisma=1),
        a("raider", at=(64, 20), charisma=points),
        a("raider", 1, at=(64, 20 + gap)),
    )
    assert ("ability" in acts_of(position.model(0), lie_of(position, 0))) == helps


@pytest.mark.parametrize("points", [20.0, 100.0])
def test_a_second_step_is_made_by_the_rested_only_however_dear_they_are(points: float) -> None:
    def goes(fatigue: int) -> bool:
        moved: dict[str, Any] = {"used-move": 1, "fatigue": fatigue}
        one = a("raider", at=(60, 20), changes={"points": points}, **moved)
        position = table(one, a("raider", 1, at=(60, 110)))
        return "move" in acts_of(position.model(0), lie_of(position, 0))

    assert goes(0)
    assert not goes(1)


@pytest.mark.parametrize(("first", "second", "given"), [(10.0, 70.0, 1), (70.0, 10.0, 2)])
def test_points_are_given_to_whom_they_let_act(first: float, second: float, given: int) -> None:
    """Both have moved already; an enemy is in range of the one that is ``10`` away."""
    moved: dict[str, Any] = {"used-move": 1}
    friends = [a("steam_rifleman", at=(x, 90.0 - y), charisma=0, **moved) for x, y in ((60, first), (64, second))]
    position = table(a("crucible_captain", at=(60, 5), commander=1), *friends, a("raider", 1, at=(62, 90.0)))
    found = advise(position, Choose(0, "hand-out-to", (1, 2), "model"), {})
    assert max(found, key=lambda one: one[1])[0] == given


@pytest.mark.parametrize(("side", "hits"), [(0, 3), (1, 2)])
def test_a_shot_in_reaction_is_judged_by_the_number_that_it_needs(side: int, hits: int) -> None:
    """It needs 4+, in reaction 5+: three faces of a die, or two."""
    position = facing(20.0)
    position.now["side"] = side
    about = {"model": 0, "weapon": 0, "target": 1}
    found = dict(advise(position, Choose(0, "doubling", (PLAIN,), about=about), about))[PLAIN]
    foe = position.model(1).profile
    raw = 2 * hits / 6 * (1.0 - saved(foe, 0, by_shield=True))
    assert found == pytest.approx(foe.points * min(1.0, raw / foe.wounds))


def test_who_lies_on_the_ground_draws_nobody() -> None:
    """The nearer enemy is out of action."""
    position = table(a("raider", at=(60, 60)), a("raider", 1, at=(60, 80), wounds=1), a("raider", 1, at=(60, 20)))
    assert next(good_paths(position.model(0), 8.0)).points[-1][1] < 60.0
    position.model(1).mark("wounds", 0)
    assert next(good_paths(position.model(0), 8.0)).points[-1][1] > 60.0


def test_a_rallying_call_needs_somebody_to_rally() -> None:
    for suppressed in (0, 1):
        position = table(
            a("crucible_captain", at=(60, 20), charisma=1),
            a("steam_rifleman", at=(64, 20), charisma=0, suppressed=suppressed),
            a("raider", 1, at=(60, 85)),
        )
        assert ("ability" in acts_of(position.model(0), lie_of(position, 0))) == bool(suppressed)


@pytest.mark.parametrize(
    ("act", "marks", "is_wasted"),
    [
        ("recover", {}, True),
        ("recover", {"fatigue": 1}, False),
        ("recover", {"morale": 1}, False),
        ("recover", {"suppressed": 1}, False),
        ("hide", {"hidden": 1}, True),
        ("hide", {}, False),
        ("alert", {"alert": 1}, True),
        ("alert", {}, False),
    ],
)
def test_what_leaves_a_model_as_it_is_is_wasted(act: str, marks: dict[str, int], is_wasted: bool) -> None:
    found = worths(facing(10, **marks), "action", model=0)
    assert (found.get(act) == WASTE) is is_wasted


@pytest.mark.parametrize(("gap", "reacts"), [(REACH - 2.0, True), (REACH + 2.0, False)])
def test_reaction_fire_is_judged_where_the_declared_path_ends(gap: float, reacts: bool) -> None:
    """The raider stands within reach of the enemy, and its path leads to ``gap`` from it."""
    position = table(a("raider", at=(60, 80)), a("steam_rifleman", 1, at=(60, 90)))
    end = 90.0 - gap - 2.0 * position.model(0).profile.base_radius
    found = worths(position, "reaction", side=1, model=1, actor=0, shown={"route": [[60.0, 80.0], [60.0, end]]})
    assert (found["reaction-fire"] != WASTE) is reacts


@pytest.mark.parametrize(("gap", "is_wasted"), [(REACH - 2.0, False), (REACH + 2.0, True)])
def test_a_weapon_out_of_range_is_not_chosen_to_react_with(gap: float, is_wasted: bool) -> None:
    position = facing(gap + 2.0 * a("raider").profile.base_radius)
    question = Choose(0, "reaction-weapon", (0,), about={"model": 0, "target": 1})
    assert (dict(advise(position, question, question.about))[0] == WASTE) is is_wasted


def test_a_throw_goes_at_the_enemy_that_it_is_likely_to_reach() -> None:
    raider = a("raider", at=(60, 10))
    far = raider.profile.constitution * 10 + 2.0 * raider.profile.base_radius
    position = table(raider, a("raider", 1, at=(60, 10 + far + 12.0)), a("raider", 1, at=(60, 10 + far + 2.0)))
    found = worths(position, "throw-at", model=0)
    assert found[2] == pytest.approx(36.0 * found[1])
    position.model(2).move_to(60.0, 10 + far + 13.0)
    assert worths(position, "throw-at", model=0)[2] == WASTE


def test_a_model_is_not_chosen_for_an_act_that_it_may_not_declare() -> None:
    """Its only act of worth is to recover, which costs two points."""
    for points, worth in ((2, 9.0), (1, -1.0)):
        position = facing(REACH + 30.0, fatigue=2, charisma=points)
        position.model(0).mark("used-move", 9)
        assert worths(position, "model")[0] == worth
