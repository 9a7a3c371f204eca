"""Abilities as rows: what they add, forbid, allow, and upon whom they fall (abilities/*)."""

from __future__ import annotations

from pathlib import Path

import pytest

from campale.referee.position import Model, Position
from campale.referee.reading import FileError
from campale.rulesets.wzr.abilities import index
from campale.rulesets.wzr.abilities.index import About, changed, forbids, has, ignores, is_open_to, number, succeeds
from campale.rulesets.wzr.abilities.vocabulary import Value, abilities_of
from campale.rulesets.wzr.armies.profile import Fire
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import needed
from tests.rulesets.wzr.kit import Squad, squad, table

covers = pytest.mark.covers
FLAME, RIFLE = Fire(area="FP", st=11, type="fire"), Fire(range=24, st=12)


def two(own: tuple[str, ...] = (), others: tuple[str, ...] = (), **theirs: object) -> tuple[Model, Model]:
    """A model and an enemy ten inches off."""
    position = table(squad(abilities=own), squad(side=1, at=(24, 20), abilities=others, **theirs))  # type: ignore[arg-type]
    return position.model(0), position.model(1)


def total(value: Value, about: About, base: int = 10) -> int:
    return needed(base, index.parts(value, about)).number


def against(own: Model, other: Model, **more: object) -> About:
    return About(own, own, other, **more)  # type: ignore[arg-type]


def names_of(value: Value, about: About) -> list[str]:
    return [part.rule for part in index.parts(value, about)]


# ---------------------------------------------------------------- of attacks


@covers("abilities/bulky")
def test_bulky_targets_are_easier_to_hit_but_not_by_powers() -> None:
    own, other = two((), ("bulky",))
    assert (total("rs", against(own, other)), total("cc", against(own, other))) == (14, 14)
    assert total("wp", against(own, other)) == 10
    assert total("rs", against(other, own)) == 10


@covers("abilities/elusive")
def test_elusive_targets_are_harder_to_hit_in_melee_alone() -> None:
    own, other = two((), ("elusive",))
    assert (total("cc", against(own, other)), total("rs", against(own, other))) == (8, 10)


@covers("abilities/camouflage")
def test_camouflage_adds_its_x_to_cover_and_nothing_in_the_open() -> None:
    own, other = two((), ("camouflage 2",))
    covered = against(own, other, is_ranged=True, is_covered=True)
    assert (total("rs", covered), total("wp", covered)) == (8, 8)
    assert total("rs", covered._replace(is_covered=False)) == 10
    assert index.parts("rs", covered)[0].rule == "abilities/camouflage"


@covers("abilities/marksman")
def test_a_marksman_adds_to_the_first_test_of_an_aimed_attack() -> None:
    own, other = two(("marksman",))
    aimed = against(own, other, is_aimed=True, first=True)
    assert [total("rs", one) for one in (aimed, aimed._replace(first=False), aimed._replace(is_aimed=False))] == [
        12,
        10,
        10,
    ]


@covers("abilities/berserk-modifiers")
def test_a_berserker_fights_better_and_shoots_worse() -> None:
    own, other = two(("berserk",))
    calm = against(own, other)
    assert [total(value, calm) for value in ("cc", "st", "a", "rs")] == [10, 10, 10, 10]
    own.mark(marks.BERSERK, 1)
    assert [total(value, calm) for value in ("cc", "st", "a", "rs")] == [14, 12, 8, 8]
    own.mark(marks.BERSERK, 0)
    assert total("cc", calm) == 10


@covers("abilities/fireproof", "abilities/flammable")
def test_only_flamethrowers_matter_to_those_that_burn_or_do_not() -> None:
    own, other = two(("fireproof",), ("flammable",))
    assert [total("a", About(model, fire=FLAME)) for model in (own, other)] == [14, 6]
    assert [total("a", About(model, fire=RIFLE)) for model in (own, other)] == [10, 10]
    assert forbids("halving", About(own, is_flame=True))
    assert not forbids("halving", About(own, fire=RIFLE))
    assert not forbids("halving", About(other, is_flame=True))


@covers("abilities/ferocity", "abilities/hunter")
def test_ferocity_adds_to_the_bonus_of_a_charge_and_a_hunter_may_give_it_up() -> None:
    own, other = two(("ferocity", "hunter"), ("ferocity",))
    assert changed("charge-st", 2, About(other)) == 3
    assert changed("charge-st", 2, About(own)) == 3
    assert changed("charge-st", 2, About(own, is_freed=True)) == 0
    assert index.allows("charge-bent", About(own))
    assert index.allows("charge-unseen", About(own))
    assert not index.allows("charge-bent", About(other))
    assert not index.allows("charge-unseen", About(other))


