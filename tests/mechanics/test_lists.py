"""Lists of other programs as records: rosters in three formats, texts in their dialects, and what is refused."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from time import perf_counter
from typing import Any

import pytest

from campale.mechanics.lists.matching import folded, guesses, slug
from campale.mechanics.lists.reading import read_list
from campale.mechanics.lists.record import MOST_BYTES, MOST_SENT, ArmyListed, Entry, ListError
from campale.mechanics.lists.rosters import System
from tests.mechanics import rosters
from tests.mechanics.rosters import FORMATS, Tree, as_json, as_ros, as_rosz, zipped

SYSTEM = System(
    id=rosters.SYSTEM,
    name="Warhammer 40,000 10th Edition",
    cost="pts",
    configuration="Configuration",
    no_keywords=("Warlord",),
    detachment=("Detachment",),
    size=("Battle Size",),
)


def squad(**changes: Any) -> Tree:
    gun = rosters.gun("Lamp gun", keywords="Rapid Fire 1")
    warden = rosters.model("Ash Warden", 4, [rosters.upgrade("Lamp gun", 4, [gun], rules=[rosters.rule("Rapid Fire")])])
    sergeant = rosters.model("Sergeant", 1, [rosters.upgrade("Fist", 1, [rosters.blade("Fist")], 10)])
    stats = [rosters.stats("Ash Wardens", '6" 4 3+ 2 6+ 2')]
    keywords = ["Infantry", "Faction: Adepts of Dust", "Warlord"]
    return {**rosters.unit("Ash Wardens", 85, [sergeant, warden], keywords, profiles=stats), **changes}


def read(data: bytes) -> ArmyListed:
    return read_list(data, SYSTEM)


def said(entries: tuple[Entry, ...]) -> list[Any]:
    """Entries as numbers and names, with what lies within them."""
    return [(one.count, one.name, *([said(one.entries)] if one.entries else [])) for one in entries]


# ---------------------------------------------------------------- rosters


@pytest.mark.parametrize("name", FORMATS)
def test_a_roster_says_the_same_in_every_format(name: str) -> None:
    tree = rosters.roster([rosters.setting("Detachment", "Lantern Host"), squad()], name="Road of Ash")
    army = read(FORMATS[name](tree))
    assert (army.program, army.name, army.faction, army.detachment) == (
        "New Recruit",
        "Road of Ash",
        "Adepts of Dust",
        "Lantern Host",
    )
    assert (army.total, army.added, army.limit, army.has_profiles) == (95, 95, 1000, True)
    (unit,) = army.units
    assert (unit.name, unit.count, unit.points, unit.keywords) == (
        "Ash Wardens",
        5,
        95,
        ("Infantry", "Faction: Adepts of Dust"),
    )
    assert said(unit.models) == [(1, "Sergeant", [(1, "Fist")]), (4, "Ash Warden", [(4, "Lamp gun")])]
    assert unit.profiles[0].values == {"M": '6"', "T": "4", "SV": "3+", "W": "2", "LD": "6+", "OC": "2"}
    assert [line.text for line in army.lines] == [
        "Army Roster – Adepts of Dust",
        "Detachment",
        "Lantern Host",
        "Ash Wardens",
        "Sergeant",
        "Fist",
        "4× Ash Warden",
        "4× Lamp gun",
    ]


def test_the_three_formats_are_one_record() -> None:
    tree = rosters.roster([squad(customName="The 3rd ➤ ’s"), rosters.alone("1984", 10, [], ["Vehicle"])])
    one, two, three = (read(write(tree)) for write in FORMATS.values())
    assert one == two == three


def test_a_rule_that_explains_a_keyword_beside_it_is_no_line_of_its_own() -> None:
    army = read(as_ros(rosters.roster([squad()])))
    assert "Rapid Fire" not in [line.text for line in army.lines]


def test_models_are_found_beneath_what_stands_for_several() -> None:
    inner = rosters.upgrade("5 Wardens", selections=[rosters.model("Ash Warden", 5)])
    (unit,) = read(as_ros(rosters.roster([rosters.unit("Ash Wardens", 85, [inner])]))).units
    assert (unit.count, said(unit.models)) == (5, [(5, "Ash Warden")])


def test_a_model_with_companions_is_a_unit_of_them_all() -> None:
    lord = rosters.alone("Dust Lord", 80, [rosters.model("Hound", 2)])
    (unit,) = read(as_json(rosters.roster([lord]))).units
    assert said(unit.models) == [(1, "Dust Lord"), (2, "Hound")]


def test_a_unit_without_models_is_its_own_model() -> None:
    tree = rosters.unit("Dust Engine", 80, [rosters.upgrade("Lamp gun", 2, [rosters.gun("Lamp gun")])])
    (unit,) = read(as_ros(rosters.roster([tree]))).units
    assert (unit.count, said(unit.models), unit.entries) == (1, [(1, "Dust Engine", [(2, "Lamp gun")])], ())


def test_forces_within_forces_are_read() -> None:
    tree = rosters.roster([squad()])
    tree["forces"][0]["forces"] = [{**tree["forces"][0], "id": "f2"}]
    assert [one.name for one in read(as_ros(tree)).units] == ["Ash Wardens", "Ash Wardens"]


def test_of_a_number_of_nought_nobody_is_there() -> None:
    ghosts = rosters.unit("Nobody", 0, [rosters.model("Ghost", 0), rosters.model("Ghoul", 1)])
    army = read(as_ros(rosters.roster([ghosts])))
    assert [one.count for one in army.units] == [1]


# ---------------------------------------------------------------- hostile files

BOMB = """<?xml version="1.0"?><!DOCTYPE roster [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><roster name="&c;"><forces/></roster>"""
OUTSIDE = '<!DOCTYPE roster [<!ENTITY x SYSTEM "file:///etc/hostname">]><roster name="x">&x;</roster>'
PLAIN_TYPE = '<!DOCTYPE roster><roster name="x"/>'


def changed(**changes: Any) -> Tree:
    tree = rosters.roster([squad()])
    tree["forces"][0]["selections"][0].update(changes)
    return tree


def nested_xml(depth: int) -> bytes:
    inside = '<selections><selection name="x" type="upgrade" number="1">' * depth
    return (
        f'<roster gameSystemId="{rosters.SYSTEM}"><forces><force>{inside}'
        + "</selection></selections>" * depth
        + "</force></forces></roster>"
    ).encode()


def nested_json(depth: int) -> bytes:
    tree: Tree = {"name": "x", "type": "upgrade"}
    for _ in range(depth):
        tree = {"name": "x", "type": "upgrade", "selections": [tree]}
    return as_json(rosters.roster([tree]))


def encrypted() -> bytes:
    data = bytearray(as_rosz(rosters.roster([squad()])))
    data[6] |= 1
    place = data.rindex(b"PK\x01\x02")
    data[place + 8] |= 1
    return bytes(data)


def bomb(size: int = 60_000_000) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("list.ros", b"<" + b" " * size)
    return out.getvalue()


def lying_bomb() -> bytes:
    """A zip that says of its file that it is small."""
    data = bytearray(bomb())
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = data.index(mark) + at
        data[place : place + 4] = (1000).to_bytes(4, "little")
    return bytes(data)


HOSTILE: dict[str, tuple[bytes, str]] = {
    "entity bomb": (BOMB.encode(), "document type or entities"),
    "entity from outside": (OUTSIDE.encode(), "document type or entities"),
    "document type": (PLAIN_TYPE.encode(), "document type or entities"),
    "zip bomb": (bomb(), "larger than 10 MB"),
    "zip bomb that lies": (lying_bomb(), "zip file cannot be opened"),
    "zip bomb by ratio": (bomb(9_000_000), "larger than 10 MB"),
    "two files in a zip": (zipped({"a.ros": b"<a/>", "b.ros": b"<b/>"}), "contains more (2)"),
    "no file in a zip": (b"PK\x03\x04", "zip file cannot be opened"),
    "a folder in a zip": (zipped({"lists/a.ros": b"<a/>"}), "in a folder"),
    "a path out of a zip": (zipped({"../../a.ros": b"<a/>"}), "in a folder"),
    "a path of another system": (zipped({"C:\\a.ros": b"<a/>"}), "in a folder"),
    "encrypted zip": (encrypted(), "zip file cannot be opened"),
    "torn zip": (as_rosz(rosters.roster([squad()]))[:-40], "zip file cannot be opened"),
    "a zip in a zip": (zipped({"a.ros": zipped({"b.ros": b"<a/>"})}), "not a UTF-8"),
    "deep XML": (nested_xml(200), "more than 60 levels"),
    "deep JSON": (nested_json(200), "more than 60 levels"),
    "deeper JSON": (b'{"roster":' * 100_000, "more than 60 levels"),
    "torn XML": (as_ros(rosters.roster([squad()]))[:-20], "XML file is damaged"),
    "torn JSON": (as_json(rosters.roster([squad()]))[:-20], "JSON file is damaged"),
    "Latin 1": (as_json(rosters.roster([squad(name="Kh\u00e2rn")])).decode().encode("latin-1"), "not a UTF-8"),
    "UTF-16": (as_ros(rosters.roster([squad()])).decode().encode("utf-16"), "not a UTF-8"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0", "not a UTF-8"),
    "nothing": (b" \n ", "list is empty"),
    "too large": (b"<" * (MOST_SENT + 1), "larger than 4 MB"),
    "too many parts": (
        b'<roster gameSystemId="x"><forces><force>' + b"<a/>" * 70_000 + b"</force></forces></roster>",
        "more than 60000 parts",
    ),
    "a long text": (as_ros(changed(name="x" * 30_000)), "longer than 20000 characters"),
    "a huge number": (as_json(changed(number=10**30)), "times in this file"),
    "a number below nought": (as_ros(changed(number=-1)), "times in this file"),
    "half a model": (as_json(changed(number=1.5)), "times in this file"),
    "a number of other digits": (as_ros(changed(number="\u0665")), "times in this file"),
    "a true number": (as_json(changed(number=True)), "times in this file"),
    "an endless cost": (as_ros(changed(costs=[{"name": "pts", "value": "inf"}])), "a cost of 'inf'"),
    "a cost beyond JSON": (as_json(changed()).replace(b'"value": 85', b'"value": 1e999'), "JSON file is damaged"),
    "a cost of nothing": (as_ros(changed(costs=[{"name": "pts", "value": "x"}])), "a cost of 'x'"),
    "selections that are one": (as_json(changed(selections={"name": "x"})), "selections in this file"),
    "selections of numbers": (as_json(changed(selections=[1, 2])), "selections in this file"),
    "a roster that is a list": (json.dumps({"roster": []}).encode(), "contains no roster"),
    "a roster without forces": (as_json(rosters.roster([], forces=[])), "contains no roster"),
    "a data file": (b'<catalogue xmlns="x" name="Adepts"/>', "data file, not a list"),
    "another game": (as_ros(rosters.roster([], gameSystemId="y", gameSystemName="Ships")), "another game: Ships"),
    "too many units": (as_ros(rosters.roster([squad()] * 61)), "more than 60 units"),
    "too many lines": (("x (5 points)\n" * 2500).encode(), "more than 2000 lines"),
    "a text without units": (b"hello\nworld", "No unit was found"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_cannot_be_a_list_is_refused_with_what_to_do(name: str) -> None:
    data, words = HOSTILE[name]
    with pytest.raises(ListError) as caught:
        read(data)
    (message,) = caught.value.messages
    assert words in message
    assert caught.value.told("it") != [message]


def test_the_limits_let_ordinary_lists_through() -> None:
    """A large list of New Recruit has 192 kB; the zip's ratio is 11 to 1."""
    text = rosters.ability("Song", "La la la " * 400)
    units = [squad(profiles=[rosters.stats("Ash Wardens", '6" 4 3+ 2 6+ 2'), text]) for _ in range(50)]
    data = as_ros(rosters.roster(units))
    assert 192_000 < len(data) < MOST_BYTES
    assert len(read(as_rosz(rosters.roster(units))).units) == 50


# ---------------------------------------------------------------- texts

APP = """
Road of Ash (1000 points)

Adepts of Dust
Strike Force (2,000 points)
Lantern Host

CHARACTERS

Dust Lord (95 points)
  • Warlord
  • 1x Great blade
    1x Lamp pistol
  • Enhancements: Old Song

BATTLELINE

Ash Wardens (160 points)
  • 1x Sergeant
    ◦ 1x Fist
  • 9x Ash Warden
    ◦ 9x Knife
    ◦ 7x Lamp gun
    ◦ 2x Long lamp

Exported with App Version: v1.40.0 (81), Data Version: v650
"""
HEAD = """+++++++++++++++++++++++++++++++++++++++++++++++
+ FACTION KEYWORD: Imperium - Adepts of Dust
+ DETACHMENT: Lantern Host
+ TOTAL ARMY POINTS: 1000pts
+
+ WARLORD: Char1: Dust Lord
+ ENHANCEMENT: Old Song (on Char1: Dust Lord)
& NUMBER OF UNITS: 2
+++++++++++++++++++++++++++++++++++++++++++++++

"""
WTC = (
    HEAD
    + """Char1: 1x Dust Lord (95 pts)
1 with Warlord, Great blade, Lamp pistol
Enhancement: Old Song (+15 pts)

10x Ash Wardens (160 pts)
• 1x Sergeant: 1 with Fist
• 9x Ash Warden
7 with Lamp gun, Knife
2 with Long lamp, Knife
"""
)
COMPACT = (
    HEAD
    + """Char1: 1x Dust Lord (95 pts): Warlord, Great blade, Enhancement: Old Song (+15 pts), Lamp pistol
BL1: 10x Ash Wardens (160 pts)
• 1x Sergeant: Fist
• 9x Ash Warden: 9 with Lamp gun, Knife
"""
)
GW = (
    HEAD
    + """CHARACTERS

Dust Lord (95 pts)
• Warlord
• 1x Great blade
• Enhancement: Old Song

OTHER DATASHEETS

Ash Wardens (160 pts)
• 1x Sergeant
  • 1x Fist
• 9x Ash Warden
  • 9x Lamp gun
"""
)
DEFAULT = """# ++ Army Roster ++ [1000 pts]
## Configuration
Battle Size: Strike Force
Detachment: Lantern Host
## Character [95 pts]
Dust Lord [95 pts]: Warlord, Great blade, Old Song [15 pts]
## Battleline [160 pts]
Ash Wardens [160 pts]:
• Sergeant: Fist
• 9x Ash Warden: Lamp gun, Knife
"""
FORGE = """Road of Ash - Adepts of Dust - Lantern Host (1000 Points)

Epic Hero:
Dust Lord (95 pts)
• Warlord
• 1x Great blade
• E: Old Song

Battleline:
Ash Wardens (160 pts)
• 9x Lamp gun
"""
FRENCH = """Route de Cendre (1 000 points)

Adeptes de la Poussière
Force de Frappe (2 000 points)
Hôte des Lanternes

PERSONNAGES

Seigneur (95 points)
  • 1x Grande lame
"""

NAMED = """Order - Adepts of Dust - Ashes! (no hounds) - [255 pts]

# ++ Army Roster ++ [255 pts]
## Configuration
Battle Size: Strike Force (2000 Point limit)
Lamp Reference
Detachment: Lantern Host
Show/Hide Options

## Epic Hero [95 pts]
Dust Lord [95 pts]: Great blade, 2 lamps (2x Lamp pistol), Blade and horn (Blade, Horn)

## Battleline [160 pts]
Ash Wardens [160 pts]:
• 1x Sergeant w/ horn: Fist, Horn
  1 long lamp, 7 lamp guns
• 9x Ash Warden: Lamp gun, Knife
"""
SQUADS = (
    HEAD
    + """Char1: 1x Dust Lord (95 pts): Warlord, 2x Lamp pistol, Great blade
Enhancement: Old Song (+15 pts)

10x Ash Wardens (160 pts)
• 9x Ash Warden
    6 with Ash Wardens, Knife, Lamp gun
    3 with Ash Wardens, Knife, 2x Long lamp
• 1x Sergeant: Horn, Fist
"""
)
HEADINGS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "app": (APP, ("the official app", "Road of Ash", "Adepts of Dust", "Lantern Host", 1000, 2000, 255)),
    "wtc": (WTC, ("New Recruit (WTC)", "", "Adepts of Dust", "Lantern Host", 1000, 0, 255)),
    "compact": (COMPACT, ("New Recruit (WTC)", "", "Adepts of Dust", "Lantern Host", 1000, 0, 255)),
    "gw": (GW, ("New Recruit (WTC)", "", "Adepts of Dust", "Lantern Host", 1000, 0, 255)),
    "default": (DEFAULT, ("New Recruit", "", "", "Lantern Host", 1000, 0, 255)),
    "forge": (FORGE, ("ListForge", "Road of Ash", "Adepts of Dust", "Lantern Host", 1000, 0, 255)),
    "named": (NAMED, ("New Recruit", "Ashes! (no hounds)", "Adepts of Dust", "Lantern Host", 255, 2000, 255)),
    "squads": (SQUADS, ("New Recruit (WTC)", "", "Adepts of Dust", "Lantern Host", 1000, 0, 255)),
    "french": (FRENCH, ("text", "Route de Cendre", "Adeptes de la Poussière", "Hôte des Lanternes", 1000, 2000, 95)),
}


