"""Lists of other programs as armies of the book: what each becomes, line by line, and that it can be played."""

from __future__ import annotations

import copy
import json
from collections import Counter
from random import Random
from time import perf_counter
from typing import Any

import msgspec
import pytest

from campale.players.uniform import RandomPlayer
from campale.referee.armies.lists import ListAsked, ListRead
from campale.referee.ruleset import Setup, load_ruleset
from campale.rulesets.w10.armies.datasheets import sheets_named
from campale.rulesets.w10.armies.forces import FORCES, Roster
from campale.rulesets.w10.armies.muster import faults
from campale.rulesets.w10.lists import values
from campale.rulesets.w10.lists.abilities import core_ability
from campale.rulesets.w10.lists.reading import read_army
from campale.rulesets.w10.lists.sizes import usual
from campale.rulesets.w10.lists.weapons import ability
from campale.simulate.battle import battle
from tests.mechanics.rosters import (
    FORMATS,
    Tree,
    alone,
    as_json,
    as_ros,
    as_rosz,
    blade,
    gun,
    kept,
    model,
    profile,
    roster,
    rule,
    setting,
    stats,
    unit,
    upgrade,
)
from tests.mechanics.rosters import ability as said

DUST = "Faction: Adepts of Dust"
LAMP = gun("Lamp gun", '24" 2 3+ 4 -1 1', "Rapid Fire 1, Assault")
FIST = blade("Fist", "3 3+ 8 -2 2")
WARDENS = stats("Ash Wardens", '6" 4 3+ 2 6+ 2')


def wardens(count: int = 9, points: int = 95, **parts: Any) -> Tree:
    sergeant = model("Ash Sergeant", 1, [upgrade("Fist", 1, [FIST])])
    others = model("Ash Warden", count, [upgrade("Lamp gun", count, [LAMP])])
    words = ["Infantry", "Battleline", DUST]
    return unit("Ash Wardens", points, [sergeant, others], words, **{"profiles": [WARDENS], **parts})


def lord(*more: Tree, rules: Any = (), name: str = "Dust Lord", **parts: Any) -> Tree:
    inner = [upgrade("Great blade", 1, [blade("Great blade", "5 2+ 6 -2 2", "Precision")])]
    inner += [upgrade("Warlord", 1, categories=kept(["Warlord"]))]
    profiles = [stats(name, '6" 4 3+ 5 6+ 1'), *more]
    words = ["Character", "Infantry", DUST]
    return alone(name, 80, inner, words, **{"profiles": profiles, "rules": list(rules), **parts})


def beast(name: str = "Dust Beast", m: str = '10"', points: int = 120, words: Any = ("Monster", DUST)) -> Tree:
    inner = [upgrade("Claws", 1, [blade("Claws", "4 4+ 8 -2 D6")])]
    return alone(name, points, inner, list(words), profiles=[stats(name, f"{m} 10 3+ 12 7+ 4")])


def read(data: bytes | str | Tree, mends: dict[str, str] | None = None, known: Any = ()) -> ListRead:
    if isinstance(data, dict):
        data = as_ros(data)
    raw = data if isinstance(data, bytes) else data.encode()
    return read_army(ListAsked(raw, mends or {}, tuple(known)))


def army(found: ListRead) -> Roster:
    assert found.force is not None, found
    return FORCES.from_plain(found.force)


def told(found: ListRead) -> list[str]:
    """Each unit: its models with their weapons, the same side by side counted."""
    shown = []
    for one in army(found).units:
        groups = Counter(
            f"{model.title['en']}: {', '.join(weapon.title['en'] for weapon in model.weapons)}"
            for model in one.profiles
        )
        parts = "; ".join(f"{count} {group}" for group, count in groups.items())
        shown.append(f"{one.title['en']} ({one.points}) {parts}")
    return shown


def fates(found: ListRead) -> dict[str, str]:
    return {line.text: line.fate for line in found.lines}


def needed(found: ListRead) -> list[str]:
    return [one.name for one in found.mends if one.is_needed]


def mend(found: ListRead, name: str) -> Any:
    return next(one for one in found.mends if one.name == name)


WHOLE = [
    "Ash Wardens (95) 1 Ash Sergeant: Fist; 9 Ash Warden: Lamp gun",
    "Dust Lord (80) 1 Dust Lord: Great blade",
]


# ---------------------------------------------------------------- rosters


@pytest.mark.covers("muster/sequence", "f/starting-strength")
@pytest.mark.parametrize("name", FORMATS)
def test_a_roster_becomes_an_army_in_every_format(name: str) -> None:
    found = read(FORMATS[name](roster([wardens(), lord()])))
    assert told(found) == WHOLE
    assert (found.refused, needed(found), faults(army(found))) == ((), [], ())
    assert [one.text for one in found.checks] == [
        "The points add up: 175.",
        "175 of 1000 points.",
        "2 units with 11 models will fight.",
    ]
    assert set(fates(found).values()) == {"played", "noted"}


@pytest.mark.covers("datasheet/model-profile", "datasheet/weapon-profile", "keywords/has")
def test_the_characteristics_are_those_of_the_file() -> None:
    one = army(read(roster([wardens(), lord()]))).units[0].profiles[0]
    assert (one.m, one.t, one.sv, one.w, one.ld, one.oc) == (6, 4, 3, 2, 6, 2)
    assert one.keywords == ("infantry", "battleline", "adepts-of-dust")
    (fist,) = one.weapons
    (line,) = fist.lines
    assert (line.range, line.a, line.skill, line.s, line.ap, line.d) == (None, "3", 3, 8, -2, "2")


