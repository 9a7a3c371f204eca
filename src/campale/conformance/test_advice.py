"""A ruleset's advice to bots changes nothing, uses no secrets, and leads to the end of a battle."""

from __future__ import annotations

import math
from functools import lru_cache

import pytest

from campale.conformance.playing import SIDES, begun, looks, setups_of
from campale.players import ScriptPlayer
from campale.referee.game import Game
from campale.referee.question import Form, Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import WASTE
from campale.referee.seat import Seat
from campale.simulate import battle as fought
from campale.simulate import play_on

pytestmark = pytest.mark.costly

Battle = tuple[str, int]


@lru_cache(maxsize=3)
def scripted(name: str, number: int) -> Game:
    """A finished battle of scripted players, who imagine no games; callers must not change it."""

    def never(*_: object) -> None:
        raise AssertionError("a game was imagined")

    game = begun(name, number, marks="last")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Game, "imagined_by", never)
        play_on(game, {side: ScriptPlayer(side) for side in SIDES})
    return game


def test_scripted_players_come_to_an_end_without_imagining(battle: Battle) -> None:
    assert scripted(*battle).result is not None


def test_the_same_seed_is_the_same_battle_with_and_without_what_is_kept(battle: Battle) -> None:
    """The caches of a position must not influence the advice."""
    name, number = battle
    kept = scripted(*battle)
    players = {side: ScriptPlayer(side) for side in SIDES}
    afresh = fought(kept.ruleset, setups_of(name)[number], players, kept.seed, each=drop_what_is_kept)
    assert afresh.line == kept.line


def drop_what_is_kept(game: Game) -> None:
    """Empty the caches, but keep the handles of models: the open question holds them."""
    game.position.cache, game.position.layout, game.position.own = {}, {}, {}


def test_advice_changes_nothing_and_is_finite(battle: Battle) -> None:
    for game, question, _ in looks(*battle):
        if question.side is None:
            continue
        before, written = game.position.to_bytes(), len(game.journal)
        for answer, worth in advised(game, question):
            assert worth == WASTE or math.isfinite(worth), (question.prompt, answer)
        assert (game.position.to_bytes(), len(game.journal)) == (before, written)


def advised(game: Game, question: Question) -> list[tuple[Plain, float]]:
    """The advice on a question, and on the first field of a form."""
    assert question.side is not None
    seat = Seat(game, question.side)
    found = list(seat.advice(question, question.about))
    first = question.field([]) if isinstance(question, Form) else None
    return found if first is None else [*found, *seat.advice(first, {**question.about, **first.about})]


def test_a_scripted_player_says_the_same_whatever_it_may_not_know(battle: Battle) -> None:
    """Its answer is the same after the other side's secrets are drawn anew and all caches emptied."""
    for game, question, rng in looks(*battle):
        if question.side is None or question.is_chance:
            continue
        imagined = game.imagined_by(question.side, rng)
        drop_what_is_kept(imagined)
        answers = [ScriptPlayer("look").answer(Seat(one, question.side)) for one in (game, imagined)]
        assert answers[0] == answers[1], question.description()