@pytest.mark.parametrize("name", HEADINGS)
def test_the_heading_of_a_text(name: str) -> None:
    text, wanted = HEADINGS[name]
    army = read(text.encode())
    assert (army.program, army.name, army.faction, army.detachment, army.total, army.limit, army.added) == wanted


LORD_ALONE = [(1, "Warlord"), (1, "Great blade"), (1, "Lamp pistol"), (1, "Old Song")]
UNITS: dict[str, tuple[str, list[Any], list[Any]]] = {
    "app": (
        APP,
        LORD_ALONE,
        [
            (1, "Sergeant", [(1, "Fist")]),
            (9, "Ash Warden", [(9, "Knife"), (7, "Lamp gun"), (2, "Long lamp")]),
        ],
    ),
    "wtc": (
        WTC,
        [(1, "", [(1, "Warlord"), (1, "Great blade"), (1, "Lamp pistol")]), (1, "Old Song")],
        [
            (1, "Sergeant", [(1, "", [(1, "Fist")])]),
            (9, "Ash Warden", [(7, "", [(7, "Lamp gun"), (7, "Knife")]), (2, "", [(2, "Long lamp"), (2, "Knife")])]),
        ],
    ),
    "compact": (
        COMPACT,
        [(1, "Warlord"), (1, "Great blade"), (1, "Old Song"), (1, "Lamp pistol")],
        [(1, "Sergeant", [(1, "Fist")]), (9, "Ash Warden", [(9, "", [(9, "Lamp gun"), (9, "Knife")])])],
    ),
    "gw": (
        GW,
        [(1, "Warlord"), (1, "Great blade"), (1, "Old Song")],
        [(1, "Sergeant", [(1, "Fist")]), (9, "Ash Warden", [(9, "Lamp gun")])],
    ),
    "default": (
        DEFAULT,
        [(1, "Warlord"), (1, "Great blade"), (1, "Old Song")],
        [(1, "Sergeant", [(1, "Fist")]), (9, "Ash Warden", [(9, "Lamp gun"), (9, "Knife")])],
    ),
    "named": (
        NAMED,
        [
            (1, "Great blade"),
            (2, "lamps", [(2, "Lamp pistol")]),
            (1, "Blade and horn", [(1, "Blade"), (1, "Horn")]),
        ],
        [
            (1, "Sergeant w/ horn", [(1, "Fist"), (1, "Horn")]),
            (1, "long lamp"),
            (7, "lamp guns"),
            (9, "Ash Warden", [(9, "Lamp gun"), (9, "Knife")]),
        ],
    ),
    "squads": (
        SQUADS,
        [(1, "Warlord"), (2, "Lamp pistol"), (1, "Great blade"), (1, "Old Song")],
        [
            (
                9,
                "Ash Warden",
                [
                    (6, "", [(6, "Ash Wardens"), (6, "Knife"), (6, "Lamp gun")]),
                    (3, "", [(3, "Ash Wardens"), (3, "Knife"), (6, "Long lamp")]),
                ],
            ),
            (1, "Sergeant", [(1, "Horn"), (1, "Fist")]),
        ],
    ),
    "forge": (FORGE, [(1, "Warlord"), (1, "Great blade"), (1, "Old Song")], [(9, "Lamp gun")]),
}


