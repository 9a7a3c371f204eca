"""Army lists and forces: reading them, and what may be fielded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
import yaml
from jsonschema import Draft202012Validator

from campale.mechanics.armies.faults import ArmyFault
from campale.mechanics.armies.files import ForceError
from campale.mechanics.armies.rows import Title
from campale.referee.reading import FileError
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.spoken import told
from campale.rulesets.e55.armies import arsenal as arms
from campale.rulesets.e55.armies import profile
from campale.rulesets.e55.armies.army import ARMIES
from campale.rulesets.e55.armies.army_lists import (
    ListFile,
    OptionRow,
    army_list,
    extended,
    rearmed,
)
from campale.rulesets.e55.armies.arsenal import ArsenalFile, arsenal
from campale.rulesets.e55.armies.battles import starters
from campale.rulesets.e55.armies.forces import FORCES, Force, ForceFile, decode, encode
from campale.rulesets.e55.armies.profile import Profile, SpecialRule, Subtype, Type, WeaponRule
from campale.rulesets.e55.battle import scenery
from campale.rulesets.e55.view import cards

HERE = Path(arms.__file__).parents[1]
TITLE = {"en": "Test", "it": "Prova"}
BUILT_OF = ("lantern-guard", "mire-brood")


def written(*units: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A good file with its units, and some of its keys changed."""
    return {"ruleset": "e55", "name": TITLE, "list": "samples", "points": 500, "units": list(units), **changes}


def force(*units: dict[str, Any], **changes: Any) -> Force:
    return FORCES.from_plain(written(*units, **changes), "mine")


def broken(*units: dict[str, Any], **changes: Any) -> list[str]:
    return [one.rule for one in ARMIES.faults(force(*units, **changes))]


def refused(content: dict[str, Any] | str | bytes) -> str:
    """The messages."""
    with pytest.raises(ForceError) as error:
        FORCES.from_text(json.dumps(content, indent=1) if isinstance(content, dict) else content, "mine")
    assert all(message.startswith("mine") for message in error.value.messages)
    return "\n".join(error.value.messages)


def weapons_of(one: Profile) -> list[str]:
    return [weapon.id for weapon in one.weapons]


# ---------------------------------------------------------------- the lists


def everything() -> list[Profile]:
    """Every model that the shipped forces field."""
    return [one for name in FORCES.names() for unit in FORCES.named(name).units for one in unit.profiles]


@pytest.mark.covers("10/armies")
def test_the_shipped_forces_use_every_type_rule_and_weapon_rule() -> None:
    models = everything()
    lines = [line for one in models for weapon in one.weapons for line in cards.lines_of(weapon)]
    assert {one.type for one in models} == set(get_args(Type))
    assert {kind for one in models for kind in one.subtypes} == set(get_args(Subtype))
    assert {found.name for one in models for found in one.rules} == set(get_args(SpecialRule))
    assert {found.name for line in lines for found in line.rules} == set(get_args(WeaponRule))
    assert {line.reach for line in lines} == set(get_args(profile.Reach))
    assert {item for one in models for item in one.equipment} == set(get_args(profile.Equipment))
    kinds = {power.kind for one in models for power in one.powers}
    assert kinds == {"shooting", "ward", "haste", "dread", "smite", "overrun"}


@pytest.mark.covers("10/armies")
def test_they_also_use_what_profiles_may_have_besides() -> None:
    models = everything()
    weapons = [weapon for one in models for weapon in one.weapons]
    assert any(weapon.charges and weapon.awake for weapon in weapons)
    assert any(len(weapon.lines) > 1 for weapon in weapons)
    assert any(one.fire_points for one in models)
    assert any(one.riders > 1 for one in models)
    assert any(one.cover_save for one in models)
    assert any(one.invulnerable_save for one in models)
    assert any((one.ld or 0) >= 11 for one in models)
    assert any(one.structure > 3 for one in models)
    units = [unit for name in FORCES.names() for unit in FORCES.named(name).units]
    assert any(unit.aboard is not None for unit in units)
    assert any(unit.bought_with is not None for unit in units)
    assert any(len(unit.profiles) > 1 and unit.profiles[0].type == "vehicle" for unit in units)
    words = {word for one in models for word in one.keywords}
    assert {found.of for one in models for found in one.rules if found.name == "favoured-enemy"} <= words


