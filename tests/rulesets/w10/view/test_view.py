"""What cards show, what may be measured, how far arms reach (view.cards)."""

from __future__ import annotations

import pytest

from campale.referee.looks import Changed
from campale.referee.position import Unit
from campale.rulesets.w10.abilities.by_hand import PLAYED
from campale.rulesets.w10.armies.setting_out import starters
from campale.rulesets.w10.basics.markers import OBJECTIVE, check_control
from campale.rulesets.w10.basics.units import HOVERS, POINTS, SHOCKED, START
from campale.rulesets.w10.view.cards import arms, card, changes, counts_within, measured, reaches
from campale.rulesets.w10.view.tallying import tally
from campale.rulesets.w10.view.telling import line_shown
from campale.table.terrain import Piece
from tests.rulesets.w10.kit import model, piece, squad, table

covers = pytest.mark.covers

FOOT = 32 / 25.4


@covers("datasheet/model-profile", "core-concepts/faction-keywords")
def test_a_card_has_the_characteristics_in_their_order_and_all_keywords() -> None:
    shown = card(model(table(squad("captain")), 0))
    assert list(shown)[:6] == ["m", "t", "sv", "w", "ld", "oc"]
    assert (shown["m"], shown["sv"], shown["ld"], shown["invulnerable"]) == (6, "3+", "6+", "4+")
    assert shown["keywords"] == ["infantry", "character", "grenades", "line"]
    assert card(model(table(squad("line-squad", m=None)), 0))["m"] == "-"


@covers("core-concepts/measuring", "visibility/visible")
@pytest.mark.parametrize(("pieces", "sees"), [([], True), ([piece("ruins", 30, 16)], False)])
def test_distance_and_sight_may_be_asked_at_any_time(pieces: list[Piece], sees: bool) -> None:
    position = table(squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, (30, 22)), pieces=pieces)
    found = measured(model(position, 0), model(position, 1))
    assert found["distance"] == pytest.approx(12 - FOOT, abs=0.001)
    assert found["sees"] is sees
    assert found["rifle"] == 24


@covers("datasheet/weapon-profile")
def test_every_profile_of_every_weapon_is_told_and_how_far_it_reaches() -> None:
    beast = model(table(squad("beast")), 0)
    told = [(one.id, one.values["range"], one.values["skill"]) for one in arms(beast) if one.table == "weapons"]
    assert told == [("spit", 24, "4+"), ("horns", "melee", "3+"), ("horns", "melee", "3+")]
    assert [(one.reach, one.of) for one in reaches(beast)] == [(24, "spit")]
    titles = [one.title["it"] for one in arms(beast) if one.title and one.id == "horns"]
    assert titles == ["Corna (colpo)", "Corna (falciata)"]


@covers("datasheet/wargear-ability")
def test_abilities_of_the_datasheet_are_told_and_who_plays_them() -> None:
    told = [(one.id, one.values["played"]) for one in arms(model(table(squad("captain")), 0)) if one.table != "weapons"]
    assert told == [("forward", PLAYED)]


@covers("s/objective-range")
def test_the_range_of_a_marker_is_three_inches_from_its_rim() -> None:
    position = table(squad("line-squad"), markers=[(30, 22)])
    assert position.tokens[0].kind == OBJECTIVE
    assert counts_within(position, position.tokens[0]) == pytest.approx(3 + 20 / 25.4)


@covers("datasheet/weapon-profile")
def test_the_numbers_of_a_profile_have_the_letters_of_the_language() -> None:
    walker = model(table(squad("walker")), 0).profile
    cannon = next(weapon for weapon in walker.weapons if weapon.lines[0].range == 18)
    assert line_shown(cannon.lines[0]) == {"en": "18″ A 2 S 9 AP −4 D D6", "it": "18″ A 2 F 9 VP −4 D D6"}


@covers("datasheet/weapon-profile")
def test_abilities_of_a_profile_are_told_with_their_numbers() -> None:
    beast, rifleman = (model(table(squad(name)), 0) for name in ("beast", "line-squad"))
    told = {rule for one in (*arms(beast), *arms(rifleman)) if one.table == "weapons" for rule in one.rules}
    assert {("anti-vehicle", "4+"), ("rapid-fire", "1"), ("devastating-wounds", None)} <= told


@covers("c/controlled", "objectives/end-of-phase-check")
def test_the_tally_counts_points_by_the_price_of_the_unit_and_who_controls_a_marker() -> None:
    position = table(
        squad("line-squad", 3, at=(30, 10)), squad("walker", side=1, at=(30, 40)), markers=[(30, 12), (10, 40)]
    )
    position.now.update(turn=3, first=1)
    Unit(position, 0).mark(POINTS, 80)
    Unit(position, 0).mark(START, 3)
    position.harms = []
    position.harm(position.model(0), 1, "shooting", (3,))
    position.remove(position.model(0), "shooting", 3)
    check_control(position)
    counted = tally(position, starters()[0])
    line, walker = counted.units
    assert (counted.started, counted.rounds) == (1, 2)
    assert (line.points, round(line.points_left, 2), line.models_left, line.objectives) == (80, 53.33, 2, 1)
    assert (line.lost_in, walker.objectives, walker.wounds_dealt > 0) == (None, 0, True)
    assert walker.points_dealt == pytest.approx(line.points_taken)


@covers("command-phase/battle-shocked-effects", "modifiers/unit-characteristic", "core-abilities/hover")
def test_a_card_shows_the_values_of_now_and_the_rules_that_changed_them() -> None:
    position = table(squad("line-squad", 2), squad("captain", side=1, at=(30, 30)))
    one, other = model(position, 0), model(position, 2)
    usual = card(one)
    assert (changes(one), changes(other)) == ({}, {})
    one.unit.mark(SHOCKED, 1)
    assert card(one) == usual | {"oc": 0}
    assert changes(one) == {"oc": Changed(usual["oc"], ("command-phase/battle-shocked-effects",))}
    other.unit.mark(HOVERS, 1)
    assert (card(other)["m"], changes(other)) == (20, {"m": Changed(6, ("core-abilities/hover",))})
    assert card(model(table(squad("line-squad", m=None, ld=None)), 0))["ld"] == "-"
