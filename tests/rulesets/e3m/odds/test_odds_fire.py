"""The odds of volleys at men: by hand, as the plain enumeration tells them, and as the referee plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from tools.odds import differences

from campale.dice.odds import exact, first_suggestion
from campale.mechanics.frames import DOING, stack
from campale.mechanics.script_form import as_answered
from campale.referee.looks import Forecast
from campale.referee.position import Position, Unit
from campale.referee.question import Choose, Order
from campale.referee.telling.teller import Teller
from campale.rulesets.e3m.command.orders import is_forced, is_routed
from campale.rulesets.e3m.command.units import WOUNDS, units_of
from campale.rulesets.e3m.fire.declaring import declaration, fire_form
from campale.rulesets.e3m.fire.kinds import ADVANCING, DEFENSIVE, OPPORTUNITY, PREPARATORY, Kind
from campale.rulesets.e3m.fire.plan import Volley
from campale.rulesets.e3m.fire.volley import resolve
from campale.rulesets.e3m.morale.morale import take_tests
from campale.rulesets.e3m.odds import states, volley_odds
from campale.rulesets.e3m.odds.forecasts import forecast_of, forecasts, of_volley
from campale.screen.sheet import sheet
from tests.rulesets.e3m.kit import model, piece, squad, table
from tests.rulesets.simulated import adds_up, chances, is_near, played, simulated, step
from tests.screen.test_scene import teller_of

AT = (20.0, 10.0)


def declared(position: Position, kind: Kind = PREPARATORY, **answers: Any) -> Volley:
    """The volley of unit 0 as it is proposed, but for some answers by prompt."""

    def policy(question: Any) -> Any:
        return answers.get(question.prompt.replace("-", "_"), first_suggestion(question))

    volley = as_answered(partial(declaration, Unit(position, 0), kind, ()), policy)
    assert volley is not None
    return volley


async def fired(volley: Volley, position: Position) -> None:
    """The volley and the tests that it calls for."""
    await resolve(volley.on(position))
    _, pinned, first = stack(position)[-1]
    position.declare(DOING, None)
    await take_tests(position, tuple(pinned), first)


def gone(before: Position, after: Position, side: int) -> int:
    """How many models of a side are lost."""
    return sum(m.is_on_table and not after.model(m.row).is_on_table for m in before.models if m.side == side)


def newly(before: Position, after: Position, is_so: Callable[[Unit], bool]) -> int:
    """How many units of the target's side are so that were not."""
    return sum(is_so(unit) and not is_so(Unit(before, unit.row)) for unit in units_of(after, 1))


COUNTED: dict[str, Callable[[Position, Position], int]] = {
    "losses": partial(gone, side=1),
    "losses-back": partial(gone, side=0),
    "breaks": partial(newly, is_so=is_routed),
    "halts": partial(newly, is_so=is_forced),
}


def enumerated(volley: Volley, kind: str) -> dict[int, float]:
    """What the referee's own volley comes to, every die of it gone through."""
    before = volley.unit.position
    found = exact(before, partial(fired, volley), None, lambda after, _: COUNTED[kind](before, after))
    return {number: float(chance) for number, chance in found.outcomes.items() if chance}


def counts(forecast: Forecast, kind: str) -> dict[int, float]:
    """What is told of a number; nothing told is nothing that comes."""
    return chances(forecast, kind) if any(one.kind == kind for one in forecast.steps) else {0: 1.0}


def wardens(count: int, **more: Any) -> Any:
    return squad("line-warden", count, 0, AT, **more)


def brawlers(count: int, at: tuple[float, float] = (20.0, 24.0), **more: Any) -> Any:
    return squad("brawler", count, 1, at, **more)


# ---------------------------------------------------------------- by hand


@pytest.mark.covers("fire/procedure", "base-shoot/to-hit", "base-shoot/to-wound", "base-shoot/best-save")
def test_the_stages_of_a_volley_are_those_worked_out_by_hand() -> None:
    """BS 4: 3+; Strength 4 on Toughness 4: 4+; a save of 6 is cancelled by AP 5. Each brawler takes one hit at most."""
    found = of_volley(declared(table(wardens(2), brawlers(3))))
    assert [one.kind for one in found.steps] == ["hits", "wounds", "unsaved", "losses", "breaks", "halts"]
    for kind, one in (("hits", 2 / 3), ("wounds", 1 / 3), ("unsaved", 1 / 3), ("losses", 1 / 3)):
        expected = {0: (1 - one) ** 2, 1: 2 * one * (1 - one), 2: one**2}
        assert chances(found, kind) == pytest.approx(expected, abs=1e-12)
    assert found.of == ("battle-rifle",)
    assert (found.ways, found.gap, found.notes) == (("preparatory",), "", ())