@pytest.mark.covers("weapon-abilities/catalogue")
def test_weapons_have_the_abilities_that_the_referee_plays() -> None:
    (lamp,) = army(read(roster([wardens(), lord()]))).units[0].profiles[-1].weapons
    assert lamp.lines[0].abilities == ("rapid-fire 1", "assault")


def test_saves_and_core_abilities_of_a_character() -> None:
    saves = said("Invulnerable Save", "This model has a 4+ invulnerable save.")
    found = read(roster([lord(saves, rules=[rule("Deep Strike"), rule("Feel No Pain 5+"), rule('Scouts 6"')])]))
    one = army(found).units[0].profiles[0]
    assert (one.invulnerable, one.feel_no_pain, one.abilities) == (4, 5, ("deep-strike", "scouts 6"))
    assert fates(found)["Feel No Pain 5+"] == "played"


@pytest.mark.covers("attack/invulnerable-save")
@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("Invulnerable Save (5+)", "", 5),
        ("Invulnerable Save 4+*", "against ranged attacks", 4),
        ("Invulnerable Save: Dust Lord", "A 3+ invulnerable save.", 3),
    ],
)
def test_an_invulnerable_save_by_its_name_or_by_its_text(name: str, text: str, value: int) -> None:
    found = read(roster([lord(said(name, text))]))
    assert army(found).units[0].profiles[0].invulnerable == value
    assert (fates(found)[f"{name} (Abilities)"] == "by-hand") == ("*" in name)


def test_the_save_of_one_model_is_not_that_of_the_others() -> None:
    save = said("Invulnerable Save (Ash Sergeant)", "This model has a 5+ invulnerable save.")
    one = army(read(roster([wardens(profiles=[WARDENS, save]), lord()]))).units[0]
    assert [each.invulnerable for each in one.profiles] == [5, *[None] * 9]


def test_a_leader_may_lead_the_units_of_the_list_that_are_named() -> None:
    names = said("Leader", "This model can be attached to the following units: ■ Ash Wardens ■ Ash Hounds")
    found = read(roster([wardens(), lord(names, rules=[rule("Leader")])]))
    assert army(found).units[1].profiles[0].leads == ("ash-wardens",)
    assert fates(found)["Leader"] == "played"


@pytest.mark.covers("core-abilities/leader")
@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("■ Elder Ash Wardens", False),
        ("■ Ash Wardens Guard", False),
        ("■ Elder Ash Wardens ■ Ash Wardens", True),
        ("This model can be attached to an Ash Warden unit", True),
        ("This model can be attached to: Elder Ash Wardens, Ash Wardens", True),
        ("**^^Ash Wardens^^**", True),
        ("- Elder Ash Wardens\n- Ash Wardens", True),
    ],
)
def test_a_longer_name_that_holds_the_name_of_a_unit_is_another(text: str, is_named: bool) -> None:
    tree = wardens() if "Wardens" in text else {**wardens(), "name": "Ash Warden"}
    one = army(read(roster([tree, lord(said("Leader", text))]))).units[1].profiles[0]
    assert bool(one.leads) == is_named


@pytest.mark.covers("u/two-characters-max", "core-abilities/leader")
def test_a_leader_may_join_those_that_its_text_names_after_even_if() -> None:
    text = "■ Ash Wardens\nYou can attach it to one of these even if one CAPTAIN or Dust Lord has been attached."
    plain = said("Leader", "■ Ash Wardens")
    captain = lord(plain, name="Ash Hero", categories=kept(["Character", "Infantry", "Captain", DUST]))
    second = lord(said("Leader", text), name="Dust Deputy")
    third = lord(plain, name="Dust Lord")
    own = army(read(roster([wardens(), captain, second, third]))).units
    assert own[2].profiles[0].leads == ("ash-wardens",)
    assert own[2].profiles[0].beside == ("ash-hero", "dust-lord")
    assert own[1].profiles[0].beside == ()


def test_a_leader_of_nobody_in_the_list_is_played_by_hand() -> None:
    found = read(roster([wardens(), lord(said("Leader", "■ Ash Hounds"))]))
    assert (army(found).units[1].profiles[0].leads, fates(found)["Leader (Abilities)"]) == ((), "by-hand")


def test_what_the_vocabulary_cannot_say_is_kept_as_text() -> None:
    song = upgrade("Old Song", 1, [said("Old Song", "Once per battle, hum.")], 25)
    tree = lord()
    tree["selections"].append(song)
    found = read(roster([tree]))
    (kept_so,) = army(found).units[0].profiles[0].rules.values()
    assert (kept_so.title.en, kept_so.text and kept_so.text.en, kept_so.is_played) == (
        "Old Song",
        "Once per battle, hum.",
        False,
    )
    assert (army(found).cost, fates(found)["Old Song"]) == (105, "by-hand")


