"""People of a club for the tests: they come by invitation, and ask as who they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fastapi.testclient import TestClient

from campale.server.battle.seats import Keys
from campale.server.club.house import Club

PHRASE = "a lantern in the marsh"


@dataclass(frozen=True)
class Clock(Keys):
    """A time that the tests move on."""

    at: list[float] = field(default_factory=lambda: [1_800_000_000.0])

    def now(self) -> float:
        return self.at[0]

    def goes_on(self, seconds: float) -> None:
        self.at[0] += seconds


class Person:
    """Somebody who is signed in."""

    def __init__(self, http: TestClient, told: dict[str, Any]) -> None:
        self.http, self.token, self.me = http, told["token"], told["me"]

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def get(self, path: str, status: int = 200) -> Any:
        answer = self.http.get(f"/api/club{path}", headers=self.headers)
        assert answer.status_code == status, (path, answer.text)
        return answer.json()

    def post(self, path: str, status: int | None = None, **body: Any) -> Any:
        """What is told of it; None where there is nothing to tell. Without a ``status`` it has to go well."""
        answer = self.http.post(f"/api/club{path}", json=body, headers=self.headers)
        assert answer.status_code in ((200, 204) if status is None else (status,)), (path, answer.text)
        assert (answer.status_code == 204) == (not answer.content), path
        return answer.json() if answer.content else None


def club_of(http: TestClient) -> Club:
    club: Club = http.app.state.hall.club  # type: ignore[attr-defined]
    return club


def comes(http: TestClient, name: str, role: str = "member", phrase: str = PHRASE) -> Person:
    """Somebody comes by an invitation of the command's."""
    code = club_of(http).members.invite(role, 7)
    answer = http.post("/api/club/come", json={"code": code, "name": name, "phrase": phrase})
    assert answer.status_code == 201, answer.text
    return Person(http, answer.json())


def signs_in(http: TestClient, name: str, phrase: str = PHRASE) -> Person:
    answer = http.post("/api/club/sign-in", json={"name": name, "phrase": phrase})
    assert answer.status_code == 200, answer.text
    return Person(http, answer.json())