@pytest.mark.parametrize("name", BUILT_OF)
def test_every_unit_of_a_list_can_be_fielded_and_is_named_in_both_languages(name: str) -> None:
    known = army_list(name)
    used = {known.units[one.unit].profile for one in FORCES.named(f"{name}-1500").bought}
    assert used == {one.profile for one in known.units.values()}
    assert all(set(one.title) == {"en", "it"} for one in known.profiles.values())
    assert all(set(one.title.in_both) == {"en", "it"} for one in known.units.values())


def test_a_unit_that_names_what_there_is_not() -> None:
    base = army_list("samples")
    unit = {"title": TITLE, "profile": "veteran", "least": 1, "most": 5}
    option = {"title": TITLE, "gives": ["rifle"], "most": 1}
    for change, said in (
        ({"profile": "veteren"}, "Did you mean 'veteran'"),
        ({"also": [{"profile": "houn"}]}, "Did you mean 'hound'"),
        ({"options": {"x": {**option, "into": "sergent"}}}, "Did you mean 'sergeant'"),
        ({"options": {"x": {**option, "gives": ["riffle"]}}}, "Did you mean 'rifle'"),
        ({"least": 6}, "'most' \\(5\\) is less than 'least' \\(6\\)"),
    ):
        content = {"list": "x", "title": TITLE, "rules": [], "profiles": {}, "units": {"new": {**unit, **change}}}
        with pytest.raises(FileError, match=said):
            extended(base, {}, msgspec.convert(content, ListFile).units)
    with pytest.raises(FileError, match="Did you mean 'samples'"):
        army_list("sample")


@pytest.mark.parametrize(
    ("path", "shape", "schema"),
    [
        (HERE / "arsenal.yaml", ArsenalFile, HERE / "arsenal.schema.json"),
        *(
            (HERE / "lists" / f"{name}.yaml", ListFile, HERE / "lists" / "army-list.schema.json")
            for name in (*BUILT_OF, "samples")
        ),
        *(
            (path, ForceFile, HERE / "forces" / "force.schema.json")
            for path in sorted((HERE / "forces").glob("*.yaml"))
        ),
        *(
            (path, scenery.Layout, HERE / "layouts" / "layout.schema.json")
            for path in sorted((HERE / "layouts").glob("*.yaml"))
        ),
    ],
    ids=lambda one: one.stem if isinstance(one, Path) else "",
)
def test_the_files_keep_to_their_schemas_and_the_schemas_say_what_is_read(
    path: Path, shape: type, schema: Path
) -> None:
    described = json.loads(schema.read_text("utf-8"))
    Draft202012Validator.check_schema(described)
    assert not list(Draft202012Validator(described).iter_errors(yaml.safe_load(path.read_text("utf-8"))))
    parts = msgspec.json.schema(shape)["$defs"]
    top = parts.pop(shape.__name__)
    assert set(described["properties"]) == set(top["properties"])
    assert {name: set(one["properties"]) for name, one in described["$defs"].items()} == {
        name: set(one["properties"]) for name, one in parts.items()
    }


# ---------------------------------------------------------------- units


@pytest.mark.covers("10/armies", "1.1/unit")
def test_a_unit_has_its_models_in_the_order_of_the_roster_leaders_first_and_arms_last() -> None:
    (unit,) = force(
        {"unit": "keepers", "size": 5, "options": {"warden": 1, "fist": 1, "flamethrower": 1}}, list="lantern-guard"
    ).units
    assert [one.id for one in unit.profiles] == ["keeper-warden", *["keeper"] * 4]
    assert [weapons_of(one) for one in unit.profiles] == [
        ["power-fist", "sidearm"],
        *[["rifle"]] * 3,
        ["flamethrower"],
    ]
    assert unit.points == sum(one.points for one in unit.profiles)
    assert unit.title == {"en": "Keepers", "it": "Custodi"}
    assert all("lantern" in one.keywords and "lantern-guard" in one.keywords for one in unit.profiles)


@pytest.mark.covers("10/armies")
def test_a_unit_is_of_the_least_size_unless_told_and_has_what_always_comes_with_it() -> None:
    (unit,) = force({"unit": "marsh-hounds"}, list="mire-brood").units
    assert [one.id for one in unit.profiles] == ["marsh-hound"] * 4 + ["hound-keeper"]