@pytest.mark.covers("transports/capacity")
def test_a_transport_carries_what_its_text_names_in_capitals() -> None:
    hold = profile(
        "Transport", "Cart", {"Capacity": "This model can carry 12 ADEPTS OF DUST INFANTRY models. Not GIANTS."}
    )
    cart = alone("Cart", 90, [], ["Vehicle", "Transport", DUST], profiles=[stats("Cart", '12" 9 3+ 10 7+ 2'), hold])
    one = army(read(roster([lord(), cart]))).units[1].profiles[0]
    assert (one.capacity, one.carries) == (12, ("infantry",))


def test_an_aircraft_moves_so_much_at_least() -> None:
    found = read(roster([lord(), beast("Dust Kite", '20+"', words=["Vehicle", "Aircraft", "Fly", DUST])]))
    assert army(found).units[1].profiles[0].m == 20


def test_a_model_that_cannot_move() -> None:
    assert (
        army(read(roster([lord(), beast("Bastion", "-", words=["Fortification", DUST])]))).units[1].profiles[0].m
        is None
    )


@pytest.mark.parametrize(
    ("keywords", "points", "why"),
    [
        (19, 5000, []),
        (20, 120, ["Its first 20 keywords count."]),
        (1, 5001, ["It counts as 5000 points."]),
    ],
)
def test_what_is_cut_is_told(keywords: int, points: int, why: list[str]) -> None:
    words = [DUST, *(f"Word {k}" for k in range(keywords))]
    found = read(roster([lord(), beast(points=points, words=words)], limit=None))
    line = next(one for one in found.lines if one.text == "Dust Beast")
    assert "base sizes" in line.whys[-1]
    assert (list(line.whys)[:-1], line.fate) == (why, "by-hand" if why else "played")
    one = army(found).units[1]
    assert (len(one.profiles[0].keywords), one.points) == (min(keywords + 1, 20), min(points, 5000))


@pytest.mark.covers("c/null-characteristics")
def test_a_model_without_leadership_has_a_dash() -> None:
    idol = alone("Dust Idol", 90, [], ["Monster", DUST], profiles=[stats("Dust Idol", '5" 8 4+ 9 - 1')])
    one = army(read(roster([lord(), idol]))).units[1].profiles[0]
    assert (one.ld, one.t) == (None, 8)


def test_two_abilities_of_one_name_are_both_kept() -> None:
    found = read(roster([lord(said("Aura", "Hum."), said("Aura", "Sing."), said("Aura", "Hum."))]))
    texts = [one.text.en for one in army(found).units[0].profiles[0].rules.values() if one.text]
    assert texts == ["Hum.", "Sing."]


def test_a_unit_with_a_name_without_letters_is_not_what_every_leader_names() -> None:
    strange = {**wardens(), "name": "星"}
    assert army(read(roster([strange, lord(said("Leader", "■ Ash Hounds"))]))).units[1].profiles[0].leads == ()


@pytest.mark.covers("datasheet/several-profiles", "datasheet/weapon-profile")
def test_modes_are_one_weapon_and_a_gun_with_a_blade_is_two() -> None:
    modes = [gun("➤ Long lamp - near", '18" D6 3+ 5 -1 1', "Blast"), gun("➤ Long lamp - far", '36" 1 3+ 9 -3 D6+1')]
    both = upgrade("Lamp halberd", 1, [gun("Lamp halberd"), blade("Lamp halberd")])
    one = army(read(roster([lord(selections=[upgrade("Long lamp", 1, modes), both])]))).units[0].profiles[0]
    assert [(weapon.title["en"], weapon.is_melee, len(weapon.lines)) for weapon in one.weapons] == [
        ("Long lamp", False, 2),
        ("Lamp halberd", False, 1),
        ("Lamp halberd", True, 1),
    ]
    assert [line.name.en for line in one.weapons[0].lines if line.name] == ["near", "far"]


def test_guns_that_do_not_go_round_are_with_the_first_models() -> None:
    squad = unit(
        "Ash Wardens",
        90,
        [model("Ash Warden", 5, [upgrade("Lamp gun", 3, [LAMP]), upgrade("Fist", 7, [FIST])])],
        ["Infantry", DUST],
        profiles=[WARDENS],
    )
    assert told(read(roster([squad])))[0] == (
        "Ash Wardens (90) 2 Ash Warden: Lamp gun, Fist, Fist; 1 Ash Warden: Lamp gun, Fist; 2 Ash Warden: Fist"
    )


def test_a_weapon_for_one_is_with_who_has_none_of_its_kind() -> None:
    guns = [upgrade("Lamp gun", 4, [LAMP]), upgrade("Heavy lamp", 1, [gun("Heavy lamp")]), upgrade("Fist", 5, [FIST])]
    squad = unit("Ash Wardens", 90, [model("Ash Warden", 5, guns)], ["Infantry", DUST], profiles=[WARDENS])
    assert told(read(roster([squad])))[0] == (
        "Ash Wardens (90) 4 Ash Warden: Lamp gun, Fist; 1 Ash Warden: Heavy lamp, Fist"
    )


@pytest.mark.parametrize(("kinds", "is_left_out"), [(2, False), (21, True)])
def test_models_that_take_turns_are_put_together_and_too_many_kinds_wait(kinds: int, is_left_out: bool) -> None:
    models = [model("Ash Warden", 1, [upgrade("Gun", 1, [gun(f"Gun {k % kinds}")])]) for k in range(42)]
    squad = unit("Ash Wardens", 90, models, ["Infantry", DUST], profiles=[WARDENS])
    found = read(roster([squad, lord()]))
    assert len(told(found)) == 2 - is_left_out
    assert ("not-understood" in fates(found).values()) == is_left_out