@pytest.mark.covers("fire/quarter-loss-test", "base-morale/test", "base-morale/modifiers", "orders/forced-halt")
def test_who_breaks_and_who_halts_is_that_worked_out_by_hand() -> None:
    """Leadership 7: 21 of 36 pass with two of three left, 15 of 36 with one, below half strength."""
    found = of_volley(declared(table(wardens(2), brawlers(3))))
    one, two = 4 / 9, 1 / 9
    assert counts(found, "breaks")[1] == pytest.approx(one * 15 / 36 + two * 21 / 36, abs=1e-12)
    assert counts(found, "halts")[1] == pytest.approx(one * 21 / 36 + two * 15 / 36, abs=1e-12)


@pytest.mark.covers("fire/reduced-strength", "fire/surplus-hits")
def test_reduced_strength_halves_the_shots_and_the_surplus_falls_on_one() -> None:
    """Three rifles at 6 inches: six shots at full strength, three at reduced; two men, the third hit on the first."""
    near = table(wardens(3, order="assault"), brawlers(2, (20.0, 17.0)))
    assert max(chances(of_volley(declared(near)), "hits")) == 6
    found = of_volley(declared(near, ADVANCING))
    assert max(chances(found, "hits")) == 3
    of_three = (2 / 3) ** 3
    one_of_three, one_of_two = 3 * (2 / 3) * (1 / 9), 3 * (4 / 9) * (1 / 3)
    first = of_three * (3 / 4) + (one_of_two + one_of_three) * (1 / 2)
    second = (of_three + one_of_two) * (1 / 2)
    assert step(found, "losses").mean == pytest.approx(first + second, abs=1e-12)


@pytest.mark.covers("fire/sniper", "fire/sniper-resolution")
def test_a_sniper_alone() -> None:
    position = table(wardens(2), brawlers(3))
    found = of_volley(declared(position, fire_at="snipe"))
    assert chances(found, "losses") == pytest.approx({0: 2 / 3, 1: 1 / 3}, abs=1e-12)
    assert found.target == 2
    assert all(one.kind not in ("hits", "unsaved") for one in found.steps)


@pytest.mark.covers("fire/sniper", "base-shoot/wounds")
def test_a_sniper_at_a_model_of_two_wounds_wounds_it_without_killing_it() -> None:
    """3+ to hit, 4+ to wound, and no save against AP 5: a third; the second wound is left."""
    position = table(wardens(2), squad("champion", 1, 1, (20.0, 24.0)))
    found = of_volley(declared(position, fire_at="snipe"))
    assert chances(found, "unsaved")[1] > 0.0
    assert chances(found, "losses") == {0: 1.0}
    model(position, 2).mark(WOUNDS, 1)
    found = of_volley(declared(position, fire_at="snipe"))
    assert all(one.kind != "unsaved" for one in found.steps)
    assert chances(found, "losses")[1] > 0.0


@pytest.mark.covers("base-weapons/special", "base-shoot/armour-save")
def test_who_fires_may_be_burnt_by_his_own_weapon() -> None:
    """Two shots of plasma at 6 inches: on a 1 a wound, saved on 3+; two burns kill the one man once."""
    found = of_volley(declared(table(wardens(1, special=["plasma-gun"]), brawlers(1, (20.0, 17.0)))))
    burnt = 1 / 6 * 1 / 3
    assert chances(found, "losses-back") == pytest.approx({0: (1 - burnt) ** 2, 1: 1 - (1 - burnt) ** 2}, abs=1e-12)


# ---------------------------------------------------------------- as the plain enumeration tells them


def battle(name: str) -> Volley:
    """A small battle, and the volley of its first unit."""
    return VOLLEYS[name]()


def volley_at(*foes: Any, by: Any = None, kind: Kind = PREPARATORY, pieces: Any = (), **answers: Any) -> Volley:
    return declared(table(wardens(3) if by is None else by, *foes, pieces=pieces), kind, **answers)


