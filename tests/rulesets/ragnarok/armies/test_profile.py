"""Profiles, weapons, equipment, and the tables they come from."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
import yaml
from jsonschema import Draft202012Validator

from campale.referee.ledgers.ledger import read_ledger
from campale.referee.reading import FileError, Written, shaped
from campale.rulesets.ragnarok.armies import arsenal, profile
from campale.rulesets.ragnarok.armies.arsenal import (
    FACTIONS,
    army_list,
    equipment,
    equipment_named,
    keyword,
    profile_named,
    profiles,
    weapon_named,
    weapons,
)
from campale.rulesets.ragnarok.armies.profile import BARE_HANDS, Profile, Rule, SpecialRule, Weapon, WeaponRule

HERE = Path(arsenal.__file__).parents[1]
LEDGER = read_ledger(HERE / "rules.yaml").entries
FORMS = {
    "Assault weapon": "assault",
    "Armour piercing": "piercing",
    "Magic weapon": "magic",
    "Indirect fire": "indirect",
    "Long weapon": "long",
}


def rows(entry: str) -> list[list[str]]:
    """The rows of a table as the ledger prints it."""
    lines = LEDGER[entry].text.strip().splitlines()[1:]
    return [[cell.strip() for cell in line.split("|")] for line in lines if "|" in line]


def as_printed(rule: Rule) -> str:
    forms = {short: long for long, short in FORMS.items()}
    name = forms.get(rule.name, rule.name.replace("_", " ").capitalize())
    if rule.name in ("shield_breaker", "shield_puller"):
        name = rule.name.replace("_", "-").capitalize()
    return f"{name} {rule.value}" if rule.value else name


def quarters(weight: float) -> str:
    whole, part = divmod(weight, 1)
    fraction = {0.0: "", 0.25: "1/4", 0.5: "1/2", 0.75: "3/4"}[part]
    return " ".join(filter(None, [str(int(whole)) if whole else "", fraction])) or "0"


@pytest.mark.covers("arsenal/weapons", "weapon-profile/fields", "weapon-profile/classes")
@pytest.mark.parametrize("row", rows("arsenal/weapons"), ids=lambda row: row[0])
def test_every_weapon_is_as_the_ledger_prints_it(row: list[str]) -> None:
    weapon = weapon_named(row[0])
    assert weapon.title == {"it": row[1], "en": row[2]}
    assert weapon.kind + (", pistol" if weapon.pistol else "") == row[3]
    assert f"{weapon.range:g}" == row[4].replace("-", "0")
    assert str(weapon.rate) == row[5].replace("-", "0")
    assert quarters(weapon.weight) == row[6]
    assert (", ".join(as_printed(rule) for rule in weapon.rules) or "-") == row[7]
    assert ("not for sale" if weapon.cost is None else str(weapon.cost)) == row[8].split(" (")[0]


@pytest.mark.covers("arsenal/equipment", "equipment-profile/fields")
@pytest.mark.parametrize("row", rows("arsenal/equipment"), ids=lambda row: row[0])
def test_every_piece_of_equipment_is_as_the_ledger_prints_it(row: list[str]) -> None:
    item = equipment_named(row[0])
    assert item.title == {"it": row[1], "en": row[2]}
    assert quarters(item.weight) == row[3]
    assert str(item.cost) == row[5]
    assert (f"shield save {item.shield_save}+" == row[4]) is (item.shield_save is not None)
    assert bool(item.reserved_for) is ("only" in row[4])


@pytest.mark.covers("models/crucible-league", "models/barrow-host", "models/factions", "profile/characteristics")
@pytest.mark.parametrize("faction", FACTIONS)
def test_every_profile_is_as_the_ledger_prints_it(faction: str) -> None:
    listed = army_list(faction).profiles
    printed = rows("models/" + faction.replace("_", "-"))
    assert [row[0] for row in printed] == list(listed)
    for row in printed:
        model = listed[row[0]]
        assert [model.title["it"], model.title["en"]] == row[1:3]
        sort = model.type.replace("_", " ").title()
        assert ("HQ, " if model.is_hq else "") + sort == row[3]
        assert numbers(model) == row[4:15]
        assert sorted(special_rules(model)) == sorted(row[15].replace("player's choice", "choice").split(", "))
        assert (", ".join(one.replace("_", " ") for one in model.abilities) or "-") == row[16].lower()
        assert (", ".join(one.id for one in model.weapons) or "-") == row[17]
        assert (", ".join(one.id for one in model.equipment) or "-") == row[18]
        assert model.faction == faction


def numbers(model: Profile) -> list[str]:
    bonus = f" (+{model.command_bonus})" if model.command_bonus else ""
    return [
        f"{model.movement:g}",
        profile.as_shown(model.shooting_skill),
        profile.as_shown(model.melee_skill),
        *(str(getattr(model, name)) for name in ("constitution", "senses", "wounds", "attacks", "psyche")),
        f"{model.charisma}{bonus}",
        profile.as_shown(model.armour_save),
        str(model.points),
    ]


def special_rules(model: Profile) -> list[str]:
    expert = [f"Expert ({model.expert.replace('_', ' ')})"] if model.expert else []
    return [as_printed(rule) for rule in model.special_rules] + expert or ["-"]


@pytest.mark.covers("models/factions")
@pytest.mark.parametrize("faction", FACTIONS)
def test_each_list_has_a_commander_and_something_to_summon(faction: str) -> None:
    listed = army_list(faction)
    assert any(one.is_hq for one in listed.profiles.values())
    assert listed.of_type("infantry")
    assert listed.of_type("heavy_infantry")


@pytest.mark.covers("models/factions")
def test_a_list_nobody_knows_is_refused_with_those_there_are() -> None:
    with pytest.raises(FileError, match="barrow_host"):
        army_list("iron_kingdom")
    assert army_list("barrow_host").title == {"en": "Barrow Host", "it": "Schiera del Tumulo"}


@pytest.mark.covers("profile/hit-numbers", "profile/armour-number")
@pytest.mark.parametrize(("number", "shown"), [(4, "4+"), (None, "-")])
def test_numbers_to_reach_are_shown_with_a_plus(number: int | None, shown: str) -> None:
    assert profile.as_shown(number) == shown


@pytest.mark.covers("profile/hit-numbers", "weapon-profile/classes")
def test_who_has_no_number_or_no_weapon_does_not_shoot() -> None:
    raider, draugr = profile_named("raider"), profile_named("draugr")
    bomb = weapon_named("hand_bomb")
    assert raider.can_shoot
    assert not draugr.can_shoot
    assert not msgspec.structs.replace(draugr, weapons=(*draugr.weapons, bomb)).can_shoot
    assert not msgspec.structs.replace(raider, weapons=(weapon_named("knife"),)).can_shoot


@pytest.mark.covers("profile/base-and-height")
@pytest.mark.parametrize(
    ("id", "radius", "height"),
    [
        ("crucible_captain", 1.25, 3),
        ("raider", 1.25, 3),
        ("draugr", 1.5, 3.5),
        ("anvil_turret", 2, 4),
        ("iron_raven", 2, 4),
    ],
)
def test_base_and_height_follow_the_type(id: str, radius: float, height: float) -> None:
    assert (profile_named(id).base_radius, profile_named(id).height) == (radius, height)
    assert profile.lying_height() == 1


@pytest.mark.covers("profile/limits")
def test_values_stop_at_their_least() -> None:
    assert [profile.limited_movement(m) for m in (2.5, 0, -0.1)] == [2.5, 0, 0]
    assert [profile.limited_melee_dice(n) for n in (2, 1, 0, -3)] == [2, 1, 1, 1]
    assert [profile.limited_range(r) for r in (10, 0, -0.1)] == [10, 0, 0]


@pytest.mark.covers("weapon-profile/classes")
def test_weapons_are_told_apart_by_class() -> None:
    raider, rifleman = profile_named("raider"), profile_named("steam_rifleman")
    assert [one.id for one in rifleman.ranged_weapons] == ["steam_musket"]
    assert [one.id for one in raider.ranged_weapons] == []
    assert [one.id for one in raider.thrown_weapons] == ["throwing_axe"]
    assert [one.id for one in raider.melee_weapons] == ["war_axe", "bare_hands"]


@pytest.mark.covers("weapon-rules/unarmed", "arsenal/weapons")
def test_everybody_has_bare_hands() -> None:
    assert all(one.melee_weapons[-1] is BARE_HANDS for one in profiles().values())
    assert BARE_HANDS.has("unarmed")
    assert profile_named("anvil_turret").melee_weapons == (BARE_HANDS,)


@pytest.mark.covers("equipment-profile/shield-save")
def test_the_better_of_two_shields_is_the_one_used() -> None:
    raider = profile_named("raider")
    both = (equipment_named("small_shield"), equipment_named("large_shield"), equipment_named("medkit"))
    for order in (both, both[::-1]):
        shield = msgspec.structs.replace(raider, equipment=order).shield
        assert shield is not None
        assert shield.shield_save == 5
    assert profile_named("mesmerist").shield is None


@pytest.mark.covers("opt-weight/limit")
def test_basic_things_weigh_too() -> None:
    assert profile_named("raider").weight_carried == 2.5
    assert profile_named("iron_raven").weight_carried == 0


def test_things_carried_are_found_by_id() -> None:
    mesmerist = profile_named("mesmerist")
    assert mesmerist.carries("medkit")
    assert mesmerist.carries("boiler_pistol")
    assert not mesmerist.carries("toolkit")


def test_keywords_are_asked_by_name() -> None:
    mortar = weapon_named("spring_mortar")
    assert mortar.has("indirect")
    assert not mortar.has("steam")
    assert (mortar.value("blast"), mortar.value("piercing"), mortar.value("salvo")) == (4, 1, 0)
    raven = profile_named("iron_raven")
    assert raven.has("flyer")
    assert not raven.has("scout")
    assert (raven.value("flyer"), raven.value("scout")) == (24, 0)


def test_every_weapon_rule_and_special_rule_is_on_something() -> None:
    used = {rule.name for weapon in weapons().values() for rule in weapon.rules}
    assert used == set(get_args(WeaponRule))
    assert {rule.name for one in profiles().values() for rule in one.special_rules} == set(get_args(SpecialRule))


@pytest.mark.parametrize(
    ("named", "id"), [(profile_named, "raider"), (weapon_named, "sword"), (equipment_named, "medkit")]
)
def test_shared_things_copy_and_compare_as_values(named: Any, id: str) -> None:
    thing = named(id)
    assert thing == copy.copy(thing) == pickle.loads(pickle.dumps(thing))
    assert hash(thing) == hash(copy.copy(thing))
    assert msgspec.json.decode(msgspec.json.encode(thing), type=type(thing)) == thing


def test_a_value_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        profile_named("raider").points = 1  # type: ignore[misc]


@pytest.mark.parametrize("written", ["piercing two", "piercing -1", "swift", ""])
def test_a_keyword_that_is_none_is_refused(written: str) -> None:
    with pytest.raises(FileError, match="is not a rule with its number"):
        keyword(written, get_args(WeaponRule), "long_rifle")


def test_ids_that_nothing_has_are_refused_with_advice() -> None:
    with pytest.raises(FileError, match="Did you mean 'raider'"):
        profile_named("rider")
    with pytest.raises(FileError, match="Did you mean 'sword'"):
        weapon_named("swrd")
    with pytest.raises(FileError, match="Did you mean 'lantern'"):
        equipment_named("lanterns")


@pytest.mark.parametrize(
    ("file", "schema"),
    [
        ("arsenal.yaml", "arsenal.schema.json"),
        ("lists/crucible_league.yaml", "lists/army-list.schema.json"),
        ("lists/barrow_host.yaml", "lists/army-list.schema.json"),
    ],
)
def test_the_tables_keep_to_their_schema_and_cite_the_ledger(file: str, schema: str) -> None:
    content = yaml.safe_load((HERE / file).read_text("utf-8"))
    rule_book = json.loads((HERE / schema).read_text("utf-8"))
    Draft202012Validator.check_schema(rule_book)
    assert list(Draft202012Validator(rule_book).iter_errors(content)) == []
    tables = [content[key] for key in ("weapons", "equipment", "profiles") if key in content]
    sources = {row["source"] for table in tables for row in table.values()}
    assert sources | set(content["rules"]) <= set(LEDGER)


def test_a_wrong_row_of_a_table_is_explained() -> None:
    content = yaml.safe_load((HERE / "arsenal.yaml").read_text("utf-8"))
    content["weapons"]["sword"] |= {"rules": ["swift"], "rate": "fast"}
    with pytest.raises(FileError) as error:
        shaped(Written("mine", content, {}), arsenal.ArsenalFile, HERE / "arsenal.schema.json")
    rate, rules = sorted(error.value.messages)
    assert "weapons.sword.rate: 'fast' is not a whole number" in rate
    assert "weapons.sword.rules[1]: 'swift' does not have the right form" in rules


def test_lookups_are_shared() -> None:
    assert equipment() is equipment()
    assert isinstance(weapons()["pike"], Weapon)
    assert weapons()["pike"] is profile_named("draugr").weapons[0]