def with_banner() -> Tree:
    tree = wardens()
    tree["selections"].append(upgrade("Heavy lamp", 1, [gun("Heavy lamp", '36" 3 4+ 6 -1 2')]))
    return roster([tree, lord()])


def test_a_weapon_that_belongs_to_no_model_is_with_those_of_whom_there_are_most() -> None:
    found = read(with_banner())
    assert told(found)[0] == (
        "Ash Wardens (95) 1 Ash Sergeant: Fist; 1 Ash Warden: Lamp gun, Heavy lamp; 8 Ash Warden: Lamp gun"
    )
    choices = mend(found, "u0.bearer.0").choices
    assert [one.title for one in choices] == ["Ash Sergeant", "Ash Warden", "nobody"]


@pytest.mark.parametrize(
    ("value", "first"), [("0", "1 Ash Sergeant: Fist, Heavy lamp"), ("nobody", "1 Ash Sergeant: Fist; 9")]
)
def test_the_player_says_who_carries_it(value: str, first: str) -> None:
    assert first in told(read(with_banner(), {"u0.bearer.0": value}))[0]


def test_weapons_of_models_that_are_not_there_wait_for_the_player() -> None:
    tree = wardens(profiles=[WARDENS, gun("Odd lamp")])
    found = read(roster([tree, lord()]))
    assert fates(found)["Odd lamp (Ranged Weapons)"] == "not-understood"
    assert "Odd lamp" in told(read(roster([tree, lord()]), {"u0.spare.0": "0"}))[0]


def test_a_unit_without_characteristics_is_left_out_until_they_are_written_in() -> None:
    tree = roster([wardens(profiles=[]), lord()])
    found = read(tree)
    assert told(found) == WHOLE[1:]
    assert fates(found)["Ash Wardens"] == "not-understood"
    assert [one.text for one in found.checks if not one.is_right] == ["1 unit is left out until corrected."]
    assert needed(found) == [f"u0.{k}.{name}" for k in (0, 1) for name in ("m", "t", "sv", "w", "ld", "oc")]
    mends = dict(zip(needed(found), ['6"', "4", "3+", "2", "6+", "2"] * 2, strict=True))
    assert told(read(tree, mends)) == WHOLE
    assert told(read(tree, {**mends, "u0.0.t": "so so"})) == WHOLE[1:]


def test_a_weapon_that_cannot_be_read_is_left_out_until_it_is_mended() -> None:
    odd = upgrade("Odd lamp", 1, [gun("Odd lamp", '24" 2 3+ * -1 1')])
    tree = lord(selections=[*lord()["selections"], odd])
    found = read(roster([tree]))
    assert (told(found), needed(found)) == (["Dust Lord (80) 1 Dust Lord: Great blade"], ["u0.odd-lamp.s"])
    (line,) = (one for one in found.lines if one.text == "Odd lamp")
    assert (line.fate, *line.whys) == (
        "not-understood",
        "S is '*', which cannot be read. Write it as on the datasheet.",
    )
    mended = army(read(roster([tree]), {"u0.odd-lamp.s": "6"})).units[0].profiles[0]
    assert [weapon.lines[0].s for weapon in mended.weapons] == [6, 6]


def test_models_have_the_profile_of_their_name_or_the_one_that_is_chosen() -> None:
    tree = unit(
        "Ash Pack",
        70,
        [model("Hound", 2), model("Ash Warden", 1)],
        ["Infantry", DUST],
        profiles=[stats("Hound", '8" 3 6+ 1 7+ 0'), stats("Keeper", '6" 3 5+ 2 7+ 1')],
    )
    found = read(roster([tree, lord()]))
    assert [one.m for one in army(found).units[0].profiles] == [8, 8, 8]
    assert [one.title for one in mend(found, "u0.1.profile").choices] == ["Hound", "Keeper"]
    assert [one.m for one in army(read(roster([tree, lord()]), {"u0.1.profile": "1"})).units[0].profiles] == [8, 8, 6]


def test_units_that_are_the_same_have_one_datasheet_and_others_one_each() -> None:
    found = read(roster([wardens(), wardens(), wardens(4, 60), lord()]))
    assert found.force is not None
    assert list(found.force["own"]["units"]) == ["ash-wardens", "ash-wardens-2", "dust-lord"]
    assert [one["unit"] for one in found.force["units"]] == ["ash-wardens", "ash-wardens", "ash-wardens-2", "dust-lord"]


def test_datasheets_are_counted_by_name_however_they_differ() -> None:
    (found,) = faults(army(read(roster([lord(), *(beast(points=100 + k) for k in range(4))]))))
    assert (found.rule, found.measured, found.limit) == ("muster/select-units", 4, 3)


@pytest.mark.covers("muster/select-warlord")
def test_the_warlord_is_asked_for_where_the_list_names_none() -> None:
    bare = [upgrade("Great blade", 1, [blade("Great blade")])]
    tree = roster([lord(selections=bare), lord(selections=bare, name="Dust Lady")])
    found = read(tree)
    assert needed(found) == ["warlord"]
    assert [one.row.warlord for one in army(read(tree, {"warlord": "1"})).units] == [False, True]


