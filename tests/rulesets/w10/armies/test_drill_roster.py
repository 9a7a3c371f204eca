"""The drill roster as data: datasheets, mustering, army rule and Detachment (training/drill-roster, muster/*)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from campale.referee.reading import FileError
from campale.rulesets.w10.abilities.vocabulary import Ability, check_lent
from campale.rulesets.w10.armies.datasheets import sheets_named
from campale.rulesets.w10.armies.forces import FORCES, Roster, is_in_force
from campale.rulesets.w10.armies.muster import faults
from campale.rulesets.w10.armies.profile import Profile
from campale.rulesets.w10.movement.transports import have_room
from tests.rulesets.w10.kit import model, squad, table

covers = pytest.mark.covers

MARSHAL: dict[str, Any] = {"unit": "marshal", "warlord": True}
STATS = {
    "marshal": (6, 4, 3, 5, 6, 1, 90),
    "mystic": (6, 3, 5, 4, 7, 1, 80),
    "veterans": (6, 4, 3, 2, 7, 2, 100),
    "gunners": (5, 4, 4, 2, 7, 1, 110),
    "riders": (10, 5, 4, 3, 7, 2, 120),
    "wardens": (5, 5, 2, 3, 6, 1, 120),
    "idol": (5, 8, 4, 9, None, 1, 130),
    "great-engine": (10, 11, 3, 14, 7, 4, 200),
}


def drawn(*rows: Any, points: int = 1000, **fields: Any) -> Roster:
    units = [{"unit": one} if isinstance(one, str) else one for one in rows]
    plain = {**FORCES.plain("drill-500"), "points": points, "units": units, **fields}
    found: Roster = FORCES.from_plain(plain)
    return found


def broken(found: Roster) -> set[str]:
    return {one.rule for one in faults(found)}


def profiles_of(found: Roster, name: str) -> tuple[Profile, ...]:
    return next(one.profiles for one in found.units if one.row.unit == name)


# ---------------------------------------------------------------- the sheets


@covers("training/drill-roster", "datasheet/model-profile")
@pytest.mark.parametrize("name", STATS)
def test_the_sheets_are_those_of_the_ledger(name: str) -> None:
    sheet, one = sheets_named("drill").units[name], sheets_named("drill").profiles[name]
    assert (one.m, one.t, one.sv, one.w, one.ld, one.oc, min(sheet.sizes.values())) == STATS[name]
    assert one.faction == ("line",)


@covers("training/drill-roster")
def test_every_ability_says_what_it_does_and_is_played() -> None:
    sheets = sheets_named("drill")
    abilities = [one for row in sheets.units.values() for one in row.rules.values()]
    assert all(one.is_played and (one.lent or one.text) for one in abilities)


@covers("training/drill-roster", "muster/sequence", "t/points-total")
def test_one_of_each_with_two_enhancements_is_a_thousand_points() -> None:
    found = FORCES.named("parade-1000")
    assert {one.row.unit for one in found.units} == set(STATS)
    assert (found.cost, faults(found)) == (1000, ())


@covers("c/unit-champion", "datasheet/wargear-ability")
def test_the_sergeant_is_the_first_and_one_model_has_the_banner() -> None:
    found = profiles_of(drawn(MARSHAL, "veterans"), "veterans")
    assert [one.ld for one in found] == [6, 7, 7, 7, 7]
    assert [one.title["en"] for one in found[:2]] == ["Sergeant", "Veterans"]
    assert ["banner" in one.rules for one in found] == [False, True, False, False, False]
    assert ["last-word" in one.rules for one in found] == [True, False, False, False, False]


@covers("t/wargear-all-models")
@pytest.mark.parametrize(("count", "is_allowed"), [(5, True), (4, False)])
def test_all_veterans_take_carbines_or_none(count: int, is_allowed: bool) -> None:
    found = drawn(MARSHAL, {"unit": "veterans", "weapons": {"short-carbine": count}})
    assert ("t/wargear-all-models" in broken(found)) is not is_allowed


@covers("u/wargear-any-number")
def test_other_options_are_taken_by_as_many_as_one_likes() -> None:
    found = drawn(MARSHAL, {"unit": "line-squad", "size": 10, "weapons": {"plasma-gun": 1}}, mixed=["training"])
    assert broken(found) == set()


@covers("training/drill-roster", "training/use")
def test_the_two_rosters_may_be_mixed() -> None:
    found = drawn(MARSHAL, "captain", mixed=["training"])
    assert (found.cost, broken(found)) == (170, set())
    with pytest.raises(FileError, match="capta"):
        drawn(MARSHAL, "captain")


@covers("transports/capacity")
@pytest.mark.parametrize(("foot", "idols", "is_room"), [(10, 1, True), (11, 1, False), (10, 2, False)])
def test_the_great_engine_has_a_room_of_its_own_for_an_idol(foot: int, idols: int, is_room: bool) -> None:
    position = table(
        squad("great-engine"),
        squad("gunners", foot, at=(5, 30)),
        squad("idol", 1, at=(20, 40)),
        squad("idol", 1, at=(30, 40)),
    )
    riders = [m for m in position.models if m.profile.id == "gunners"]
    riders += [m for m in position.models if m.profile.id == "idol"][:idols]
    assert have_room(model(position, 0).profile, riders) is is_room


# ---------------------------------------------------------------- WARLORD


@covers("d/warlord-must", "d/warlord-cannot", "muster/select-warlord")
def test_the_marshal_must_be_the_warlord_and_the_mystic_cannot() -> None:
    mystic: dict[str, Any] = {"unit": "mystic", "warlord": True}
    assert broken(drawn(MARSHAL, "mystic")) == set()
    assert broken(drawn("marshal", mystic)) == {"d/warlord-cannot", "d/warlord-must"}
    assert broken(drawn(mystic, "gunners")) == {"d/warlord-cannot"}
    assert broken(drawn("marshal", {"unit": "captain", "warlord": True}, mixed=["training"])) == {"d/warlord-must"}


# ---------------------------------------------------------------- Detachment, Enhancements


@covers("keywords/detachment", "muster/faction-detachment", "e/stratagem-labels")
@pytest.mark.parametrize(("extra", "is_drill"), [("great-engine", True), ("captain", False)])
def test_the_detachment_is_in_force_where_all_have_its_keyword(extra: str, is_drill: bool) -> None:
    found = drawn(MARSHAL, extra, "gunners", mixed=["training"])
    assert is_in_force(found) is is_drill
    rules = profiles_of(found, "gunners")[0].rules
    assert "quarry" in rules
    assert ("second-wind" in rules) is is_drill
    assert not drawn(MARSHAL, "gunners", detachment="").detachment


@covers("l/battleline-if", "muster/select-units")
def test_riders_are_battleline_if_the_warlord_is_a_marshal() -> None:
    many = ["riders"] * 4
    assert "muster/select-units" not in broken(drawn(MARSHAL, *many))
    without = drawn({"unit": "captain", "warlord": True}, *many, mixed=["training"])
    assert "muster/select-units" in broken(without)
    assert profiles_of(drawn(MARSHAL, "riders"), "riders")[0].has("battleline")


@covers("muster/enhancements", "t/points-total")
def test_enhancements_cost_points_and_work_for_their_bearer() -> None:
    found = drawn({**MARSHAL, "enhancement": "relic-blade"}, "gunners")
    assert found.cost == 90 + 25 + 110
    assert ["relic-blade" in one.profiles[0].rules for one in found.units] == [True, False]


@covers("muster/enhancements")
def test_enhancements_go_to_characters_each_once() -> None:
    blade = {"enhancement": "relic-blade"}
    assert broken(drawn({**MARSHAL, **blade}, {"unit": "mystic", "enhancement": "second-breath"})) == set()
    assert broken(drawn({**MARSHAL, **blade}, {"unit": "mystic", **blade})) == {"muster/enhancements"}
    assert broken(drawn(MARSHAL, {"unit": "gunners", **blade})) == {"muster/enhancements"}


@covers("keywords/detachment", "muster/enhancements")
def test_those_of_a_detachment_out_of_force_cannot_be_taken() -> None:
    found = drawn({**MARSHAL, "enhancement": "relic-blade"}, "captain", mixed=["training"])
    assert "keywords/detachment" in broken(found)


@covers("muster/enhancements")
def test_more_than_three_are_too_many() -> None:
    leaders = [{**MARSHAL, "enhancement": "relic-blade"}, *({"unit": "mystic", "enhancement": "quartermaster"},) * 3]
    messages = [one for one in faults(drawn(*leaders)) if one.limit == 3]
    assert [one.measured for one in messages] == [4]


@pytest.mark.parametrize("field", ["detachment", "enhancement"])
def test_unknown_names_are_refused(field: str) -> None:
    row = {**MARSHAL, "enhancement": "no-such" if field == "enhancement" else ""}
    with pytest.raises(FileError, match="no-such"):
        drawn(row, detachment="no-such" if field == "detachment" else "parade")


# ---------------------------------------------------------------- what may be said


@pytest.mark.parametrize(
    "plain",
    [
        {"do": [{"returns": "D3"}]},
        {"do": [{"lends": {"until": "phase", "ability": "it"}}]},
        {"moment": "has-shot", "do": [{"act": "dance"}]},
        {"moment": "noon", "do": [{"act": "move"}]},
        {"moment": "has-shot", "lent": True, "do": [{"act": "move"}]},
        {"of": "stratagem", "moment": "chosen-to-fight", "do": [{"act": "move"}]},
        {"labels": ["wargear"], "do": [{"inv": 4}]},
        {"moment": "has-shot", "do": [{"heals": "much"}]},
    ],
)
def test_what_cannot_be_played_is_refused(plain: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"title": {"en": "A", "it": "A"}, **plain}, Ability)


def test_an_ability_lends_only_what_stands_beside_it() -> None:
    title = {"en": "A", "it": "A"}
    lends = {"lends": {"until": "phase", "ability": "other"}}
    giver = msgspec.convert({"title": title, "moment": "command", "do": [lends]}, Ability)
    given = msgspec.convert({"title": title, "lent": True, "do": [{"inv": 4}]}, Ability)
    check_lent({"giver": giver, "other": given})
    for rules in ({"giver": giver}, {"giver": giver, "other": giver}):
        with pytest.raises(ValueError, match="lent"):
            check_lent(rules)


TABLE = {"table": [{"rolled": [1, 6], "do": [{"cp": 1}]}]}
NESTED = {"table": [{"rolled": [1, 6], "do": [TABLE]}]}
SHOOTS_BACK = {"table": [{"rolled": [4, 6], "do": [{"act": "shoot-back"}]}]}


@covers("s/just-after", "core-concepts/sequencing")
@pytest.mark.parametrize(
    ("plain", "is_bounded"),
    [
        ({"moment": "attacked", "do": [{"act": "shoot-back"}]}, False),
        ({"moment": "attacked", "do": [SHOOTS_BACK]}, False),
        ({"moment": "has-fought", "do": [{"act": "fight-alone"}]}, False),
        ({"moment": "movement", "do": [{"act": "set-up-again"}]}, False),
        ({"moment": "attacked", "do": [NESTED]}, False),
        ({"moment": "attacked", "once": "turn", "do": [{"act": "shoot-back"}]}, True),
        ({"moment": "movement", "once": "phase", "do": [{"act": "set-up-again"}]}, True),
        ({"moment": "attacked", "do": [TABLE]}, True),
        ({"moment": "falls", "do": [{"act": "shoot-on-death"}]}, True),
    ],
    ids=str,
)
def test_what_could_go_on_for_ever_says_how_often(plain: dict[str, Any], is_bounded: bool) -> None:
    row = {"title": {"en": "A", "it": "A"}, **plain}
    if is_bounded:
        assert msgspec.convert(row, Ability).do
        return
    with pytest.raises(msgspec.ValidationError, match=r"once|table of its own"):
        msgspec.convert(row, Ability)
