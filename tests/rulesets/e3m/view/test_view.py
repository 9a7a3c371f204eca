"""What screens are told of Edition 3.m: orders as far as one may know, command, chits, zones, fire areas, routes."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.moves.unit_moves import as_paths
from campale.referee.journal import Journal
from campale.referee.looks import Changed, Chit, Mark
from campale.referee.position import Position
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.telling.transcript import lines
from campale.rulesets.e3m.armies.setting_out import starters
from campale.rulesets.e3m.command.orders import secret, seen_by
from campale.rulesets.e3m.fire.declaring import fire_form
from campale.rulesets.e3m.fire.kinds import ADVANCING, OPPORTUNITY, PREPARATORY
from campale.rulesets.e3m.movement.routes import Route, packed, stand_at
from campale.rulesets.e3m.turn.sequence import BY_NAME, groups_told
from campale.rulesets.e3m.vehicles.foretelling import foretold
from campale.rulesets.e3m.view.aiming import laid, landed, marker, template
from campale.rulesets.e3m.view.cards import card, changes, measured
from campale.rulesets.e3m.view.known import chits, commands, may_still_act, unit_marks
from campale.rulesets.e3m.view.looks import arms, reaches
from campale.rulesets.e3m.view.tallying import tally
from campale.rulesets.e3m.view.telling import line_shown, standing
from campale.rulesets.e3m.view.zones import zones
from campale.screen.sheet import filled, laid_though_refused, sheet
from campale.screen.telling import Marker
from campale.table.paths import Path
from campale.table.turning import plan_with_turns
from tests.rulesets.e3m.kit import LEADS, model, piece, squad, table, unit
from tests.screen.test_scene import teller_of


def told(position: Position, side: int | None, row: int) -> list[Mark]:
    return [mark for mark in unit_marks(unit(seen_by(side, position), row)) if mark.kind.startswith("order-")]


# ---------------------------------------------------------------- cards


@pytest.mark.covers("base-profile/characteristics", "base-profile/vehicles")
def test_a_card_shows_a_statline_or_the_armour_of_a_vehicle() -> None:
    position = table(squad("line-warden", 1), squad("gun-tank", at=(20, 10)), squad("biker", 1, at=(30, 10)))
    warden, tank, biker = (card(model(position, row)) for row in range(3))
    assert {name: warden[name] for name in ("ws", "bs", "s", "t", "w", "i", "a", "ld", "save")} == {
        "ws": 4,
        "bs": 4,
        "s": 4,
        "t": 4,
        "w": 1,
        "i": 4,
        "a": 1,
        "ld": 8,
        "save": "3+",
    }
    assert (tank["armour"], tank["bs"], tank["gear"]) == ([13, 11, 10], 4, "tracked")
    assert "ws" not in tank
    assert biker["t"] == "4(5)"


@pytest.mark.covers("base-melee/attacks", "base-melee/charge-bonus", "base-weapons/close-combat")
def test_a_card_shows_the_attacks_as_they_are_with_the_rules_that_raise_them() -> None:
    position = table(squad("line-warden", 1), squad("scout", 1, at=(20, 10)), squad("scout", 1, at=(30, 10)))
    unit(position, 2).mark("charged-in", 1)
    two, charge = "base-weapons/close-combat", "base-melee/charge-bonus"
    assert [changes(model(position, row)) for row in range(3)] == [
        {},
        {"a": Changed(1, (two,))},
        {"a": Changed(1, (two, charge))},
    ]
    assert [card(model(position, row))["a"] for row in range(3)] == [1, 2, 3]


@pytest.mark.covers("base-morale/test", "base-morale/modifiers")
@pytest.mark.parametrize(("lost", "ld", "rules"), [(2, 9, ("base-morale/test",)), (3, 8, None)])
def test_a_card_shows_the_leadership_that_a_test_would_be_on(lost: int, ld: int, rules: tuple[str, ...] | None) -> None:
    """The captain's leads five scouts; below half of them it is 1 lower, as it was for them."""
    position = table(squad("scout", 5), squad("captain", 1, at=(20, 10)))
    position.join(model(position, 5), unit(position, 0))
    for row in range(lost):
        position.remove(model(position, row), "fire")
    assert card(model(position, 4))["ld"] == ld
    assert changes(model(position, 4)).get("ld") == (None if rules is None else Changed(8, rules))