def test_points_that_do_not_add_up_are_told() -> None:
    tree = roster([wardens(), lord()], limit=150)
    tree["costs"][0]["value"] = 185
    assert [one.text for one in read(tree).checks if not one.is_right] == [
        "The list says 185 points; its units add up to 175.",
        "175 points exceed the limit of 150.",
    ]


@pytest.mark.covers("core-concepts/faction-keywords", "muster/faction-detachment")
def test_the_faction_is_that_which_most_units_share() -> None:
    ally = beast("Hired Beast", words=["Monster", "Faction: Hirelings", "Faction: Order"])
    both = ["Infantry", "Battleline", DUST, "Faction: Order"]
    tree = roster([wardens(categories=kept(both)), lord(categories=kept(["Character", *both[2:]])), ally])
    assert (army(read(tree)).faction, faults(army(read(tree)))) == ("order", ())


@pytest.mark.covers("core-concepts/faction-keywords")
def test_of_a_units_keywords_those_marked_as_its_factions_count() -> None:
    words = ["Infantry", "Wanderers"]
    tree = roster(
        [
            wardens(categories=kept([*words, "Faction: Order"])),
            lord(categories=kept(["Character", *words, "Faction: Order"])),
        ]
    )
    assert army(read(tree)).faction == "order"
    bare = roster([wardens(categories=kept(words)), lord(categories=kept(["Character", *words]))])
    assert army(read(bare)).faction == "wanderers"


@pytest.mark.covers("datasheet/weapon-profile")
def test_what_is_printed_of_a_weapon() -> None:
    assert [values.reach(one) for one in ("Melee", '24"')] == [None, 24.0]
    assert [values.skill(one) for one in ("N/A", "3+")] == [None, 3]


def test_settings_are_noted_and_rules_of_the_army_are_the_players() -> None:
    host = upgrade("Lantern Host", rules=[rule("Long Night")])
    detachment = setting("Detachment", "Lantern Host") | {"selections": [host]}
    found = fates(read(roster([setting("Battle Size", "Incursion"), detachment, lord()])))
    assert (found["Battle Size"], found["Lantern Host"], found["Long Night"]) == ("noted", "noted", "by-hand")


def test_the_texts_of_army_rules_are_on_the_card_of_the_warlord() -> None:
    host = upgrade("Lantern Host", rules=[rule("Long Night", "Nobody sees far.")])
    tree = roster([setting("Detachment", "x") | {"selections": [host]}, wardens(), lord()])
    tree["forces"][0]["rules"] = [rule("Oath of Dust", "Choose an enemy.")]
    found = army(read(tree))
    texts = {name: one.text.en for name, one in found.units[1].profiles[0].rules.items() if one.text}
    assert texts == {"oath-of-dust": "Choose an enemy.", "long-night": "Nobody sees far."}
    assert found.units[0].profiles[0].rules == {}


@pytest.mark.covers("datasheet/model-profile", "keywords/models-only")
def test_keywords_of_one_model_are_its_own() -> None:
    squad = unit(
        "Choir",
        60,
        [model("Singer", 4), model("Cantor", 1, categories=kept(["Psyker"]))],
        ["Infantry", DUST],
        profiles=[WARDENS],
    )
    one = army(read(roster([squad, lord()]))).units[0]
    assert [each.has("psyker") for each in one.profiles] == [False] * 4 + [True]


def test_sizes_are_the_usual_ones_and_may_be_said() -> None:
    found = read(roster([wardens(), lord()]))
    assert [(one.base, one.height) for one in (each.profiles[0] for each in army(found).units)] == [
        (32, 1.6),
        (40, 1.8),
    ]
    assert "Lists do not give base sizes" in found.lines[1].whys[0]
    again = read(roster([wardens(), lord()]), {"u0.base": "40", "u0.height": "2,5", "u1.base": "9000"})
    assert [(one.base, one.height) for one in (each.profiles[0] for each in army(again).units)] == [
        (40, 2.5),
        (40, 1.8),
    ]


def test_data_files_differ_in_capitals() -> None:
    plain = as_json(roster([wardens(), lord()])).decode()
    for one, other in (("Ranged Weapons", "ranged weapons"), ('typeName": "Unit', 'typeName": "unit'), ("SV", "Sv")):
        plain = plain.replace(one, other)
    assert told(read(plain)) == WHOLE


def test_names_of_digits_and_of_odd_signs_are_names() -> None:
    tree = roster([lord(name="1984"), lord(name="O’Dust ➤", customName="My\u00a0own")])
    for write in (as_ros, as_rosz, as_json):
        assert [one.title["en"] for one in army(read(write(tree))).units] == ["1984", "My own"]


def test_what_the_file_says_nothing_of_was_not_understood() -> None:
    found = read(roster([lord(selections=[*lord()["selections"], upgrade("Odd bell")])]))
    assert fates(found)["Odd bell"] == "not-understood"


def test_texts_are_cut_where_an_army_file_could_not_hold_them() -> None:
    texts = [said(f"Song {k}", f"{k} " + "la " * 400) for k in range(20)]
    units = [lord(*texts, name=f"Lord {k}") for k in range(30)]
    found = army(read(roster(units)))
    lengths = {len(one.text.en) for unit in found.units for one in unit.profiles[0].rules.values() if one.text}
    assert lengths == {100}
    assert len(found.units) == 30