@covers("abilities/duelist", "abilities/hatred", "core/reroll")
def test_a_failed_cc_die_may_be_rolled_again_once_in_an_activation() -> None:
    own, other = two(("duelist", "hatred undead"), (), faction="undead", base="small")
    about = against(own, other)
    assert [one.name for one in index.rerolls("cc", about)] == ["duelist", "hatred"]
    assert index.rerolls("rs", about) == ()
    index.use(own, "duelist")
    assert [one.name for one in index.rerolls("cc", about)] == ["hatred"]
    index.use(own, "hatred")
    assert index.rerolls("cc", about) == ()


@covers("abilities/duelist")
@pytest.mark.parametrize(
    ("own", "other", "offered"), [("small", "small", 1), ("medium", "small", 1), ("small", "medium", 0)]
)
def test_a_duelist_looks_for_his_like(own: str, other: str, offered: int) -> None:
    position = table(squad(abilities=("duelist",), base=own), squad(side=1, at=(24, 20), base=other))
    assert len(index.rerolls("cc", against(position.model(0), position.model(1)))) == offered


@covers("abilities/hatred")
def test_hatred_is_of_a_faction() -> None:
    own, other = two(("hatred undead",), (), faction="capital")
    assert index.rerolls("cc", against(own, other)) == ()


@covers("abilities/brutal")
def test_whoever_is_brutal_makes_the_squad_of_its_victim_test() -> None:
    own, other = two(("brutal",))
    assert index.causes("eliminates", against(own, other)) == (("pinning", "abilities/brutal"),)
    assert index.causes("eliminates", against(other, own)) == ()
    assert index.causes("wounds", against(own, other)) == ()


# ---------------------------------------------------------------- heal


@covers("abilities/heal")
@pytest.mark.parametrize(("x", "value"), [(1, 1), (8, 8), (9, 8)])
def test_heal_is_capped_at_8(x: int, value: int) -> None:
    own, other = two((f"heal {x}",))
    assert (changed("heal", 0, About(own)), changed("heal", 0, About(other))) == (value, 0)


@covers("abilities/heal")
def test_the_highest_heal_counts_alone() -> None:
    own, _ = two(("heal 5",))
    assert (changed("heal", 3, About(own)), changed("heal", 6, About(own))) == (5, 6)


@covers("abilities/heal-power-shot")
def test_a_power_shot_forbids_heal_to_everybody() -> None:
    own, other = two(("heal 5",))
    for model in (own, other):
        assert forbids("heal", About(model, is_power_shot=True))
        assert not forbids("heal", About(model))


def spread(ability: str, far: float, side: int = 0, **changes: object) -> Position:
    """A squad of one, and one who has the ability so far from it: bases are 1.2 inches across."""
    return table(squad(at=(24, 10)), squad(side=side, at=(24, 11.2 + far), abilities=(ability,), **changes))  # type: ignore[arg-type]


@covers("abilities/medic", "abilities/heal")
@pytest.mark.parametrize(("far", "value"), [(4.0, 4), (4.1, 0)])
def test_a_medic_lets_friends_heal_who_are_within_his_x(far: float, value: int) -> None:
    position = spread("medic 4", far)
    assert changed("heal", 0, About(position.model(0))) == value
    assert changed("heal", 0, About(position.model(1))) == 0
    assert changed("heal", 0, About(spread("medic 4", far, side=1).model(0))) == 0


@covers("abilities/medic")
def test_a_medic_is_capped_at_8_and_heals_another_medic() -> None:
    position = table(squad(2, abilities=("medic 10",)))
    assert [changed("heal", 0, About(model)) for model in position.models] == [8, 8]


# ---------------------------------------------------------------- LD


@covers("abilities/inspiration")
@pytest.mark.parametrize(("far", "value"), [(8.0, 11), (8.1, 10)])
def test_inspiration_reaches_friends_within_8(far: float, value: int) -> None:
    position = spread("inspiration", far)
    assert (total("ld", About(position.model(0))), total("ld", About(position.model(1)))) == (value, 10)
    assert total("ld", About(spread("inspiration", far, side=1).model(0))) == 10


@covers("abilities/dissent")
@pytest.mark.parametrize(("far", "value"), [(12.0, 8), (12.1, 10)])
def test_dissent_reaches_enemy_commanders_within_12(far: float, value: int) -> None:
    position = spread("dissent", far, side=1)
    assert total("ld", About(position.model(0))) == value
    assert total("ld", About(spread("dissent", far).model(0))) == 10


@covers("abilities/dissent", "abilities/inspiration")
def test_several_of_them_count_once_and_others_than_the_commander_suffer_no_dissent() -> None:
    squads: list[Squad] = [squad(2, at=(20, 10))]
    squads += [squad(at=(16 + 3 * k, 14), abilities=("inspiration",)) for k in range(2)]
    squads += [squad(side=1, at=(16 + 3 * k, 17), abilities=("dissent",)) for k in range(3)]
    position = table(*squads)
    assert total("ld", About(position.model(0))) == 9
    assert total("ld", About(position.model(1))) == 11


