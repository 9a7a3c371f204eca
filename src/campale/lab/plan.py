"""A plan: an experiment with everything looked up, from which every battle follows by its number alone.

Battles are numbered pair by pair; within a pair variant by variant, each from both seats. So further battles of the
same plan follow the others, and any share of the numbers can be played anywhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

import campale
from campale.lab.experiment import Precision
from campale.players import PLAYERS, player_named
from campale.players.player import Player
from campale.referee.offers import Offers, offers_from
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset, Setup, load_ruleset

FORMAT = "campale-plan/1"


class Fielding(msgspec.Struct, frozen=True):
    """A force and who leads it."""

    force_name: str
    force: dict[str, Plain]
    player: str
    parameters: dict[str, Plain] = {}

    @property
    def player_told(self) -> str:
        """The player's name, with its parameters if there are any."""
        told = ", ".join(f"{name}={msgspec.json.encode(value).decode()}" for name, value in self.parameters.items())
        return f"{self.player}({told})" if told else self.player


class Variant(msgspec.Struct, frozen=True):
    """One of the variants to compare; ``changes`` are the varied paths with their values."""

    label: str
    changes: dict[str, Plain]
    first: Fielding
    second: Fielding
    options: dict[str, Plain] = {}
    agreed: dict[str, Plain] = {}


class Scene(msgspec.Struct, frozen=True):
    """The other differences between pairs. ``forces``, if given, are those of side 0 and 1, whoever leads them."""

    agreed: dict[str, Plain] = {}
    options: dict[str, Plain] = {}
    forces: tuple[Fielding, Fielding] | None = None


class Battle(msgspec.Struct, frozen=True):
    """Everything needed to play one battle anywhere. ``sides`` lead side 0 and side 1."""

    number: int
    pair: int
    variant: int
    label: str
    seat: int
    seed: str
    setup: Setup
    sides: tuple[Fielding, Fielding]
    most_answers: int


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """``battles`` is the number for each variant; with a ``precision``, the maximum."""

    format: str
    campale: str
    ruleset: str
    rules_hash: str
    seed: str
    title: Plain
    variants: Annotated[tuple[Variant, ...], msgspec.Meta(min_length=1)]
    scenes: Annotated[tuple[Scene, ...], msgspec.Meta(min_length=1)]
    battles: int
    precision: Precision | None
    most_answers: int

    @property
    def per_pair(self) -> int:
        return 2 * len(self.variants)

    @property
    def total(self) -> int:
        """The number of battles, or the maximum."""
        return self.battles // 2 * self.per_pair

    def pair_of(self, number: int) -> int:
        return number // self.per_pair

    def variant_of(self, number: int) -> int:
        return number % self.per_pair // 2

    def battle(self, number: int) -> Battle:
        pair, variant, seat = self.pair_of(number), self.variant_of(number), number % 2
        chosen, scene = self.variants[variant], self.scenes[pair % len(self.scenes)]
        sides = (chosen.second, chosen.first) if seat else (chosen.first, chosen.second)
        if scene.forces is not None:
            sides = led(scene.forces[0], sides[0]), led(scene.forces[1], sides[1])
        agreed = {name: value for name, value in (chosen.agreed | scene.agreed).items() if value is not None}
        forces = tuple(side.force for side in sides)
        setup = Setup(self.ruleset, chosen.options | scene.options, forces, agreed)
        seed = f"{self.seed}/{pair}"
        return Battle(number, pair, variant, chosen.label, seat, seed, setup, sides, self.most_answers)

    def numbers(self, shard: tuple[int, int] = (1, 1)) -> Iterator[int]:
        """The numbers of a shard (the first of eight is 1, 8): whole pairs, so that comparisons stay together."""
        number, of = shard
        for pair in range(number - 1, self.battles // 2, of):
            yield from range(pair * self.per_pair, (pair + 1) * self.per_pair)


def led(force: Fielding, by: Fielding) -> Fielding:
    """A force with another's player."""
    return Fielding(force.force_name, force.force, by.player, by.parameters)


def versions(ruleset: str) -> tuple[str, str]:
    """The version of Campale, and the hash of a book, in this process."""
    return campale.__version__, load_ruleset(ruleset).content_hash


def hash_of(plain: Any) -> str:
    """The hash of plain data, whatever the order of its keys."""
    return hashlib.blake2b(msgspec.json.encode(plain, order="sorted"), digest_size=8).hexdigest()


def offers_of(ruleset: Ruleset) -> Offers:
    """The choices of a book; taken from its ready battles if it offers nothing else."""
    if ruleset.offers is not None:
        return ruleset.offers()
    return offers_from(ruleset.starters() if ruleset.starters is not None else ())


def player_of(fielding: Fielding, seed: str) -> Player:
    """Raises KeyError for a name, TypeError or ValueError for parameters that there are not."""
    if not fielding.parameters:
        return player_named(fielding.player, seed)
    return PLAYERS[fielding.player](seed, **fielding.parameters)


def setups(plan: Plan) -> Iterator[tuple[int, Setup]]:
    """Every set-up of the plan, once, with its variant."""
    for pair in range(min(len(plan.scenes), plan.battles // 2)):
        for place in range(plan.per_pair):
            battle = plan.battle(pair * plan.per_pair + place)
            yield battle.variant, battle.setup


def fault_in(ruleset: Ruleset, setup: Setup) -> str:
    """The book's objection to a set-up; empty if it can be played."""
    try:
        book = ruleset.with_options(setup.options)
        book.set_out(book, setup)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        return str(error.args[0]) if isinstance(error, KeyError) else str(error)
    return ""