def test_a_list_that_cannot_be_read_is_refused_with_what_to_do() -> None:
    found = read(b"<roster")
    assert (found.force, found.lines) == (None, ())
    assert "Export it again" in found.refused[0]


# ---------------------------------------------------------------- texts

APP = """Road of Ash (255 points)

Line
Incursion (1000 points)
Training Detachment

CHARACTERS

Captain (95 points)
  • Warlord
  • 1x Blade
    1x Heavy pistol
  • Enhancement: Old Song

BATTLELINE

Line Squad (160 points)
  • 10x Line trooper
    ◦ 10x Knife
    ◦ 8x Rifle
    ◦ 2x Plasma gun
"""
HEAD = """++++++++++
+ FACTION KEYWORD: Line
+ DETACHMENT: Training
+ TOTAL ARMY POINTS: 240pts
++++++++++
"""
WTC = (
    HEAD
    + """
Char1: 1x Captain (80 pts)
1 with Warlord, Blade, Heavy pistol
10x Line Squad (160 pts)
• 10x Line trooper
8 with Rifle, Knife
2 with Plasma gun, Knife
"""
)
COMPACT = (
    HEAD
    + """
Char1: 1x Captain (80 pts): Warlord, Blade, Heavy pistol
BL1: 10x Line Squad (160 pts): 8x Rifle, 10x Knife, 2x Plasma gun
"""
)
DEFAULT = """# ++ Army Roster ++ [240 pts]
## Character [80 pts]
Captain [80 pts]: Warlord, Blade, Heavy pistol
## Battleline [160 pts]
Line Squad [160 pts]:
• 10x Line trooper: Knife, 8x Rifle, 2x Plasma gun
"""
FORGE = """Road of Ash - Line - Training (240 Points)

Character:
Captain (80 pts)
• Warlord
• 1x Blade

Battleline:
Line Squad (160 pts)
• 10x Knife
• 2x Plasma gun
"""
ITALIAN = """La strada (240 punti)

Linea
Incursione (1.000 punti)
Addestramento

PERSONAGGI

Capitano (80 punti)
  • Warlord
  • 1x Lama

TRUPPE

Squadra di linea (160 punti)
  • 10x Soldato
    ◦ 8x Fucile
    ◦ 2x Fucile al plasma
"""
TEXTS = {"app": APP, "wtc": WTC, "compact": COMPACT, "default": DEFAULT, "forge": FORGE, "italian": ITALIAN}
TRAINED = "Line Squad (160) 8 Line Squad: Rifle, Knife; 2 Line Squad: Plasma gun, Knife"


@pytest.mark.covers("muster/select-units", "datasheet/model-profile")
@pytest.mark.parametrize("name", TEXTS)
def test_a_text_becomes_an_army_of_datasheets_that_are_known(name: str) -> None:
    found = read(TEXTS[name])
    assert sorted(told(found)) == ["Captain (80) 1 Captain: Blade, Heavy pistol", TRAINED]
    assert (needed(found), faults(army(found)), army(found).faction) == ([], (), "line")
    assert "not-understood" not in fates(found).values()
    assert all(one.is_right for one in found.checks) == (name != "app")
    assert found.force is not None
    assert (found.force["sheets"], "own" in found.force) == ("training", False)


DRILL = """Parade (415 points)

Line
Incursion (1000 points)
Parade

CHARACTERS

Marshal ({points} points)
  • Warlord
  • Enhancement: Quartermaster

OTHER

Veterans (85 points)
Captain (80 points)
"""


@pytest.mark.covers("muster/faction-detachment", "muster/enhancements")
def test_the_detachment_and_the_enhancements_of_the_book_are_played() -> None:
    sheets = sheets_named("drill")
    cost = 90 + sheets.detachments["parade"].enhancements["quartermaster"].points
    veterans = min(sheets.units["veterans"].sizes.values())
    found = read(DRILL.format(points=cost).replace("(85 ", f"({veterans} "))
    assert found.force is not None
    assert (found.force["sheets"], found.force["mixed"], found.force["detachment"]) == ("drill", ["training"], "parade")
    marshal = army(found).units[0]
    assert (marshal.row.enhancement, marshal.points) == ("quartermaster", cost)
    assert fates(found)["• Enhancement: Quartermaster"] == "played"
    assert [
        one.text for one in found.checks if not one.is_right and "costs" in one.text and "datasheet" in one.text
    ] == []


def test_an_enhancement_that_the_book_does_not_have_is_played_by_hand_and_costs_what_the_list_says() -> None:
    known = read(roster([wardens(), lord()])).force
    with_song = OWN.replace("(80 points)\n  • Warlord", "(95 points)\n  • Enhancement: Old Song\n  • Warlord")
    found = read(with_song, known=[known])
    assert fates(found)["• Enhancement: Old Song"] == "by-hand"
    assert army(found).units[0].points == 95


def test_whom_the_datasheets_of_the_book_may_lead_is_known_of_a_text_too() -> None:
    assert army(read(APP)).units[0].profiles[0].leads == ("line-squad", "jump-squad")


STRANGE = """Road (100 points)

CHARACTERS

Captian (80 points)
  • 1x Blade

OTHER

Line Squad (80 points)
  • 1x Bolt rifle
"""


