"""A battle over the socket: agreed, played, watched, taken back, given up, gone on with after a break."""

from __future__ import annotations

import time
from random import Random

import pytest

from campale.referee.records.saved import load, verify
from campale.server.battle.draft import Taken
from tests.server.conftest import TOY, Serve, Served, draft
from tests.server.page import Page, all_play


def begun(server: Served, *kinds: str, book: str = TOY) -> tuple[Page, Page]:
    """Two people at a table, agreed."""
    made = server.create(draft(book, *(kinds or ("me", "me"))))
    one, two = server.page(made, 0), server.page(made, 1)
    for page in (one, two):
        page.until("state")
        page.agree(f"seed {page.token[:3]}")
    for page in (two, one, two):
        page.sync(one, two)
    return one, two


def to_a_question(*pages: Page) -> Page:
    """The page that is asked something; the others wait."""
    for page in (*pages, *pages):
        page.sync()
    return next(page for page in pages if page.question)


def test_two_people_agree_and_play_to_the_end(serve: Serve) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "me"))
    with server.page(made, 0) as one, server.page(made, 1, language="it") as two, server.page(made) as other:
        for page in (one, two, other):
            page.until("state")
        assert one.moment["stage"] == "agreeing"
        assert one.agree("a")["is"] == "done"
        one.sync(two)
        assert two.moment["seats"][0]["has_agreed"]
        assert two.agree("b")["is"] == "done"
        assert all(all_play((one, two)))
        one.sync(other)
        assert one.moment["result"] == other.moment["result"] != two.moment["result"]
        assert [one["text"] for one in one.lines if "order" not in one["text"]]
    kept = server.call(server.hall.kept(made.battle))
    assert verify(kept.saved).identical
    assert kept.seat_seeds == ("a", "b")
    assert load(kept.saved).is_over


def test_a_stale_answer_changes_nothing_and_the_same_again_is_acknowledged(serve: Serve) -> None:
    one, two = begun(serve())
    page = to_a_question(one, two)
    number, answer = page.question, page.proposal()
    assert page.answer(answer)["is"] == "done"
    page.settle()
    before = page.moment["question"]
    assert page.answer(answer, number)["is"] == "done"
    other = page.answer([1, 2, 3], number)
    assert (other["is"], other["word"]) == ("failed", "answer.stale")
    assert page.rest(0.1) == []
    assert page.moment["question"] == before


def test_a_double_click_answers_once(serve: Serve) -> None:
    one, two = begun(serve())
    page = to_a_question(one, two)
    answer = page.proposal()
    for n in (100, 101):
        page.ask(do="answer", n=n, question=page.question, answer=answer)
    replies = [page.until("done")["re"], page.until("done")["re"]]
    assert replies == [100, 101]


def test_what_is_refused_says_why_and_changes_nothing(serve: Serve) -> None:
    one, two = begun(serve())
    page = to_a_question(one, two)
    reply = page.answer("nonsense")
    assert reply["is"] == "refused"
    assert reply["refusal"]["text"]
    assert page.reply(do="check", question=page.question, answer="nonsense")["refusal"] == reply["refusal"]
    assert page.answer(page.proposal())["is"] == "done"


def test_nobody_answers_for_another(serve: Serve) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "me"))
    other = server.create(draft(TOY, "me", "me"))
    with server.page(made, token=other.seats[0].token) as stranger:
        assert stranger.hear()["word"] == "not-yours"
        assert stranger.closed() == 4003
    with server.page(made) as spectator:
        spectator.until("state")
        for message in (
            {"do": "answer", "question": 1},
            {"do": "undo"},
            {"do": "concede"},
            {"do": "consent"},
            {"do": "decline"},
        ):
            assert spectator.reply(**message)["word"] == "seat.spectator"
        assert spectator.reply(do="ping")["is"] == "pong"
        spectator.ask(do="say", text="hello")
        assert spectator.hear()["word"] == "seat.spectator"
    with Page(server.address, "no-such-battle") as nowhere:
        assert nowhere.hear()["word"] == "no-battle"
        assert nowhere.closed() == 4004


def test_an_answer_is_taken_back(serve: Serve) -> None:
    one, two = begun(serve())
    page = to_a_question(one, two)
    asked, lines = page.moment["sheet"], list(page.lines)
    page.answer(page.proposal())
    page.settle()
    assert page.moment["may_undo"]
    assert page.reply(do="undo")["is"] == "done"
    page.sync()
    assert page.moment["sheet"] == asked
    assert page.lines == lines
    assert page.answer(page.proposal())["is"] == "done"


