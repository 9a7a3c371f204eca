"""What words of the rules mean (a/*, c/*, e/*, f/*, k/*, m/*, s/*, t/*, visibility/*)."""

from __future__ import annotations

import msgspec
import pytest

from campale.referee.position import Position
from campale.referee.question import MoveUnit
from campale.rulesets.w10.abilities.effects import Against, best, holds, is_psychic
from campale.rulesets.w10.abilities.index import Carried
from campale.rulesets.w10.abilities.moments import Use
from campale.rulesets.w10.abilities.vocabulary import Ability
from campale.rulesets.w10.armies.profile import Profile
from campale.rulesets.w10.attack.destruction import destroy
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.basics.characteristics import worst
from campale.rulesets.w10.basics.sight import body_of, sees, sees_fully, sees_unit_fully
from campale.rulesets.w10.basics.units import (
    distance,
    has_all_wounds,
    has_each,
    is_below_half,
    is_below_start,
    members,
)
from campale.rulesets.w10.battle.mission import choose_attacker
from campale.rulesets.w10.fight.pile_in import consolidate, touching
from campale.rulesets.w10.lists.abilities import core_ability
from campale.rulesets.w10.movement.moves import advance, blocks_on_foot
from campale.rulesets.w10.movement.reserves import areas_of
from campale.rulesets.w10.movement.transports import has_room
from campale.rulesets.w10.shooting.declaring import renewed
from campale.rulesets.w10.shooting.eligible import guns_of
from campale.rulesets.w10.shooting.targets import Aimed
from campale.table.measure import bounding_radius
from tests.rulesets.w10.kit import PROPOSAL, blade, gun, model, piece, play, shots, squad, table, unit, wounds

covers = pytest.mark.covers

FOOT = 32 / 25.4


# ---------------------------------------------------------------- units and their models


@covers("s/below-starting-strength", "a/all-wounds-remaining", "command-phase/below-half-strength")
def test_a_unit_is_below_its_starting_strength_from_its_first_loss_on() -> None:
    position = table(squad("line-squad", 4), squad("walker", 1, 1, (30, 30)))
    several, single = unit(position, 0), unit(position, 1)
    assert not is_below_start(several)
    assert not is_below_start(single)
    position.remove(model(position, 0), "shooting")
    model(position, 4).mark("wounds", 1)
    assert is_below_start(several)
    assert is_below_start(single)
    assert not is_below_half(several)
    assert not has_all_wounds(model(position, 4))
    assert has_all_wounds(model(position, 1))


@covers("destroyed/unit", "command-phase/attached-destroyed")
def test_a_bodyguard_and_its_leader_are_destroyed_apart() -> None:
    position = table(squad("line-squad", 2), squad("captain", at=(33, 10), leads=0))
    told = []
    for row in (0, 1, 2):
        destroy(model(position, row), "shooting", -1)
        assert position.journal is not None
        told.append([event.values["unit"] for event in position.journal.events if event.kind == "unit-destroyed"])
    assert told == [[], [0], [0, 1]]


@covers("e/unit-equipment")
def test_the_equipment_of_a_unit_is_that_of_all_its_models() -> None:
    position = table(squad("line-squad", 2), squad("captain", at=(33, 10), leads=0))
    assert sorted(one.carried.id for one in guns_of(unit(position, 0))) == ["heavy-pistol", "rifle", "rifle"]


@covers("t/you", "m/firing-model")
def test_you_are_who_controls_the_model_whose_rule_or_shot_it_is() -> None:
    position = table(squad("line-squad"), squad("line-squad", 1, 1, (30, 20)))
    ability = msgspec.convert({"title": {"en": "A", "it": "A"}, "do": [{"inv": 4}]}, Ability)
    assert Use(position, Carried("a", ability, 1), {}).side == 1
    (rifle,) = guns_of(unit(position, 1))
    assert Aimed(rifle, unit(position, 0)).unit == unit(position, 1)


# ---------------------------------------------------------------- keywords


