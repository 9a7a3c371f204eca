"""Forces: reading them, and what the book asks of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from campale.mechanics.armies.files import ForceError
from campale.mechanics.setup.agreed import SetupError
from campale.referee.ledgers.ledger import read_ledger
from campale.referee.rule import rules_of
from campale.referee.ruleset import Setup, load_ruleset
from campale.referee.telling.spoken import told
from campale.rulesets.ragnarok.armies import arsenal
from campale.rulesets.ragnarok.armies.army import ARMY_RESTRICTIONS, CAP, WEIGHT_OPTION, check_force, faults
from campale.rulesets.ragnarok.armies.forces import FORCES, Force, Trooper, starter_force, trooper
from campale.rulesets.ragnarok.armies.setting_out import set_out


def captain() -> Trooper:
    return trooper("crucible_captain", is_commander=True, expert="weapons")


def a_force(*troopers: Trooper, army_list: str = "crucible_league", points: int = CAP) -> Force:
    return Force("test", {"en": "Test", "it": "Prova"}, points, troopers, army_list)


def broken(force: Force, cap: int | None = None, options: tuple[str, ...] = ()) -> list[str]:
    return [fault.rule for fault in faults(force, cap, options)]


def with_captain(*additions: str) -> Force:
    return a_force(trooper("crucible_captain", additions, is_commander=True, expert="weapons"))


def written(**changes: Any) -> str:
    """The text of a good file, with some of its keys changed; None takes one away."""
    content: dict[str, Any] = {
        "ruleset": "ragnarok",
        "name": {"en": "Test", "it": "Prova"},
        "army_list": "barrow_host",
        "points": 200,
        "models": [{"profile": "barrow_jarl", "commander": True}, {"profile": "raider", "count": 3}],
    }
    content.update(changes)
    return json.dumps({key: value for key, value in content.items() if value is not None}, indent=1)


def refused(text: str | bytes) -> str:
    """The messages."""
    with pytest.raises(ForceError) as error:
        FORCES.from_text(text, "mine.yaml")
    assert all(message.startswith("mine.yaml") for message in error.value.messages)
    return "\n".join(error.value.messages)


# What the book asks


@pytest.mark.covers("army/points-cap")
@pytest.mark.parametrize(("cap", "rules"), [(46, []), (45, []), (44, ["army/points-cap"])])
def test_a_force_may_cost_as_much_as_agreed_and_no_more(cap: int, rules: list[str]) -> None:
    assert broken(a_force(captain()), cap) == rules


@pytest.mark.covers("army/points-cap")
def test_at_201_points_a_200_point_force_is_refused_with_the_numbers() -> None:
    ready = starter_force("crucible_league")
    knife = trooper("pathfinder", ("knife",))
    dearer = a_force(*ready.units[:-1], knife)
    assert (ready.cost, dearer.cost) == (200, 201)
    assert broken(ready) == []
    (fault,) = faults(dearer)
    assert (fault.rule, fault.who, fault.measured, fault.limit) == ("army/points-cap", "", 201, 200)
    assert "201" in fault.text["en"]
    assert "201" in fault.text["it"]


@pytest.mark.covers("army/points-cap")
@pytest.mark.parametrize(("agreed", "is_refused"), [({}, False), ({"points": 200}, False), ({"points": 199}, True)])
def test_neither_force_may_cost_more_than_was_agreed_and_two_hundred_are_proposed(
    agreed: dict[str, Any], is_refused: bool
) -> None:
    forces = (FORCES.plain("crucible_league_starter"), FORCES.plain("barrow_host_starter"))
    setup = Setup("ragnarok", {}, forces, agreed)
    if is_refused:
        with pytest.raises(SetupError, match="costs 200 points, the limit is 199"):
            set_out(load_ruleset("ragnarok"), setup)
    else:
        assert len(set_out(load_ruleset("ragnarok"), setup).models) == 17


@pytest.mark.covers("army/points-cap")
@pytest.mark.parametrize(("agreed", "is_refused"), [({}, True), ({"points": 300}, False)])
def test_a_force_built_for_more_than_was_proposed_needs_that_to_be_agreed(
    agreed: dict[str, Any], is_refused: bool
) -> None:
    big = dict(FORCES.plain("crucible_league_starter"))
    models: Any = big["models"]
    big |= {"points": 300, "models": [*models, {"profile": "pathfinder"}]}
    setup = Setup("ragnarok", {}, (big, FORCES.plain("barrow_host_starter")), agreed)
    if is_refused:
        with pytest.raises(SetupError, match="costs 217 points, the limit is 200"):
            set_out(load_ruleset("ragnarok"), setup)
    else:
        assert len(set_out(load_ruleset("ragnarok"), setup).models) == 18


@pytest.mark.covers("army/single-list")
def test_all_models_are_of_one_list() -> None:
    assert broken(a_force(captain(), trooper("steam_rifleman"))) == []
    (fault,) = faults(a_force(captain(), trooper("raider")))
    assert (fault.rule, fault.who) == ("army/single-list", "Raider")
    assert "Razziatore" in fault.text["it"]


@pytest.mark.covers("army/options")
@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_a_model_has_two_additions_at_most(count: int) -> None:
    additions = ("hand_bomb", "hand_bomb", "lantern")[:count]
    assert broken(with_captain(*additions)) == (["army/options"] if count > 2 else [])


@pytest.mark.covers("army/options", "equipment-profile/shield-save")
@pytest.mark.parametrize("profile", ["steam_rifleman", "raider"])
def test_a_second_shield_is_never_allowed(profile: str) -> None:
    faction = arsenal.profile_named(profile).faction
    head = captain() if faction == "crucible_league" else trooper("barrow_jarl", is_commander=True)
    one_shield = a_force(head, trooper(profile, ("large_shield",)), army_list=faction)
    two_shields = a_force(head, trooper(profile, ("large_shield", "small_shield")), army_list=faction)
    assert broken(one_shield) == (["army/options"] if profile == "raider" else [])
    assert broken(two_shields) == ["army/options"]


@pytest.mark.covers("army/options", "arsenal/weapons", "arsenal/equipment")
def test_additions_are_paid_for_and_carried() -> None:
    basic, armed = trooper("steam_rifleman"), trooper("steam_rifleman", ("hand_bomb", "lantern"))
    assert armed.profile.points == basic.profile.points + 4 + 2
    assert armed.profile.carries("hand_bomb")
    assert armed.profile.carries("lantern")
    assert armed.basic == basic.profile


@pytest.mark.covers("army/options", "arsenal/weapons")
@pytest.mark.parametrize("thing", ["claws", "bare_hands"])
def test_what_is_not_sold_cannot_be_added(thing: str) -> None:
    assert broken(with_captain(thing)) == ["army/options"]
    assert broken(with_captain("knife")) == []


@pytest.mark.covers("commander/choice")
@pytest.mark.parametrize(("marked", "rules"), [(0, ["commander/choice"]), (1, []), (2, ["commander/choice"])])
def test_exactly_one_model_is_commander(marked: int, rules: list[str]) -> None:
    force = a_force(
        trooper("crucible_captain", is_commander=marked > 0, expert="weapons"),
        trooper("mesmerist", is_commander=marked > 1),
    )
    assert broken(force) == rules
    assert len(force.commanders) == marked


@pytest.mark.covers("commander/choice")
def test_the_commander_is_of_the_hq_section() -> None:
    force = a_force(trooper("crucible_captain", expert="weapons"), trooper("pathfinder", is_commander=True, name="Ada"))
    (fault,) = faults(force)
    assert (fault.rule, fault.who) == ("commander/choice", "Ada")


@pytest.mark.covers("opt-weight/limit")
def test_with_weight_a_model_carries_as_much_as_its_build_and_no_more() -> None:
    turret = trooper("anvil_turret", ("spring_mortar",))
    laden = trooper("anvil_turret", ("spring_mortar", "knife"))
    assert (turret.profile.weight_carried, turret.profile.constitution) == (8, 8)
    assert broken(a_force(captain(), turret), options=(WEIGHT_OPTION,)) == []
    assert broken(a_force(captain(), laden), options=(WEIGHT_OPTION,)) == ["opt-weight/limit"]
    assert broken(a_force(captain(), laden)) == []


@pytest.mark.covers("special/expert")
@pytest.mark.parametrize(
    ("profile", "field", "rules"),
    [
        ("crucible_captain", "mechanics", []),
        ("crucible_captain", "", ["special/expert"]),
        ("mesmerist", "", []),
        ("mesmerist", "medicine", []),
        ("mesmerist", "mind", ["special/expert"]),
    ],
)
def test_a_field_is_chosen_where_it_is_open(profile: str, field: Any, rules: list[str]) -> None:
    assert broken(a_force(trooper(profile, is_commander=True, expert=field))) == rules


@pytest.mark.covers("special/expert")
def test_who_has_no_field_yet_is_told_to_choose_one_and_who_may_choose_none_not_to() -> None:
    (missing,) = faults(a_force(trooper("crucible_captain", is_commander=True)))
    (unfit,) = faults(a_force(trooper("mesmerist", is_commander=True, expert="mind")))
    assert missing.text["en"] == "Crucible Captain has no field of expertise yet. Choose one."
    assert missing.text["it"] == "Capitano dei Crogioli non ha ancora un campo di esperienza. Scegline uno."
    assert unfit.text["en"] == "Mesmerist: choose a field of expertise only where the profile leaves it open."


@pytest.mark.covers("special/expert")
def test_the_field_chosen_stands_in_the_profile_and_a_fixed_one_stays() -> None:
    assert captain().profile.expert == "weapons"
    assert captain().basic.expert == "choice"
    assert trooper("mesmerist", expert="mind").profile.expert == "medicine"


@pytest.mark.covers("special/expert")
def test_nobody_becomes_an_expert_without_the_rule() -> None:
    assert broken(a_force(captain(), trooper("pathfinder", expert="weapons"))) == ["special/expert"]
    assert trooper("pathfinder", expert="weapons").profile.expert == ""


@pytest.mark.covers("special/psionic-mage", "arsenal/equipment")
@pytest.mark.parametrize(("profile", "allowed"), [("mesmerist", True), ("pathfinder", False)])
def test_the_talisman_is_for_psionics_and_mages(profile: str, allowed: bool) -> None:
    force = a_force(captain(), trooper(profile, ("rune_talisman",)))
    assert broken(force) == ([] if allowed else ["special/psionic-mage"])


@pytest.mark.covers("army/points-cap")
def test_faults_come_all_together_in_the_order_of_the_book() -> None:
    force = a_force(trooper("raider", ("claws", "knife", "large_shield")), points=10)
    expected = ["army/points-cap", "army/single-list", *["army/options"] * 3, "commander/choice"]
    assert broken(force) == expected


def test_the_restrictions_stand_in_ledger_order() -> None:
    order = list(read_ledger(arsenal.HERE / "rules.yaml").entries)
    places = [order.index(rules_of(restriction)[0]) for restriction in ARMY_RESTRICTIONS]
    assert places == sorted(places)


def test_braces_in_a_name_are_only_a_name() -> None:
    force = a_force(captain(), trooper("raider", name="{0.__class__} {limit}"))
    (fault,) = faults(force)
    assert fault.text["en"].startswith("{0.__class__} {limit} is from")


# The forces that come with the book


@pytest.mark.covers("models/starter-forces")
def test_the_ready_forces_are_the_ledgers() -> None:
    league, host = starter_force("crucible_league"), starter_force("barrow_host")
    assert [(force.cost, len(force.units)) for force in (league, host)] == [(200, 9), (200, 8)]
    assert [one.id for one in profiles_in(league)] == [
        "crucible_captain",
        "mesmerist",
        *["piston_cuirassier"] * 2,
        *["steam_rifleman"] * 4,
        "pathfinder",
    ]
    assert [one.id for one in profiles_in(host)] == [
        "barrow_jarl",
        "rune_seer",
        *["draugr"] * 2,
        *["raider"] * 3,
        "frost_hunter",
    ]
    assert [one.basic.id for one in (*league.commanders, *host.commanders)] == ["crucible_captain", "barrow_jarl"]
    assert league.commanders[0].profile.expert == "weapons"
    assert all(one.additions == () for one in (*league.units, *host.units))


def profiles_in(force: Force) -> list[Any]:
    return [one.profile for one in force.units]


@pytest.mark.covers("army/points-cap", "opt-weight/limit")
@pytest.mark.parametrize("name", FORCES.names())
def test_every_shipped_force_is_legal_with_weights_and_nearly_spent(name: str) -> None:
    force = FORCES.named(name)
    assert faults(force, CAP, (WEIGHT_OPTION,)) == ()
    assert CAP - 2 <= force.cost <= CAP


def test_the_shipped_forces_field_every_profile_weapon_rule_and_kind_of_equipment() -> None:
    fielded = [one.profile for name in FORCES.names() for one in FORCES.named(name).units]
    assert {one.id for one in fielded} == set(arsenal.profiles())
    rules = {rule.name for one in fielded for weapon in one.weapons for rule in weapon.rules}
    assert rules == {rule.name for weapon in arsenal.weapons().values() for rule in weapon.rules} - {"unarmed"}
    assert {item.id for one in fielded for item in one.equipment} == set(arsenal.equipment())


def test_a_force_nobody_ships_is_refused_even_as_a_path() -> None:
    with pytest.raises(ForceError, match="Did you mean 'barrow_host_flight'"):
        FORCES.named("barrow_host_fligt")
    with pytest.raises(ForceError, match="Known:"):
        FORCES.named("../../../etc/passwd")


# Reading


def test_models_alike_are_numbered_and_names_kept() -> None:
    models = [
        {"profile": "raider", "count": 2},
        {"profile": "raider"},
        {"profile": "raider", "name": "Ulf"},
        {"profile": "barrow_jarl", "commander": True},
    ]
    force = FORCES.from_text(written(models=models), "mine")
    titles = [one.title["it"] for one in force.units]
    assert titles == ["Razziatore 1", "Razziatore 2", "Razziatore 3", "Ulf", "Jarl del Tumulo"]
    assert (force.id, force.title["it"], force.points) == ("mine", "Prova", 200)


def test_a_file_and_its_text_give_the_same_force(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(written(), "utf-8")
    assert FORCES.read(path) == FORCES.from_text(written(), "mine")
    assert FORCES.read(str(path)).cost == 87


def models(**changes: Any) -> str:
    return written(models=[{"profile": "raider", **changes}])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (written(ruleset="chess"), "'chess' is not one of 'ragnarok'"),
        (written(points=10_001), "above the maximum, 10000"),
        (written(army_list="elves"), "there is no army list 'elves'"),
        (written(models=[]), "below the minimum"),
        (written(models=[{"profile": "raider"}] * 61), "above the maximum, 60"),
        (models(count=41), "above the maximum, 40"),
        (models(expert="choice"), "'choice' is not one of"),
        (models(weapons=["knif"]), "Did you mean 'knife'?"),
        (models(weapons=["lantern"]), "'lantern' is not known"),
        (models(equipment=["knife"]), "'knife' is not known"),
        (models(weapons=["knife"] * 11), "above the maximum, 10"),
        (models(profile="radier"), "Did you mean 'raider'?"),
        (models(name="x" * 61), "above the maximum, 60"),
    ],
)
def test_wrong_contents_get_a_clear_answer(text: str, said: str) -> None:
    assert said in refused(text)


def test_a_message_says_the_line_and_the_place() -> None:
    text = "ruleset: ragnarok\nname: {en: A, it: B}\narmy_list: barrow_host\npoints: 200\nmodels:\n"
    assert "mine.yaml, line 6, models[1].profile: 'rider'" in refused(text + "  - {profile: rider}\n")


def test_the_schema_is_sound_and_takes_every_shipped_force() -> None:
    assert FORCES.schema is not None
    schema = json.loads(FORCES.schema.read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    for name in FORCES.names():
        content = yaml.safe_load((FORCES.folder / f"{name}.yaml").read_text("utf-8"))
        assert list(Draft202012Validator(schema).iter_errors(content)) == []
    described = [*schema["properties"].values(), *schema["$defs"]["model"]["properties"].values()]
    assert all("description" in one for one in described)


@pytest.mark.covers("army/points-cap", "opt-weight/limit")
def test_an_army_file_is_checked_with_reasons_in_both_languages() -> None:
    plain = FORCES.plain("crucible_league_starter")
    assert check_force(plain, {}) == []
    assert check_force(plain, {"points": "200"}) == []
    (fault,) = check_force(plain, {"points": "199"})
    assert fault.endswith("[army/points-cap]")
    assert told(fault, "it").endswith("[army/points-cap]")
    assert told(fault, "it") != fault
    for points in ("", "many", "-1", 1.5, [200], "9" * 10):
        (fault,) = check_force(plain, {"points": points})
        assert fault.endswith("is not a points limit. [army/points-cap]")
    heavy = {"profile": "mesmerist", "commander": True, "weapons": ["great_hammer", "long_rifle"]}
    laden = {**plain, "models": [heavy]}
    assert check_force(laden, {}) == []
    assert "opt-weight/limit" in check_force(laden, {"weight": "yes"})[0]
    assert "boiler" in check_force({**plain, "models": [{"profile": "boiler"}]}, {})[0]
