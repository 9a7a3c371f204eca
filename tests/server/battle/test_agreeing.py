"""How a battle begins: under seals, so that nobody who knows more than the others chooses the dice."""

from __future__ import annotations

from pathlib import Path

import pytest

from campale.referee.fair import commitment
from campale.referee.records.saved import read, verify
from campale.server.battle.draft import Created
from campale.server.database.store import Store
from tests.server.conftest import TOY, Serve, Served, draft
from tests.server.page import Page
from tests.server.rows import seals_after_upgrade

ONE, TWO = "the seed of the first", "the seed of the second"


class Sealed(Page):
    """A page that reveals only what it is told to."""

    def reveal(self) -> None:
        pass

    def seals(self, seed: str) -> str:
        version = self.moment["setup"]["version"]
        return str(self.reply(do="agree", version=version, seal=seed and commitment(seed)).get("word", "done"))

    def reveals(self, seed: str) -> str:
        return str(self.reply(do="reveal", seed=seed).get("word", "done"))


def both(server: Served, made: Created) -> tuple[Sealed, Sealed]:
    one, two = (Sealed(server.address, made.battle, seat.token or "") for seat in made.seats)
    for page in (one, two):
        page.until("state")
    return one, two


def agreeing(serve: Serve) -> tuple[Served, Created, Sealed, Sealed]:
    server = serve()
    made = server.create(draft(TOY, "me", "me"))
    return server, made, *both(server, made)


def waited_for(*pages: Page) -> list[int]:
    for page in (*pages, *pages):
        page.sync()
    found = {tuple(page.moment["waiting_for"]) for page in pages}
    assert len(found) == 1
    return list(found.pop())


def test_no_seed_is_told_before_all_are_bound(serve: Serve) -> None:
    server, made, one, two = agreeing(serve)
    assert one.reveals(ONE) == "agree.not-now"
    assert one.seals(ONE) == "done"
    assert waited_for(one, two) == [1]
    assert one.reveals(ONE) == "agree.not-now"
    assert two.moment["setup"]["seals"] == [commitment(ONE), ""]
    assert two.seals(TWO) == "done"
    assert waited_for(one, two) == [0, 1]
    assert one.moment["setup"]["seals"] == two.moment["setup"]["seals"] == [commitment(ONE), commitment(TWO)]
    assert one.moment["stage"] == "agreeing"
    assert one.reveals(ONE) == one.reveals(ONE) == "done"
    assert waited_for(one, two) == [1]
    assert ONE not in "".join(two.raw)
    assert two.reveals(TWO) == "done"
    two.sync(one)
    assert one.moment["stage"] == two.moment["stage"] == "playing"
    assert one.moment["setup"]["seals"] == [commitment(ONE), commitment(TWO)]
    assert TWO not in "".join(one.raw)
    one.reply(do="concede")
    saved = server.call(server.hall.kept(made.battle)).saved
    assert verify(saved).identical
    fair = read(saved).fair
    assert fair is not None
    assert (fair.seat_seeds, fair.seals) == ((ONE, TWO), (commitment(ONE), commitment(TWO)))


def test_whoever_agrees_last_cannot_choose_his_seed_afterwards(serve: Serve) -> None:
    _, _, one, two = agreeing(serve)
    assert (one.seals(ONE), two.seals(TWO), one.reveals(ONE)) == ("done", "done", "done")
    for seed in (ONE, TWO + " ", "a seed that suits him"):
        assert two.reveals(seed) == "agree.other-seed"
    for seed in ("", "x" * 257, "a\nb"):
        assert two.reveals(seed) == "agree.seed"
    assert one.seals("another") == "agree.not-now", "what is revealed stays"
    assert one.reveals("another") == "agree.not-now"
    assert waited_for(one, two) == [1]


def test_who_lost_his_seed_has_all_agree_anew(serve: Serve) -> None:
    """It is told to both, the server draws another seed, and its hash is known before anybody seals anything again."""
    server, made, one, two = agreeing(serve)
    first = one.moment["setup"]["commitment"]
    assert (one.seals(ONE), two.seals(TWO), one.reveals(ONE), two.seals("another")) == ("done",) * 4
    assert waited_for(one, two) == [0, 1]
    for page in (one, two):
        assert page.moment["setup"]["version"] == 2
        assert page.moment["setup"].get("seals", ["", ""]) == ["", ""]
        assert page.moment["setup"]["commitment"] != first
        (told,) = [message["line"] for message in page.told if message["is"] == "chat"]
        assert "agrees again" in told["text"]
    assert not any(seat.get("has_agreed", False) for seat in one.moment["seats"])
    second = one.moment["setup"]["commitment"]
    assert two.reveals("another") == "agree.not-now"
    assert (one.seals("fresh"), two.seals("another"), one.reveals("fresh"), two.reveals("another")) == ("done",) * 4
    assert waited_for(one, two) != []
    assert one.moment["stage"] == "playing"
    two.reply(do="concede")
    fair = read(server.call(server.hall.kept(made.battle)).saved).fair
    assert fair is not None
    assert fair.commitment == second
    assert fair.is_bound
    assert fair.is_sealed


@pytest.mark.parametrize("seal", ["0" * 63, "0" * 65, "G" * 64, "A" * 64, " " * 64, "0" * 64 + "\n"])
def test_a_seal_is_a_hash(serve: Serve, seal: str) -> None:
    _, _, one, _ = agreeing(serve)
    assert one.reply(do="agree", version=1, seal=seal)["word"] == "agree.seal"
    assert one.seals("") == "done"


def test_who_brings_no_seed_has_nothing_to_reveal(serve: Serve) -> None:
    server, made, one, two = agreeing(serve)
    assert (one.seals(""), two.seals(TWO)) == ("done", "done")
    assert waited_for(one, two) == [1]
    assert one.reveals("late") == "agree.not-now"
    assert two.reveals(TWO) == "done"
    two.reply(do="concede")
    fair = read(server.call(server.hall.kept(made.battle)).saved).fair
    assert fair is not None
    assert (fair.seat_seeds, fair.seals) == (("", TWO), ("", commitment(TWO)))


def test_seals_outlive_the_process(serve: Serve) -> None:
    server, made, one, two = agreeing(serve)
    assert (one.seals(ONE), two.seals(TWO), one.reveals(ONE)) == ("done", "done", "done")
    server.end()
    one, two = both(serve(), made)
    assert two.moment["setup"]["seals"] == [commitment(ONE), commitment(TWO)]
    assert [seat.get("has_revealed", False) for seat in two.moment["seats"]] == [True, False]
    assert two.reveals(ONE) == "agree.other-seed"
    assert two.reveals(TWO) == "done"
    two.sync(one)
    assert one.moment["stage"] == "playing"


def test_spectators_bind_nobody(serve: Serve) -> None:
    server, made, *_ = agreeing(serve)
    with server.page(made) as spectator:
        spectator.until("state")
        for message in ({"do": "agree", "version": 1}, {"do": "reveal", "seed": "x"}, {"do": "veil", "on": False}):
            assert spectator.reply(**message)["word"] == "seat.spectator"


def test_what_was_agreed_before_there_were_seals_is_agreed_anew(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/old.db")
    seals_after_upgrade(store)
    store.close()
