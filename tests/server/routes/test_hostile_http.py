"""A request that is nearly right, with anything at all in one place of it: made or refused, never a fault."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campale.referee.ruleset import load_ruleset
from tests.server.http import asked, client

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.sampled_from([0, -1, 1, 2**31, 1e308, -0.5, 1e-300]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=40),
    st.sampled_from(["", "lot", "samples", "../../x", "\u0000", "\u202e", "x" * 500, "🜁"]),
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=8,
)
BOOKS = ("ragnarok", "e55", "e3m", "w10", "wzr")
CALM = settings(
    max_examples=60, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client(tmp_path_factory.mktemp("hostile")) as found:
        yield found


def plain_force(book: str) -> dict[str, Any]:
    offers = load_ruleset(book).offers
    assert offers is not None
    return offers().forces[0].plain


def whole(book: str) -> dict[str, Any]:
    """A request that makes a battle, both forces written out."""
    offers = load_ruleset(book).offers
    assert offers is not None
    agreed = {term.name: term.default for term in offers().terms}
    options = {switch.name: switch.default for switch in load_ruleset(book).switches}
    force = plain_force(book)
    return asked(book, (force, force), agreed=agreed, options=options, dice="real", clock={"main": 60.0})


def places(part: Any, so_far: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a plain value, its own included."""
    yield so_far
    pairs = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, one in pairs:
        yield from places(one, (*so_far, key))


def with_changed(part: Any, place: tuple[Any, ...], value: Any) -> Any:
    if not place:
        return value
    copied = dict(part) if isinstance(part, dict) else list(part)
    copied[place[0]] = with_changed(part[place[0]], place[1:], value)
    return copied


@pytest.mark.parametrize("book", BOOKS)
def test_the_request_itself_makes_a_battle(http: TestClient, book: str) -> None:
    assert http.post("/api/battles", json=whole(book)).status_code == 201


@pytest.mark.parametrize("book", BOOKS)
@CALM
@given(data=st.data())
def test_a_battle_with_anything_in_it_is_made_or_refused(http: TestClient, book: str, data: st.DataObject) -> None:
    body = whole(book)
    place = data.draw(st.sampled_from(list(places(body))))
    answer = http.post("/api/battles", json=with_changed(body, place, data.draw(ANYTHING)))
    assert answer.status_code in (201, 400, 404, 422), answer.text
    assert "token" in answer.text or set(answer.json()) == {"word", "text", "reasons"}


@pytest.mark.parametrize("book", BOOKS)
@CALM
@given(data=st.data())
def test_a_force_with_anything_in_it_is_judged(http: TestClient, book: str, data: st.DataObject) -> None:
    force = plain_force(book)
    place = data.draw(st.sampled_from([one for one in places(force) if one]))
    changed = with_changed(force, place, data.draw(ANYTHING))
    answer = http.post(f"/api/books/{book}/force", json={"force": changed, "agreed": {"points": data.draw(SCALARS)}})
    assert answer.status_code in (200, 400, 422), answer.text


def test_a_saved_game_with_anything_in_it_is_imported_or_refused(http: TestClient, tmp_path: Path) -> None:
    created = http.post("/api/demo", json={}).json()
    hall = http.app.state.hall  # type: ignore[attr-defined]
    assert http.portal is not None
    data = http.portal.call(hall.kept, created["battle"]).saved
    assert http.post("/api/import", content=data).status_code == 201
    for cut in range(1, len(data), max(1, len(data) // 20)):
        assert http.post("/api/import", content=data[:cut]).status_code == 422
