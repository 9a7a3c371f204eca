"""What is shown of models and of the battle: cards, what they carry and reach, how it stands, statistics."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from campale.mechanics.frames import drop, push
from campale.referee.journal import Event
from campale.referee.looks import Arm, Changed, Command, Reach
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.naming import titles
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import actor, lines, told
from campale.referee.telling.words import LANGUAGES
from campale.rulesets.wzr.abilities.vocabulary import Test
from campale.rulesets.wzr.armies.setting_out import health, starters
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle.missions import lay_markers
from campale.rulesets.wzr.turn.menu import menu_fields
from campale.rulesets.wzr.vehicles.driving import pivot
from campale.rulesets.wzr.view.cards import card, changes, measured
from campale.rulesets.wzr.view.looks import FRONT, arms, commands, counts_within, points, reaches, watches, zones
from campale.rulesets.wzr.view.tallying import tally
from campale.rulesets.wzr.view.telling import standing
from campale.screen.looking import card as shown
from campale.screen.scene import models_of
from campale.screen.sheet import sheet
from campale.screen.shown import WatchShown
from tests.rulesets.played import first_question
from tests.rulesets.wzr.worlds import squad, table

covers = pytest.mark.covers
BOOK = load_ruleset("wzr")


# ---------------------------------------------------------------- cards


@covers("core/profile", "cards/squad-cards")
def test_the_card_of_a_trooper_is_in_the_order_of_the_book() -> None:
    found = card(table(squad("nepharite")).model(0))
    assert list(found)[:10] == ["base", "m", "cc", "rs", "st", "con", "wp", "ld", "w", "a"]
    assert (found["a"], found["abilities"]) == ("13(11)", ["fear 2", "duelist", "ranger", "execution", "shielded"])


@pytest.mark.parametrize(("language", "base", "slot"), [("en", "medium", "Warlord"), ("it", "media", "Warlord")])
def test_the_words_of_a_card_are_those_of_the_language(language: str, base: str, slot: str) -> None:
    """What is no word of the book, as a number with another in brackets, stands as it is."""
    line = {one.key: one.value for one in shown(table(squad("nepharite")).model(0), language).line}
    assert (line["base"], line["slot"], line["a"], line["m"]) == (base, slot, "13(11)", "6")


@covers("core/profile", "abilities/berserk-modifiers", "squads/substitute")
def test_a_card_shows_what_has_changed_with_the_printed_value_and_the_rule() -> None:
    position = table(squad("captain"), squad("captain", at=(30, 10), abilities=("berserk",)))
    plain, model = position.models
    model.mark(marks.BERSERK, 1)
    model.mark(marks.SUBSTITUTE, 1)
    p, berserk = model.profile, ("abilities/berserk-modifiers",)
    assert changes(plain) == {}
    assert changes(model) == {
        **{name: Changed(getattr(p, name), berserk) for name in ("cc", "rs", "st")},
        "ld": Changed(p.ld, ("squads/substitute",)),
        "a": Changed(f"{p.a}({p.impenetrable})", berserk),
    }
    now = card(model)
    assert (now["rs"], now["ld"], now["a"]) == (p.rs - 2, p.ld - 2, f"{p.a - 2}({p.impenetrable})")


@covers("vehicles/profile-stats")
def test_nothing_of_a_vehicle_changes() -> None:
    assert changes(table(squad("tank")).model(0)) == {}


@covers("vehicles/profile-stats")
def test_the_card_of_a_vehicle() -> None:
    found = card(table(squad("tank")).model(0))
    assert [found[name] for name in ("kind", "m", "cc", "pa")] == ["tank", 6, "-", 3]


@covers("vehicles/location-table", "vehicles/ps-definition", "vehicles/av-facing")
def test_the_locations_of_a_vehicle_are_a_table_with_what_is_left_of_them() -> None:
    position = table(squad("tank"))
    position.model(0).mark("ps-lost-pilot", 1)
    crew, *_, engine = [one for one in arms(position.model(0)) if one.table == "locations"]
    assert crew.title == {"en": "Crew", "it": "Equipaggio"}
    assert crew.values == {"faces": "1–10", "ps": "3 ●●●○", "av_front": 16, "av_rear": 11}
    assert engine.values == {"faces": "19–20", "ps": "3 ●●●", "av_front": 14, "av_rear": 9}
    assert [one.table for one in arms(table(squad("captain")).model(0)) if one.table == "locations"] == []


@covers("vehicles/walker-turn")
def test_a_free_turn_is_asked_in_degrees() -> None:
    position = table(squad("walker"))
    teller = Teller(BOOK, "en", position.names, position.unit_names)
    question = first_question(pivot(position, 0))
    assert sheet(question, teller, position).shown == {"sign": "°"}


# ---------------------------------------------------------------- what it may still do


@covers("turn/action-points", "close-combat/engaged-ap")
def test_how_many_ap_are_left() -> None:
    position = table(squad("riflemen", 2), squad("tank", at=(40, 10)), squad("undead", 1, side=1, at=(26.25, 11.2)))
    own, engaged, tank = (position.model(row) for row in (0, 1, 2))
    assert [points(one) for one in (own, engaged, tank)] == [(2, 2), (1, 2), (3, 3)]
    own.mark("ap-lost", 1)
    assert points(own) == (1, 2)
    push(position, ("model-begins", 0), ("model", 0), ("model-ends", 0))
    own.mark("ap", 2)
    assert points(own) == (1, 2), "not begun"
    drop(position, lambda frame: frame[0] == "model-begins")
    own.mark("ap", 3)
    assert points(own) == (3, 3), "with a third AP"
    own.mark("acted", 1)
    assert points(own) == (0, 2)
    position.now["phase"] = "control"
    assert points(engaged) is None


@covers("actions/sentry", "core/front-rear")
def test_a_sentry_watches_its_front_as_far_as_its_weapon_goes() -> None:
    position = table(squad("riflemen", 1), squad("brutes", 1, side=1, at=(24, 40)))
    assert watches(position.model(0)) is None
    position.model(0).mark("sentry", 1)
    assert watches(position.model(0)) == Reach("watch", 24.0, "actions/sentry", "", (-90.0, 90.0))


@pytest.mark.parametrize(("language", "fear", "type"), [("en", "Fear 2", "Piercing"), ("it", "Paura 2", "Penetrante")])
def test_the_card_reads_in_both_languages(language: str, fear: str, type: str) -> None:
    read = shown(table(squad("nepharite")).model(0), language)
    assert any(fear in note for note in read.notes)
    assert any(type in cell for one in read.tables for row in one.rows for cell in row)


def test_melee_weapons_are_told_by_their_titles() -> None:
    profile = table(squad("nepharite")).model(0).profile
    assert titles([profile], "it")["dark-blade"] == "Lama oscura"


@covers("armour/type-modifier")
def test_the_card_tells_against_what_armour_is_weaker() -> None:
    assert card(table(squad("grave-reaver")).model(0))["against"] == ["plasma -2"]


def test_health_is_in_wounds_and_of_a_vehicle_in_the_ps_that_destroy_it() -> None:
    position = table(squad("captain"), squad("tank", at=(30, 10)))
    position.model(0).mark("wounds", 1)
    position.model(1).mark("ps-lost-pilot", 3)
    assert [health(m) for m in position.models] == [(2, 3), (1, 4)]


# ---------------------------------------------------------------- what it carries, how far it reaches


@covers("core/weapon-profile", "armoury/car24")
def test_every_way_to_fire_is_a_row() -> None:
    rifle, launcher, grenade, bayonet = arms(table(squad("veterans", 1)).model(0))
    assert (rifle.values["range"], rifle.values["area"], rifle.values["burn"]) == (24, None, None)
    assert (launcher.values["range"], launcher.values["area"], launcher.values["burn"]) == (18, "SE", 1)
    assert (grenade.values["range"], grenade.rules) == ("contact", (("anti-vehicle", None),))
    assert (bayonet.table, bayonet.values["strength"]) == ("blades", "+1")


@covers("core/melee-weapon-profile", "psychic/types")
def test_melee_weapons_and_powers_have_tables_of_their_own() -> None:
    position = table(squad("sorcerer", adds=["demnogonis-blast", "muawijhe-fury"]), squad("walker", at=(30, 10)))
    found = [one for one in arms(position.model(0)) if one.table == "powers"]
    assert [one.values["power"] for one in found] == ["shooting", "blessing"]
    assert (found[0].values["strength"], "strength" in found[1].values) == (20, False)
    (fist,) = (one for one in arms(position.model(1)) if one.table == "blades")
    assert fist == Arm("blades", "mechanical-fist", {**fist.values, "strength": "14", "roa": 2, "avv": 4})


@covers("actions/walk", "close-combat/ccwr-definition", "armoury/grenade-range")
def test_how_far_a_model_moves_strikes_shoots_and_throws() -> None:
    found = reaches(table(squad("cinder-band", 1)).model(0))
    assert found[0] == Reach("move", 5.0, "actions/walk")
    thrown = {one.of: one.reach for one in found if one.kind == "weapon"}
    assert thrown == {"carbine": 20.0, "stun-grenades": 8.0, "incendiary": 8.0}
    (blade,) = (one for one in reaches(table(squad("nepharite")).model(0)) if one.kind == "melee")
    assert blade.reach == 2.0


@covers("core/front-rear", "abilities/machine-gunner", "vehicles/turrets")
def test_weapons_reach_into_the_front_or_all_round() -> None:
    """A Machine Gunner's weapons and those in a turret fire all round."""
    position = table(squad("gunner", 1), squad("medic", 1, at=(30, 10)), squad("tank", 1, at=(36, 10)))
    arcs = [{one.of: one.arc for one in reaches(m) if one.kind == "weapon"} for m in position.models]
    assert arcs[:2] == [{"charger": None}, {"enforcer": FRONT}]
    assert arcs[2] == {"heavy-cannon": None, "charger": FRONT}


