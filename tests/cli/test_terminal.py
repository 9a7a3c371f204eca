"""Battles in the terminal, typed through standard input to their end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from campale.cli import app
from campale.cli.terminal import Quit, Terminal
from campale.dice.sources import ByHand
from campale.players import RandomPlayer
from campale.referee.game import Game
from campale.referee.ruleset import Ruleset, Setup

Play = Callable[..., tuple[Game, str]]


@pytest.fixture
def play(raid: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Type lines one after another, then Enter for ever; the battle and all that was shown."""
    monkeypatch.chdir(tmp_path)

    def play(*typed: str, bots: tuple[int, ...] = (1,), real: bool = False) -> tuple[Game, str]:
        game = Game(raid, Setup("raid"), "3", ByHand() if real else None)
        shown: list[str] = []

        left = list(typed)

        def asks(prompt: str) -> str:
            shown.append(prompt)
            if left:
                return left.pop(0)
            return "roll" if "the dice, or roll" in prompt else ""

        terminal = Terminal(game, {side: RandomPlayer(side) for side in bots}, "en", asks, shown.append)
        try:
            terminal.play()
        except Quit:
            shown.append("<quit>")
        return game, "\n".join(shown)

    return play


def test_enter_alone_plays_a_battle_to_its_end(play: Play) -> None:
    game, shown = play()
    assert game.is_over
    assert "Enter: A1 (5; 2) 0°; A2 (15; 2) 0°" in shown
    assert "The battle is over" in shown


def test_two_people_at_one_terminal(play: Play) -> None:
    game, shown = play(bots=())
    assert game.is_over
    assert "Red: who acts?" in shown
    assert "Blue: who acts?" in shown


def test_places_are_typed_whole_or_one_by_one(play: Play) -> None:
    game, _ = play("at 3,3,90; 16,2", "quit")
    assert [(m.x, m.y, m.facing) for m in game.position.models[:2]] == [(3, 3, 90), (16, 2, 0)]
    game, shown = play("1 at 12,3", "", "quit")
    assert [m.x for m in game.position.models[:2]] == [5, 12]
    game, shown = play("at 3", "0 at 99,3", "at 3,19; 4,19", "quit")
    assert "for each model, 2 in all" in shown
    assert "✗ Deployment (3 of 4 inches, A1, at (99; 3)) [setup/deploy]" in shown
    assert game.line == []


def test_a_form_is_asked_field_by_field_and_one_may_go_back(play: Play) -> None:
    game, shown = play("", "2", "back", "3", "2 1", "quit")
    assert game.line[2].answer == [3, [1, 0]]
    assert shown.count("Type a whole number from 0 to 3.") == 2
    game, shown = play("", "7", "nine", "2 1", "back", "quit")
    assert "✗" in shown
    assert "? Type a whole number from 0 to 3." in shown


def test_moves_are_typed_as_points_or_towards_a_model(play: Play) -> None:
    game, shown = play("at 5,2; 15,2", "", "", "1", "move", "to 5,20", "to 5,4 6,5 facing 45", "quit")
    assert "✗ How far a model moves (18 of 6 inches, A1, at (5; 20)) [move/allowance]" in shown
    assert (game.position.model(0).at, game.position.model(0).facing) == ((6, 5), 45)
    game, _ = play("at 5,2; 15,2", "", "", "A1", "1", "towards 1", "quit")
    assert game.position.model(0).at == (11, 2)
    game, shown = play("", "", "", "1", "1", "to the moon", "towards 77", "quit")
    assert shown.count("? Type to x,y") == 2


def test_the_kinds_that_are_rare(play: Play) -> None:
    game, shown = play("", "", "", "1", "wait", "at 4,5,6", "pass", "0", "no", "quit")
    assert [entry.answer for entry in game.line if entry.side == 0][-4:] == [[4.0, 5.0, 6.0], None, [0], "no"]
    assert "0 A1" in shown
    _, shown = play("", "", "", "1", "wait", "somewhere", "quit")
    assert "? Type at x,y or at x,y,direction." in shown


