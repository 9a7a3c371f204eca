"""The laboratory's page: from choosing a question to its answer, by keyboard, and what is taken home."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, expect

from campale.lab.planning import plan_of
from tests.browser.player import Player
from tests.browser.test_axe import violations
from tests.browser.test_page import scrolls_sideways
from tests.server.conftest import Served

RAGNAROK = "Union Wars: Ragnarok"


def opened(player: Player) -> Locator:
    """The page with the fastest book chosen; where the answer will stand."""
    player.page.goto("/")
    player.page.get_by_role("link", name=player.say("home.laboratory")).press("Enter")
    player.page.wait_for_url("**/laboratory")
    player.page.get_by_role("button", name=RAGNAROK).press("Enter")
    expect(player.page.get_by_role("combobox", name=player.say("lab.force"), exact=True)).to_contain_text("Jarl")
    return player.page.get_by_role("region", name=player.say("lab.result"), exact=True)


def asked(player: Player, kind: str, battles: int) -> None:
    player.page.get_by_role("radio", name=re.compile(re.escape(player.say(f"lab.kind.{kind}")))).press("Space")
    player.page.get_by_label(player.say("lab.battles")).select_option(str(battles))
    player.button("lab.begin").press("Enter")


def test_a_question_is_answered_and_taken_home(served: Served, player: Player, tmp_path: Path) -> None:
    answer = opened(player)
    expect(answer.get_by_text(player.say("lab.none"))).to_be_visible()
    asked(player, "first", 20)
    expect(answer.get_by_role("progressbar")).to_be_visible()
    expect(answer.get_by_role("status")).to_have_text(player.say("lab.state.done", of=20), timeout=240_000)
    expect(answer.get_by_text(re.compile(r"^Going first wins \d+ % \(\d+–\d+\): "))).to_be_visible()
    expect(
        answer.get_by_role("row", name=re.compile(r"^The side with the first turn \d+ % \(\d+–\d+\).* 20$"))
    ).to_be_visible()
    assert violations(player.page) == []
    with player.page.expect_download() as coming:
        answer.get_by_role("link", name=player.say("lab.file")).press("Enter")
    file = tmp_path / coming.value.suggested_filename
    coming.value.save_as(file)
    assert plan_of(file).total == 20
    with player.page.expect_download() as coming:
        answer.get_by_role("link", name=player.say("lab.report")).press("Enter")
    assert coming.value.suggested_filename == "first-ragnarok.html"
    player.page.reload()
    expect(answer.get_by_role("status")).to_have_text(player.say("lab.state.done", of=20))
    player.page.set_viewport_size({"width": 390, "height": 844})
    assert not scrolls_sideways(player)


def test_an_experiment_is_stopped_with_what_there_is(served: Served, player: Player) -> None:
    answer = opened(player)
    asked(player, "unit", 300)
    expect(answer.get_by_role("table")).to_be_visible(timeout=240_000)
    answer.get_by_role("button", name=player.say("lab.stop")).press("Enter")
    expect(answer.get_by_role("status")).to_have_text(
        re.compile(r"^Stopped after \d+ of 600 battles\.$"), timeout=60_000
    )
    expect(player.button("lab.begin")).to_be_enabled()