@covers("squads/coherency", "squads/commander")
def test_how_far_a_commander_holds_his_squad_together() -> None:
    position = table(squad("riflemen", 2))
    assert commands(position.model(0)) == Command(7.0, "squads/coherency", (0,))
    assert commands(position.model(1)) is None


@covers("core/measuring", "core/front-rear", "core/line-of-sight")
def test_anything_may_be_measured() -> None:
    position = table(squad("riflemen", 2, at=[(20, 10), (22, 10)]), squad("nepharite", side=1, at=(20, 20), facing=0.0))
    found = measured(position.model(0), position.model(2))
    assert (found["distance"], found["sees"], found["in_front"], found["arc"]) == (8.6, True, True, "rear")
    assert (found["coherency"], found["assault-rifle"]) == (7.0, 24)
    other = measured(position.model(1), position.model(0))
    assert "coherency" not in other
    assert other["in_front"] is True


# ---------------------------------------------------------------- the table


@covers("missions/objectives")
def test_a_marker_counts_within_three_inches_of_its_edge() -> None:
    position = table(squad("captain"), mission="strongpoints")
    lay_markers(position)
    assert {counts_within(position, token) for token in position.tokens} == {3.6}


@covers("setup/deployment", "missions/breakthrough")
def test_deployment_zones_show_while_they_matter() -> None:
    position = table(squad("captain"), mission="breakthrough", pregame=0)
    assert [(zone.side, zone.outline[2]) for zone in zones(position)] == [(0, (48.0, 12.0)), (1, (48.0, 48.0))]
    assert zones(table(squad("captain"), mission="annihilation", pregame=0)) == []
    assert len(zones(table(squad("captain"), mission="annihilation", pregame=0, turn=0))) == 2
    assert zones(table(squad("captain"), mission="breakthrough", turn=0)) == []