VOLLEYS: dict[str, Callable[[], Volley]] = {
    "full strength": lambda: volley_at(brawlers(4, (20.0, 20.0))),
    "reduced strength": lambda: volley_at(brawlers(4, (20.0, 17.0)), by=wardens(4, order="assault"), kind=ADVANCING),
    "defensive": lambda: volley_at(brawlers(3, (20.0, 17.0)), by=wardens(3), kind=DEFENSIVE),
    "opportunity": lambda: volley_at(brawlers(3), by=wardens(2, order="ready"), kind=OPPORTUNITY),
    "saves": lambda: volley_at(squad("brawler", 3, 1, (20, 20), save=4)),
    "mixed weapons": lambda: volley_at(brawlers(3), by=wardens(3, special=["beam-cannon"])),
    "a blast": lambda: volley_at(brawlers(3), by=wardens(2, special=["missile-launcher"])),
    "a template": lambda: volley_at(brawlers(3, (20.0, 16.0)), by=wardens(2, special=["flamethrower"])),
    "overheating": lambda: volley_at(brawlers(2, (20.0, 17.0)), by=wardens(2, special=["plasma-gun"])),
    "twin-linked": lambda: volley_at(brawlers(3), by=squad("biker", 2, 0, [(20, 10), (22, 10)])),
    "wounds to lose": lambda: volley_at(squad("captain", 1, 1, (20, 24)), by=wardens(4)),
    "instant death": lambda: volley_at(squad("captain", 1, 1, (20, 24)), by=wardens(2, special=["beam-cannon"] * 2)),
    "wounded already": lambda: volley_at(squad("captain", 1, 1, (20, 24), models={"wounds": 1}), by=wardens(3)),
    "two units": lambda: volley_at(brawlers(1), squad("scrapper", 2, 1, [(21.25, 24), (22.5, 24)]), by=wardens(4)),
    "a leader": lambda: volley_at(brawlers(2), squad("champion", 1, 1, (22.5, 24)), by=wardens(4)),
    "cover": lambda: volley_at(brawlers(3), pieces=[piece("wood", 21.25, 24.0)]),
    "half in cover": lambda: volley_at(brawlers(4), by=wardens(4), pieces=[piece("wood", 17.0, 24.0)]),
    "halted in the open": lambda: volley_at(brawlers(3, order="halt")),
    "halted in cover, having fired": lambda: volley_at(
        brawlers(3, order="halt", marks={"given-away": 1}), pieces=[piece("wood", 21.25, 24.0)]
    ),
    "routed already": lambda: volley_at(brawlers(3, order="retreat")),
    "tested already": lambda: volley_at(brawlers(3, marks={"tested": 1})),
    "fearless": lambda: volley_at(squad("brawler", 3, 1, (20, 24), is_fearless=True)),
    "a sniper beside the area": lambda: volley_at(brawlers(3), snipe=4),
    "a sniper rifle that pins": lambda: volley_at(brawlers(5), by=wardens(1, special=["sniper-rifle"])),
    "a vehicle at men": lambda: volley_at(brawlers(3), by=squad("gun-tank", 1, 0, (20, 8))),
    "a die for the shots": lambda: volley_at(
        brawlers(3), by=squad("skimmer", 1, 0, (20, 10), special=["scatter-beamer"])
    ),
}


@pytest.mark.covers("fire/procedure", "fire/quarter-loss-test", "base-weapons/pinning", "orders/halt-save")
@pytest.mark.parametrize("name", VOLLEYS)
def test_a_forecast_is_the_plain_enumeration_of_the_volley(name: str) -> None:
    volley = battle(name)
    before = volley.unit.position.to_bytes()
    found = of_volley(volley)
    assert found.gap == ""
    assert adds_up(found)
    for kind in COUNTED:
        assert counts(found, kind) == pytest.approx(enumerated(volley, kind), abs=1e-12), kind
    assert volley.unit.position.to_bytes() == before


# ---------------------------------------------------------------- as the referee plays


@pytest.mark.covers("base-weapons/ordnance", "base-weapons/blast-cover", "base-general/dice")
@pytest.mark.parametrize("moved", [0, 1])
def test_a_large_marker_scatters_as_the_referee_plays_it(moved: int) -> None:
    """Each of the 360 directions and all distances; after a move the higher of two dice."""
    position = table(squad("siege-tank", 1, 0, (20, 6), marks={"moved": moved}), brawlers(8, (15.0, 30.0)))
    volley = declared(position)
    found = of_volley(volley)
    assert adds_up(found)

    def once(rng: Random) -> int:
        copy = position.copy()
        played(fired(volley, copy), first_suggestion, rng)
        return gone(position, copy, 1)

    assert is_near(simulated(once), step(found, "losses"))