@covers("keywords/adjacent-and")
def test_keywords_next_to_each_other_ask_for_all_of_them() -> None:
    position = table(squad("captain"), squad("line-squad", at=(35, 10)))
    assert [has_each(one, "infantry character") for one in position.units] == [True, False]
    assert [has_each(one, "infantry") for one in position.units] == [True, True]
    assert has_each(unit(position, 1), "")


@covers("keywords/list-or", "transports/capacity")
@pytest.mark.parametrize(("keywords", "fits"), [(("infantry",), True), (("beast",), True), (("mounted",), False)])
def test_a_list_of_keywords_asks_for_one_of_them(keywords: tuple[str, ...], fits: bool) -> None:
    position = table(
        squad("carrier", carries=("infantry", "beast")), squad("line-squad", at=(40, 10), keywords=keywords)
    )
    assert has_room(model(position, 0), [model(position, 1)]) is fits


@covers("a/psychic-tags", "a/psychic-attack", "weapon-abilities/psychic", "a/psychic-without-psyker")
def test_attacks_with_psychic_weapons_are_psychic_attacks_whoever_makes_them() -> None:
    weapons = (gun("bolt", abilities=("psychic",)), gun("rifle"))
    position = table(squad("line-squad", weapons=weapons), squad("line-squad", 1, 1, (30, 20), w=1))
    bolt, rifle = (one.lines[0] for one in weapons)
    assert (is_psychic(bolt), is_psychic(rifle)) == (True, False)
    assert [one.carried.id for one in guns_of(unit(position, 0))] == ["bolt", "rifle"]
    row = {"title": {"en": "A", "it": "A"}, "do": [{"roll": ["hit", "subtract", 1]}], "if": {"psychic": True}}
    ward = Carried("ward", msgspec.convert(row, Ability), 1)
    ways = [Against(unit(position, 0), line, unit(position, 1), 4) for line in (bolt, rifle)]
    assert [holds(ward, one, unit(position, 1)) for one in ways] == [True, False]
    play(resolve(unit(position, 0), shots(position, 0, 1, ["bolt"])), "3 4 1", [], position)
    assert not model(position, 1).is_on_table, "the tag itself does nothing"


@covers("core-abilities/catalogue")
def test_the_core_abilities_of_lists_are_known_by_their_names() -> None:
    written = (
        "Deep Strike",
        'Scouts 6"',
        "Deadly Demise D3",
        "Stealth",
        "Lone Operative",
        "Fights First",
        "Firing Deck 2",
    )
    known = (
        "deep-strike",
        "scouts 6",
        "deadly-demise D3",
        "stealth",
        "lone-operative",
        "fights-first",
        "firing-deck 2",
    )
    assert tuple(map(core_ability, written)) == known
    assert tuple(map(core_ability, ("Hover", "Infiltrators"))) == ("hover", "infiltrators")
    assert core_ability("Blessed Blades") is None


# ---------------------------------------------------------------- rolls


@covers("core-concepts/roll-off")
def test_a_roll_off_is_rolled_again_while_it_is_a_tie() -> None:
    position = table(squad("line-squad"), squad("line-squad", 1, 1, (30, 30)))
    played = play(choose_attacker(position), "3 3 | 5 5 | 2 6", ["south"], position)
    assert position.now["attacker"] == 1
    assert len(played.rolls) >= 3


@covers("modifiers/roll-over-maximum", "movement-phase/advance")
def test_a_roll_may_be_modified_beyond_six() -> None:
    """The Captain adds 1 to the Advance of the unit that he leads: a six is seven inches."""
    position = table(squad("line-squad"), squad("captain", at=(33, 10), leads=0), phase="movement")
    there = [[[[30, 22.9]], None], [[[33, 22.9]], None]]
    played = play(advance(unit(position, 0)), "6", [PROPOSAL], position)
    question = next(one for one in played.questions if isinstance(one, MoveUnit))
    assert question.refusal(there) is None
    assert question.refusal([[[[30, 23.1]], None], [[[33, 22.9]], None]]) is not None