def test_an_option_for_all_is_had_by_all_of_its_profile() -> None:
    (unit,) = force(
        {"unit": "quay-watch", "size": 8, "options": {"boatswain": 1, "rifles": 1}}, list="lantern-guard"
    ).units
    assert [weapons_of(one) for one in unit.profiles] == [["sidearm", "blade"], *[["rifle"]] * 7]


def test_a_weapon_exchanged_sits_where_the_old_one_sat_and_changes_the_points() -> None:
    walker = army_list("lantern-guard").profiles["stilt-walker"]
    gun = profile.Mount(arsenal().weapons["machine-gun"])
    other = rearmed(walker, (gun,), ("beam-gun",))
    assert weapons_of(other) == ["machine-gun", "dreadnought-weapon"]
    assert other.points != walker.points
    tank = army_list("lantern-guard").profiles["breakwater"]
    assert rearmed(tank, (gun,), ("field-cannon",)).mounts[0].is_turret


@pytest.mark.parametrize(
    ("option", "size", "limit"),
    [
        (OptionRow(title=Title("a", "b"), most=2), 20, 2),
        (OptionRow(title=Title("a", "b"), per=5), 9, 1),
        (OptionRow(title=Title("a", "b"), per=5), 10, 2),
        (OptionRow(title=Title("a", "b"), all=True), 7, 7),
    ],
)
def test_how_many_models_may_have_an_option(option: OptionRow, size: int, limit: int) -> None:
    assert option.limit(size) == limit


def test_a_unit_goes_to_a_text_and_back() -> None:
    for name in FORCES.names():
        for unit in FORCES.named(name).units:
            text = encode(unit)
            assert decode(text) == unit
            assert decode(text) is decode(text)
            assert len(text) < 6000


def test_a_unit_knows_where_it_starts() -> None:
    named = force(
        {"unit": "captain", "joins": "mine"},
        {"unit": "veterans", "id": "mine", "aboard": "carrier"},
        {"unit": "carrier"},
    )
    assert [(one.aboard, one.bought_with) for one in named.units] == [(None, 1), (2, None), (None, None)]
    assert not ARMIES.faults(named)


# ---------------------------------------------------------------- what may be fielded


@pytest.mark.covers("10/armies")
@pytest.mark.parametrize("name", FORCES.names())
def test_the_shipped_forces_may_be_fielded(name: str) -> None:
    ready = FORCES.named(name)
    assert ARMIES.faults(ready) == ()
    assert 0.95 * ready.points <= ready.cost <= ready.points
    models = sum(len(unit.profiles) for unit in ready.units)
    assert models <= 75 if ready.points == 1500 else models <= 45


@pytest.mark.covers("10/armies")
def test_the_points_agreed_may_be_reached_and_not_passed() -> None:
    ready = force({"unit": "veterans", "size": 5})
    assert ARMIES.faults(ready, ready.cost) == ()
    (found,) = ARMIES.faults(ready, ready.cost - 1)
    assert (found.rule, found.measured, found.limit, found.who) == ("10/armies", ready.cost, ready.cost - 1, "")
    assert str(ready.cost) in found.text["it"]


@pytest.mark.covers("10/armies")
@pytest.mark.parametrize(("size", "found"), [(4, ["10/armies"]), (5, []), (10, []), (11, ["10/armies"])])
def test_sizes(size: int, found: list[str]) -> None:
    assert broken({"unit": "veterans", "size": size}) == found


@pytest.mark.covers("10/armies")
@pytest.mark.parametrize(("count", "found"), [(1, []), (2, ["10/armies"])])
def test_so_many_of_an_option(count: int, found: list[str]) -> None:
    assert broken({"unit": "keepers", "size": 9, "options": {"flamethrower": count}}, list="lantern-guard") == found
    assert broken({"unit": "veterans", "size": 9, "options": {"leader": count}}) == found


@pytest.mark.covers("10/armies")
def test_an_option_needs_somebody_who_can_have_it() -> None:
    fist = {"unit": "keepers", "options": {"fist": 1}}
    assert broken({**fist, "options": {"fist": 1, "warden": 1}}, list="lantern-guard") == []
    (found,) = ARMIES.faults(force(fist, list="lantern-guard"))
    assert (found.measured, found.limit, found.who) == (1, 0, "Keepers")