@pytest.mark.parametrize("name", UNITS)
def test_the_units_of_a_text(name: str) -> None:
    text, lord, wardens = UNITS[name]
    units = read(text.encode()).units
    assert [(one.name, one.points) for one in units] == [("Dust Lord", 95), ("Ash Wardens", 160)]
    assert (said(units[0].entries), said(units[1].entries)) == (lord, wardens)


@pytest.mark.parametrize("name", HEADINGS)
def test_every_line_of_a_text_belongs_to_something(name: str) -> None:
    army = read(HEADINGS[name][0].encode())
    told = {one.line for one in army.asides}
    for unit in army.units:
        told |= {unit.line, *(inner.line for entry in unit.entries for inner in entry.all())}
    assert told == set(range(len(army.lines)))


TWINS = """++++++++++
+ FACTION KEYWORD: Adepts of Dust
+ WARLORD: Char2: Dust Lord
+ ENHANCEMENT: Old Song (on Char1: Dust Lord)
& Old Horn (on Char2: Dust Lord)
& Lost Lamp (on Char3: Nobody)
++++++++++
Char1: 1x Dust Lord (80 pts): Great blade
Char2: 1x Dust Lord (95 pts): Great blade
Enhancement: Old Horn (+15 pts)
"""


def test_what_the_heading_alone_says_of_a_unit_is_its() -> None:
    one, other = read(TWINS.encode()).units
    assert said(one.entries) == [(1, "Great blade"), (1, "Old Song")]
    assert said(other.entries) == [(1, "Great blade"), (1, "Old Horn"), (1, "Warlord")]
    assert [entry.line for entry in one.entries] == [7, 3]