def test_choices_by_number_by_words_or_by_their_beginning(play: Play) -> None:
    game, shown = play("", "", "", "9", "nobody", "A2", "wa", "quit")
    assert [entry.answer for entry in game.line if entry.side == 0][-2:] == [1, "wait"]
    assert shown.count("? Type a number from 1 to 2") == 2


TO_THE_FIRST_SHOT = (
    *("at 5,4; 15,4", "at 5,16; 15,16", "", "", "", ""),
    *("1", "move", "to 5,9", "1", "move", "to 5,12", "wait", "", "", "", "", "wait", "", "", "", ""),
    *("", "", "", "", "1", "shoot"),
)


@pytest.mark.parametrize("face", [6, 1])
def test_a_die_from_the_table_counts_as_it_is_typed(play: Play, face: int) -> None:
    game, shown = play(*TO_THE_FIRST_SHOT, "7", "six", "", str(face), "quit", bots=(), real=True)
    assert [entry.answer for entry in game.line if entry.kind == "roll"] == [[face]]
    assert len(game.position.on_table(1)) == (1 if face == 6 else 2)
    assert shown.count("? Type the faces in the order rolled") == 2


def test_people_type_the_dice_of_bots_too(play: Play) -> None:
    game, shown = play(real=True)
    assert game.is_over
    assert "Blue: to hit: 1D6" in shown


def test_why_tells_the_rules_in_force_and_the_ruling(play: Play) -> None:
    _, shown = play("why?", "", "", "", "1", "1", "why?", "quit")
    assert "setup/deploy  Deployment" in shown
    assert "move/allowance  How far a model moves" in shown
    assert "Ruling: The way is measured along every leg." in shown


def test_a_decision_is_taken_back_until_a_die_falls(play: Play) -> None:
    game, shown = play("at 3,3; 16,2", "", "", "1", "undo", "2", "quit")
    assert "undone" in shown
    assert [entry.answer for entry in game.line if entry.side == 0][-1] == 1
    _, shown = play("undo", "quit")
    assert "✗ There is nothing to undo." in shown


def test_map_list_save_and_help(play: Play) -> None:
    _, shown = play("", "map", "map table.svg", "map no/where.svg", "list", "save mine.json", "help", "quit")
    assert "+----" in shown
    assert "(2)" in shown
    assert "#0  A1  Red  (5, 2) 0°" in shown
    assert "cannot write no/where.svg" in shown
    assert "Also: why?" in shown
    assert Path("table.svg").read_text("utf-8").startswith("<svg")
    assert Path("mine.json").stat().st_size > 100


@pytest.mark.parametrize("typed", ["measure", "measure 0", "measure 0 99", "measure one two", "measure 0 1"])
def test_what_cannot_be_measured_is_answered_with_how_to_type_it(play: Play, typed: str) -> None:
    _, shown = play("", typed, "quit")
    assert "? measure 3 7: from one model on the table to another" in shown


def test_who_concedes_has_lost(play: Play) -> None:
    game, shown = play("concede")
    assert game.result is not None
    assert game.result.winner == 1
    assert "Blue wins" in shown


def test_a_battle_is_left_and_taken_up_again(raid: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    left = CliRunner().invoke(app, ["play", "raid", "--seed", "3", "--blue", "random"], input="at 3,3; 16,2\n")
    assert left.exit_code == 0, left.output
    assert "campale play raid --resume raid-left.json" in left.stdout
    again = CliRunner().invoke(app, ["play", "raid", "--resume", "raid-left.json"], input="quit\n")
    assert "A1 moves to (3; 3)" in again.stdout


def test_a_whole_battle_through_standard_input(raid: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["play", "raid", "--seed", "3", "--you", "both", "--lang", "it", "-o", "short=true"]
    found: Any = CliRunner().invoke(app, words, input="\n" * 400)
    assert found.exit_code == 0, found.output
    assert "La battaglia è finita" in found.stdout