@covers("core-concepts/unmodified", "c/critical-hit", "f/critical-wound")
def test_critical_is_read_off_the_unmodified_die() -> None:
    """Against Stealth a six is no six to be compared, but it is critical: one hit more."""
    weapon = gun("rifle", abilities=("sustained-hits 1",))
    position = table(squad("line-squad", weapons=(weapon,)), squad("scout-team", 1, 1, (30, 20), sv=7))
    play(resolve(unit(position, 0), shots(position, 0, 1)), "6 | 1 1", [], position)
    position = table(squad("line-squad", weapons=(weapon,)), squad("scout-team", 1, 1, (30, 20), sv=7))
    play(resolve(unit(position, 0), shots(position, 0, 1)), "5 | 1", [], position)


@covers("f/wounds-target", "attack/wound-roll")
@pytest.mark.parametrize(("dice", "lost"), [("3 3", 0), ("3 4", 1)])
def test_an_attack_wounds_when_its_wound_roll_succeeds(dice: str, lost: int) -> None:
    position = table(squad("line-squad", weapons=(gun(),)), squad("line-squad", 1, 1, (30, 20), sv=7, w=2))
    save = " 1" if lost else ""
    play(resolve(unit(position, 0), shots(position, 0, 1)), dice + save, [], position)
    assert wounds(position, 1) == lost


# ---------------------------------------------------------------- places, lines, contact


@covers("b/battlefield-edge")
def test_the_battlefield_has_four_edges() -> None:
    position = table(squad("line-squad", where="reserve"), phase="reinforcements", turn=5, round=3)
    unit(position, 0).jot("reserves", "strategic")
    wide, deep = position.ground.width, position.ground.depth
    assert areas_of(unit(position, 0)) == {
        "south": (0.0, 0.0, wide, 6.0),
        "north": (0.0, deep - 6.0, wide, deep),
        "west": (0.0, 0.0, 6.0, deep),
        "east": (wide - 6.0, 0.0, wide, deep),
    }


@covers("s/hull", "c/base-contact-overhang", "s/deploy-overhang", "d/horizontal-vertical")
def test_distances_are_measured_to_the_base_or_to_the_hull_of_who_has_none() -> None:
    """The Flyer's base has 60 mm; the Carrier's hull is 3 by 4.5 inches."""
    foot = squad("line-squad", at=(30, 10))
    hull = table(foot, squad("carrier", 1, 1, (30, 20)))
    assert distance(hull.model(0), hull.model(1)) == pytest.approx(10 - FOOT / 2 - 2.25, abs=0.001)
    base = table(foot, squad("flyer", 1, 1, (30, 20)))
    assert distance(base.model(0), base.model(1)) == pytest.approx(10 - FOOT / 2 - 30 / 25.4, abs=0.001)
    profile: Profile = base.model(1).profile
    assert profile.shape == profile.outline()


@covers("t/draw-line", "core-concepts/line-of-sight")
def test_lines_are_a_millimetre_thick() -> None:
    """A gap of half an inch lets a line through, one of half a millimetre does not."""
    for apart, seen in ((0.5, True), (0.02, False)):
        off = FOOT / 2 + apart / 2
        wall = [squad("line-squad", 6, 1, [(30 + side * (off + FOOT * k), 16) for k in range(3) for side in (1, -1)])]
        position = table(squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, (30, 22)), *wall)
        assert sees(position.model(0), position.model(1)) is seen
        assert bounding_radius(body_of(position.model(2)).shape) == pytest.approx(FOOT / 2 + 0.02)


@covers("c/base-contact", "m/pile-in-move")
@pytest.mark.parametrize(("apart", "rows"), [(0.0, {0}), (0.01, set())])
def test_bases_that_touch_are_in_contact(apart: float, rows: set[int]) -> None:
    position = table(squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, (30, 10 + FOOT + apart)))
    assert touching(unit(position, 0)) == rows


