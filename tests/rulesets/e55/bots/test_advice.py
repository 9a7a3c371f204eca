"""What a bot that plays nothing through makes of a table: who moves and where, faces whom, fires, charges."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.columns import Effect
from campale.referee.position import Position, Token, Unit
from campale.referee.question import Choose, Spatial
from campale.referee.ruleset import WASTE
from campale.rulesets.e55.armies.profile import Power
from campale.rulesets.e55.bots.advice import advise
from campale.rulesets.e55.bots.outlook import harm_from, outlook_of
from campale.rulesets.e55.bots.plans import plan_of
from campale.rulesets.e55.definitions.measuring import exact
from campale.rulesets.e55.psychic_powers.powers import CAST
from campale.rulesets.e55.shooting_phase.declaring import HOLD, fields_of
from campale.rulesets.e55.turn.acting import DONE_KEY, act_in_phase
from tests.rulesets.e55.kit import Squad, block, changed, profile, question_after, squad, table

RIFLEMAN = profile("veteran", "rifle", points=15)
GUNNER = profile("veteran", "machine-gun", points=15)
MILITIAMAN = profile("militia", "carbine", points=5)
FIGHTER = profile("sergeant", "claw", points=20, a=4)


def militia(count: int = 5, at: tuple[float, float] = (20.0, 30.0), **given: Any) -> Squad:
    return squad(MILITIAMAN, count, side=1, at=at, **given)


def best(position: Position, prompt: str, **about: Any) -> Any:
    """What is worth most, of a question with that prompt."""
    side = int(position.now["side"])
    found = advise(position, Choose(side, prompt, ("any",), about=about), about)
    return max(found, key=lambda one: one[1])[0]


def worths(position: Position, prompt: str, **about: Any) -> dict[Any, float]:
    side = int(position.now["side"])
    return dict(advise(position, Choose(side, prompt, ("any",), about=about), about))


def moving(*squads: Squad, **now: Any) -> Position:
    return table(*squads, phase="movement", **now)


# ---------------------------------------------------------------- moving


def test_fighters_go_at_the_enemy_and_heavy_guns_in_range_stay() -> None:
    fighters = moving(squad(FIGHTER, 5, at=(20.0, 10.0)), militia(at=(20.0, 22.0)))
    assert best(fighters, "movement") == ("move", 0)
    guns = moving(squad(GUNNER, 5, at=(20.0, 10.0)), militia(at=(20.0, 40.0)))
    assert best(guns, "movement") == DONE_KEY


def test_whoever_can_hurt_nobody_in_this_turn_runs() -> None:
    assert best(moving(squad(FIGHTER, 5, at=(20.0, 4.0)), militia(at=(20.0, 44.0))), "movement") == ("run", 0)
    assert best(moving(squad(FIGHTER, 5, at=(20.0, 4.0)), militia(at=(20.0, 44.0))), "movement") != ("move", 0)


def test_an_objective_draws_a_squad_and_holds_it() -> None:
    def goal(at: tuple[float, float]) -> Any:
        position = moving(squad(RIFLEMAN, 5, at=at), militia(at=(70.0, 46.0)), mission="seize-and-hold", turn=9)
        position.lay(Token("objective", 20.0, 16.0))
        view = outlook_of(position)
        return plan_of(position, view, view.squads[0])

    assert goal((20.0, 8.0)).at == (20.0, 16.0)
    assert goal((16.0, 16.0)) is None


@pytest.mark.parametrize(("behind", "goes"), [(True, True), (False, False)])
@pytest.mark.parametrize("count", [1, 3])
def test_a_model_alone_does_not_go_ahead_of_the_squads_of_its_side(behind: bool, goes: bool, count: int) -> None:
    """Several may; and to come up behind the others is no danger."""
    hero = squad(FIGHTER, count, at=(20.0, 4.0 if behind else 26.0))
    position = moving(hero, squad(GUNNER, 5, at=(30.0, 20.0)), militia(at=(20.0, 44.0)))
    view = outlook_of(position)
    assert (plan_of(position, view, view.squads[0]) is not None) is (goes or count > 1)


# ---------------------------------------------------------------- facing, fire, charges


def test_a_squad_faces_whom_it_can_hurt_most() -> None:
    position = table(squad(RIFLEMAN, 5, at=(20.0, 10.0)), militia(at=(20.0, 44.0)), militia(at=(26.0, 20.0)))
    assert best(position, "face", unit=0) == 2


@pytest.mark.parametrize(("away", "line"), [(20.0, ("shoot", 0)), (34.0, DONE_KEY)])
def test_fire_is_declared_as_far_as_it_reaches(away: float, line: Any) -> None:
    position = table(squad(RIFLEMAN, 5, at=(20.0, 10.0), faces=1), militia(at=(20.0, 10.0 + away)))
    assert best(position, "shooting") == line
    assert (worths(position, "shooting").get(("shoot", 0)) == WASTE) == (line == DONE_KEY)


def test_fire_that_comes_to_nothing_is_not_declared() -> None:
    tank = squad(profile("tank", points=75), 1, side=1, at=(20.0, 20.0))
    assert best(table(squad(MILITIAMAN, 5, at=(20.0, 10.0), faces=1), tank), "shooting") == DONE_KEY


@pytest.mark.parametrize(
    ("kind", "away", "line"),
    [(FIGHTER, 6.0, ("charge", 0, 1)), (FIGHTER, 12.0, DONE_KEY), (MILITIAMAN, 6.0, DONE_KEY)],
)
def test_only_the_better_fighters_charge_and_only_from_near(kind: Any, away: float, line: Any) -> None:
    enemy = FIGHTER if kind is MILITIAMAN else MILITIAMAN
    position = table(
        squad(kind, 5, at=(20.0, 10.0), faces=1), squad(enemy, 5, side=1, at=(20.0, 10.0 + away)), phase="charges"
    )
    assert best(position, "charges") == line


@pytest.mark.parametrize(("away", "is_wasted"), [(7.0, False), (9.0, True)])
def test_a_charge_that_cannot_arrive_is_wasted(away: float, is_wasted: bool) -> None:
    """``away``: from middle to middle, two inches and a half more than between the bases."""
    position = table(squad(FIGHTER, 1, at=(20.0, 10.0), faces=1), militia(1, at=(20.0, 10.0 + away)), phase="charges")
    assert (worths(position, "charges").get(("charge", 0, 1)) == WASTE) == is_wasted


# ---------------------------------------------------------------- ground, heroes, powers


def mined(deep: float) -> Position:
    """A squad that wants an objective, and dangerous ground before it, as wide as the table or as nothing."""
    mines = block(20.0, 16.0, 40.0, deep, "clear", "dangerous") if deep else block(70.0, 2.0, 1.0, 1.0, "clear")
    kind = changed(MILITIAMAN, points=400)
    position = moving(
        squad(kind, 5, at=(20.0, 8.0)), militia(at=(70.0, 46.0)), pieces=[mines], mission="seize-and-hold"
    )
    position.lay(Token("objective", 20.0, 30.0))
    return position


@pytest.mark.parametrize(("deep", "goes"), [(0.0, True), (6.0, False)])
def test_a_squad_goes_over_dangerous_ground_only_if_more_is_to_be_had(deep: float, goes: bool) -> None:
    position = mined(deep)
    question = question_after(run := act_in_phase(position, "movement"), answers=[("move", 0)])
    assert isinstance(question, Spatial)
    ((way, _),) = advise(position, question, question.about)
    run.close()
    assert any(points for points, _ in way) == goes


def test_a_hero_alone_fears_all_who_may_shoot_at_him() -> None:
    def worth(guns: int, count: int) -> float:
        enemies = [squad(RIFLEMAN, 3, side=1, at=(14.0 + 6.0 * number, 30.0)) for number in range(guns)]
        position = moving(squad(profile("captain", "rifle", points=100), count, at=(20.0, 10.0)), *enemies)
        view = outlook_of(position)
        return harm_from(position, view, view.squads[0])

    assert worth(3, 1) < worth(1, 1)
    assert worth(3, 4) >= worth(1, 4) - 1e-9


def test_a_power_is_not_cast_where_it_adds_nothing() -> None:
    def worth(kind: str, value: int, there: int | None, **marks: int) -> float:
        one = Power(kind, {"en": kind}, 1, kind, value)  # type: ignore[arg-type]
        seer = profile("veteran", psyker=2, powers=(one,))
        position = moving(
            squad(seer, 1, at=(30.0, 20.0)), squad(RIFLEMAN, 3, at=(30.0, 16.0)), militia(at=(30.0, 32.0))
        )
        target = Unit(position, 1 if kind in ("ward", "haste") else 2)
        for name, mark in marks.items():
            target.mark(name, mark)
        if there is not None:
            position.begin(Effect(CAST, target.row, 0, "turn-9", (kind, there), "unit"))
        return worths(position, "power-target", model=0, power=kind)[target.row]

    assert worth("ward", 4, None) > 0.0 < worth("ward", 4, 5)
    assert worth("ward", 4, 4) == WASTE
    assert worth("haste", 3, None) > 0.0 < worth("haste", 3, 2)
    assert worth("haste", 3, 3) == WASTE == worth("haste", 3, None, moved=1)
    assert worth("overrun", 0, None) > 0.0
    assert worth("overrun", 0, None, broken=1) == WASTE
    assert worth("smite", 4, None) > 0.0


TANK = profile("tank", points=75)


@pytest.mark.parametrize(("kind", "count", "hastened"), [(FIGHTER, 5, True), (GUNNER, 5, False), (TANK, 1, False)])
def test_a_unit_is_hastened_before_it_moves_and_only_if_it_has_somewhere_to_go(
    kind: Any, count: int, hastened: bool
) -> None:
    """Guns in range stay where they are; a vehicle drives."""
    wind = Power("wind", {"en": "Wind"}, 1, "haste", 3)
    seer = profile("veteran", psyker=1, powers=(wind,))
    position = moving(squad(seer, 1, at=(30.0, 6.0)), squad(kind, count, at=(30.0, 10.0)), militia(at=(30.0, 40.0)))
    position.model(0).mark("warp", 1)
    advised = worths(position, "movement")
    casts = [worth for key, worth in advised.items() if key[0] == "cast"]
    assert (bool(casts) and max(casts) == max(advised.values())) is hastened
    assert (worths(position, "power-target", model=0, power="wind")[1] == WASTE) is not hastened


# ---------------------------------------------------------------- fire that does nothing


BASES = 40.0 - exact(*table(squad(MILITIAMAN, 1, at=(20.0, 4.0)), militia(1, at=(20.0, 44.0))).models)
"""What two bases take of the distance between their middles."""


def declared(position: Position, unit: int = 0) -> dict[Any, float]:
    """The worths of the first field of a unit's declaration."""
    question = fields_of(Unit(position, unit))([])
    assert isinstance(question, Choose)
    return dict(advise(position, question, question.about))