@covers("abilities/inspiration")
def test_nobody_gives_what_he_spreads_from_off_the_table() -> None:
    position = spread("inspiration", 1.0)
    position.remove(position.model(1), "shooting")
    assert total("ld", About(position.model(0))) == 10


# ---------------------------------------------------------------- tests, permissions


@covers("abilities/implacable", "abilities/unyielding", "abilities/scanner")
def test_tests_that_pass_without_a_die() -> None:
    position = table(squad(2, abilities=("implacable",)), squad(2, at=(24, 20), abilities=("unyielding", "scanner")))
    passing = [
        [test for test in ("fear", "rout", "pinning", "rally", "target-identified") if succeeds(test, model)]
        for model in position.models
    ]
    fearless = ["fear", "rout", "pinning"]
    assert passing == [fearless, fearless, ["rout", "target-identified"], ["target-identified"]]


@covers("abilities/specialist-rules", "abilities/implacable")
@pytest.mark.parametrize(("joined", "passes"), [(1, "abilities/implacable"), (0, "")])
def test_the_commanders_abilities_for_the_squads_tests_cover_a_specialist(joined: int, passes: str) -> None:
    mate = {"abilities": ("implacable", "bulky", "heal 4")}
    position = table(squad(2, of=(mate,)))
    adviser = position.model(1)
    adviser.mark(marks.SPECIALIST, joined)
    assert succeeds("pinning", adviser) == passes
    assert index.has(adviser, "implacable") == bool(joined)
    assert not index.has(adviser, "bulky")
    assert changed("heal", 0, About(adviser)) == 0


@covers("abilities/relentless", "abilities/machine-gunner", "abilities/scatter")
def test_what_is_forbidden_and_allowed() -> None:
    own, other = two(("relentless", "machine-gunner", "scatter"))
    assert forbids("stun", About(own))
    assert not forbids("stun", About(other))
    for thing in ("fire-all-round", "whole-ld"):
        assert index.allows(thing, About(own))
        assert not index.allows(thing, About(other))


@covers("abilities/sniper", "abilities/target-sense", "abilities/unmoved")
def test_what_is_ignored() -> None:
    own, other = two(("sniper", "target-sense", "unmoved"))
    for thing in ("nearest-cover", "priority", "substitute"):
        assert ignores(thing, About(own))
        assert not ignores(thing, About(other))
    assert index.granted("ignore", "priority", About(own)) == "abilities/target-sense"


@covers("abilities/pathfinder", "abilities/ranger")
def test_terrain_that_is_as_open() -> None:
    position = table(squad(at=(10, 10), abilities=("pathfinder",)), squad(abilities=("ranger",)), squad(at=(30, 10)))
    grounds = [(is_open_to(model, "light"), is_open_to(model, "heavy")) for model in position.models]
    assert grounds == [(True, False), (True, True), (False, False)]


# ---------------------------------------------------------------- given, and refused


@covers("core/durations")
def test_an_ability_that_is_given_until_the_turn_ends() -> None:
    own, other = two()
    index.give(own.position, "bulky", "unit", own.unit.row, marks.TURN)
    assert index.has(own, "bulky")
    assert not index.has(other, "bulky")
    assert total("rs", against(other, own)) == 14
    own.position.end_effects(marks.TURN)
    assert total("rs", against(other, own)) == 10


@covers("abilities/generic-and-squad")
@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("{value: [luck], add: 1}", "luck"),
        ("{value: [rs], add: 1, times: 2}", "exactly one"),
        ("{value: [rs], succeed: true}", "succeed"),
        ("{add: 1}", "add"),
        ("{moment: played, allow: stun}", "allow"),
        ("{value: [rs], if: {moon: true}, add: 1}", "moon"),
        ("{value: [ld], who: aura, add: 1}", "aura"),
        ("{cause: pinning}", "cause"),
    ],
)
def test_a_word_that_is_not_in_the_vocabulary_is_refused_with_its_line(tmp_path: Path, row: str, problem: str) -> None:
    path = tmp_path / "abilities.yaml"
    path.write_text(f"lucky:\n  rules: [abilities/bulky]\n  do:\n    - {row}\n")
    with pytest.raises(FileError, match=problem) as refused:
        abilities_of(path)
    assert "abilities.yaml, line 4, lucky.do[1]" in str(refused.value)


@covers("morale/routed-effects", "abilities/stealthy", "abilities/fear")
@pytest.mark.parametrize("routed", [False, True])
def test_the_routed_use_no_abilities(routed: bool) -> None:
    abilities = ("stealthy", "fear 2", "camouflage 1")
    model = table(squad(side=1, abilities=abilities, marks={"routed": int(routed)})).model(0)
    assert [has(model, name) for name in ("stealthy", "fear", "camouflage")] == [not routed] * 3
    assert number(model, "fear") == (0 if routed else 2)