@covers("missions/victory", "setup/resources")
def test_how_a_battle_stands() -> None:
    position = table(squad("captain"), squad("nepharite", side=1, at=(24, 40)), mission="annihilation", turn=3)
    position.gain(0, "resources", 6)
    position.gain(0, "burned", 2)
    position.remove(position.model(1), "shooting")
    assert standing(position) == [
        ("score", {"score": [140, 0]}),
        ("resources", {"left": [4, 0]}),
        ("length", {"round": 3, "turns": 6}),
        ("mission", {"mission": "annihilation"}),
    ]


@covers("missions/objectives")
@pytest.mark.parametrize(("y", "held"), [(24.0, 1), (28.1, 1), (28.3, 0)])
def test_statistics_count_squads_and_the_markers_that_they_hold(y: float, held: int) -> None:
    """Held within 3 inches, from the edge of the marker (0.6 inches) to that of the base (0.6)."""
    position = table(
        squad("captain", at=(12, y)), squad("nepharite", side=1, at=(30, 40)), mission="strongpoints", turn=2
    )
    lay_markers(position)
    position.gain(0, "points", 2)
    counted = tally(position, starters()[0])
    assert (counted.score, counted.rounds) == ((2, 0), 2)
    assert [(unit.name, unit.points, unit.objectives) for unit in counted.units] == [
        ("Captain 0", 80, held),
        ("Nepharite 1", 90, 0),
    ]


