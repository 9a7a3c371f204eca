"""Pictures of the page: ``python -m tools.pictures`` plays a few moments and keeps them in docs/pictures."""

from __future__ import annotations

import re
import struct
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright
from tests.browser.conftest import FLAGS, WAIT, WIDE
from tests.browser.player import Player
from tests.server.conftest import SHORT, Served

from tools.chromium import MISSING, chromium

HERE = Path(__file__).parents[1] / "docs" / "pictures"
LARGEST = 250_000
COLOURS = 256
WEIGHTS = np.array([1 << 16, 1 << 8, 1])
Pixels = NDArray[Any]


class Picture(NamedTuple):
    name: str
    book: str
    language: str
    theme: str
    prepared: Callable[[Player], None]


def moving(player: Player) -> None:
    """Somebody is about to move, some way into the battle."""
    rounds = player.page.get_by_text("Turn 2")
    player.play(Random(4), rounds.first.is_visible, often=0.0)
    player.play(Random(4), player.help("move").is_visible, often=0.0)
    name = player.first_moved()
    player.base(name).click()
    player.page.keyboard.press("g")
    player.go_on()


def to(player: Player, seen: Callable[[], bool]) -> None:
    """Take what is proposed until something is seen."""
    player.play(Random(4), seen, often=0.0)


def firing(player: Player) -> None:
    """The fire of a whole army on one sheet, before any die."""
    to(player, player.panel.get_by_role("heading", name="Which unit shoots").is_visible)


def facing(player: Player) -> None:
    aimed = player.panel.get_by_role("group", name=player.say("ask.all-at"))
    player.play(Random(4), aimed.is_visible, often=0.0)


def ordering(player: Player) -> None:
    """The orders of a whole army on one sheet, a turn after the armies have met."""
    sheet = player.panel.get_by_role("group", name=player.say("ask.grid"))
    second = player.page.get_by_text("Game turn 3")
    to(player, lambda: second.first.is_visible() and sheet.is_visible())
    for number, order in enumerate(("Assault", "Ready", "March")):
        groups = sheet.get_by_role("button", name=re.compile(rf"^Group \d+: {order}$"))
        groups.nth(number % groups.count()).click()
    expect(sheet).to_have_attribute("aria-busy", "false")


PICTURES = (
    Picture("ragnarok", "Ragnarok", "en", "light", moving),
    Picture("e55", "5.5", "en", "light", facing),
    Picture("e55-fire", "5.5", "en", "dark", firing),
    Picture("e3m-orders", "3.m", "en", "light", ordering),
)


def take(browser: Browser, address: str, picture: Picture) -> None:
    context = browser.new_context(
        base_url=f"http://{address}",
        viewport=ViewportSize(width=WIDE["width"], height=WIDE["height"]),
        locale="en-GB",
        color_scheme=picture.theme,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    context.set_default_timeout(WAIT)
    player = Player(context.new_page())
    player.demo(picture.book)
    picture.prepared(player)
    player.page.mouse.move(5, 5)
    expect(player.primary).to_be_visible()
    path = HERE / f"{picture.name}.png"
    player.page.screenshot(path=path)
    context.close()
    squeeze(path)
    if path.stat().st_size > LARGEST:
        raise SystemExit(f"{path.name} is too large: {path.stat().st_size} bytes.")


# ---------------------------------------------------------------- fewer colours


def squeeze(path: Path) -> None:
    """The commonest colours, each other as the nearest of these."""
    pixels = decoded(path.read_bytes())
    flat = pixels.reshape(-1, 3).astype(np.int32)
    colours, places, counts = np.unique(flat @ WEIGHTS, return_inverse=True, return_counts=True)
    each = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1)
    kept = each[np.argsort(-counts, kind="stable")[:COLOURS]]
    nearest = np.array([int(np.argmin(((kept - one) ** 2).sum(axis=1))) for one in each], dtype=np.uint8)
    path.write_bytes(encoded(nearest[places].reshape(pixels.shape[:2]), kept.astype(np.uint8)))


def chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        at += size + 12


def decoded(data: bytes) -> Pixels:
    """The pixels of a PNG of 8 bits to a colour, as Chromium writes it."""
    parts = list(chunks(data))
    width, height, bits, kind = struct.unpack(">IIBB", parts[0][1][:10])
    assert bits == 8
    depth = {2: 3, 6: 4}[kind]
    rows = np.frombuffer(zlib.decompress(b"".join(part for name, part in parts if name == b"IDAT")), np.uint8)
    rows = rows.reshape(height, width * depth + 1)
    found = np.zeros((height + 1, width, depth), np.uint8)
    for y, row in enumerate(rows):
        found[y + 1] = unfiltered(int(row[0]), row[1:].reshape(width, depth), found[y])
    return found[1:, :, :3]


def unfiltered(kind: int, row: Pixels, above: Pixels) -> Pixels:
    if kind == 0:
        return row
    if kind == 1:
        return np.cumsum(row, axis=0, dtype=np.uint8)
    if kind == 2:
        return row + above
    out = np.zeros((len(row) + 1, row.shape[1]), np.int32)
    up = np.vstack([np.zeros((1, row.shape[1]), np.int32), above.astype(np.int32)])
    for x in range(1, len(out)):
        guess = (out[x - 1] + up[x]) // 2 if kind == 3 else paeth(out[x - 1], up[x], up[x - 1])
        out[x] = (row[x - 1] + guess) & 255
    return out[1:].astype(np.uint8)


def paeth(left: Pixels, up: Pixels, corner: Pixels) -> Pixels:
    """The neighbour that is nearest to left + up - corner."""
    a, b, c = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    return np.where((a <= b) & (a <= c), left, np.where(b <= c, up, corner))


def encoded(places: Pixels, colours: Pixels) -> bytes:
    """A PNG of a palette."""
    height, width = places.shape
    rows = np.hstack([np.zeros((height, 1), np.uint8), places])
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", colours.tobytes()), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    told = (
        struct.pack(">I", len(part)) + name + part + struct.pack(">I", zlib.crc32(name + part)) for name, part in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(told)


def main(names: list[str]) -> int:
    path = chromium()
    if path is None:
        raise SystemExit(MISSING)
    HERE.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=WAIT)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        served = Served(replace(SHORT, database=f"sqlite:///{folder}/campale.db", thinking=1.0))
        served.begin()
        browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        for picture in PICTURES:
            if not names or picture.name in names:
                take(browser, served.address, picture)
        browser.close()
        served.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