@pytest.mark.covers("base-vehicle/walkers")
def test_the_card_of_a_walker_that_cannot_move_shows_one_attack() -> None:
    position = table(squad("strider"))
    walker = model(position, 0)
    before = card(walker)["a"]
    walker.mark("immobilised", 1)
    assert (before, card(walker)["a"]) == (2, 1)
    assert changes(walker)["a"].rules == ("base-vehicle/walkers",)


@pytest.mark.covers("base-profile/weapons", "base-weapons/small-arms-table", "base-weapons/heavy-table")
@pytest.mark.covers("base-weapons/close-combat", "base-weapons/template")
def test_a_card_lists_every_weapon_once_with_its_lines() -> None:
    position = table(squad("gun-tank"), squad("clan-chief", 1, at=(20, 10)))
    rows = [
        (arm.id, arm.values["range"], arm.values["strength"], arm.values["shots"]) for arm in arms(model(position, 0))
    ]
    assert rows == [("autocannon", 48.0, 7, "2"), ("heavy-machine-gun", 36.0, 5, "3")]
    assert [(one.of, one.reach) for one in reaches(model(position, 0))] == [
        ("autocannon", 48.0),
        ("heavy-machine-gun", 36.0),
    ]
    assert any(arm.values == {"fire": "melee"} for arm in arms(model(position, 1)))


@pytest.mark.covers("base-profile/weapons", "base-weapons/heavy-table")
def test_the_numbers_of_a_weapon_are_told_in_each_language() -> None:
    cannon = next(
        line
        for mount in model(table(squad("gun-tank")), 0).profile.mounts
        for line in mount.weapon.lines
        if line.range == 48
    )
    told = line_shown(cannon)
    assert isinstance(told, dict)
    assert told["en"] == f"48″ S7 AP{cannon.ap} heavy 2"
    assert told["it"] == f"48″ Fo7 VP{cannon.ap} pesante 2"


@pytest.mark.covers("base-weapons/special")
def test_a_weapon_line_tells_its_special_rules() -> None:
    """The two ways to fire a missile launcher differ in more than numbers."""
    frag, krak = model(table(squad("line-warden", special=["missile-launcher"])), 0).profile.mounts[0].weapon.lines
    shown = line_shown(frag)
    assert isinstance(shown, dict)
    assert (shown["en"], shown["it"]) == ("48″ S4 AP6 heavy 1, blast", "48″ Fo4 VP6 pesante 1, esplosione")
    assert line_shown(krak) == {"en": "48″ S8 AP3 heavy 1", "it": "48″ Fo8 VP3 pesante 1"}


@pytest.mark.covers("fire/vehicle-weapons", "fire/preparatory-vehicles")
def test_the_weapons_of_a_vehicle_are_asked_by_name() -> None:
    position = table(squad("gun-tank", at=(36, 10)), squad("brawler", 3, side=1, at=(60, 12)))
    question = fire_form(unit(position, 0), PREPARATORY).field([("unit", 1)])
    assert question is not None
    options = sheet(question, teller_of(position), position).options
    assert options is not None
    first, second = (mount.weapon.title.en for n, mount in enumerate(model(position, 0).profile.mounts) if n != 1)
    assert [one.text for one in options] == [
        f"all its weapons, standing still: {first}, {second}",
        f"one weapon: {first}",
        f"one weapon: {second}",
    ]


@pytest.mark.covers("base-general/within", "hierarchy/in-command", "fire/area-centre")
def test_anything_may_be_measured() -> None:
    position = table(
        squad("line-warden", 1, at=(10, 10), group=1, models={LEADS: 1}),
        squad("gun-tank", side=1, at=(10, 30), facing=180),
        pieces=[piece("building", 40, 20)],
    )
    found = measured(model(position, 0), model(position, 1))
    assert found == {"distance": 15.5, "sees": True, "command_radius": 12.0, "face": "front", "battle-rifle": 24.0}
    assert "command_radius" not in measured(model(position, 1), model(position, 0))