@covers("c/consolidate-without-moving")
def test_who_does_not_move_has_consolidated_without_having_moved() -> None:
    position = table(squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, (30, 10 + FOOT)), phase="fight")
    played = play(consolidate(unit(position, 0)), "", [], position)
    assert played.prompts == []
    assert not unit(position, 0).marks("moved")


@covers("visibility/fully-visible-unit", "visibility/fully-visible-model")
def test_a_unit_is_fully_visible_when_each_of_its_models_is() -> None:
    """One of two stands half behind the ruins."""
    at = [(33.0, 22.0), (30.0, 22.0)]
    position = table(squad("line-squad", at=(30, 10)), squad("line-squad", 2, 1, at), pieces=[piece("ruins", 26, 16)])
    viewer = position.model(0)
    assert [sees(viewer, m) for m in members(unit(position, 1))] == [True, True]
    assert [sees_fully(viewer, m) for m in members(unit(position, 1))] == [True, False]
    assert not sees_unit_fully(viewer, unit(position, 1))
    position.remove(position.model(2), "shooting")
    assert sees_unit_fully(viewer, unit(position, 1))


@covers("visibility/fully-visible-model")
def test_a_model_behind_another_is_not_fully_visible_though_it_is_seen() -> None:
    position = table(
        squad("line-squad", at=(30, 10)), squad("walker", 1, 1, (30, 24)), squad("line-squad", 3, 1, (28.5, 16))
    )
    assert sees(position.model(0), position.model(1))
    assert not sees_fully(position.model(0), position.model(1))


# ---------------------------------------------------------------- b/target-no-longer-eligible


def two_targets() -> Position:
    return table(
        squad("line-squad", weapons=(gun(), blade())),
        squad("line-squad", 1, 1, (30, 20)),
        squad("line-squad", 1, 1, (34, 20)),
    )


@covers("b/target-no-longer-eligible")
def test_a_weapon_whose_target_has_come_out_of_range_may_be_aimed_anew() -> None:
    position = two_targets()
    (one,) = guns_of(unit(position, 0))
    model(position, 1).move_to(30, 40, facing=0.0)
    played = play(renewed(unit(position, 0), [(one, 1)]), "", [[2]], position)
    assert played.value == [(one, 2)]
    assert play(renewed(unit(position, 0), [(one, 1)]), "", [["hold"]], position).value == []


@covers("b/target-no-longer-eligible", "shooting-phase/declared-attacks-stand")
def test_what_is_still_lawful_stands_and_what_finds_no_other_target_is_lost() -> None:
    position = two_targets()
    (one,) = guns_of(unit(position, 0))
    assert play(renewed(unit(position, 0), [(one, 1)]), position=position).value == [(one, 1)]
    for row in (1, 2):
        model(position, row).move_to(30 + row, 40, facing=0.0)
    assert play(renewed(unit(position, 0), [(one, 1)]), position=position).value == []
    position = two_targets()
    (one,) = guns_of(unit(position, 0))
    position.remove(model(position, 1), "shooting")
    assert play(renewed(unit(position, 0), [(one, 1)]), position=position).value == [(one, 1)], "the attacks stand"


# ---------------------------------------------------------------- tokens


@covers("i/token", "i/token-moved")
def test_reminders_are_no_models_and_in_nobodys_way() -> None:
    position = table(squad("line-squad", marks={"smoke": 1, "gone-to-ground": 1}))
    assert len(position.models) == len(position.on_table()) == 1
    assert position.tokens == []


@covers("a/other-unit", "movement-phase/moving-models")
def test_models_of_the_same_datasheet_are_others_to_each_other() -> None:
    position = table(squad("carrier", at=(20, 10)), squad("carrier", at=(30, 10)))
    assert blocks_on_foot(position.model(0), position.model(1))


@covers("o/or-worse", "o/or-better", "l/worst")
def test_of_values_with_a_plus_the_higher_is_worse() -> None:
    assert worst([6, 8, 7]) == 8
    assert best(4, 6, None) == 4
