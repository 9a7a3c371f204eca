"""The names of everything that a battle counts, notes, declares and loses may stand in scenario files."""

from __future__ import annotations

from collections.abc import Iterable

from campale.conformance.playing import played
from campale.conformance.test_words import messages
from campale.referee.position import Position
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.words import LANGUAGES

CAUSE = "cause."


def test_every_name_that_a_battle_uses_is_in_the_vocabulary(battle: tuple[str, int]) -> None:
    game = played(*battle)
    stage = game.ruleset.stage
    for mark in game.marks if stage is not None else ():
        for kind, names in used(mark.position).items():
            words = stage.words.get(kind, ()) if stage is not None else ()
            beginnings = tuple(word for word in words if word.endswith("-"))
            strange = [n for n in names if words and n not in words and not n.startswith(beginnings or ("\n",))]
            assert not strange, (kind, strange)


def used(position: Position) -> dict[str, Iterable[str]]:
    return {
        "now": [name for name, value in position.now.items() if value is not None],
        "declared": position.declared,
        "marks": [name for model in position.models for name in model.marked()],
        "unit-marks": [name for unit in position.units for name in position.of_units.named(unit.row)],
        "causes": {loss.cause for loss in position.losses},
    }


def test_every_cause_of_a_loss_has_words(name: str) -> None:
    """What a scenario file may give as the cause of a loss is what players may be told, and the other way round."""
    ruleset = load_ruleset(name)
    causes = ruleset.stage.words.get("causes", ()) if ruleset.stage is not None else ()
    if causes:
        told = {key.removeprefix(CAUSE) for key in messages(name, LANGUAGES[0]) if key.startswith(CAUSE)}
        assert told == set(causes)
