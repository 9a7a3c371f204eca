"""Whoever is signed in and sends anything at all in one place of what is wanted is answered: it is never a fault."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from tests.server.club.people import PHRASE, Person, comes
from tests.server.http import client
from tests.server.routes.test_hostile_http import ANYTHING, CALM, places, with_changed

AT = {"round": 1, "place": 1}
BODIES: dict[str, dict[str, Any]] = {
    "/sign-in": {"name": "Zoe", "phrase": PHRASE},
    "/come": {"code": "none", "name": "Zoe", "phrase": PHRASE},
    "/phrase": {"old": "not that one", "new": "a heron on one leg"},
    "/leave": {"phrase": "not that one"},
    "/battles": {"seat": "none"},
    "/battles/none/let-go": {},
    "/invitations": {"role": "member", "days": 3, "note": "Bo", "account": None},
    "/invitations/none/withdraw": {},
    "/members/none/role": {"role": "member"},
    "/members/none/remove": {},
    "/seasons": {"title": "A", "book": "ragnarok", "kind": "swiss", "rounds": 3, "missions": [""], "about": "x"},
    "/seasons/SEASON/result": {**AT, "result": "one"},
    "/seasons/SEASON/confirm": AT,
    "/seasons/SEASON/battle": {**AT, "battle": "none"},
    "/seasons/SEASON/pair": {"deadline": 1.5},
    "/seasons/none/pair": {"deadline": None},
}


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client(tmp_path_factory.mktemp("hostile")) as found:
        yield found


@pytest.fixture(scope="module")
def ada(http: TestClient) -> Person:
    return comes(http, "Ada", "organiser")


@pytest.fixture(scope="module")
def season(http: TestClient, ada: Person) -> str:
    made: str = ada.post("/seasons", 201, title="Autumn", book="ragnarok")["season"]
    for one in (ada, comes(http, "Bo")):
        one.post(f"/seasons/{made}/enter")
    ada.post(f"/seasons/{made}/pair")
    return made


@pytest.mark.parametrize("path", BODIES)
@CALM
@given(data=st.data())
def test_anything_at_all_is_answered(
    http: TestClient, ada: Person, season: str, path: str, data: st.DataObject
) -> None:
    body = BODIES[path]
    place = data.draw(st.sampled_from(list(places(body))))
    changed = with_changed(body, place, data.draw(ANYTHING))
    answer = http.post(f"/api/club{path.replace('SEASON', season)}", json=changed, headers=ada.headers)
    assert answer.status_code in (200, 201, 400, 401, 403, 404, 409, 422, 429), answer.text
    if answer.status_code >= 400:
        assert set(answer.json()) == {"word", "text", "reasons"}
        assert answer.json()["text"] != answer.json()["word"]


@pytest.mark.parametrize("path", ["/members/{}/remove", "/battles/{}/let-go", "/seasons/{}/enter", "/seasons/{}/end"])
@pytest.mark.parametrize("id_", ["%00", "%F0%9F%8E%B2", "%ED%A0%80", "'; DROP TABLE account; --", "..%2F..", "x" * 60])
def test_what_is_no_id_is_unknown(http: TestClient, ada: Person, path: str, id_: str) -> None:
    answer = http.post(f"/api/club{path.format(id_)}", json={}, headers=ada.headers)
    assert answer.status_code in (404, 405), answer.text