def test_a_battle_is_given_up(serve: Serve) -> None:
    one, two = begun(serve())
    assert one.reply(do="concede")["is"] == "done"
    one.sync(two)
    assert two.is_over
    assert two.moment["question"] == 0
    assert two.moment["result"]
    assert one.reply(do="concede")["word"] == "battle.not-playing"


def test_a_draw_is_proposed_declined_and_agreed(serve: Serve) -> None:
    one, two = begun(serve())
    assert one.reply(do="propose", what={"draw": True})["is"] == "done"
    one.sync(two)
    assert two.moment["has_proposal"]
    assert two.moment["proposal"]["side"] == 0
    assert two.reply(do="decline")["is"] == "done"
    two.sync(one)
    assert not one.moment["has_proposal"]
    assert noted(one) == noted(two) == [("P1 declines the draw that P0 offered.", 1, 0)]
    assert one.reply(do="consent")["is"] == "refused"
    assert two.reply(do="propose", what={"draw": True})["is"] == "done"
    assert one.reply(do="consent")["is"] == "done"
    one.sync(two)
    assert two.is_over


def noted(page: Page) -> list[tuple[str, int, int]]:
    """What of the chat nobody wrote, so far as this connection was told of it."""
    told = [*page.state.get("chat", []), *(message["line"] for message in page.told if message["is"] == "chat")]
    return [(line["text"], line["side"], line["of"]) for line in told if line.get("kind") == "declined"]


def test_what_was_declined_stays_in_the_chat_in_every_language_and_over_a_restart(serve: Serve) -> None:
    server = serve()
    one, two = begun(server, book="ragnarok")
    page = to_a_question(one, two)
    other = two if page is one else one
    page.answer(page.proposal())
    changes = [["move", 0, 12.5, 3.0, 0.0, 90.0]]
    for who, whom, what in ((page, other, {"undo": True}), (other, page, {"correction": changes})):
        assert who.reply(do="propose", what=what)["is"] == "done"
        who.sync(whom)
        assert whom.reply(do="decline")["is"] == "done"
        whom.sync(who)
    mine, others = page.state["side"], other.state["side"]
    told = [
        (f"P{others} declines to undo a decision, as P{mine} asked.", others, mine),
        (
            f"P{mine} declines the correction that P{others} proposed: {one.models[0]['name']} to 12.5, 3.",
            mine,
            others,
        ),
    ]
    assert noted(one) == noted(two) == told
    battle = one.url.split("/")[5]
    server.end()
    with Page(serve().address, battle, two.token, "it") as again:
        again.until("state")
        assert [line[1:] for line in noted(again)] == [(others, mine), (mine, others)]
        assert noted(again)[0][0] == f"P{others} rifiuta di annullare una decisione, come chiedeva P{mine}."


def test_what_is_withdrawn_is_not_declined_and_nobody_writes_like_the_server(serve: Serve) -> None:
    one, two = begun(serve())
    assert one.reply(do="propose", what={"draw": True})["is"] == "done"
    assert one.reply(do="decline")["is"] == "done"
    assert two.reply(do="decline")["is"] == "refused"
    two.ask(do="say", text='\x1f{"kind":"draw","of":0}')
    assert two.until("chat")["line"]["text"] == '{"kind":"draw","of":0}'
    one.sync(two)
    assert noted(one) == noted(two) == []


def test_beyond_a_die_a_decision_is_taken_back_if_the_other_consents(serve: Serve) -> None:
    one, two = begun(serve(), book="ragnarok")
    for _ in range(60):
        one.sync(two)
        page, other = (one, two) if one.question else (two, one)
        page.answer(page.proposal())
        page.sync(other)
        if not page.moment["may_undo"] and any("dice" in line for line in page.lines):
            break
    assert page.reply(do="undo")["is"] == "refused"
    lines = len(page.lines)
    assert page.reply(do="propose", what={"undo": True})["is"] == "done"
    page.sync(other)
    assert other.moment["proposal"]["kind"] == "undo"
    whole, asked = list(other.lines), [one.moment["proposal"]["text"] for one in (page, other)]
    assert other.reply(do="consent")["is"] == "done"
    other.sync(page)
    assert len(page.lines) < lines
    gone = [
        line["text"].rstrip(".") for line in whole[len(other.lines) :] if not line.get("level") and "dice" not in line
    ]
    assert gone
    for text in asked:
        assert text.endswith(f"asks to undo a decision. This would be undone: {told_of(gone)}.")
    assert page.question
    assert page.reply(do="propose", what={"undo": 10**9})["is"] == "refused"


