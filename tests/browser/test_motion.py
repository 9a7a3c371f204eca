"""What happens is seen on the table: models glide, shots fly, dice tumble, the fallen fade; or nothing moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.battles import deploying
from tests.browser.conftest import Sits
from tests.browser.player import Player
from tests.browser.staged import battle, staged
from tests.server.conftest import SHORT, Served

PLACE = """(base) => {
    const { e, f } = new DOMMatrix(getComputedStyle(base).transform);
    const own = base.transform.baseVal.consolidate()?.matrix;
    return [e || own.e, f || own.f];
}"""
HALFWAY = """(base) => {
    for (const one of base.getAnimations()) one.currentTime = one.effect.getComputedTiming().duration / 2;
}"""
PLAYING = (
    "document.querySelectorAll('.bases [data-row]').values().reduce((n, one) => n + one.getAnimations().length, 0)"
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(replace(SHORT, database=f"sqlite:///{tmp_path_factory.mktemp('motion')}/campale.db"))
    server.begin()
    yield server
    server.end()


@pytest.fixture
def slow(sits: Sits) -> Player:
    """Somebody for whom all that moves takes minutes."""
    player = moving(sits)
    staged(player, battle(), slowly=True)
    ready(player)
    return player


def moving(sits: Sits) -> Player:
    """Somebody who has nothing against things that move."""
    player = sits()
    player.page.emulate_media(reduced_motion="no-preference")
    return player


def ready(player: Player) -> None:
    """Wait until what plays has come: it comes after the board."""
    player.wait_for("performance.getEntriesByType('resource').some((one) => /play-/.test(one.name))")
    player.page.wait_for_load_state("networkidle")


def base(player: Player, row: int) -> Locator:
    return player.page.locator(f".bases [data-row='{row}']")


def place(player: Player, row: int) -> list[float]:
    """Where a base is drawn, in inches from the left and from the top."""
    found: list[float] = base(player, row).evaluate(PLACE)
    return [round(one, 2) for one in found]


def on(player: Player) -> None:
    player.page.keyboard.press(".")


def skip(player: Player) -> None:
    player.page.keyboard.press("s")


def tray(player: Player) -> Locator:
    return player.page.locator(".board .edge > .tray")


def test_a_model_passes_through_the_places_between(slow: Player) -> None:
    assert place(slow, 0) == [10.0, 20.0]
    on(slow)
    slow.wait_for(f"{PLAYING} > 0")
    base(slow, 0).evaluate(HALFWAY)
    x, y = place(slow, 0)
    assert 10.0 <= x < 16.0
    assert 16.0 <= y < 20.0
    assert (x, y) != (10.0, 20.0)
    skip(slow)
    slow.wait_for(f"{PLAYING} === 0")
    assert place(slow, 0) == [16.0, 16.0]


def test_it_can_be_paused_by_a_key_and_by_a_click(slow: Player) -> None:
    on(slow)
    pause = slow.button("board.motion.pause")
    expect(pause).to_be_visible()
    slow.page.keyboard.press("p")
    expect(slow.button("board.motion.go-on")).to_be_visible()
    assert base(slow, 0).evaluate("(one) => one.getAnimations()[0].playState") == "paused"
    slow.button("board.motion.go-on").click()
    assert base(slow, 0).evaluate("(one) => one.getAnimations()[0].playState") == "running"
    slow.button("board.motion.skip").click()
    expect(tray(slow)).not_to_be_visible()
    assert place(slow, 0) == [16.0, 16.0]


def test_a_shot_flies_its_dice_are_sorted_and_the_fallen_stays_until_then(sits: Sits) -> None:
    player = moving(sits)
    staged(player, battle())
    ready(player)
    on(player)
    skip(player)
    player.page.evaluate("""() => (window.seen = []) && new MutationObserver(() => {
        const told = document.querySelector('.tray p')?.textContent.replace(/\\s+/g, ' ').trim();
        const shots = document.querySelectorAll('[data-act=shot]').length;
        const there = document.querySelectorAll('.bases [data-row="3"]').length;
        window.seen.push(`${shots} ${there} ${told ?? ''}`);
    }).observe(document.body, { subtree: true, childList: true, characterData: true })""")
    on(player)
    expect(base(player, 3)).to_have_count(0)
    seen: list[str] = player.page.evaluate("window.seen")
    assert any(one.startswith("2 1") for one in seen), seen
    assert next(one for one in dict.fromkeys(seen) if one.endswith("saved")) == "0 1 3 hits→2 wounds→1 saved"
    expect(tray(player)).not_to_be_visible()


def test_a_charge_lunges_before_it_goes_home(slow: Player) -> None:
    for _ in range(2):
        on(slow)
        skip(slow)
    on(slow)
    slow.wait_for(f"{PLAYING} > 0")
    _, y = place(slow, 1)
    base(slow, 1).evaluate(HALFWAY)
    lunged = place(slow, 1)
    assert lunged[1] < y
    assert lunged[1] > y - 1.5
    skip(slow)
    assert place(slow, 1) == [14.0, 9.1]


def test_the_dice_stand_above_the_bar_of_inches(served: Served, player: Player) -> None:
    deploying(served, player, "me", "random")
    player.play(Random(1), player.help("move").is_visible, often=0.0)
    name = player.first_moved()
    player.drag(player.base(name), 0, -40 if player.is_low(name) else 40)
    bar = player.page.locator(".board .edge > .budget").bounding_box()
    assert bar is not None
    top: float = player.page.evaluate("""() => {
        const tray = document.createElement('div');
        tray.style.cssText = 'width: 300px; height: 60px';
        document.querySelector('.board .edge').prepend(tray);
        return tray.getBoundingClientRect().bottom;
    }""")
    assert top < bar["y"]


@pytest.mark.parametrize("how", ["reduced", "off"])
def test_nothing_moves_for_those_who_do_not_want_it(sits: Sits, how: str) -> None:
    player = sits() if how == "reduced" else moving(sits)
    if how == "off":
        player.page.add_init_script("localStorage.setItem('campale.likes', JSON.stringify({ motion: 'off' }))")
    staged(player, battle(), slowly=True)
    player.page.wait_for_load_state("networkidle")
    on(player)
    expect(player.page.get_by_text("1/3", exact=True)).to_be_visible()
    assert place(player, 0) == [16.0, 16.0]
    assert player.page.evaluate("document.getAnimations().length") == 0
    on(player)
    expect(base(player, 3)).to_have_count(0)
    assert tray(player).count() == 0


def test_the_speed_is_a_setting(sits: Sits) -> None:
    player = moving(sits)
    times: dict[str, float] = {}
    for speed in ("normal", "fast"):
        player.page.add_init_script(f"localStorage.setItem('campale.likes', JSON.stringify({{ motion: '{speed}' }}))")
        staged(player, battle(), slowly=speed == "normal")
        ready(player)
        on(player)
        player.wait_for(f"{PLAYING} > 0")
        first = "(one) => one.getAnimations()[0].effect.getComputedTiming().duration"
        times[speed] = base(player, 0).evaluate(first)
    assert times["normal"] / times["fast"] == pytest.approx(2.5)