# ---------------------------------------------------------------- orders


@pytest.mark.covers("orders/secret-orders", "orders/reveal", "hierarchy/group-composition")
def test_an_order_not_shown_is_told_to_its_own_side_alone() -> None:
    position = table(squad("scout", 2, order=None, group=3), squad("brawler", 2, side=1, at=(40, 30), order="halt"))
    position.declare(secret(0), ((0, "ready"),))
    assert told(position, 0, 0) == [Mark("order-ready", is_secret=True)]
    assert told(position, 1, 0) == told(position, None, 0) == [Mark("order-hidden")]
    assert told(position, 0, 1) == told(position, 1, 1) == [Mark("order-halt")]
    assert unit_marks(unit(position, 0))[0] == Mark("in-group", {"number": 2})


@pytest.mark.parametrize("orders", [("march", "fire"), ("ready", "assault")])
def test_nothing_told_depends_on_orders_that_are_not_shown(orders: tuple[str, str]) -> None:
    """All that the other side is told of both units, and of what may still be done, is as if they were on Fire."""

    def with_orders(*given: str) -> Position:
        squads = [squad("scout", 2, at=(20 + 10 * k, 20), order=None) for k in range(2)]
        position = table(*squads, squad("carrier", 1, side=1, at=(60, 20)), phase="movement", begun=1, turn=2)
        position.declare(secret(0), tuple(enumerate(given)))
        return position

    def all_told(position: Position) -> Any:
        seen = seen_by(1, position)
        ways = foretold(unit(position, 2), as_paths(unit(position, 2).models, [([(10.0, 20.0)], 270.0)]))
        return [unit_marks(unit(seen, row)) for row in (0, 1)], may_still_act(seen, BY_NAME["movement"]), ways

    assert all_told(with_orders(*orders)) == all_told(with_orders("fire", "fire"))


@pytest.mark.covers("turn/alternate-elements", "turn/eligible-elements", "orders/reveal")
def test_who_may_still_act_is_counted_by_what_everybody_knows() -> None:
    position = table(
        squad("scout", 2, at=(10, 10), order="fire", group=1),
        squad("scout", 2, at=(20, 10), order="ready", group=2),
        squad("scout", 2, at=(30, 10), order=None, group=3),
        squad("brawler", 2, side=1, at=(40, 30), order="march", group=4, marks={"acted": 1}),
        squad("brawler", 2, side=1, at=(50, 30), order="assault", group=5),
    )
    position.declare(secret(0), ((2, "halt"),))
    assert may_still_act(position, BY_NAME["movement"]) == (2, 1)
    assert may_still_act(position, BY_NAME["preparatory"]) == (2, 0)
    assert may_still_act(position, BY_NAME["assault"]) == (0, 1)
    assert may_still_act(position, BY_NAME["melees"]) is None


@pytest.mark.covers("turn/eligible-elements", "vehicles/disembark")
@pytest.mark.parametrize(("moved", "left"), [(0, 1), (1, 0)])
def test_troops_in_a_vehicle_of_another_group_count_until_it_has_moved(moved: int, left: int) -> None:
    position = table(
        squad("carrier", at=(20, 10), order="halt", group=1, marks={"moved": moved}),
        squad("scout", 2, order="fire", group=2, aboard=0),
        squad("brawler", side=1, at=(50, 40), order="halt", group=3),
    )
    unit(position, 0).mark("acted", 1)
    assert may_still_act(position, BY_NAME["movement"]) == (left, 0)


# ---------------------------------------------------------------- command, chits, zones


@pytest.mark.covers("hierarchy/in-command", "hierarchy/commander-role")
@pytest.mark.covers("hierarchy/command-radius-table", "hierarchy/leader-loss")
def test_a_leader_leads_his_group_and_the_commander_those_without_a_leader() -> None:
    position = table(
        squad("line-warden", 1, at=(10, 10), group=1, models={LEADS: 1}),
        squad("scout", 1, at=(40, 10), group=1),
        squad("citadel-wardens/captain", 1, at=(45, 10)),
        squad("scout", 1, at=(60, 10), group=2),
    )
    leader, captain = commands(model(position, 0)), commands(model(position, 2))
    assert leader is not None
    assert captain is not None
    assert (leader.reach, leader.units) == (12.0, (1,))
    assert captain.units == (3,)
    assert commands(model(position, 1)) is None
    unit(position, 0).jot("order", "retreat")
    assert commands(model(position, 0)) is None
    assert commands(model(position, 2)) == captain.__class__(12.0, captain.rule, (0, 1, 3))