@pytest.mark.parametrize(("gap", "fires"), [(7.9, True), (8.1, False)])
def test_a_template_is_not_fired_at_whom_it_cannot_touch(gap: float, fires: bool) -> None:
    thrower = profile("veteran", "flamethrower", points=15)
    apart = gap + BASES
    found = declared(table(squad(thrower, 1, at=(20.0, 10.0), faces=1), militia(1, at=(20.0, 10.0 + apart))))
    assert found[HOLD] == 0.0
    assert (found["fire", 0, 0, 1] > 0.0) is fires
    assert (found["fire", 0, 0, 1] == WASTE) is not fires


@pytest.mark.parametrize(("facing", "fires"), [(180.0, False), (0.0, True)])
def test_a_weapon_fires_at_the_armour_that_it_can_pierce(facing: float, fires: bool) -> None:
    """The front of the tank is too thick, its rear is not."""
    tank = changed(profile("tank", points=75), front=14, side=14, rear=9)
    gunner = profile("veteran", "rifle", points=15)
    battle = table(squad(gunner, 1, at=(20.0, 10.0), faces=1), squad(tank, 1, side=1, at=(20.0, 24.0), facing=facing))
    found = [worth for key, worth in declared(battle).items() if key[0] == "fire"]
    assert (max(found) > 0.0) is fires


@pytest.mark.parametrize(("deep", "is_wasted"), [(0.0, False), (1.0, True)])
def test_a_charge_over_ground_that_stops_it_is_wasted(deep: float, is_wasted: bool) -> None:
    """Difficult ground takes 1 to 3 inches off the six; five and a half are too many for any roll."""
    ground = block(20.0, 13.0, 40.0, deep, "difficult") if deep else block(70.0, 2.0, 1.0, 1.0, "clear")
    away = 5.5 + BASES
    battle = table(
        squad(FIGHTER, 1, at=(20.0, 10.0), faces=1),
        militia(1, at=(20.0, 10.0 + away)),
        phase="charges",
        pieces=[ground],
    )
    assert (worths(battle, "charges")["charge", 0, 1] == WASTE) is is_wasted