@covers("turn/action-points", "actions/sentry")
def test_the_screen_gets_the_ap_and_the_watch_of_each_model() -> None:
    position = table(squad("riflemen", 2), squad("brutes", 1, side=1, at=(24, 40)))
    position.model(1).mark("sentry", 1)
    position.remove(position.model(2), "shooting")
    own, watching, gone = models_of(position, Teller(BOOK, "it", position.names, position.unit_names))
    assert [one.points for one in (own, watching, gone)] == [(2, 2), (2, 2), None]
    assert (own.watch, watching.watch) == (None, WatchShown(24.0, "di Guardia 24″", (-90.0, 90.0)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_vehicles_are_asked_where_they_move_and_closed_actions_give_a_reason(language: str) -> None:
    spoken = Teller(BOOK, language).words
    moves = [f"ask.{one}" for one in ("tactical", "attack-move", "rapid-move", "flat-out")]
    actions = ("actions/combat", "actions/charge", "actions/rest", "abilities/execution-hero")
    closed = [f"refusal.{one}" for one in (*actions, "close-combat/special-general")]
    assert [key for key in (*moves, *closed) if not spoken.has(key)] == []


@covers("actions/list")
@pytest.mark.parametrize(
    ("language", "walk", "watch"),
    [("en", "Walk (1 AP)", "Sentry (all AP)"), ("it", "Camminare (1 PA)", "Guardia (tutti i PA)")],
)
def test_an_action_is_offered_with_the_ap_that_it_costs(language: str, walk: str, watch: str) -> None:
    position = table(squad("riflemen", 1), squad("brutes", 1, side=1, at=(24, 40)))
    teller = Teller(BOOK, language, position.names, position.unit_names)
    question = menu_fields(position.model(0), [])
    assert question is not None
    told = [teller.option(question, one) for one in ("walk", "sentry", "pass")]
    assert told == [walk, watch, teller.word("action", "pass")]


@pytest.mark.parametrize(
    ("language", "struck", "shot"),
    [
        ("en", "to hit Brutes in melee (CC)", "to hit Brutes"),
        ("it", "per colpire Brutes in mischia (CC)", "per colpire Brutes"),
    ],
)
def test_dice_to_hit_name_their_target(language: str, struck: str, shot: str) -> None:
    position = table(squad("riflemen", 1), squad("brutes", 1, side=1, at=(24, 40)))
    teller = Teller(BOOK, language, position.names, position.unit_names)
    blow = {"side": 0, "why": "cc-test", "model": 0, "target": 1}
    fire = {"side": 0, "why": "to-hit", "shooter": 0, "target": 1}
    names = [teller.model(0), teller.model(1)]
    assert actor(blow, teller) == f"{names[0]}, {struck.replace('Brutes', names[1])}"
    assert actor(fire, teller) == f"{names[0]}, {shot.replace('Brutes', names[1])}"
    assert actor({"side": 0, "why": "cc-test", "model": 0}, teller).startswith(f"{names[0]}, ")


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "Brute 1 takes over the weapon and keeps its own."), ("it", "Brute 1 prende l'arma e tiene le proprie.")],
)
def test_a_weapon_that_is_taken_over_is_told(language: str, told: str) -> None:
    assert Teller(BOOK, language, ["Brute 1"], ["Brutes"]).filled("event.become", {"model": 0}) == told


@pytest.mark.parametrize(
    ("language", "change", "now", "scored"),
    [
        ("en", 1, 3, "red scores 1 mission point (now 3)."),
        ("en", 2, 2, "red scores 2 mission points (now 2)."),
        ("it", 1, 3, "Rosso segna 1 punto missione (ora 3)."),
        ("it", 2, 2, "Rosso segna 2 punti missione (ora 2)."),
    ],
)
def test_mission_points_are_counted_in_words(language: str, change: int, now: int, scored: str) -> None:
    event = Event("pool", {"side": 0, "pool": "points", "change": change, "now": now})
    assert told(event, Teller(BOOK, language, [], []))[0].lower() == scored.lower()


def test_that_a_test_for_fear_is_forgotten_is_not_told() -> None:
    """What a model is afraid of is."""
    teller = Teller(BOOK, "en", ["Brute 1"], ["Brutes"])
    gone = {"model": 0, "marker": marks.FEAR_TESTED, "before": 2, "now": 0}
    assert not told(Event("mark", gone), teller)[0]
    assert told(Event("mark", {**gone, "marker": marks.AFRAID, "before": 0, "now": 1}), teller)[0]