@pytest.mark.covers("initiative/chits", "initiative/one-draw-per-phase", "initiative/element-chits")
def test_chits_drawn_lie_face_up() -> None:
    position = table(squad("scout", 1), turn=1)
    position.declare("chits", (0, 1, 1))
    assert chits(position) == [Chit(0, True), Chit(0, False), Chit(1, False), Chit(1, False)]
    position.now["turn"] = 0
    assert chits(position) == []


@pytest.mark.covers("victory/quarters", "victory/centre", "orders/retreat-stop", "setup/deployment")
@pytest.mark.parametrize(
    ("now", "kinds"),
    [
        ({"phase": "deployment", "turn": 0}, ["deployment", "deployment"]),
        ({"mission": "quarters", "turn": 2}, ["quarter"] * 4),
        ({"mission": "centre", "turn": 2}, ["centre"]),
        ({"mission": "attrition", "turn": 2}, []),
    ],
)
def test_zones_are_told_while_they_matter(now: dict[str, Plain], kinds: list[str]) -> None:
    position = table(squad("scout", 2, at=(30, 20)), squad("brawler", 2, side=1, at=(60, 40)), **now)
    assert [zone.kind for zone in zones(position)] == kinds
    held = [zone.side for zone in zones(position)]
    assert held == {"quarter": [0, -1, -1, 1], "centre": [0], "deployment": [0, 1]}.get(kinds[0] if kinds else "", [])
    quarters = [values["quarter"] for kind, values in standing(position) if kind == "quarter"]
    assert quarters == (["south-west", "north-west", "south-east", "north-east"] if "quarter" in kinds else [])
    unit(position, 1).jot("order", "retreat")
    assert [zone.side for zone in zones(position) if zone.kind == "rally"] == ([1] if now["turn"] else [])


# ---------------------------------------------------------------- the fire area


def aim(position: Position, kind: Any = OPPORTUNITY) -> Question:
    question = fire_form(unit(position, 0), kind).after(["area"])
    assert question is not None
    assert question.prompt == "fire-area"
    return question


@pytest.mark.covers("fire/eligible-shooters", "fire/area-diameter", "fire/area-hittable")
@pytest.mark.covers("fire/full-strength")
def test_a_fire_area_tells_who_fires_and_who_can_be_hit_and_the_dice() -> None:
    shooters = squad("scout", at=[(20, 10), (22, 10), (30, 10)])
    position = table(shooters, squad("brawler", 3, side=1, at=(20, 20)), pieces=[piece("building", 29, 13)])
    found = laid(position, aim(position), [21.0, 20.0, 2.0])
    assert found is not None
    assert (found.by, found.idle, found.most, found.radius) == ((0, 1), (2,), 2.0, 1.0)
    assert found.under == (3, 4)
    kinds = dict(found.told)
    assert kinds["fires"] == {"count": 2, "of": 3}
    assert kinds["hit"] == {"count": 2, "units": [1]}
    assert dict(laid(position, aim(position), [40.0, 40.0, 2.0]).told).keys() >= {"nobody"}  # type: ignore[union-attr]