def told_of(gone: list[str]) -> str:
    more = [f"and {len(gone) - 8} more lines of the journal"] if len(gone) > 8 else []
    return "; ".join([*gone[:8], *more])


def test_chat_is_heard_by_all_and_kept(serve: Serve) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "me"))
    with server.page(made, 0) as one, server.page(made) as other:
        one.until("state")
        other.until("state")
        one.ask(do="say", text="well met\U0001f600\u0000 \u202e")
        assert other.until("chat")["line"]["text"] == "well met\U0001f600"
        one.ask(do="say", text="x" * 2000)
        assert one.until("failed")["word"] == "chat.length"
    with server.page(made, 1) as two:
        assert [line["text"] for line in two.until("state")["chat"]] == ["well met\U0001f600"]


def test_whoever_comes_by_the_link_sits_down_once(serve: Serve) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "link"))
    code = made.seats[1].join
    assert code is not None
    with server.page(made, 0) as one:
        assert one.until("state")["moment"]["stage"] == "open"
        assert one.agree()["word"] == "agree.not-now"
        joined = server.call(server.hall.join(code, "Guest\n\x00"))
        one.until("news")
        assert one.moment["stage"] == "agreeing"
        assert one.moment["seats"][1]["name"] == "Guest"
        assert any("Guest" in title for title, _, _ in one.moment["setup"]["lines"])
        assert one.reply(do="agree", version=1)["word"] == "agree.other-version"
        with server.page(made, token=joined.token) as two:
            two.until("state")
            one.agree()
            two.agree()
            assert to_a_question(one, two).question
    with pytest.raises(Taken):
        server.call(server.hall.join(code, "Another"))


def test_after_a_break_only_what_was_missed_is_told(serve: Serve) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "me"))
    one, two = server.page(made, 0), server.page(made, 1)
    for page in (one, two):
        page.until("state")
        page.agree()
        page.sync()
    spectator = server.page(made)
    state = spectator.until("state")
    spectator.__exit__()
    one.sync()
    page = to_a_question(one, two)
    page.answer(page.proposal())
    page.sync()
    with server.page(made, seen=state["seq"]) as again:
        assert {message["is"] for message in again.rest(0.2)} == {"news"}
        assert again.told[0]["seq"] == state["seq"] + 1
    with server.page(made, seen=state["seq"] - 10_000) as strange:
        assert strange.hear()["is"] == "state"
    one.ask(do="say", text="missed")
    one.until("chat")
    with server.page(made, seen=state["seq"]) as again:
        assert again.hear()["is"] == "state"


def test_another_language_during_play(serve: Serve) -> None:
    one, two = begun(serve())
    page = to_a_question(one, two)
    page.ask(do="speak", language="it")
    state = page.until("state")
    assert state["language"] == "it"
    assert state["moment"]["question"] == page.question
    other = two if page is one else one
    page.sync(other)
    assert [message["is"] for message in other.rest(0.05)] == []
    page.ask(do="speak", language="it")
    page.until("state")
    page.sync(other)
    assert other.told[-1]["is"] == other.told[-2]["is"] == "pong"
    page.ask(do="speak", language="klingon")
    assert page.until("failed")["word"] == "language.unknown"
    assert page.answer(page.proposal())["is"] == "done"


def test_a_battle_leaves_memory_and_comes_back(serve: Serve) -> None:
    server = serve(idle=0.05, lease=0.3)
    made = server.create(draft(TOY, "me", "me"))
    with server.page(made, 0) as one, server.page(made, 1) as two:
        for page in (one, two):
            page.until("state")
            page.agree()
        page = to_a_question(one, two)
        page.answer(page.proposal())
        page.sync()
        lines, side = page.lines, page.state["side"]
    until = time.monotonic() + 10
    while server.hall.lives and time.monotonic() < until:
        time.sleep(0.05)
    assert not server.hall.lives
    with server.page(made, side) as page:
        assert page.until("state")["lines"] == lines


def test_real_dice_are_asked_for(serve: Serve) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "me", dice="real"))
    with server.page(made, 0) as one, server.page(made, 1) as two:
        for page in (one, two):
            page.until("state")
            page.agree()
        rng = Random(3)
        for _ in range(60):
            page = to_a_question(one, two)
            if page.moment["sheet"]["kind"] == "roll":
                assert page.answer([99])["is"] == "refused"
                assert page.answer([3] * int(page.moment["sheet"].get("high") or 1))["is"] in ("done", "refused")
                return
            page.answer(page.proposal(rng))
            page.settle()
    raise AssertionError("no die was asked for")


