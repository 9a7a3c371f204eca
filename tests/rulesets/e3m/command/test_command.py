"""Chapters "hierarchy", "orders" and "initiative": groups, command, secret orders, Halts, chits."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campale.referee.journal import Journal
from campale.referee.position import Position
from campale.rulesets.e3m.bots.counsel import order_odds
from campale.rulesets.e3m.command.groups import (
    group_of,
    group_of_army,
    is_in_command,
    leader_of,
    number_in_army,
    replace_leaders,
)
from campale.rulesets.e3m.command.halt import force_to_halt, halt_save, is_invisible
from campale.rulesets.e3m.command.orders import (
    hidden_orders,
    is_halted,
    is_routed,
    may_be_ready,
    may_move,
    order_of,
    seen_by,
    show,
    write_orders,
)
from campale.rulesets.e3m.command.special_models import attach_or_detach
from campale.rulesets.e3m.command.units import FORCED, LEADERLESS, is_below_half, is_coherent, lost_a_quarter
from campale.rulesets.e3m.fire.wounds import lose_model
from campale.rulesets.e3m.morale.morale import has_rallied, may_rally, rally
from campale.rulesets.e3m.movement.sight import NONE
from campale.rulesets.e3m.turn.initiative import draw_chit, pool, shuffle_chits
from campale.rulesets.e3m.turn.sequence import imagine
from tests.rulesets.e3m.kit import LEADS, model, play, squad, table, unit

covers = pytest.mark.covers


def test_the_groups_of_each_army_are_numbered_from_one() -> None:
    both = [[group_of_army(number, side) for number in (1, 2, 3)] for side in (0, 1)]
    assert len({*both[0], *both[1]}) == 6
    assert [[number_in_army(group) for group in one] for one in both] == [[1, 2, 3]] * 2


@covers("hierarchy/in-command", "hierarchy/command-radius-table", "base-general/within")
@pytest.mark.parametrize(("gap", "commanded"), [(12.0, True), (12.1, False)])
def test_a_unit_is_in_command_within_the_radius_of_its_leader(gap: float, commanded: bool) -> None:
    position = table(
        squad("line-warden", 1, at=(10, 10), group=1, models={LEADS: 1}),
        squad("scout", 1, at=(11 + gap, 10), group=1),
    )
    assert is_in_command(unit(position, 1)) is commanded


@covers("hierarchy/radius-other-armies", "hierarchy/command-radius-table")
@pytest.mark.parametrize(
    ("kind", "gap", "commanded"), [("brawler", 8.0, True), ("brawler", 8.1, False), ("levy", 10.0, True)]
)
def test_the_radius_is_that_of_the_army(kind: str, gap: float, commanded: bool) -> None:
    position = table(
        squad(kind, 1, at=(10, 10), group=1, models={LEADS: 1}), squad(kind, 1, at=(11 + gap, 10), group=1)
    )
    assert is_in_command(unit(position, 1)) is commanded


@covers("hierarchy/commander-role", "hierarchy/leader-loss")
def test_the_commander_stands_in_for_a_leader_who_is_lost_and_for_no_other() -> None:
    position = table(
        squad("line-warden", 1, at=(10, 10), group=1, models={LEADS: 1}),
        squad("scout", 1, at=(40, 10), group=1),
        squad("citadel-wardens/captain", 1, at=(45, 10)),
    )
    assert not is_in_command(unit(position, 1))
    lose_model(model(position, 0), "fire")
    assert leader_of(position, 1) is None
    assert is_in_command(unit(position, 1))


@covers("hierarchy/independent-models", "hierarchy/commander-role")
def test_an_independent_model_is_a_group_of_one_and_needs_no_leader() -> None:
    position = table(squad("citadel-wardens/captain", 1, at=(10, 10)), squad("lieutenant", 1, at=(60, 40)))
    assert group_of(unit(position, 0)) == -1
    assert all(is_in_command(unit(position, row)) for row in (0, 1))


@covers("hierarchy/in-command-vehicles")
def test_the_radius_is_measured_from_the_edges_of_hulls_and_from_the_carrier() -> None:
    position = table(
        squad("carrier", 1, at=(10, 10), group=1),
        squad("line-warden", 1, group=1, aboard=0, models={LEADS: 1}),
        squad("scout", 1, at=(24.5, 10), group=1),
        squad("scout", 1, at=(24.6, 12), group=1),
    )
    assert [is_in_command(unit(position, row)) for row in (2, 3)] == [True, False]


@covers("hierarchy/leader-loss")
def test_a_new_leader_is_named_in_the_second_step_2() -> None:
    position = table(
        squad("scout", 1, at=(10, 10), group=1, models={LEADS: 1}),
        squad("scout", 1, at=(30, 10), group=1),
        squad("scout", 1, at=(40, 10), group=1),
    )
    lose_model(model(position, 0), "fire")
    play(replace_leaders(position))
    assert unit(position, 1).marks(LEADERLESS) == 1
    assert not is_in_command(unit(position, 1))
    play(replace_leaders(position), answers=[2])
    assert leader_of(position, 1) == model(position, 2)
    assert unit(position, 1).marks(LEADERLESS) == 0


@covers("sequence/rally-success", "hierarchy/leader-loss")
def test_a_leader_whose_unit_rallies_takes_his_place_back_and_is_on_halt() -> None:
    position = table(
        squad("scout", 1, at=(10, 10), order="retreat", group=1, models={LEADS: 1}),
        squad("scout", 1, at=(30, 10), group=1, models={LEADS: 1}),
    )
    assert leader_of(position, 1) == model(position, 1)
    has_rallied(unit(position, 0))
    assert leader_of(position, 1) == model(position, 0)
    assert order_of(unit(position, 0)) == "halt"


@covers("hierarchy/attach-detach", "hierarchy/special-models", "base-characters/attached")
@pytest.mark.parametrize(("gap", "asked"), [(2.0, True), (2.1, False)])
def test_a_special_model_joins_a_unit_within_two_inches(gap: float, asked: bool) -> None:
    position = table(squad("lieutenant", 1, at=(10, 10)), squad("levy", 2, at=(11 + gap, 10)))
    played = play(attach_or_detach(position, 0), answers=[1] if asked else [])
    assert played.prompts == (["attach"] if asked else [])
    assert model(position, 0).unit == unit(position, int(asked))
    if asked:
        play(attach_or_detach(position, 0), answers=["leave"])
        assert model(position, 0).unit == unit(position, 0)


@covers("hierarchy/attach-detach", "orders/retreat-is-rout")
@pytest.mark.parametrize("order", ["retreat", None])
@pytest.mark.parametrize("routed", [0, 1])
def test_nobody_joins_or_leaves_the_routed(order: str | None, routed: int) -> None:
    orders = [order if unit == routed else None for unit in (0, 1)]
    squads = (squad("lieutenant", 1, at=(10, 10), order=orders[0]), squad("levy", 2, at=(12, 10), order=orders[1]))
    asked = [] if order else ["attach"]
    joining, leaving = table(*squads), table(*squads)
    assert play(attach_or_detach(joining, 0), answers=["stay"] if asked else []).prompts == asked
    leaving.join(model(leaving, 0), unit(leaving, 1))
    unit(leaving, 1).jot("order", order)
    assert play(attach_or_detach(leaving, 0), answers=["stay"] if asked else []).prompts == asked


@covers("hierarchy/attach-detach", "sequence/rally-success")
@pytest.mark.parametrize(("rallied", "asked"), [((), ["attach"]), ((0,), []), ((1,), ["attach"])])
def test_a_special_model_that_has_rallied_joins_nobody(rallied: tuple[int, ...], asked: list[str]) -> None:
    """He may join others who have rallied, and is on Halt with them."""
    position = table(squad("lieutenant", 1, at=(10, 10), order=None), squad("levy", 2, at=(12, 10), order=None))
    for row in rallied:
        has_rallied(unit(position, row))
    assert play(attach_or_detach(position, 0), answers=["stay"] if asked else []).prompts == asked


@covers("hierarchy/attach-detach", "sequence/rally-success")
@pytest.mark.parametrize(("rallied", "asked"), [(False, ["attach"]), (True, [])])
def test_nobody_leaves_a_unit_that_has_rallied(rallied: bool, asked: list[str]) -> None:
    position = table(squad("lieutenant", 1, at=(10, 10), order=None), squad("levy", 2, at=(12, 10), order=None))
    position.join(model(position, 0), unit(position, 1))
    if rallied:
        has_rallied(unit(position, 1))
    assert play(attach_or_detach(position, 0), answers=["stay"] if asked else []).prompts == asked


@covers("hierarchy/attach-detach", "base-general/half-strength", "sequence/rally-conditions")
def test_attached_models_count_for_a_quarter_but_not_for_half_strength() -> None:
    position = table(squad("levy", 4, at=(10, 10)), squad("lieutenant", 1, at=(10, 12)))
    position.join(model(position, 4), unit(position, 0))
    unit(position, 0).mark("at-step", 5)
    lose_model(model(position, 0), "fire")
    assert not lost_a_quarter(unit(position, 0))
    lose_model(model(position, 1), "fire")
    assert lost_a_quarter(unit(position, 0))
    assert not is_below_half(unit(position, 0))
    lose_model(model(position, 2), "fire")
    assert is_below_half(unit(position, 0))


@covers("base-characters/attached")
def test_whose_unit_is_gone_is_independent_from_that_moment() -> None:
    position = table(squad("levy", 1, at=(10, 10), order="assault"), squad("lieutenant", 1, at=(10, 12)))
    position.join(model(position, 1), unit(position, 0))
    lose_model(model(position, 0), "fire")
    assert model(position, 1).unit == unit(position, 1)
    assert order_of(unit(position, 1)) == "assault"


@covers("base-general/coherency")
@pytest.mark.parametrize(("gap", "together"), [(2.0, True), (2.1, False)])
def test_a_unit_is_coherent_with_links_of_two_inches(gap: float, together: bool) -> None:
    position = table(squad("levy", at=[(10, 10), (11 + gap, 10), (12.5 + gap, 10)]))
    assert is_coherent(unit(position, 0)) is together


# ---------------------------------------------------------------- orders


@covers("orders/secret-orders", "orders/one-order", "orders/reveal", "hierarchy/in-command")
def test_orders_are_written_in_secret_and_only_halts_are_shown() -> None:
    position = table(
        squad("scout", 1, at=(10, 10), order=None, group=1, models={LEADS: 1}),
        squad("scout", 1, at=(14, 10), order=None, group=1),
        squad("scout", 1, at=(50, 10), order=None, group=1),
        squad("brawler", 1, side=1, at=(30, 40), order=None, group=2, models={LEADS: 2}),
    )
    play(write_orders(position, order_odds), answers=[{0: ["ready", "halt"], 1: ["march"]}])
    assert position.journal is not None
    assert [event.values["units"] for event in position.journal.events if event.kind == "out-of-command"] == [[2]]
    assert hidden_orders(position, 0) == {0: "ready"}
    assert [order_of(unit(position, row)) for row in range(4)] == ["ready", "halt", "halt", "march"]
    shown = seen_by(1, position)
    assert hidden_orders(shown, 0) == {0: ""}
    assert hidden_orders(shown, 1) == {3: "march"}
    show(position, [unit(position, 0)])
    assert hidden_orders(position, 0) == {}


@covers("orders/reveal")
def test_by_option_all_orders_are_shown_in_step_2() -> None:
    position = table(
        squad("scout", 1, at=(10, 10), order=None, group=1, models={LEADS: 1}), options={"reveal_all": True}
    )
    play(write_orders(position, order_odds), answers=[{0: ["ready"]}])
    assert position.journal is not None
    assert "out-of-command" not in [event.kind for event in position.journal.events]
    assert hidden_orders(position, 0) == {}


@covers(
    "orders/halt-sources",
    "orders/halt-no-move",
    "orders/ready-no-move",
    "orders/fire",
    "orders/assault",
    "orders/march",
)
@pytest.mark.parametrize(
    ("order", "moves"), [("fire", True), ("assault", True), ("march", True), ("ready", False), ("halt", False)]
)
def test_which_orders_let_a_unit_move(order: str, moves: bool) -> None:
    position = table(squad("scout", 2, order=order))
    assert may_move(unit(position, 0)) is moves
    force_to_halt(unit(position, 0))
    assert not may_move(unit(position, 0))


@pytest.mark.parametrize(("order", "marks", "told"), [("ready", {}, 1), ("halt", {}, 1), ("halt", {"forced": 1}, 0)])
def test_a_forced_halt_is_told_once(order: str, marks: dict[str, int], told: int) -> None:
    position = table(squad("scout", 2, order=order, marks=marks))
    position.journal = Journal()
    force_to_halt(unit(position, 0))
    assert sum(bool(event.values.get("forced")) for event in position.journal.events) == told


@covers("orders/forced-halt", "orders/forced-halt-limits", "fire/opportunity-once")
def test_a_forced_halt_costs_the_fire_in_wait_and_the_assault() -> None:
    position = table(squad("scout", 2, order="ready"), squad("brawler", 2, side=1, at=(36, 30)))
    position.declare("assaults", ((0, (1,)),))
    assert may_be_ready(unit(position, 0))
    force_to_halt(unit(position, 0))
    assert not may_be_ready(unit(position, 0))
    assert order_of(unit(position, 0)) == "halt"
    assert unit(position, 0).marks(FORCED) == 1
    assert "assaults" not in position.declared


@covers("orders/retreat-is-rout", "orders/retreat-voluntary")
def test_a_voluntary_retreat_is_a_rout_once_it_is_shown() -> None:
    position = table(squad("scout", 2, order=None))
    position.declare("secret-0", ((0, "retreat"),))
    assert not is_routed(unit(position, 0))
    show(position, [unit(position, 0)])
    assert is_routed(unit(position, 0))


@covers("orders/halt-save", "orders/halt-invisible", "orders/hidden-lost", "orders/halt-vehicles")
def test_who_lies_down_has_a_save_in_the_open_and_is_invisible_in_cover() -> None:
    position = table(
        squad("scout", 2, order="halt"), squad("carrier", at=(50, 20), order="halt"), squad("scout", 2, at=(20, 20))
    )
    down, hull, up = model(position, 0), model(position, 2), model(position, 3)
    assert (halt_save(down, NONE), halt_save(down, 4), halt_save(hull, NONE), halt_save(up, NONE)) == (
        5,
        NONE,
        NONE,
        NONE,
    )
    assert is_invisible(down, 4)
    assert not is_invisible(down, NONE)
    assert not is_invisible(hull, 4)
    down.unit.mark("given-away", 1)
    assert not is_invisible(down, 4)
    assert halt_save(down, 4) == 5


# ---------------------------------------------------------------- recovery


@covers("sequence/rally-conditions", "sequence/rally-test")
@pytest.mark.parametrize(("gap", "may"), [(6.0, False), (6.1, True)])
def test_nobody_rallies_with_an_enemy_within_six_inches(gap: float, may: bool) -> None:
    position = table(squad("scout", 2, at=(10, 10), order="retreat"), squad("brawler", 1, side=1, at=(12.25 + gap, 10)))
    assert may_rally(unit(position, 0)) is may


@covers("sequence/rally-test", "sequence/rally-success", "base-morale/test")
@pytest.mark.parametrize(("dice", "order"), [("4 4", "halt"), ("4 5", "retreat"), ("1 1", "halt")])
def test_a_unit_rallies_on_its_leadership_or_less(dice: str, order: str) -> None:
    position = table(squad("scout", 2, order="retreat"))
    play(rally(unit(position, 0)), dice)
    assert order_of(unit(position, 0)) == order


@covers("orders/retreat-voluntary")
def test_a_vehicle_sheds_its_retreat_without_a_test() -> None:
    position = table(squad("carrier", order="retreat"))
    play(rally(unit(position, 0)))
    assert unit(position, 0).note("order") is None


# ---------------------------------------------------------------- chits


@covers("initiative/chits", "initiative/one-draw-per-phase", "turn/initiative-by-phase", "initiative/third-draw-scope")
def test_two_chits_of_each_army_are_drawn_in_the_course_of_a_turn() -> None:
    position = table(squad("scout", 2))
    shuffle_chits(position)
    drawn = []
    for _ in range(4):
        draw(position, position.declared["chits"][0])
        drawn.append(position.now["first"])
    assert sorted(drawn) == [0, 0, 1, 1]
    assert position.declared["chits"] == ()


def draw(position: Position, chit: Any) -> None:
    """Draw a given chit."""
    coroutine = draw_chit(position)
    question = coroutine.send(None)
    with pytest.raises(StopIteration):
        coroutine.send(question.understood([question.pool.index(chit)]))


@covers("initiative/extra-chits", "initiative/element-chits")
def test_extra_chits_and_those_of_an_element_come_from_the_scenario() -> None:
    position = table(squad("scout", 2), squad("scout", 2, at=(10, 10)))
    position.declare("chit-pool", (0, 0, 0, 1, 1, (1, 1)))
    shuffle_chits(position)
    assert pool(position) == (0, 0, 0, 1, 1, (1, 1))
    draw(position, (1, 1))
    assert (position.now["first"], position.now["opens"]) == (1, 1)
    assert position.declared["chits"] == (0, 0, 0, 1, 1)


@covers("orders/secret-orders")
def test_who_imagines_draws_the_hidden_orders_of_the_other_side_anew() -> None:
    position = table(squad("scout", 2), squad("brawler", 2, side=1, at=(36, 30), order=None), phase="command", begun=1)
    position.declare("secret-1", ((1, "ready"),))
    kinds = {hidden_orders(imagine(position, 0, Random(k)), 1)[1] for k in range(400)}
    assert len(kinds) > 3


@covers("orders/halt-sources")
@pytest.mark.parametrize(("order", "halted"), [("halt", True), (None, True), ("fire", False), ("ready", False)])
def test_who_is_halted(order: str | None, halted: bool) -> None:
    """Whoever has no order is; a Halt that is not shown yet is none."""
    position = table(squad("scout", 2, order=order))
    assert is_halted(unit(position, 0)) is halted
    position.declare("secret-0", ((0, "halt"),))
    assert not is_halted(unit(position, 0))
