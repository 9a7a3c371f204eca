"""The commands: what they tell, their exit codes, and one clear sentence for whatever cannot be used."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from campale.cli import app
from campale.cli.commands import Commands
from campale.referee.fair import Fair, commitment, game_seed
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.ruleset import Ruleset, Setup

Run = Callable[..., Any]


@pytest.fixture
def run(raid: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in an empty folder; its result has exit_code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CAMPALE_LANG", raising=False)
    monkeypatch.delenv("CAMPALE_DEBUG", raising=False)

    def run(*words: str, typed: str = "") -> Any:
        return CliRunner().invoke(app, list(words), input=typed)

    return run


@pytest.fixture
def saved(run: Run) -> Path:
    run("battle", "raid", "--red", "random", "--blue", "random", "--seed", "5", "--out", "game.json")
    return Path("game.json")


def test_a_battle_of_bots_is_told_saved_and_verified(run: Run) -> None:
    found = run("battle", "raid", "--seed", "3", "--blue", "random", "--out", "game.json")
    assert found.exit_code == 0
    assert found.stdout.startswith("The battle is over")
    assert run("verify", "game.json").stdout.startswith("identical (")


def bound(saved: Path, server_seed: str, published: str) -> None:
    """The saved game, as if its dice had been made of these."""
    plain = json.loads(saved.read_text())
    fair = Fair(commitment(published), server_seed, ("red", "blue"))
    plain["fair"] = {"commitment": fair.commitment, "server_seed": server_seed, "seat_seeds": fair.seat_seeds}
    saved.write_text(json.dumps(plain))


def test_fair_dice_are_told_in_two_sentences(run: Run) -> None:
    run("battle", "raid", "--seed", game_seed("server", ("red", "blue")), "--out", "game.json")
    bound(Path("game.json"), "server", "server")
    found = run("verify", "game.json")
    assert found.exit_code == 0
    assert commitment("server") in found.stdout
    assert "from nothing else" not in run("verify", "game.json", "--lang", "it").stdout


@pytest.mark.parametrize(("server", "published"), [("server", "another"), ("another", "another")])
def test_forged_dice_are_told(run: Run, saved: Path, server: str, published: str) -> None:
    bound(saved, server, published)
    found = run("verify", "game.json")
    assert (found.exit_code, found.stdout.startswith("The dice are not fair")) == (1, True)


def test_the_same_command_tells_the_same_battle(run: Run) -> None:
    first, second = (run("battle", "raid", "--seed", "9", "--transcript", "-o", "short=yes") for _ in "ab")
    assert first.stdout == second.stdout
    assert "A1 moves to" in first.stdout


def test_a_game_that_was_changed_does_not_verify(run: Run, saved: Path) -> None:
    data = json.loads(saved.read_text("utf-8"))
    data["record"][-1][2] = "no such answer"
    saved.write_text(json.dumps(data), "utf-8")
    found = run("verify", "game.json")
    assert found.exit_code == 1
    assert found.stdout.startswith("differs: ")


def test_a_saved_game_is_told_again(run: Run, saved: Path) -> None:
    whole = run("replay", "game.json").stdout
    assert whole == run("battle", "raid", "--red", "random", "--blue", "random", "--seed", "5", "--transcript").stdout
    assert len(run("replay", "game.json", "--at", "6").stdout) < len(whole)
    assert "[" not in run("replay", "game.json", "--no-rules", "--side", "public").stdout
    assert "muove in" in run("replay", "game.json", "--lang", "it").stdout


def test_a_position_is_drawn(run: Run, saved: Path) -> None:
    found = run("draw", "game.json", "--at", "6", "--sight", "0:2", "--distances", "--out", "a.svg")
    assert found.exit_code == 0, found.stderr
    assert found.stdout.startswith("A1 → B1: ")
    root = ElementTree.parse("a.svg").getroot()
    names = {element.get("id") for element in root.iter()}
    assert {"model0", "model1", "model2", "model3"} <= names
    assert "wall ↑3" in {element.text for element in root.iter()}
    assert run("draw", "game.json").exit_code == 0
    assert Path("game.svg").exists()


def test_a_rule_is_told_with_its_places(run: Run) -> None:
    found = run("rule", "move/allowance").stdout
    for part in ("How far a model moves", "Quanto si muove", "up to 6", "Ruling: The way", "rules.yaml:", "rules.py:"):
        assert part in found
    italian = run("rule", "move/allowance", "--lang", "it").stdout
    assert "Un modello muove fino a 6." in italian
    assert "Interpretazione: " in italian


def test_a_rule_that_no_ledger_has_is_answered_with_those_near_it(run: Run) -> None:
    found = run("rule", "move/alowance")
    assert found.exit_code == 1
    assert "move/allowance" in found.stderr


def test_the_rules_are_listed_and_searched(run: Run) -> None:
    assert len(run("rules", "raid").stdout.splitlines()) == 5
    assert run("rules", "raid", "hit", "removes").stdout.split()[0] == "fire/shoot"
    assert run("rules", "raid", "unicorn").exit_code == 1


class Page(HTMLParser):
    """Keeps the ids, the links and the depth of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids |= {found["id"] or ""} if "id" in found else set()
        self.links |= {(found["href"] or "")[1:]} if "href" in found else set()
        if tag not in {"meta", "input"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_book_is_a_page_that_stands_alone(run: Run) -> None:
    assert run("book", "raid", "--out", "book.html", "--lang", "it").exit_code == 0
    text = Path("book.html").read_text("utf-8")
    page = Page()
    page.feed(text)
    assert page.open == []
    assert page.links <= page.ids
    assert {"move--allowance", "fire--shoot", "fire", "search"} <= page.ids
    for part in ('<html lang="it">', "Quanto si muove", "How far a model moves", "beyond 6 &amp; more", "def far("):
        assert part in text
    assert "http" not in text


def test_a_duel_and_a_fuzz_are_told(run: Run) -> None:
    found = run("duel", "raid", "greedy", "random", "--battles", "4", "--processes", "1")
    assert found.exit_code == 0
    assert "greedy against random, 4 battles" in found.stdout
    assert "dash" in found.stdout
    assert "dash" not in run("duel", "raid", "--battles", "2", "--processes", "1", "--mission", "raid").stdout
    assert "all ended and verified" in run("fuzz", "raid", "--battles", "3").stdout


def test_a_fuzz_that_finds_a_fault_names_seed_and_file(
    run: Run, raid: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(position: Position) -> bool:
        raise ZeroDivisionError("a rule that fails")

    monkeypatch.setattr("campale.cli.playing.ruleset_named", lambda name: raid.replacing(step=broken))
    found = run("fuzz", "raid", "--battles", "3")
    assert found.exit_code == 1
    assert "seed 1/0" in found.stdout
    assert "a rule that fails" in found.stdout


def test_a_fuzz_that_is_interrupted_says_how_far_it_came(
    run: Run, raid: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Setup] = []

    def set_out(ruleset: Ruleset, setup: Setup) -> Position:
        begun.append(setup)
        if len(begun) > 2:
            raise KeyboardInterrupt
        return raid.set_out(ruleset, setup)

    monkeypatch.setattr("campale.cli.playing.ruleset_named", lambda name: raid.replacing(set_out=set_out))
    found = run("fuzz", "raid", "--battles", "9", "--first", "5")
    assert found.exit_code == 130
    assert "2 random battles" in found.stdout
    assert "--first 7" in found.stdout


def test_armies_are_checked(run: Run, raid: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("army.yaml").write_text("ruleset: raid\nmodels: 3\n", "utf-8")
    assert "cannot check armies" in run("army", "check", "army.yaml").stderr

    def check(force: dict[str, Any], agreed: dict[str, Any]) -> list[str]:
        return [] if force["models"] < 3 else [f"too many models: {force['models']}"]

    monkeypatch.setattr("campale.cli.files.ruleset_named", lambda name: raid.replacing(check_force=check))
    found = run("army", "check", "army.yaml")
    assert (found.exit_code, found.stdout) == (1, "army.yaml: too many models: 3\n")
    Path("army.yaml").write_text("ruleset: raid\nmodels: 2\n", "utf-8")
    assert (run("army", "check", "army.yaml").exit_code) == 0


def test_scenarios_are_checked_and_drawn(run: Run, raid: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(raid, Setup("raid"))
    stage = SimpleNamespace(game=game)

    def read_scenario(path: Path) -> SimpleNamespace:
        if path.name == "bad.yaml":
            raise ValueError("bad.yaml, line 3: there is no such model")
        return stage

    parts = SimpleNamespace(
        read_scenario=read_scenario, check=lambda path: ["line 7: the die left over"] if path.name == "bad.yaml" else []
    )
    monkeypatch.setitem(sys.modules, "campale.referee.scenarios.scenario", parts)
    told = SimpleNamespace(LAST=2, trace=lambda path, language: (["one", "two", "three"], parts.check(path)))
    monkeypatch.setitem(sys.modules, "campale.referee.scenarios.trace", told)
    assert run("scenario", "check", "good.yaml").stdout == "✓ good.yaml\n"
    found = run("scenario", "check", "good.yaml", "bad.yaml")
    assert found.exit_code == 1
    last = "  The last events (all of them: campale scenario trace bad.yaml):\n  two\n  three\n"
    assert found.stdout == "✓ good.yaml\n✗ bad.yaml\n  line 7: the die left over\n" + last
    Path("good.yaml").touch()
    Path("bad.yaml").touch()
    assert run("scenario", "trace", "good.yaml").stdout == "one\ntwo\nthree\n✓ good.yaml\n"
    traced = run("scenario", "trace", "bad.yaml")
    assert (traced.exit_code, traced.stdout) == (1, "one\ntwo\nthree\n✗ bad.yaml\n  line 7: the die left over\n")
    assert run("draw", "good.yaml").exit_code == 0
    assert Path("good.svg").exists()
    refused = run("draw", "bad.yaml")
    assert (refused.exit_code, refused.stderr) == (2, "campale: bad.yaml, line 3: there is no such model\n")
    Path("rulings").mkdir()
    parts.files_in = lambda folder: sorted(folder.iterdir())
    assert run("scenario", "check", "rulings").exit_code == 2
    Path("rulings/one.yaml").touch()
    assert run("scenario", "check", "rulings").stdout == "✓ rulings/one.yaml\n"
    monkeypatch.setitem(sys.modules, "campale.referee.scenarios.scenario", None)
    assert "has no campale.referee.scenarios.scenario" in run("scenario", "check", "good.yaml").stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["battle", "chess"], "there is no ruleset 'chess'; there are: .*raid"),
        (
            ["battle", "raid", "--red", "clever"],
            "there is no player 'clever'; there are: random, script, beginner, greedy",
        ),
        (["battle", "raid", "--mission", "siege"], "there is no mission 'siege'; there are: raid, dash"),
        (["battle", "raid", "-o", "long=yes"], "there is no option 'long'; there are: short"),
        (["battle", "raid", "-o", "short=perhaps"], "cannot be 'perhaps'; it can be: False, True"),
        (["battle", "raid", "--setup", "none.yaml"], "cannot read none.yaml: No such file"),
        (["battle", "raid", "--setup", "bad.yaml"], "bad.yaml, line"),
        (["battle", "raid", "--setup", "other.yaml"], "a battle of chess, not of raid"),
        (["battle", "raid", "--setup", "list.yaml"], "list.yaml: this is not a Campale set-up file"),
        (["battle", "raid", "--out", "no/where.json"], "cannot write no/where.json"),
        (["verify", "none.json"], "cannot read none.json: No such file"),
        (["verify", "bad.yaml"], "not a Campale saved game"),
        (["replay", "game.json", "--at", "9999"], "game.json has no entry 9999; the last one is"),
        (["replay", "game.json", "--side", "green"], "there is no side 'green'"),
        (["draw", "game.json", "--sight", "0-2"], "'0-2' is not FROM:TO"),
        (["draw", "game.json", "--sight", "0:99"], "no model 99 is on the table"),
        (["play", "raid", "--you", "green"], "there is no side 'green'"),
        (["rules", "chess"], "there is no ruleset 'chess'"),
        (["army", "check", "list.yaml"], "list.yaml: this is not a Campale army file"),
        (["--lang", "fr", "rules", "raid"], "there is no language 'fr'; choose en or it"),
    ],
)
def test_bad_input_gets_one_sentence(run: Run, saved: Path, words: list[str], sentence: str) -> None:
    Path("bad.yaml").write_text("{a: [1", "utf-8")
    Path("list.yaml").write_text("[1, 2]", "utf-8")
    Path("other.yaml").write_text("ruleset: chess", "utf-8")
    found = run(*words)
    assert found.exit_code == 2, found.output
    assert re.search(sentence, found.stderr), found.stderr
    assert found.stderr.startswith("campale: ")
    assert len(found.stderr.strip().splitlines()) == 1
    assert "Traceback" not in found.output


def test_the_language_may_stand_anywhere_and_in_the_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    italian = run("--lang", "it", "battle", "chess").stderr
    assert italian == run("battle", "chess", "--lang=it").stderr == run("battle", "--lang", "it", "chess").stderr
    monkeypatch.setenv("CAMPALE_LANG", "it")
    assert run("battle", "chess").stderr == italian
    assert run("battle", "--lang", "en", "chess").stderr.startswith("campale: there is no")
    assert run("battle", "raid", "--lang").exit_code == 2


def test_an_unforeseen_fault_names_the_command_that_shows_it(
    run: Run, monkeypatch: pytest.MonkeyPatch, raid: Ruleset
) -> None:
    def broken(ruleset: object, setup: object) -> Position:
        raise ZeroDivisionError("unforeseen")

    monkeypatch.setattr("campale.cli.playing.ruleset_named", lambda name: raid.replacing(set_out=broken))
    monkeypatch.setattr(sys, "argv", ["campale", "battle", "raid"])
    found = run("battle", "raid")
    assert found.exit_code == 3
    assert "ZeroDivisionError: unforeseen" in found.stderr
    assert "CAMPALE_DEBUG=1 campale battle raid" in found.stderr
    monkeypatch.setenv("CAMPALE_DEBUG", "1")
    assert isinstance(run("battle", "raid").exception, ZeroDivisionError)


def test_an_interruption_is_no_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(name: str) -> Ruleset:
        raise KeyboardInterrupt

    monkeypatch.setattr("campale.cli.playing.ruleset_named", stopped)
    found = run("battle", "raid")
    assert (found.exit_code, found.stderr) == (130, "campale: interrupted.\n")


def test_every_command_has_help_with_an_example(run: Run) -> None:
    assert "Exit codes" in run("--help").stdout
    for command in ("play", "battle", "fuzz", "duel", "replay", "verify", "draw", "rule", "rules", "book"):
        assert "Example: campale " in run(command, "--help").stdout, command
    assert run("--version").stdout.startswith("campale ")
    assert issubclass(Commands, object)


def test_a_rule_is_told_without_the_compiler(tmp_path: Path) -> None:
    """In a process of its own, as it is used: the rules and the compiled kernels are not imported."""
    code = (
        "import sys; sys.argv = ['campale', 'rule', 'no/such-rule']\n"
        "from campale.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: print(end.code, [one for one in ('numba', 'numpy') if one in sys.modules])\n"
        "print(len(sys.modules))\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=os.environ, check=False
    )
    ended, modules = found.stdout.strip().splitlines()
    assert ended == "1 []", found.stderr
    assert int(modules) < 450, "what a command does not need is not loaded"


def test_a_battle_is_played_through_a_real_standard_input(tmp_path: Path) -> None:
    code = (
        "import sys; sys.argv = ['campale', 'play', 'raid', '--seed', '3', '--blue', 'random']\n"
        "from campale.referee.ruleset import EXTRA_PACKAGES; EXTRA_PACKAGES.append('tests.raid')\n"
        "from campale.cli import main; main()\n"
    )
    paths = {"PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONIOENCODING": "utf-8"}
    found = subprocess.run(
        [sys.executable, "-c", code],
        input="why?\nnonsense\n" + "\n" * 400,
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        env={**os.environ, **paths},
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert "The battle is over" in found.stdout


def test_the_installed_command_answers() -> None:
    script = Path(sys.executable).with_name("campale")
    if not script.exists():
        pytest.skip("the package is not installed")
    found = subprocess.run([script, "verify", "none.json"], capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert found.stderr.startswith("campale: cannot read none.json")