def test_an_enhancement_is_marked_and_has_its_points() -> None:
    (entry,) = [one for one in read(WTC.encode()).units[0].entries if one.keywords]
    assert (entry.name, entry.points, entry.keywords) == ("Old Song", 15, ("enhancement",))


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("name", "plain"), [("Kh\u00e2rn\u2019s  Blade", "kharns blade"), ("Twin-Linked", "twin linked"), ("\u00a0", "")]
)
def test_names_are_folded(name: str, plain: str) -> None:
    assert folded(name) == plain
    assert slug(name) == plain.replace(" ", "-")


def test_the_nearest_names_come_first() -> None:
    assert guesses("Ash Wardns", ["Dust Lord", "Ash Wardens", "Ash Hounds"])[0] == "Ash Wardens"
    assert guesses("Zzz", ["Dust Lord"]) == []


HEAD = "Dust (100 points)\n\nCHARACTERS\n\nDust Lord (80 points)\n"


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "  • x (" + "1pts " * 18_000,
        "a (" + "1pts " * 18_000 + "\n" + HEAD,
        HEAD + "  • a" + " " * 90_000 + "b(",
        HEAD + "  • " + "a," * 45_000,
        HEAD + "  • a" + " - " * 30_000,
        HEAD + "\n" * 90_000,
    ],
)
def test_a_line_made_to_be_slow_is_read_at_once(text: str) -> None:
    start = perf_counter()
    assert read(text.encode()).units
    assert perf_counter() - start < 5


def test_a_text_of_many_depths_is_read_and_a_long_one_refused() -> None:
    deep = HEAD + "".join(" " * k + "- a\n" for k in range(400))
    assert read(deep.encode()).units
    with pytest.raises(ListError):
        read((HEAD + "  • a, b\n" * 12_000).encode())