def test_a_unit_of_no_known_name_waits_for_the_player() -> None:
    found = read(STRANGE)
    assert (needed(found), [one.title["en"] for one in army(found).units]) == (["u0.sheet"], ["Line Squad"])
    assert mend(found, "u0.sheet").choices[0].title == "Captain"
    line = found.lines[2]
    assert (line.text, line.fate) == ("Captian (80 points)", "not-understood")
    assert "export the list from New Recruit" in line.whys[0]
    mended = read(STRANGE, {"u0.sheet": "captain"})
    assert [one.title["en"] for one in army(mended).units] == ["Captain", "Line Squad"]
    assert needed(mended) == []
    assert needed(read(STRANGE, {"u0.sheet": "none"})) == []


@pytest.mark.parametrize("written", ["Rifle (5x Rifle)", "5 lamps (5x Rifle)", "Rifle, Knife (cold)"])
def test_what_stands_in_brackets_is_what_a_choice_comes_to(written: str) -> None:
    found = read(f"Road (80 points)\n\nOTHER\n\nLine Squad (80 points): {written}\n")
    assert [line.fate for line in found.lines][-1] == "played"


def test_what_a_unit_does_not_have_is_told_with_what_is_near() -> None:
    (line,) = (one for one in read(STRANGE).lines if "Bolt rifle" in one.text)
    assert (line.fate, line.whys[0]) == (
        "not-understood",
        "Line Squad has nothing called Bolt rifle. Closest: Rifle.",
    )


OWN = """Road (175 points)

CHARACTERS

Dust Lord (80 points)
  • Warlord
  • 1x Great blade

BATTLELINE

Ash Wardens (60 points)
  • 1x Ash Sergeant
    ◦ 1x Fist
  • 4x Ash Warden
    ◦ 4x Lamp gun
"""


@pytest.mark.covers("datasheet/wargear-options")
def test_a_text_may_name_units_of_armies_that_the_player_has() -> None:
    known = read(roster([wardens(), lord()])).force
    found = read(OWN, known=[known, {"own": 7}, {"own": {"units": {"x": {"title": 3}}}}])
    assert told(found) == [
        "Dust Lord (80) 1 Dust Lord: Great blade",
        "Ash Wardens (60) 1 Ash Sergeant: Fist; 4 Ash Warden: Lamp gun",
    ]
    assert faults(army(found)) == ()


@pytest.mark.covers("t/points-total")
def test_a_price_that_is_not_the_books_is_told() -> None:
    wrong = read(WTC.replace("(80 pts)", "(70 pts)"))
    assert "Captain costs 70 points in the list, and 80 by its datasheet." in [one.text for one in wrong.checks]


def test_a_size_that_the_datasheet_does_not_have_is_a_fault_of_the_army() -> None:
    found = read("Road (140 points)\n\nOTHER\n\n7x Line Squad (140 points)\n  • 7x Rifle\n")
    assert "core-concepts/unit" in [one.rule for one in faults(army(found))]


# ---------------------------------------------------------------- values


@pytest.mark.covers("weapon-abilities/anti")
@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("Rapid Fire 1", "rapid-fire 1"),
        ("Twin-linked", "twin-linked"),
        ("Twin Linked", "twin-linked"),
        ("TWIN-LINKED", "twin-linked"),
        ("Anti-INFANTRY 4+", "anti-infantry 4+"),
        ("Anti Vehicle 2+", "anti-vehicle 2+"),
        ("Sustained hits 1", "sustained-hits 1"),
        ("Sustained Hits D3", None),
        ("Melta 2", "melta 2"),
        ("Melta", None),
        ("Anti-Infantry 7+", None),
        ("Plasma Warhead", None),
    ],
)
def test_abilities_of_weapons_however_they_are_spelt(written: str, value: str | None) -> None:
    assert ability(written) == value


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("Deep Strike", "deep-strike"),
        ('Scouts 6"', "scouts 6"),
        ("Deadly Demise D3", "deadly-demise D3"),
        ("Firing Deck 2", "firing-deck 2"),
        ("Scouts", None),
        ("Oath", None),
    ],
)
def test_core_abilities(written: str, value: str | None) -> None:
    assert core_ability(written) == value


@pytest.mark.parametrize(
    ("written", "value"), [("3+", 3), ('6"', 6), ("6”", 6), (" 4 ", 4), ('20"+', 20), ('20+"', 20)]
)
def test_numbers_of_datasheets(written: str, value: int) -> None:
    assert values.whole(written) == value


@pytest.mark.parametrize("written", ["*", "2D6", "-3", "61", "", "9" * 40, "3+3", "٣"])
def test_what_is_no_number(written: str) -> None:
    with pytest.raises(ValueError):
        values.whole(written)


@pytest.mark.covers("datasheet/random-characteristics")
@pytest.mark.parametrize(("written", "value"), [("2d6 + 1", "2D6+1"), ("D3", "D3"), ("4", "4")])
def test_numbers_with_dice(written: str, value: str) -> None:
    assert values.rolled(written) == value


@pytest.mark.covers("datasheet/weapon-profile")
@pytest.mark.parametrize(("written", "value"), [("-1", -1), ("1", -1), ("0", 0), ("-", 0), ("−2", -2)])
def test_armour_penetration_is_nought_or_less(written: str, value: int) -> None:
    assert values.armour_penetration(written) == value


@pytest.mark.parametrize(
    ("words", "wounds", "base"), [(["monster"], 16, 130), (["monster"], 15, 90), ([], 9, 40), ([], 10, 80)]
)
def test_usual_bases_by_keywords_and_wounds(words: list[str], wounds: int, base: int) -> None:
    assert usual(words, wounds).base == base