@pytest.mark.parametrize(
    ("action", "is_told"),
    [("walk", False), ("shoot", False), ("sentry", False), ("aim", True), ("tactical", True)],
)
def test_an_action_that_what_follows_tells_has_no_line_of_its_own(action: str, is_told: bool) -> None:
    teller = Teller(BOOK, "en", ["Brute 1"], ["Brutes"])
    assert bool(told(Event("action", {"model": 0, "action": action}), teller)[0]) is is_told


def move(row: int, x: float, y: float, **how: Any) -> Event:
    return Event("move", {"model": row, "x": x, "y": y, "facing": 90.0, "path": [[x, 0.0], [x, y]], **how})


def turn(row: int) -> Event:
    return Event("turn", {"model": row, "facing": 149.0})


@pytest.mark.parametrize(
    ("language", "runs", "turns"),
    [
        ("en", "Brutes (2) runs 8″, to about (5; 8).", "Brute 1 turns."),
        ("it", "Brutes (2) corre per 8″, fino a circa (5; 8).", "Brute 1 si volta."),
    ],
)
def test_a_turn_is_told_only_where_it_does_not_come_with_a_move(language: str, runs: str, turns: str) -> None:
    teller = Teller(BOOK, language, ["Brute 1", "Brute 2"], ["Brutes"], unit_of=[0, 0])
    with_moves = [move(0, 4.0, 8.0, how="run"), turn(0), move(1, 6.0, 8.0, how="run"), turn(1)]
    assert [one.text for one in lines(with_moves, teller)] == [runs]
    assert [one.text for one in lines([*with_moves, turn(0)], teller)] == [runs, turns]


@pytest.mark.parametrize(
    ("y", "told"), [(0.0, "Brute dives for cover on the spot."), (1.0, "Brute dives for cover: 1″, to (4; 1).")]
)
def test_a_dive_without_a_way_is_told_without_inches(y: float, told: str) -> None:
    teller = Teller(BOOK, "en", ["Brute"], ["Brutes"], unit_of=[0])
    (line,) = lines([move(0, 4.0, y, how="dive")], teller)
    assert line.text == told


@pytest.mark.parametrize(("language", "told"), [("en", "Brute lands at (4; 8)."), ("it", "Brute atterra in (4; 8).")])
def test_a_thrown_model_lands_and_does_not_move(language: str, told: str) -> None:
    landed = Event("move", {"model": 0, "x": 4.0, "y": 8.0, "facing": 0.0, "thrown": 1, "how": "thrown"})
    (line,) = lines([landed], Teller(BOOK, language, ["Brute"], ["Brutes"], unit_of=[0]))
    assert line.text == told


def test_the_end_of_a_fear_test_at_the_end_of_the_turn_is_not_told() -> None:
    over = Event("mark", {"model": 0, "marker": "fear-tested", "now": 0, "before": 4})
    assert list(lines([over], Teller(BOOK, "it", ["Bruto"], ["Bruti"], unit_of=[0]))) == []


@pytest.mark.parametrize(("change", "told"), [(1, "1 Resource card (now 7)"), (6, "6 Resource cards (now 7)")])
def test_one_resource_card_is_no_cards(change: int, told: str) -> None:
    gain = Event("pool", {"side": 0, "pool": "resources", "now": 7, "change": change})
    (line,) = lines([gain], Teller(BOOK, "en", [], []))
    assert line.text == f"Red gains {told}."


@pytest.mark.parametrize(
    ("language", "now", "told"),
    [
        ("en", 6, "Red has 6 Resource cards left."),
        ("en", 1, "Red has 1 Resource card left."),
        ("it", 6, "Rosso: restano 6 carte Risorsa."),
        ("it", 1, "Rosso: resta 1 carta Risorsa."),
    ],
)
def test_a_resource_card_that_goes_with_its_generator_is_no_gain(language: str, now: int, told: str) -> None:
    loss = Event("pool", {"side": 0, "pool": "resources", "now": now, "change": -1})
    (line,) = lines([loss], Teller(BOOK, language, [], []))
    assert line.text == told


@pytest.mark.parametrize("test", get_args(Test))
def test_a_test_passed_without_a_die_is_named_in_both_languages(test: str) -> None:
    named = [Teller(BOOK, language).key(f"test.{test}") for language in ("en", "it")]
    assert named == [f"test.{test}"] * 2
