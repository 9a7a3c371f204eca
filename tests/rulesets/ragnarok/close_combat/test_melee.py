"""The melee: who is in it, the blows of a round, who wins, who is removed, and what the victors do then."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.units import NOBODY
from campale.referee.position import Effect, Position
from campale.rulesets.ragnarok.armies.arsenal import weapon_named
from campale.rulesets.ragnarok.armies.profile import BARE_HANDS
from campale.rulesets.ragnarok.basics.physical import heal
from campale.rulesets.ragnarok.close_combat.charge import onsets
from campale.rulesets.ragnarok.close_combat.engagement import is_engaged, melees, opponents
from campale.rulesets.ragnarok.close_combat.melee import (
    Attack,
    consolidate,
    end_melee,
    fight,
    fight_round,
    melee_phase,
    number_of_dice,
    strike,
    to_hit,
    winner,
)
from campale.rulesets.ragnarok.turn.sequence import melees_and_after
from tests.rulesets.ragnarok.kit import Figure, Played, a, piece, play, table


def fighter(
    side: int, at: tuple[float, float], attacks: int = 1, wounds: int = 1, profile: str = "pathfinder", **more: Any
) -> Figure:
    """ADM 4, a knife, no save: a natural 4 or 5 wounds, a 6 asks for one die more, which is lethal on a 1."""
    return a(profile, side, at, changes={"attacks": attacks, "wounds": wounds}, **more)


def duel(ours: dict[str, Any] | None = None, theirs: dict[str, Any] | None = None, **more: Any) -> Position:
    """One of each side in contact: row 0 and row 1."""
    return table(fighter(0, (60, 60), **(ours or {})), fighter(1, (60, 62.5), **(theirs or {})), phase="melee", **more)


def charged(position: Position, charger: int, target: int, rear: bool = False, sheltered: bool = False) -> Position:
    position.declare("onsets", (*position.declared.get("onsets", ()), (charger, target, rear, sheltered)))
    position.model(charger).mark("charged", 1, quietly=True)
    return position


def on_table(position: Position) -> list[int]:
    return [model.row for model in position.on_table()]


def fallen(position: Position) -> list[int]:
    return [model.row for model in position.on_table() if model.marks("wounds") >= model.profile.wounds]


# ---------------------------------------------------------------- melee/engaged, melee/groups


@pytest.mark.covers("melee/engaged")
@pytest.mark.parametrize(("gap", "engaged"), [(0.0, True), (0.05, True), (0.06, False), (1.0, False)])
def test_opposing_models_in_base_contact_are_engaged(gap: float, engaged: bool) -> None:
    position = table(fighter(0, (60, 60)), fighter(1, (60, 62.5 + gap)), fighter(0, (62.5, 60)))
    assert [is_engaged(model) for model in position.models] == [engaged, engaged, False]
    assert opponents(position.model(0)) == [position.model(1)] * engaged


@pytest.mark.covers("melee/engaged")
def test_contact_with_a_fallen_enemy_is_no_engagement_until_it_is_healed() -> None:
    position = duel()
    position.model(1).mark("wounds", 1)
    assert not is_engaged(position.model(0))
    heal(position.model(1))
    assert is_engaged(position.model(0))


@pytest.mark.covers("melee/groups")
def test_all_models_joined_by_contact_between_enemies_form_one_melee() -> None:
    chain = [fighter(0, (60, 60)), fighter(1, (62.5, 60)), fighter(0, (65, 60)), fighter(1, (67.5, 60))]
    apart = [fighter(0, (20, 20)), fighter(1, (20, 22.5)), fighter(0, (17.5, 20))]
    assert melees(table(*chain, *apart)) == [(0, 1, 2, 3), (4, 5)]


# ---------------------------------------------------------------- melee-phase/all-fight


@pytest.mark.covers("melee-phase/all-fight")
@pytest.mark.parametrize("active", [0, 1])
def test_the_active_player_settles_the_melees_in_the_order_it_prefers(active: int) -> None:
    second = (fighter(0, (20, 20)), fighter(1, (20, 22.5)))
    position = table(fighter(0, (60, 60)), fighter(1, (60, 62.5)), *second, phase="melee", side=active)
    first = play(melee_phase(position), dice="5 | 1", answers=[[2, 3], [2, 3], "no"], position=position)
    assert (first.value, first.questions[0].side, first.questions[0].options()) == (True, active, [(0, 1), (2, 3)])
    assert on_table(position) == [0, 1, 2]
    last = play(melee_phase(position), dice="1 | 5", answers=[[0, 1], "no"], position=position)
    assert "which-melee" not in last.prompts
    assert play(melee_phase(position)).value is False
    assert not any(is_engaged(model) for model in position.models)


@pytest.mark.covers("melee-phase/all-fight", "missions/collapse")
def test_a_side_wiped_out_in_a_melee_has_lost_when_it_is_over() -> None:
    position = duel()
    play(melees_and_after(position), dice="5 | 1", answers=[[0, 1], "no"])
    assert position.result is not None
    assert position.result.winner == 0


# ---------------------------------------------------------------- melee/attack


@pytest.mark.covers("melee/attack")
@pytest.mark.parametrize("attacks", [1, 3])
def test_a_fighter_rolls_its_attacks_and_each_hit_that_is_not_stopped_is_a_wound(attacks: int) -> None:
    position = duel({"attacks": attacks}, {"wounds": 3})
    played = play(strike(position.model(0), [position.model(1)]), dice="4 3 5"[: 2 * attacks - 1])
    assert played.value == [(1, "wound")] * (1 if attacks == 1 else 2)
    assert (played.prompts, played.rolls) == ([], ["melee-to-hit"])


@pytest.mark.covers("melee/attack", "fire/saves")
def test_the_target_saves_hit_by_hit_first_with_the_shield_and_then_with_the_armour() -> None:
    position = duel({"attacks": 3}, {"profile": "raider"})
    played = play(strike(position.model(0), [position.model(1)]), dice="4 4 4 | 5 | 2 6 | 2 3", position=position)
    assert played.value == [(1, "wound")]
    assert played.rolls[1:] == ["shield-save", "shield-save", "armour-save", "shield-save", "armour-save"]


@pytest.mark.covers("melee/attack", "lethal/condition")
def test_a_six_answered_by_a_one_is_lethal() -> None:
    position = duel({"attacks": 2}, {"wounds": 3})
    assert play(strike(position.model(0), [position.model(1)]), dice="6 6 | 1 | 2").value == [
        (1, "lethal"),
        (1, "wound"),
    ]


@pytest.mark.covers("melee/attack")
def test_a_fighter_chooses_its_weapon_and_one_target_just_before_its_dice() -> None:
    ours = fighter(0, (60, 60), adds=["great_hammer"])
    position = table(ours, fighter(1, (60, 62.5)), fighter(1, (62.5, 60)), phase="melee")
    played = play(fight_round(position, (0, 1, 2)), dice="4 | 1 | 1", answers=[[1, 0, 2], "great_hammer", 2])
    assert [question.prompt for question in played.questions] == [
        "strike-order",
        "melee-to-hit",
        "melee-weapon",
        "melee-target",
        "melee-to-hit",
        "melee-to-hit",
    ]
    assert [question.about.get("target") for question in played.questions if question.is_chance] == [0, 2, 0]
    assert fallen(position) == [0]


# ---------------------------------------------------------------- melee/simultaneous


@pytest.mark.covers("melee/simultaneous")
@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_a_model_felled_in_the_round_still_strikes(order: list[int]) -> None:
    position = duel()
    played = play(fight_round(position, (0, 1)), dice="5 | 5", answers=[order])
    assert played.value == (1, 1)
    assert [question.about["fighter"] for question in played.questions if question.is_chance] == order
    assert fallen(position) == [0, 1]


@pytest.mark.covers("melee/simultaneous", "weapon-rules/shield-breaker")
@pytest.mark.parametrize("order", [[0, 2, 1], [2, 0, 1]])
def test_a_shield_broken_in_the_round_is_lost_at_once(order: list[int]) -> None:
    """A hammer and a knife at a raider: where the hammer hits first, the knife meets no shield."""
    hammer = a("pathfinder", 0, (57.5, 60), adds=["great_hammer"])
    raider = a("raider", 1, (60, 60), changes={"wounds": 3, "attacks": 1})
    position = table(hammer, raider, fighter(0, (62.5, 60)), phase="melee")
    first_hammer = order[0] == 0
    script = "5 | 2 | 4 | 2 | 3" if first_hammer else "4 | 2 2 | 5 | 2 | 3"
    played = play(fight_round(position, (0, 1, 2)), dice=script, answers=answers_of(order, "great_hammer", 0, 1))
    assert played.rolls.count("shield-save") == (0 if first_hammer else 1)
    assert position.model(1).marks("shield-lost") == 1


def answers_of(order: list[int], weapon: str, chooser: int, chosen_by_other: int) -> list[Any]:
    """The order of strikes, then the weapon of the one that chooses, and the target of the one between two."""
    later: dict[int, list[Any]] = {chooser: [weapon], chosen_by_other: [0]}
    return [order, *(answer for row in order for answer in later.get(row, []))]


@pytest.mark.covers("weapon-rules/shield-breaker")
@pytest.mark.parametrize(("die", "adm", "breaks"), [(5, 4, True), (4, 4, False), (6, 4, True), (5, 6, False)])
def test_only_a_natural_five_or_six_that_hits_breaks_the_shield(die: int, adm: int, breaks: bool) -> None:
    hammer = a("piston_cuirassier", 0, (60, 60), changes={"attacks": 1, "melee_skill": adm})
    raider = a("raider", 1, (60, 62.75), changes={"armour_save": None})
    position = table(hammer, raider)
    saves = {(5, 4): "", (4, 4): "1", (6, 4): "2", (5, 6): ""}[die, adm]
    play(strike(position.model(0), [position.model(1)]), dice=f"{die} {saves}")
    assert bool(position.model(1).marks("shield-lost")) is breaks


# ---------------------------------------------------------------- melee/modifiers: to hit


def needed(position: Position, weapon: str = "knife", row: int = 0) -> int:
    """The least face that hits."""
    arm = BARE_HANDS if weapon == "bare_hands" else weapon_named(weapon)
    need = to_hit(Attack(position.model(row), position.model(1 - row), arm, onsets(position)))
    return next(face for face in range(1, 7) if need.is_met_by(face))


@pytest.mark.covers("melee/modifiers", "profile/hit-numbers")
def test_without_a_modifier_a_fighter_hits_on_its_skill() -> None:
    assert needed(duel()) == 4
    assert needed(duel({"profile": "barrow_jarl"}), "rune_blade") == 2


@pytest.mark.covers("charge/rear-bonus", "melee/modifiers")
def test_a_charge_in_the_rear_is_one_easier_against_that_target_only() -> None:
    assert needed(charged(duel(), 0, 1, rear=True)) == 3
    assert needed(charged(duel(), 0, 1)) == 4
    assert needed(charged(duel(), 0, 2, rear=True)) == 4
    assert needed(charged(duel(), 0, 1, rear=True), row=1) == 4


@pytest.mark.covers("charge/sheltered-bonus", "melee/modifiers")
def test_who_is_charged_behind_shelter_hits_that_charger_one_easier() -> None:
    assert needed(charged(duel(), 1, 0, sheltered=True)) == 3
    assert needed(charged(duel(), 1, 0)) == 4
    assert needed(charged(duel(), 1, 2, sheltered=True)) == 4
    assert needed(charged(duel(), 1, 0, sheltered=True), row=1) == 4


@pytest.mark.covers("hide/bonus", "melee/modifiers")
def test_a_charge_from_hiding_is_one_easier() -> None:
    assert needed(duel({"from-hiding": 1})) == 3
    assert needed(duel({"from-hiding": 1}), row=1) == 4


@pytest.mark.covers("weapon-rules/long", "vision/front-rear", "melee/modifiers")
@pytest.mark.parametrize(
    ("weapon", "charger", "rear", "number"),
    [("pike", 1, False, 3), ("pike", 1, True, 4), ("knife", 1, False, 4), ("pike", 0, False, 4)],
)
def test_a_long_weapon_helps_a_model_charged_on_its_front(weapon: str, charger: int, rear: bool, number: int) -> None:
    assert needed(charged(duel(), charger, 1 - charger, rear=rear), weapon) == number


@pytest.mark.covers("special/expert", "melee/modifiers")
@pytest.mark.parametrize(("field", "number"), [("martial_arts", 3), ("weapons", 4), ("", 4)])
def test_an_expert_in_martial_arts_hits_one_easier(field: str, number: int) -> None:
    position = table(a("pathfinder", changes={"expert": field}), fighter(1, (60, 62.5)))
    assert needed(position) == number


@pytest.mark.covers("countercharge/basic", "melee/charge-modifiers-last", "melee/modifiers")
@pytest.mark.parametrize(("kind", "number"), [(0, 4), (1, 4), (2, 5)])
def test_a_countercharge_is_one_harder(kind: int, number: int) -> None:
    assert needed(duel({"charged": kind})) == number


@pytest.mark.covers("weapon-rules/unarmed", "melee/modifiers")
def test_bare_hands_are_one_harder_and_used_only_by_whoever_has_nothing_else() -> None:
    assert needed(duel(), "bare_hands") == 5
    position = duel({"profile": "mesmerist"})
    played = play(strike(position.model(0), [position.model(1)]), dice="5")
    assert (played.prompts, played.questions[0].about["weapon"], played.value) == ([], "bare_hands", [])
    armed = duel()
    assert play(strike(armed.model(0), [armed.model(1)]), dice="1").questions[0].about["weapon"] == "knife"


@pytest.mark.covers("prone/melee-penalty", "melee/modifiers")
def test_a_prone_model_hits_one_harder_and_its_enemies_have_no_bonus() -> None:
    assert needed(duel({"prone": 4})) == 5
    assert needed(duel({"prone": 4}), row=1) == 4


@pytest.mark.covers("fatigue/effects", "melee/modifiers")
@pytest.mark.parametrize(("markers", "number"), [(0, 4), (1, 5), (2, 6), (3, 6)])
def test_every_fatigue_marker_is_one_harder_and_a_natural_six_always_hits(markers: int, number: int) -> None:
    assert needed(duel({"fatigue": markers})) == number


@pytest.mark.covers("melee/modifiers")
def test_the_modifiers_add_up() -> None:
    position = charged(duel({"from-hiding": 1, "fatigue": 1, "prone": 4}), 0, 1, rear=True)
    assert needed(position) == 4
    assert needed(charged(duel({"from-hiding": 1}), 0, 1, rear=True)) == 2


# ---------------------------------------------------------------- melee/modifiers: number of dice


def dice_of_attack(position: Position, weapon: str = "knife", dice: str = "") -> int:
    ours, theirs = position.model(0), position.model(1)
    arm = next((one for one in ours.profile.melee_weapons if one.id == weapon), weapon_named("knife"))
    value = play(number_of_dice(Attack(ours, theirs, arm, onsets(position))), dice=dice).value
    assert isinstance(value, int)
    return value


@pytest.mark.covers("melee/attack", "profile/limits")
@pytest.mark.parametrize(("attacks", "count"), [(0, 1), (1, 1), (4, 4)])
def test_a_fighter_has_its_attacks_and_never_less_than_one(attacks: int, count: int) -> None:
    assert dice_of_attack(duel({"attacks": attacks})) == count


@pytest.mark.covers("charge/attack-bonus", "melee/charge-modifiers-last", "melee/modifiers")
@pytest.mark.parametrize(("die", "count"), [(2, 2), (3, 3), (6, 4)])
@pytest.mark.parametrize("kind", [1, 2])
def test_a_charge_or_countercharge_adds_a_d3_that_is_rolled_once(die: int, count: int, kind: int) -> None:
    position = duel({"charged": kind})
    assert dice_of_attack(position, dice=str(die)) == count
    assert dice_of_attack(position) == count


@pytest.mark.covers("charge/attack-bonus", "exploration/points")
def test_a_d3_that_was_bent_to_nothing_is_not_rolled_again() -> None:
    position = duel({"charged": 1})
    position.gain(1, "exploration", 1)
    fighter_of = Attack(position.model(0), position.model(1), weapon_named("knife"), [])
    assert play(number_of_dice(fighter_of), dice="1", answers=[[0, -1]]).value == 1
    assert play(number_of_dice(fighter_of)).value == 1


@pytest.mark.covers("weapon-rules/hand-weapon", "melee/modifiers")
@pytest.mark.parametrize(
    ("adds", "weapon", "count"),
    [
        ([], "knife", 1),
        (["sword"], "knife", 2),
        (["knife"], "knife", 2),
        (["sword", "war_axe"], "knife", 2),
        (["boiler_pistol"], "knife", 2),
        (["great_hammer"], "knife", 1),
        (["great_hammer", "boiler_pistol"], "great_hammer", 1),
    ],
)
def test_a_hand_weapon_combined_with_another_or_a_pistol_adds_one_die_in_all(
    adds: list[str], weapon: str, count: int
) -> None:
    assert dice_of_attack(duel({"adds": adds}), weapon) == count


@pytest.mark.covers("weapon-rules/long", "control-area/off-when-engaged", "melee/modifiers")
@pytest.mark.parametrize(
    ("away", "friend", "count"),
    [(10.0, {}, 2), (10.01, {}, 1), (0.0, {"wounds": 2}, 1), (5.0, {"side": 1}, 1), (5.0, {"profile": "raider"}, 1)],
)
def test_every_able_friend_with_the_same_long_weapon_in_the_area_adds_one_die(
    away: float, friend: dict[str, Any], count: int
) -> None:
    """SN 5: the area reaches 10 cm, though the model is engaged."""
    ours = fighter(0, (60, 60), adds=["pike"])
    other = {"profile": "pathfinder", "side": 0, "adds": ["pike"] if "profile" not in friend else [], **friend}
    position = table(ours, fighter(1, (60, 62.5)), a(other.pop("profile"), at=(57.5 - away, 60), **other))
    if "wounds" in friend:
        position.model(2).mark("wounds", 1)
    charged(position, 1, 0)
    assert dice_of_attack(position, "pike") == count


@pytest.mark.covers("weapon-rules/long", "melee/modifiers")
def test_comrades_add_nothing_without_a_charge_on_the_front() -> None:
    position = table(fighter(0, (60, 60), adds=["pike"]), fighter(1, (60, 62.5)), fighter(0, (57.5, 60), adds=["pike"]))
    assert dice_of_attack(position, "pike") == 1
    assert dice_of_attack(charged(position, 1, 0, rear=True), "pike") == 1
    assert dice_of_attack(charged(position, 1, 0), "knife") == 1


@pytest.mark.covers("abilities/furious-charge", "melee/modifiers")
def test_furious_charge_adds_one_die() -> None:
    position = duel()
    position.begin(Effect("abilities/furious-charge", 0, -1, "turn"))
    assert dice_of_attack(position) == 2


# ---------------------------------------------------------------- weapons: magic and parry


@pytest.mark.covers("weapon-rules/magic-melee", "melee/attack", "dice/order")
def test_a_magic_weapon_rolls_its_misses_again_once() -> None:
    position = duel({"adds": ["rune_blade"], "attacks": 2}, {"wounds": 9})
    played = play(strike(position.model(0), [position.model(1)]), dice="1 4 4 | 5", answers=["rune_blade"])
    assert len(played.value) == 3
    again = play(strike(position.model(0), [position.model(1)]), dice="1 4 3 | 1 3", answers=["rune_blade"])
    assert (len(again.value), again.rolls) == (1, ["melee-to-hit"] * 3)


@pytest.mark.covers("weapon-rules/parry", "lethal/condition")
@pytest.mark.parametrize(
    ("dice", "offers", "answer", "wounds"),
    [
        ("4 5", ["no", 0, 1], 0, 1),
        ("4 5", ["no", 0, 1], 1, 2),
        ("6 1", ["no", 0], 0, 1),
        ("4 4", ["no", 0, 1], "no", 2),
    ],
)
def test_a_parry_takes_one_off_one_die(dice: str, offers: list[Any], answer: Any, wounds: int) -> None:
    """A six that is parried is a five: no die is rolled for a lethal hit."""
    position = duel({"attacks": 2}, {"adds": ["sword"], "wounds": 9})
    played = play(strike(position.model(0), [position.model(1)]), dice=dice, answers=[answer])
    assert (played.questions[-1].side, played.questions[-1].options()) == (1, offers)
    assert len(played.value) == wounds


@pytest.mark.covers("weapon-rules/parry")
def test_nobody_parries_misses_or_without_a_parrying_weapon() -> None:
    position = duel(theirs={"adds": ["sword"]})
    assert play(strike(position.model(0), [position.model(1)]), dice="1").prompts == []
    plain = duel()
    assert play(strike(plain.model(0), [plain.model(1)]), dice="4").prompts == []


@pytest.mark.covers("weapon-rules/parry")
@pytest.mark.parametrize(
    ("adds", "weapon", "parries"),
    [(["sword"], "sword", True), (["sword"], "knife", True), (["sword", "great_hammer"], "great_hammer", False)],
)
def test_the_weapon_that_parries_must_be_chosen_or_combined_with_the_chosen_one(
    adds: list[str], weapon: str, parries: bool
) -> None:
    position = duel(theirs={"adds": adds, "wounds": 3})
    answers = [[1, 0], weapon, *(["no"] * parries)]
    played = play(fight_round(position, (0, 1)), dice="1 1 | 4" if parries else "1 | 4", answers=answers)
    assert ("parry" in played.prompts) is parries


# ---------------------------------------------------------------- melee/winner, melee/tie, melee/all-down


def fought(position: Position, dice: str, answers: list[Any], group: tuple[int, ...] = (0, 1)) -> Played:
    return play(fight(position, group), dice=dice, answers=answers, position=position)


@pytest.mark.covers("melee/winner")
@pytest.mark.parametrize(
    ("fall", "wounds", "side"),
    [((), (2, 1), 0), ((), (1, 2), 1), ((), (0, 0), None), ((0,), (5, 0), 1), ((1,), (0, 5), 0), ((0, 1), (5, 0), -1)],
)
def test_the_last_side_standing_wins_else_the_one_that_wounded_more(
    fall: tuple[int, ...], wounds: tuple[int, int], side: int | None
) -> None:
    position = duel()
    for row in fall:
        position.model(row).mark("wounds", 1)
    assert winner(position, (0, 1), wounds) == side
    assert NOBODY == -1


@pytest.mark.covers("melee/winner", "melee/losers-removed")
@pytest.mark.parametrize(("dice", "left"), [("5 | 1", [0]), ("1 | 5", [1])])
def test_whoever_wounds_more_wins_and_the_loser_is_removed_though_it_could_fight_on(dice: str, left: list[int]) -> None:
    position = duel({"wounds": 3}, {"wounds": 3})
    played = fought(position, dice, [[0, 1], "no"])
    assert on_table(position) == left
    assert [loss.cause for loss in position.losses] == ["lost-melee"]
    cited = {one.kind: one.rules[-1] for one in played.events if one.kind in ("melee", "melee-won")}
    assert cited == {"melee": "melee/groups", "melee-won": "melee/winner"}


@pytest.mark.covers("melee/tie")
@pytest.mark.parametrize("first", ["1 | 1", "5 | 5"])
def test_a_tie_is_fought_again_at_once(first: str) -> None:
    position = duel({"wounds": 3}, {"wounds": 3})
    played = fought(position, f"{first} | 2 | 2 | 4 | 3", [[0, 1], [1, 0], [0, 1], "no"])
    assert played.rolls == ["melee-to-hit"] * 6
    assert on_table(position) == [0]


@pytest.mark.covers("melee/tie")
def test_in_the_next_round_weapon_and_target_may_be_others_and_the_fallen_neither_strike_nor_are_struck() -> None:
    ours = fighter(0, (60, 60), wounds=3, adds=["great_hammer"])
    position = table(ours, fighter(1, (60, 62.5)), fighter(1, (62.5, 60)), phase="melee")
    answers = [[0, 1, 2], "knife", 1, [0, 2], "great_hammer", "no"]
    played = fought(position, "4 | 4 | 1 | 5 | 1", answers, (0, 1, 2))
    assert [question.about["fighter"] for question in played.questions if question.prompt == "melee-to-hit"] == [
        0,
        1,
        2,
        0,
        2,
    ]
    assert on_table(position) == [0]


@pytest.mark.covers("melee/tie")
def test_a_tie_in_which_no_able_enemies_touch_any_more_ends_without_a_loser() -> None:
    row = [fighter(0, (60, 60)), fighter(1, (62.5, 60)), fighter(0, (65, 60)), fighter(1, (67.5, 60))]
    position = table(*row, phase="melee")
    answers = [[0, 1, 2, 3], 2, 1]
    played = fought(position, "1 | 5 | 5 | 1", answers, (0, 1, 2, 3))
    assert (on_table(position), fallen(position)) == ([0, 1, 2, 3], [1, 2])
    assert ("melee-won" in played.kinds, position.losses) == (False, [])


@pytest.mark.covers("melee/all-down", "melee/winner")
def test_when_all_contenders_are_down_the_melee_ends_and_the_fallen_stay() -> None:
    position = duel()
    fought(position, "5 | 5", [[0, 1]])
    assert (on_table(position), fallen(position), position.losses) == ([0, 1], [0, 1], [])


@pytest.mark.covers("melee/all-down", "melee/winner")
def test_what_was_removed_stays_removed_when_all_are_down() -> None:
    position = duel()
    fought(position, "6 1 | 5", [[0, 1]])
    assert (on_table(position), fallen(position)) == ([0], [0])


# ---------------------------------------------------------------- melee/wound-count, melee/multiple-sum


@pytest.mark.covers("melee/wound-count", "melee/multiple-sum")
@pytest.mark.parametrize(("dice", "left"), [("4 4 4", [0]), ("4 1 1", [1, 2])])
def test_wounds_beyond_what_felled_the_target_count_too(dice: str, left: list[int]) -> None:
    """One against two: its blows all fall on row 1, who has one wound; row 2 deals two."""
    ours = fighter(0, (60, 60), attacks=3, wounds=9)
    position = table(ours, fighter(1, (60, 62.5)), fighter(1, (62.5, 60), attacks=2), phase="melee")
    fought(position, f"{dice} | 1 | 4 4", [[0, 1, 2], 1, "no"], (0, 1, 2))
    assert on_table(position) == left


@pytest.mark.covers("melee/wound-count")
def test_a_lethal_hit_counts_one_wound() -> None:
    position = duel({"attacks": 1}, {"wounds": 9})
    assert play(fight_round(position, (0, 1)), dice="6 1 | 1", answers=[[0, 1]]).value == (1, 0)


@pytest.mark.covers("melee/wound-count", "special/bodyguard")
def test_a_wound_taken_by_a_bodyguard_counts_for_the_side_that_dealt_it() -> None:
    ward = fighter(1, (60, 62.5))
    guard = a("piston_cuirassier", 1, (60, 70), notes={"ward": 1}, changes={"armour_save": None})
    position = table(fighter(0, (60, 60), wounds=3), ward, guard, phase="melee")
    played = play(fight_round(position, (0, 1)), dice="5 | 1", answers=[[0, 1], 2])
    assert (played.value, position.model(2).marks("wounds"), position.model(1).marks("wounds")) == ((1, 0), 1, 0)


@pytest.mark.covers("melee/multiple-sum", "melee/losers-removed")
def test_in_a_multiple_combat_all_results_of_a_side_are_added_and_there_is_one_winner() -> None:
    """Rows 0 and 2 deal one wound each, row 1 one: row 2, which lost its own duel, stays; row 1 goes."""
    row = [fighter(0, (60, 60), wounds=3), fighter(1, (62.5, 60), wounds=3), fighter(0, (65, 60), wounds=3)]
    position = table(*row, phase="melee")
    fought(position, "4 | 4 | 4", [[0, 1, 2], 2, [0, 2], "no", "no"], (0, 1, 2))
    assert on_table(position) == [0, 2]
    assert position.model(2).marks("wounds") == 1


@pytest.mark.covers("melee/losers-removed", "melee/multiple-sum")
def test_all_losers_go_unwounded_and_fallen_ones_too_and_the_fallen_of_the_winners_stay() -> None:
    """0 fells 1 and is felled by it; 2 wounds 3; 3 is struck, 5 is not; the sum is 2 to 1."""
    ours = [fighter(0, (60, 60)), fighter(0, (65, 60), wounds=3)]
    theirs = [fighter(1, (62.5, 60)), fighter(1, (67.5, 60), wounds=3), fighter(1, (65, 62.5), wounds=3)]
    position = table(ours[0], theirs[0], ours[1], theirs[1], theirs[2], phase="melee")
    answers = [[0, 1, 2, 3, 4], 0, 3, "no"]
    fought(position, "5 | 5 | 5 | 1 | 1", answers, (0, 1, 2, 3, 4))
    assert (on_table(position), fallen(position)) == ([0, 2], [0])
    assert sorted(loss.model for loss in position.losses) == [1, 3, 4]


@pytest.mark.covers("melee/losers-removed")
def test_models_outside_the_melee_stay() -> None:
    position = table(fighter(0, (60, 60)), fighter(1, (60, 62.5)), fighter(1, (60, 66)), phase="melee")
    fought(position, "5 | 1", [[0, 1], "no"])
    assert on_table(position) == [0, 2]


@pytest.mark.covers("reaction-fire/against-charge", "melee/wound-count", "melee/tie")
@pytest.mark.parametrize(
    ("shots", "first", "rest", "left"),
    [(1, "1 | 1", "", [1]), (0, "1 | 1", "4 | 1", [0]), (1, "4 | 1", "1 | 1 | 4 | 1", [0]), (2, "4 | 1", "", [1])],
)
def test_wounds_of_reaction_fire_at_a_charger_count_in_the_first_round_only(
    shots: int, first: str, rest: str, left: list[int]
) -> None:
    position = duel({"wounds": 9, "shot-in-charge": shots}, {"wounds": 9})
    rounds = {"": 1, "4 | 1": 2, "1 | 1 | 4 | 1": 3}[rest]
    fought(position, f"{first} | {rest}", [*([[0, 1]] * rounds), "no"])
    assert on_table(position) == left


# ---------------------------------------------------------------- melee/charge-modifiers-last


@pytest.mark.covers("melee/charge-modifiers-last", "charge/attack-bonus", "dice/order")
def test_the_bonuses_of_a_charge_hold_in_every_round_and_the_d3_is_rolled_once_before_the_first_blow() -> None:
    position = charged(duel({"wounds": 3, "charged": 1}, {"wounds": 3}), 0, 1, rear=True)
    played = fought(position, "3 | 2 2 2 | 1 | 3 1 1 | 3", [[0, 1], [0, 1], "no"])
    assert played.rolls == ["charge-bonus", *["melee-to-hit"] * 4]
    rolls = [question for question in played.questions if question.prompt == "melee-to-hit"]
    assert [question.extent()["count"] for question in rolls] == [3, 1, 3, 1]
    assert on_table(position) == [0]


@pytest.mark.covers("melee/charge-modifiers-last", "countercharge/basic")
def test_the_penalty_of_a_countercharge_holds_in_every_round() -> None:
    position = duel({"wounds": 3, "charged": 2}, {"wounds": 3})
    fought(position, "1 | 4 4 | 1 | 4 4 | 1 | 5 4 | 1", [[0, 1], [0, 1], [0, 1], "no"])
    assert on_table(position) == [0]


@pytest.mark.covers("melee/charge-modifiers-last")
def test_what_a_charge_brought_is_over_with_the_melee() -> None:
    marks = {"charged": 1, "charge-d3": 3, "from-hiding": 1, "shot-in-charge": 2, "parries": 1, "has-struck": 1}
    position = charged(duel(marks), 0, 1, rear=True)
    end_melee(position, (0, 1))
    assert [position.model(0).marks(name) for name in marks] == [0] * 6
    assert onsets(position) == []


# ---------------------------------------------------------------- melee/consolidation


def consolidating(*others: Figure, **more: Any) -> Position:
    return table(fighter(0, (60, 60), **more), *others, phase="melee")


@pytest.mark.covers("melee/consolidation")
@pytest.mark.parametrize(("end", "is_legal"), [((60, 67), True), ((60, 67.01), False), ((53, 60), True)])
def test_a_victor_may_move_up_to_two_dice_in_any_direction(end: tuple[float, float], is_legal: bool) -> None:
    position = consolidating()
    rule = consolidate(position.model(0))
    if is_legal:
        play(rule, dice="3 4", answers=["yes", [[list(end)], 200]], position=position)
        assert (position.model(0).at, position.model(0).facing) == (end, 200)
    else:
        with pytest.raises(AssertionError, match="move/allowance"):
            play(rule, dice="3 4", answers=["yes", [[list(end)], 0]])


@pytest.mark.covers("melee/consolidation")
def test_it_is_not_compulsory_and_nothing_is_rolled_then() -> None:
    position = consolidating()
    played = play(consolidate(position.model(0)), answers=["no"])
    assert (played.rolls, position.model(0).at) == ([], (60, 60))


@pytest.mark.covers("melee/consolidation")
def test_neither_fatigue_nor_rough_ground_shortens_it_and_it_costs_no_points() -> None:
    position = consolidating(profile="raider", fatigue=3)
    position.ground = position.ground.with_piece(piece("bog", 60, 60))
    played = play(consolidate(position.model(0)), dice="6 6", answers=["yes", [[[60, 72]], 0]], position=position)
    assert (played.rolls, position.model(0).marks("charisma")) == (["consolidation"], 3)
    assert position.model(0).at == (60, 72)


@pytest.mark.covers("melee/consolidation")
@pytest.mark.parametrize(("y", "is_legal"), [(66.5, True), (66.51, False)])
def test_it_keeps_one_centimetre_from_enemies_and_no_enemy_reacts(y: float, is_legal: bool) -> None:
    position = consolidating(fighter(1, (60, 70)))
    answers = ["yes", [[[60, y]], 0]]
    if is_legal:
        played = play(consolidate(position.model(0)), dice="6 6", answers=answers, position=position)
        assert [question.side for question in played.questions] == [0, 0, 0]
    else:
        with pytest.raises(AssertionError, match="move/one-cm"):
            play(consolidate(position.model(0)), dice="6 6", answers=answers)


@pytest.mark.covers("melee/consolidation", "special/immobile")
def test_an_immobile_victor_only_turns() -> None:
    position = consolidating(profile="anvil_turret")
    played = play(consolidate(position.model(0)), answers=[135], position=position)
    assert (played.prompts, played.rolls) == (["facing"], [])
    assert (position.model(0).at, position.model(0).facing) == ((60, 60), 135)


@pytest.mark.covers("melee/consolidation", "weapon-rules/salvo")
@pytest.mark.parametrize(("salvoed", "prompts"), [(0, ["consolidate"]), (1, ["facing"])])
def test_a_victor_that_shot_a_salvo_in_this_turn_only_turns(salvoed: int, prompts: list[str]) -> None:
    position = consolidating(salvoed=salvoed)
    played = play(consolidate(position.model(0)), answers=[135 if salvoed else "no"], position=position)
    assert (played.prompts, played.rolls, position.model(0).at) == (prompts, [], (60, 60))


@pytest.mark.covers("melee/consolidation", "prone/after-melee")
def test_a_prone_victor_is_prone_again_after_it_and_for_no_longer() -> None:
    position = consolidating(prone=4)
    play(consolidate(position.model(0)), dice="1 1", answers=["yes", [[[60, 61]], 0]])
    assert (position.model(0).at, position.model(0).marks("prone")) == ((60, 61), 4)


@pytest.mark.covers("melee/consolidation", "alert/end")
@pytest.mark.parametrize(("answer", "alert"), [("no", 1), ("yes", 0)])
def test_consolidating_ends_the_alert(answer: str, alert: int) -> None:
    position = consolidating(alert=1)
    answers = [answer, [[[60, 61]], 0]] if answer == "yes" else [answer]
    play(consolidate(position.model(0)), dice="1 1" if answer == "yes" else "", answers=answers)
    assert position.model(0).marks("alert") == alert


@pytest.mark.covers("melee/consolidation")
def test_every_able_victor_consolidates_once_in_the_order_of_its_side_and_the_fallen_do_not() -> None:
    ours = [fighter(0, (57.5, 60)), fighter(0, (62.5, 60)), fighter(0, (60, 57.5))]
    position = table(fighter(1, (60, 60)), *ours, phase="melee", side=1)
    answers = [[1, 2, 0, 3], 3, [2, 1], "yes", [[[66, 60]], 0], "no"]
    played = fought(position, "5 | 1 | 5 | 1 | 3 4", answers, (0, 1, 2, 3))
    orders = [(q.prompt, q.side, q.extent()["items"]) for q in played.questions if q.kind == "order"]
    assert orders == [("strike-order", 1, [0, 1, 2, 3]), ("consolidation-order", 0, [1, 2])]
    assert (on_table(position), fallen(position), position.model(2).at) == ([1, 2, 3], [3], (66, 60))


# ---------------------------------------------------------------- missions/assassination


@pytest.mark.covers("missions/assassination", "melee/tie")
@pytest.mark.parametrize(("mission", "is_over"), [("assassination", True), ("extermination", False)])
def test_an_assassination_ends_between_two_rounds_of_a_tied_melee(mission: str, is_over: bool) -> None:
    """The commander falls and takes one wound along: the others would fight on."""
    row = [fighter(0, (60, 60), commander=1), fighter(1, (62.5, 60), wounds=3), fighter(0, (65, 60), wounds=3)]
    position = table(*row, fighter(1, (20, 20), commander=1), phase="melee", mission=mission)
    rest = "" if is_over else "| 1 | 5"
    answers = [[0, 1, 2], 0] if is_over else [[0, 1, 2], 0, [1, 2], "no"]
    fought(position, f"5 | 5 | 1 {rest}", answers, (0, 1, 2))
    assert (position.result is not None) is is_over
    assert position.result is None or position.result.winner == 1


@pytest.mark.covers("missions/assassination", "melee/losers-removed")
def test_a_commander_felled_and_one_removed_as_a_loser_in_the_same_round_are_a_draw() -> None:
    row = [fighter(0, (60, 60), commander=1), fighter(1, (62.5, 60), wounds=9, commander=1)]
    position = table(*row, fighter(0, (65, 60), attacks=3, wounds=3), phase="melee", mission="assassination")
    play(melees_and_after(position), dice="5 | 5 | 5 5 1", answers=[[0, 1, 2], 0])
    assert position.result is not None
    assert position.result.winner is None