# ---------------------------------------------------------------- whatever comes

ODD: tuple[Any, ...] = (
    "",
    "x" * 300,
    "Faction: ",
    "\u202e\u0007",
    0,
    3,
    7.5,
    True,
    None,
    "Unit",
    "Abilities",
    "➤ - ",
    "unit",
    "model",
)


def places(tree: Any) -> list[tuple[Any, Any]]:
    """Every value of a tree, by what holds it and its key."""
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [found for key, one in inner for found in [(tree, key), *places(one)]]


@pytest.mark.parametrize("seed", range(120))
def test_whatever_is_changed_in_a_list_the_army_can_be_built_or_the_list_is_refused(seed: int) -> None:
    random = Random(seed)
    tree = copy.deepcopy(with_banner())
    for _ in range(random.randint(1, 6)):
        holder, key = random.choice([one for one in places(tree) if not isinstance(one[0][one[1]], list)])
        holder[key] = random.choice(ODD)
    found = read(json.dumps({"roster": tree}).encode())
    assert found.refused or len(found.lines) > 1
    assert all(one.fate in ("played", "by-hand", "not-understood", "noted") for one in found.lines)
    if found.force is not None:
        faults(FORCES.from_plain(found.force))


SCRAPS = (
    "(",
    ")",
    "[80 pts]",
    "(0 points)",
    "•",
    "9x ",
    ": ",
    ", ",
    "(on Char1: Captain)",
    "with ",
    "\t",
    "\u00a0",
    "+",
    "",
)


@pytest.mark.parametrize("seed", range(120))
def test_whatever_is_changed_in_a_text_every_line_has_its_fate(seed: int) -> None:
    random = Random(seed)
    lines = random.choice(list(TEXTS.values())).splitlines()
    for _ in range(random.randint(1, 8)):
        at = random.randrange(len(lines))
        change = random.randrange(4)
        if change == 0:
            lines.insert(random.randrange(len(lines)), lines.pop(at))
        elif change == 1:
            lines.insert(at, lines[random.randrange(len(lines))])
        else:
            cut = random.randint(0, len(lines[at]))
            lines[at] = lines[at][:cut] + random.choice(SCRAPS) + lines[at][cut + change - 2 :]
    found = read("\n".join(lines))
    assert found.refused or len(found.lines) == sum(bool(one.strip()) for one in lines)
    if found.force is not None:
        faults(FORCES.from_plain(found.force))


# ---------------------------------------------------------------- played


def test_a_battle_with_armies_from_lists_comes_to_its_end() -> None:
    modes = [gun("➤ Long lamp - near", '18" D6 3+ 5 -1 1', "Blast"), gun("➤ Long lamp - far", '36" 1 3+ 9 -3 D6+1')]
    squad = wardens(4, 60)
    squad["selections"].append(upgrade("Long lamp", 1, modes))
    leads = said("Leader", "■ Ash Wardens")
    one = read(as_rosz(roster([squad, lord(leads, said("Old Song", "Hum.")), beast()]))).force
    other = read(APP).force
    assert one is not None
    assert other is not None
    setup = Setup("w10", {}, (one, other), {"scenery": "only-war", "points": 1000})
    players = {side: RandomPlayer(str(side)) for side in (0, 1)}
    game = battle(load_ruleset("w10"), setup, players, seed="lists")
    assert game.position.result is not None
    told_by_hand = [event.values["ability"]["en"] for event in game.journal if event.kind == "by-hand"]
    assert told_by_hand == ["Old Song"]


def test_very_many_known_datasheets_are_searched_at_once() -> None:
    sheet = army(read(roster([lord()]))).sheets.units["dust-lord"]
    plain = msgspec.to_builtins(sheet, str_keys=True)
    named = {f"u{k}": {**plain, "title": {"en": f"lord of the {k} dusts", "it": "x"}} for k in range(3000)}
    text = "Dust (100 points)\n\nCHARACTERS\n\n" + "".join(f"dusts of {k} lords (90 points)\n" for k in range(60))
    start = perf_counter()
    found = read(text, known=[{"own": {"units": named}}] * 40)
    assert perf_counter() - start < 20
    assert len(needed(found)) == 60


IN_THE_APP = """Dust (180 points)

Adepts of Dust

CHARACTERS

Dust Lord (80 points)
  • Warlord
  • 1x Great blade

OTHER DATASHEETS

Ash Wardens (95 points)
  • 1x Ash Sergeant
    ◦ 1x Fist
  • 9x Ash Warden
    ◦ 8x Lamp gun
    ◦ 1x Heavy lamp
"""


@pytest.mark.covers("datasheet/wargear-options")
def test_a_weapon_that_a_text_counts_once_is_with_one_model() -> None:
    heavy = [upgrade("Heavy lamp", 1, [gun("Heavy lamp", '36" 3 4+ 6 -1 2')])]
    tree = wardens(8)
    tree["selections"].append(model("Ash Warden", 1, heavy))
    known = read(roster([tree, lord()])).force
    assert told(read(IN_THE_APP, known=[known]))[1] == (
        "Ash Wardens (95) 1 Ash Sergeant: Fist; 8 Ash Warden: Lamp gun; 1 Ash Warden: Heavy lamp"
    )