@pytest.mark.covers("fire/full-strength", "fire/reduced-strength", "base-weapons/rapid-fire")
def test_reduced_fire_tells_the_dice_in_full_and_halved() -> None:
    position = table(squad("scout", 3, at=(20, 10), order="assault"), squad("brawler", 3, side=1, at=(20, 20)))
    full = dict(laid(position, aim(position, OPPORTUNITY), [21.0, 20.0, 2.0]).told)  # type: ignore[union-attr]
    half = dict(laid(position, aim(position, ADVANCING), [21.0, 20.0, 2.0]).told)  # type: ignore[union-attr]
    count = full["dice"]["count"]
    assert half["dice-reduced"] == {"full": count, "count": -(-count // 2)}


def test_of_an_area_that_is_refused_is_told_how_wide_it_may_be() -> None:
    position = table(squad("scout", 3, at=(20, 10)), squad("brawler", 3, side=1, at=(20, 20)))
    form, teller = fire_form(unit(position, 0), OPPORTUNITY), teller_of(position)
    path = [["area"]]
    found = laid_though_refused(form, path, [21.0, 20.0, 9.0], teller, position)
    assert found is not None
    assert found.most == 3.0
    assert found.told[0].startswith("3 ")
    assert laid_though_refused(form, path, [21.0, 20.0], teller, position) is None
    assert laid_though_refused(form, path, "x", teller, position) is None
    assert laid_though_refused(form, [["nothing"]], [21.0, 20.0, 9.0], teller, position) is None
    assert sheet(form, teller, position).closed is False


def test_a_volley_stands_on_one_sheet_with_its_area_where_the_player_puts_it() -> None:
    shooters = squad("line-warden", at=[(20, 10), (21.5, 10)], special=["missile-launcher"])
    position = table(shooters, squad("levy", 3, side=1, at=(20, 24)), squad("skimmer", side=1, at=(30, 30)))
    form, teller = fire_form(unit(position, 0), PREPARATORY), teller_of(position)
    assert sheet(form, teller, position).whole
    fields = filled(form, [], None, -1, teller, position).fields
    assert [one.sheet.prompt for one in fields][:3] == ["fire-at", "weapon-line", "heavy-at"]
    assert sum(one.sheet.prompt == "fire-area" for one in fields) == 1
    place = next(k for k, one in enumerate(fields) if one.sheet.prompt == "fire-area")
    answers = [one.answer for one in fields]
    moved = filled(form, [], [*answers[:place], [21.0, 24.0, 2.0], *answers[place + 1 :]], place, teller, position)
    area = moved.fields[place]
    assert area.answer == [21.0, 24.0, 2.0]
    assert area.text == "(21; 24) ⌀ 2″"
    assert area.sheet.laid is not None
    assert (area.sheet.laid.at, area.sheet.laid.radius) == ((21.0, 24.0), 1.0)
    beyond = filled(form, [], [*answers[:place], [70.0, 2.0, 2.0], *answers[place + 1 :]], place, teller, position)
    assert beyond.refusal is not None
    assert beyond.fields[place].answer == answers[place]


@pytest.mark.covers("base-weapons/blast", "base-weapons/blast-cover", "base-weapons/ordnance", "base-weapons/template")
def test_a_marker_is_drawn_where_it_landed_with_those_whom_it_touches() -> None:
    found = landed("marker", {"x": 3.0, "y": 4.0, "facing": 0.0, "radius": 2.5, "model": 1, "under": [5, 6]})
    assert found is not None
    assert (found.at, found.radius, found.outline, found.under) == ((3.0, 4.0), 2.5, (), (5, 6))
    flame = landed("marker", {"x": 3.0, "y": 4.0, "facing": 90.0, "radius": 0.0, "model": 1, "under": []})
    assert flame is not None
    assert max(x for x, _ in flame.outline) == pytest.approx(11.0, abs=0.1)
    assert landed("fires", {}) is None


# ---------------------------------------------------------------- a route


@pytest.mark.covers("vehicles/route")
def test_a_route_tells_what_it_meets_in_order_and_where() -> None:
    position = table(
        squad("carrier", 1, at=(10, 20), facing=90),
        squad("brawler", 1, side=1, at=(30, 26)),
        squad("brawler", 1, side=1, at=(45, 20)),
        pieces=[piece("hedge", 20, 20, 90.0)],
    )
    found = foretold(unit(position, 0), as_paths(unit(position, 0).models, [([(60.0, 20.0)], 90.0)]))
    assert [one.kind for one in found] == ["breakdown", "path-assault", "path-assault", "overrun"]
    assert [one.at[0] for one in found if one.at is not None] == sorted(one.at[0] for one in found if one.at)
    assert foretold(unit(position, 0), as_paths(unit(position, 0).models, [([], None)])) == []


@pytest.mark.covers("base-weapons/blast", "base-weapons/blast-cover", "base-weapons/ordnance", "base-weapons/template")
def test_a_marker_that_is_aimed_shows_whom_it_would_touch() -> None:
    position = table(squad("scout", 1, at=(20, 10)), squad("brawler", at=[(20, 16), (22, 16), (30, 30)], side=1))
    found = marker(position, 2.5, (20.0, 16.0))
    assert (found.at, found.radius, found.under) == ((20.0, 16.0), 2.5, (1, 2))
    flame = template(model(position, 0), 0.0)
    assert 1 in flame.under
    assert 3 not in flame.under
    assert max(y for _, y in flame.outline) == pytest.approx(18.5, abs=0.2)


@pytest.mark.covers("victory/quarters", "victory/centre", "victory/scoring-units")
@pytest.mark.parametrize(
    ("mission", "score", "holding"), [("quarters", (1, 1), [1, 0, 0, 1]), ("centre", (1, 2), [0, 1, 1, 1])]
)
def test_the_tally_tells_which_units_hold_a_quarter_or_count_at_the_centre(
    mission: str, score: tuple[int, int], holding: list[int]
) -> None:
    """The second unit shares its quarter with the third; the fourth has one of its own at the centre."""
    position = table(
        squad("line-warden", 5, at=(2, 4)),
        squad("line-warden", 5, at=(40, 20)),
        squad("scrapper", 5, side=1, at=(44, 18)),
        squad("scrapper", 5, side=1, at=(26, 28)),
    )
    position.now.update(turn=4, mission=mission, first=1)
    position.harms = []
    position.harm(position.model(0), 1, "fire", (10,))
    position.model(0).mark("wounds", 1)
    position.remove(position.model(0), "fire", 10)
    counted = tally(position, starters()[0])
    assert (counted.score, counted.started, counted.rounds) == (score, None, 4)
    assert [one.objectives for one in counted.units] == holding
    warden, _, scrapper, _ = counted.units
    assert (warden.models_left, warden.points - warden.points_left) == (4, warden.points / 5)
    assert (scrapper.wounds_dealt, scrapper.points_dealt) == (1, warden.points_taken)


@pytest.mark.covers("turn/leftover-elements", "setup/deployment", "hierarchy/movement-by-group")
def test_a_group_that_may_be_chosen_names_its_units_and_is_marked_on_the_table() -> None:
    position = table(
        squad("line-warden", 2, at=(4, 4)), squad("gun-tank", at=(20, 4)), squad("scrapper", 1, at=(30, 4))
    )
    unit(position, 0).mark("group", 1)
    unit(position, 1).mark("group", 1)
    told = groups_told(position, [1, -3])
    assert told == [[1, [0, 1]], [-3, [2]]]
    moves = Choose(0, "movement-element", [1, -3], "group", about={"groups": told, "open": False})
    deploys = Choose(0, "deploy-group", [0, 2], "waiting", about={"groups": [[0, [0, 1]], [2, [2]]]})
    english, names = teller_of(position), list(position.unit_names)
    assert english.option(moves, 1) == f"group 1: {names[0]}, {names[1]}"
    assert english.option(moves, -3) == english.option(deploys, 2) == names[2]
    assert english.option(deploys, 0) == f"{names[0]}, {names[1]}"
    assert Marker(position, english).of_option(moves, 1).actors == [0, 1, 2]


# ---------------------------------------------------------------- routes in the journal


@pytest.mark.covers("vehicles/route")
def test_the_end_of_a_route_is_told_with_its_facing_and_the_rule_of_routes() -> None:
    position = table(squad("gun-tank", at=(20, 10)))
    position.journal = Journal()
    tank = model(position, 0)
    route = Route(0, "drive", "drive", (packed(0, plan_with_turns(Path((tank.at, (26.0, 16.0))), tank.facing)),))
    stand_at(position, route, 0.5)
    (line,) = lines(position.journal.events, teller_of(position))
    assert line.text.endswith(" drives 4.2″, to (23; 13), facing 45°.")
    assert line.rules == ("vehicles/route",)