@pytest.mark.covers("7.10/capacity")
@pytest.mark.parametrize(("size", "found"), [(9, []), (10, ["7.10/capacity"])])
def test_a_transport_has_room_for_so_many_the_character_included(size: int, found: list[str]) -> None:
    units = (
        {"unit": "captain", "joins": "veterans"},
        {"unit": "veterans", "size": size, "aboard": "carrier"},
        {"unit": "carrier"},
    )
    assert broken(*units) == found


@pytest.mark.covers("7.10/capacity", "8/independent-character")
def test_a_character_starts_in_the_transport_of_those_whom_it_starts_with() -> None:
    units = ({"unit": "captain", "joins": "veterans"}, {"unit": "veterans", "aboard": "carrier"}, {"unit": "carrier"})
    built = force(*units)
    assert [built.ride_of(one) for one in built.units] == [2, 2, None]


@pytest.mark.covers("7.10/capacity")
def test_one_starts_aboard_a_single_transport_only() -> None:
    inside = {"unit": "militia", "aboard": "ride"}
    assert broken(inside, {"unit": "carrier", "id": "ride"}) == []
    assert broken(inside, {"unit": "tank", "id": "ride"}) == ["7.10/capacity"]
    assert broken(inside, {"unit": "tank", "id": "ride", "size": 2}) == ["7.10/capacity"]


@pytest.mark.covers("7.10/capacity")
@pytest.mark.parametrize(
    ("unit", "found"),
    [
        ("veterans", []),
        ("hounds", ["7.10/capacity"]),
        ("bikers", ["7.10/capacity"]),
        ("jump-troopers", ["7.10/capacity"]),
    ],
)
def test_a_transport_carries_infantry(unit: str, found: list[str]) -> None:
    assert broken({"unit": unit, "aboard": "carrier"}, {"unit": "carrier"}) == found


@pytest.mark.covers("7.10/capacity")
def test_flying_infantry_boards_where_its_description_says_so() -> None:
    found = force({"unit": "gale-jumpers", "aboard": "tender"}, {"unit": "tender"}, list="lantern-guard")
    assert ARMIES.faults(found) == ()


@pytest.mark.covers("8/independent-character")
@pytest.mark.parametrize(
    ("unit", "other", "found"),
    [
        ("captain", "veterans", []),
        ("captain", "tank", ["8/independent-character"]),
        ("hounds", "veterans", ["8/independent-character"]),
    ],
)
def test_only_a_character_starts_with_another_unit_and_never_with_vehicles(
    unit: str, other: str, found: list[str]
) -> None:
    assert broken({"unit": unit, "joins": other}, {"unit": other}) == found


@pytest.mark.covers("8/independent-character")
def test_two_characters_are_no_unit() -> None:
    assert broken({"unit": "captain", "joins": "b"}, {"unit": "captain", "id": "b"}) == ["8/independent-character"]


@pytest.mark.covers("1.1/unit-ceases")
@pytest.mark.parametrize(
    ("size", "also", "found"), [(1, [], []), (2, [], ["1.1/unit-ceases"]), (1, [{"profile": "veteran"}], [])]
)
def test_characters_alone_are_bought_one_by_one(size: int, also: list[Any], found: list[str]) -> None:
    council = {"title": TITLE, "profile": "captain", "least": 1, "most": 3, "also": also}
    assert broken({"unit": "council", "size": size}, own={"units": {"council": council}}) == found


# ---------------------------------------------------------------- files that cannot be read

GOBLIN = {
    "title": {"en": "Goblin", "it": "Goblin"},
    "ws": 2,
    "bs": 3,
    "s": 3,
    "t": 3,
    "w": 1,
    "i": 2,
    "a": 1,
    "ld": 5,
    "weapons": ["sling"],
}
OWN = {
    "weapons": {
        "sling": {
            "title": {"en": "Sling", "it": "Fionda"},
            "lines": [{"range": 12, "strength": 2, "rules": ["assault 1"]}],
        }
    },
    "profiles": {"goblin": GOBLIN},
    "units": {"goblins": {"title": {"en": "Goblins", "it": "Goblin"}, "profile": "goblin", "least": 5, "most": 30}},
}