@pytest.mark.covers("fire/procedure")
def test_forty_dice_at_ten_as_the_referee_plays_them() -> None:
    places = [(20 + 1.1 * (k % 10), 10 - 1.1 * (k // 10)) for k in range(20)]
    position = table(squad("line-warden", 20, 0, places), brawlers(10, (20.0, 20.0)))
    volley = declared(position)
    found = of_volley(volley)

    kinds = ("losses", "breaks", "halts")

    def once(rng: Random) -> tuple[int, ...]:
        copy = position.copy()
        played(fired(volley, copy), first_suggestion, rng)
        return tuple(COUNTED[kind](position, copy) for kind in kinds)

    rng = Random(1)
    ends = [once(rng) for _ in range(400)]
    for place, kind in enumerate(kinds):
        assert differences(step(found, kind).chances, Counter(end[place] for end in ends)) == [], kind


# ---------------------------------------------------------------- at the table


@pytest.mark.covers("fire/kinds")
def test_every_kind_of_fire_that_may_be_used_now_is_told() -> None:
    firing = table(wardens(2), brawlers(3))
    assert [one.ways for one in forecasts(firing, 0, 2)] == [("preparatory",), ("defensive",)]
    assert [one.ways for one in forecasts(table(wardens(2, order="assault"), brawlers(3)), 0, 2)] == [
        ("advancing",),
        ("defensive",),
    ]
    assert [one.ways for one in forecasts(table(wardens(2, order="ready"), brawlers(3)), 0, 2)] == [
        ("opportunity",),
        ("defensive",),
    ]
    assert forecasts(table(wardens(2, order="march"), brawlers(3)), 0, 2) == []
    assert forecasts(firing, 0, 1) == []


@pytest.mark.covers("fire/area-diameter")
def test_a_form_is_weighed_as_far_as_it_is_filled_in() -> None:
    """A circle of one inch round one man in place of the widest."""
    position = table(wardens(3), brawlers(3))
    question = fire_form(Unit(position, 0), PREPARATORY)
    whole = forecast_of(position, question, [])
    narrow = forecast_of(position, question, ["area", "nobody", [20.0, 24.0, 1.0]])
    assert whole is not None
    assert narrow is not None
    assert step(whole, "losses").mean > step(narrow, "losses").mean
    assert max(chances(narrow, "losses")) == 1
    assert forecast_of(position, question, ["hold"]) is None
    assert forecast_of(position, question, "no form") is None


@pytest.mark.covers("fire/opportunity", "fire/opportunity-windows")
def test_who_may_fire_on_ready_is_weighed_at_the_mover_where_it_stands_or_at_anybody() -> None:
    position = table(wardens(2, order="ready"), brawlers(3))
    fire = next(one for one in forecasts(position, 0, 2) if one.ways == ("opportunity",))
    passing = forecast_of(position, Choose(0, "who-watches", (), about={"unit": 1}), 0)
    at_the_end = forecast_of(position, Choose(0, "step-end-fire", ()), 0)
    assert passing is not None
    assert at_the_end is not None
    assert passing.steps == at_the_end.steps == fire.steps
    assert (passing.notes, at_the_end.notes) == (("where-it-stands",), ())


@pytest.mark.covers("fire/opportunity")
def test_who_does_not_fire_on_ready_has_no_odds() -> None:
    who = Choose(0, "who-watches", (), about={"unit": 1})
    far = table(wardens(2, order="ready"), squad("brawler", 3, side=1, at=(20.0, 47.0)))
    assert forecast_of(table(wardens(2, order="ready"), brawlers(3)), who, "nobody") is None
    assert forecast_of(far, who, 0) is None
    for language in ("en", "it"):
        weighed = Teller(far.ruleset, language).words.messages["weighed"].split()
        assert {"who-watches", "step-end-fire"} <= set(weighed)


@pytest.mark.covers("fire/mixed-weapons", "fire/surplus-hits")
def test_each_order_of_the_weapons_has_its_own_odds() -> None:
    """The rifles' hits lay three men down, then the cannon's heaps on one of them, or the other way round."""
    position = table(wardens(4, special=["beam-cannon"]), brawlers(2))
    form = fire_form(Unit(position, 0), PREPARATORY)
    so_far: list[Any] = []
    while (field := form.field(so_far)) is not None and field.prompt != "profile-order":
        so_far.append(first_suggestion(field))
    assert isinstance(field, Order)
    assert sheet(field, teller_of(position), position).weighed
    found = [forecast_of(position, form, [*so_far, keys]) for keys in (field.items, field.items[::-1])]
    assert all(one is not None and step(one, "losses").mean > 0.0 for one in found)
    assert found[0] != found[1]


@pytest.mark.covers("fire/procedure")
def test_too_many_cases_are_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    volley = battle("full strength")
    monkeypatch.setattr(volley_odds, "MOST_RUNS", 10)
    found = of_volley(volley)
    assert (found.gap, found.steps) == ("too-many", ())
    assert states.MOST_RUNS > 1000