def test_a_rematch_is_played_with_sides_swapped(serve: Serve) -> None:
    one, two = begun(serve())
    assert one.reply(do="propose", what={"rematch": True})["word"] == "rematch.not-now"
    one.reply(do="concede")
    assert one.reply(do="propose", what={"rematch": True})["is"] == "done"
    one.sync(two)
    assert two.moment["proposal"]["kind"] == "rematch"
    assert two.reply(do="decline")["is"] == "done"
    two.sync(one)
    assert not one.moment["has_proposal"]
    assert noted(one) == [("P1 declines the rematch that P0 proposed.", 1, 0)]
    assert two.reply(do="propose", what={"rematch": True})["is"] == "done"
    assert one.reply(do="consent")["is"] == "done"
    told = one.until("again"), two.until("again")
    assert [again["side"] for again in told] == [1, 0]
    assert told[0]["battle"] == told[1]["battle"]
    address = one.url.split("/")[2]
    with Page(address, told[0]["battle"], told[0]["token"]) as first:
        assert first.until("state")["side"] == 1
        assert [seat["name"] for seat in first.moment["seats"]] == ["P1", "P0"]


def test_a_rematch_that_is_proposed_outlives_the_process(serve: Serve) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "me", is_agreed=True))
    with server.page(made, 0) as page:
        page.until("state")
        page.reply(do="concede")
        assert page.reply(do="propose", what={"rematch": True})["is"] == "done"
        assert page.reply(do="consent")["is"] == "failed"
    server.end()
    again = serve()
    with again.page(made, 1) as page, again.page(made) as spectator:
        assert page.until("state")["moment"]["proposal"]["kind"] == "rematch"
        spectator.until("state")
        assert spectator.reply(do="decline")["word"] == spectator.reply(do="consent")["word"] == "seat.spectator"
        with again.page(made, 1) as other:
            other.until("state")
            for one in (page, other):
                one.ask(do="consent", n=77)
            told = page.until("again"), other.until("again")
            assert told[0]["battle"] == told[1]["battle"]
            page.sync(other)
            replies = [message for one in (page, other) for message in one.told if message.get("re") == 77]
            assert sorted(reply["is"] for reply in replies) == ["done", "failed"]
        assert page.reply(do="propose", what={"rematch": True})["word"] == "rematch.not-now"


def test_a_rematch_that_is_agreed_is_found_after_the_process_has_ended(serve: Serve) -> None:
    """Whoever was away when it was agreed comes to the same seat of the same battle, however often he comes."""
    server = serve()
    made = server.create(draft(TOY, "me", "me", is_agreed=True))
    with server.page(made, 0) as page:
        page.until("state")
        page.reply(do="concede")
        page.reply(do="propose", what={"rematch": True})
        with server.page(made, 1) as other:
            other.until("state")
            other.reply(do="consent")
            first = other.until("again")
        assert page.until("again")["battle"] == first["battle"]
    server.end()
    again = serve()
    told = []
    for _ in range(2):
        with again.page(made, 0) as page, again.page(made, 1) as other, again.page(made) as spectator:
            told.append((page.until("again"), other.until("again")))
            spectator.until("state")
            assert not [one for one in spectator.rest(0.1) if one["is"] == "again"]
            assert page.reply(do="propose", what={"rematch": True})["word"] == "rematch.not-now"
            assert page.moment.get("proposal") is None
    assert told[0] == told[1]
    assert told[0][1] == first
    tokens = {one["token"] for one in told[0]} | {seat.token for seat in made.seats}
    assert len(tokens) == 4
    with Page(again.address, first["battle"], told[0][0]["token"]) as page:
        assert page.until("state")["side"] == told[0][0]["side"] == 1
    with Page(again.address, first["battle"], made.seats[0].token or "") as page:
        assert page.hear()["word"] == "not-yours"


def test_a_correction_tells_what_it_would_change(serve: Serve) -> None:
    one, two = begun(serve(), book="ragnarok")
    changes = [
        ["move", 0, 12.5, 3.0, 0.0, 90.0],
        ["mark", 1, "prone", 1],
        *[["mark", 2, "prone", n] for n in range(20)],
    ]
    assert one.reply(do="propose", what={"correction": changes})["is"] == "done"
    one.sync(two)
    told = two.moment["proposal"]["text"]
    assert two.models[0]["name"] in told
    assert "12.5, 3" in told
    assert told.endswith("and 14 more.")
    for name in ("x" * 61, "a\u202eb", "\u0000"):
        assert one.reply(do="propose", what={"correction": [["mark", 0, name, 1]]})["is"] == "refused"
    assert one.reply(do="propose", what={"correction": [["mark", 0, "x" * 60, 1]]})["is"] == "done"