@pytest.mark.covers("10/armies")
def test_players_bring_weapons_profiles_and_units_of_their_own() -> None:
    mine = force({"unit": "goblins", "size": 6}, list="", own=OWN)
    (unit,) = mine.units
    assert [weapons_of(one) for one in unit.profiles] == [["sling"]] * 6
    assert 1 <= unit.profiles[0].points <= 6
    assert ARMIES.faults(mine) == ()
    both = force({"unit": "goblins"}, {"unit": "veterans"}, own=OWN)
    assert len(both.units) == 2


@pytest.mark.covers("10/armies")
@pytest.mark.parametrize(
    ("units", "said", "italian"),
    [
        ([{"unit": "veteran"}], "there is no unit 'veteran'. Did you mean 'veterans'?", "Intendevi 'veterans'?"),
        ([{"unit": "veterans", "options": {"leder": 1}}], "'leder' is not an option of veterans", "non è un'opzione"),
        ([{"unit": "veterans", "aboard": "boat"}], "no other unit is called 'boat'", "nessun'altra unità si chiama"),
        ([{"unit": "captain", "joins": "captain"}], "no other unit is called 'captain'", "nessun'altra unità"),
    ],
)
def test_names_that_nobody_knows_are_told_in_both_languages(units: list[Any], said: str, italian: str) -> None:
    assert said in refused(written(*units))
    (text,) = ARMIES.check(written(*units), {})
    assert said in text
    assert italian in told(text, "it")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (written({"unit": "veterans"}, list="sampels"), "Did you mean 'samples'"),
        (written({"unit": "veterans"}, points=0), "below the minimum"),
        (written(), "below the minimum"),
        (written({"unit": "veterans", "sise": 5}), "'sise': not known here. Did you mean 'size'"),
        (written({"unit": "veterans", "size": 0}), "below the minimum"),
        (written({"unit": "veterans"}, ruleset="ragnarok"), "'ragnarok' is not one of 'e55'"),
        (written({"unit": "goblins"}, own={**OWN, "weapons": {}}), "'sling' is not known"),
    ],
)
def test_what_cannot_be_read_is_told_without_a_trace(content: Any, said: str) -> None:
    assert said in refused(content)


def test_checking_a_force_tells_everything_in_both_languages_with_its_rule() -> None:
    plain = written({"unit": "veterans", "size": 12}, {"unit": "tank", "size": 4}, points=100)
    found = ARMIES.check(plain, {})
    assert len(found) == 3
    assert all(told(one, tongue).endswith("[10/armies]") for one in found for tongue in ("en", "it"))
    assert "12 models, at most 10" in found[1]
    assert ARMIES.check(FORCES.plain("mire-brood-750"), {"points": "750"}) == []
    assert told(ARMIES.check(FORCES.plain("mire-brood-750"), {"points": "700"})[0], "it").startswith("L'armata costa")
    assert ARMIES.check(FORCES.plain("mire-brood-750"), {"points": "many"})[0].startswith("'many' is not a points")


def test_the_faults_say_who_and_by_how_much() -> None:
    (found,) = ARMIES.faults(force({"unit": "tank", "size": 4}))
    assert found == ArmyFault("10/armies", found.who, 4, 3, found.text)
    assert found.who in found.text["en"]
    assert "Carro armato" in found.text["it"]


def test_a_shipped_force_by_name() -> None:
    assert FORCES.named("mire-brood-750").title["en"] == "The Rising of the Reeds"
    with pytest.raises(ForceError, match="Did you mean 'mire-brood-750'"):
        FORCES.plain("mire-brood-75")


# ---------------------------------------------------------------- battles ready to play, cards


def test_the_starters_are_there_the_small_ones_first() -> None:
    ruleset = load_ruleset("e55")
    found = starters()
    sizes = [one.agreed["points"] for one in found]
    assert sizes == sorted(sizes)
    assert set(sizes) == {750, 1500}
    assert {one.agreed["mission"] for one in found} == {"securing", "seize-and-hold", "annihilation"}
    assert {one.forces[0]["list"] for one in found} == set(BUILT_OF)
    for setup in found:
        assert [ARMIES.check(plain, setup.agreed) for plain in setup.forces] == [[], []]
        ruleset.set_out(ruleset, setup)
