"""The books over HTTP: what can be chosen, and the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from campale.referee import ruleset
from campale.referee.ledgers.ledger import searched
from campale.referee.offers import offers_from
from campale.referee.ruleset import Setup, load_ruleset, ruleset_names
from campale.referee.telling.teller import Teller
from campale.server.battle import agreement
from campale.server.battle.draft import Draft, SeatDraft
from campale.server.told import told
from tests.server.http import client, refused

LANGUAGES = ("en", "it")
BOOKS = ("e3m", "e55", "ragnarok", "w10", "wzr")


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client(tmp_path_factory.mktemp("catalogue")) as found:
        yield found


def book(http: TestClient, name: str, language: str = "en") -> dict[str, Any]:
    answer = http.get(f"/api/books/{name}", params={"lang": language})
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def test_the_books_are_those_that_there_are(http: TestClient) -> None:
    found = {one["name"]: one for one in http.get("/api/books").json()}
    assert set(BOOKS) <= set(found)
    assert set(found) == {name for name in ruleset_names() if load_ruleset(name).starters is not None}
    assert found["ragnarok"]["unit"] == "cm"
    assert found["e55"]["title"] == "Edition 5.5"
    assert {"name": "patrol", "title": "Patrol"} in found["ragnarok"]["missions"]


def test_a_book_that_is_added_is_listed_though_the_list_was_asked_for_before(
    http: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as without:
        without.setattr(ruleset, "EXTRA_PACKAGES", [])
        assert [one["name"] for one in http.get("/api/books").json()] == list(BOOKS)
    monkeypatch.setattr(ruleset, "EXTRA_PACKAGES", ["tests.conformance.drill"])
    assert [one["name"] for one in http.get("/api/books").json()] == [*BOOKS, "drill"]


def test_a_book_that_there_is_not_is_told(http: TestClient) -> None:
    for path in ("/api/books/chess", "/api/books/chess/rules", "/api/books/chess/rules/a/b", "/api/books/..%2f"):
        assert refused(http, 404, "GET", path)["word"] in ("no-book", "not-found")
    assert "regolamento" in refused(http, 404, "GET", "/api/books/chess?lang=it")["text"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", BOOKS)
def test_everything_of_a_book_that_can_be_chosen_has_a_title(http: TestClient, name: str, language: str) -> None:
    found = book(http, name, language)
    titled = [*found["options"], *found["layouts"], *found["forces"], *found["agreements"], *found["ready"]]
    assert all(one["title"] for one in titled)
    values = [value for one in (*found["options"], *found["agreements"]) for value in one["values"]]
    assert all(value["text"] for value in values)
    assert all(one["rule"]["title"] != one["rule"]["id"] for one in (*found["options"], *found["agreements"]))
    assert len({one["title"] for one in found["ready"]}) == len(found["ready"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", BOOKS)
def test_every_mission_is_told_before_one_is_chosen(http: TestClient, name: str, language: str) -> None:
    found = book(http, name, language)
    (term,) = (one for one in found["agreements"] if one["name"] == found["mission"])
    told_of = {value["value"]: value["rules"] for value in term["values"]}
    assert all(rules for rules in told_of.values())
    assert all(rule["text"] and rule["spoken"] in LANGUAGES for rules in told_of.values() for rule in rules)
    texts = ["|".join(rule["id"] for rule in rules) for rules in told_of.values()]
    assert len(set(texts)) == len(texts)
    others = [value for one in found["agreements"] if one is not term for value in one["values"]]
    assert not any(value["rules"] for value in others)


def test_a_mission_of_several_rules_is_told_by_all_of_them(http: TestClient) -> None:
    (term,) = (one for one in book(http, "ragnarok")["agreements"] if one["name"] == "mission")
    told_of = {value["value"]: [rule["id"] for rule in value["rules"]] for value in term["values"]}
    assert told_of["patrol"] == ["missions/patrol-setup", "missions/patrol-explore", "missions/patrol-victory"]
    assert told_of[None] == ["missions/roll"]


@pytest.mark.parametrize("name", BOOKS)
def test_the_readings_of_options_have_words(name: str) -> None:
    ruleset = load_ruleset(name)
    keys = {f"option.{one.name}.{value}" for one in ruleset.switches for value in one.values if isinstance(value, str)}
    for language in LANGUAGES:
        assert [key for key in sorted(keys) if not Teller(ruleset, language).words.has(key)] == []


@pytest.mark.parametrize("name", BOOKS)
def test_what_is_offered_can_be_played(http: TestClient, name: str) -> None:
    """Every value of every term goes into a set-up that the book takes; what is not offered does not."""
    ruleset = load_ruleset(name)
    assert ruleset.offers is not None
    offers = ruleset.offers()
    points = offers.term(offers.size)
    assert points is not None
    for force in offers.forces:
        for term in offers.terms:
            for choice in term.choices if term is not points else ():
                agreed = offers.agreed({term.name: choice.value, offers.size: force.points})
                ruleset.set_out(ruleset, Setup(name, {}, (force.plain, force.plain), agreed))
    for wrong in ({"weather": "rain"}, {offers.mission: "chess"}, {offers.size: 0}, {offers.size: True}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            offers.agreed(wrong)


@pytest.mark.parametrize("name", BOOKS)
def test_a_force_has_a_card_for_every_kind_of_model(http: TestClient, name: str) -> None:
    for force in book(http, name, "it")["forces"]:
        assert force["cost"] <= force["points"]
        assert sum(line["points"] for line in force["cards"]) == force["cost"]
        assert all(line["card"]["line"] and line["card"]["title"] == line["title"] for line in force["cards"])


@pytest.mark.parametrize("name", BOOKS)
def test_a_layout_is_the_table_that_is_played_on(http: TestClient, name: str) -> None:
    ruleset = load_ruleset(name)
    found = book(http, name)
    setup = ruleset.starters()[0] if ruleset.starters is not None else None
    assert setup is not None
    ground = ruleset.set_out(ruleset, setup).ground
    layout = next(one for one in found["layouts"] if one["name"] == setup.agreed[found["layout"]])
    assert (layout["width"], layout["depth"]) == (ground.width, ground.depth)
    assert [piece["name"] for piece in layout["pieces"]] == [piece.name for piece in ground.pieces]


def test_a_book_that_does_not_say_what_can_be_chosen_offers_what_its_ready_battles_have() -> None:
    setups = (
        Setup("x", {}, ({"name": "Reds"}, {"units": 3}), {"mission": "hold"}),
        Setup("x", {}, ({"name": "Reds"}, {"name": {"en": "Greens", "it": "Verdi"}}), {"mission": "raid"}),
    )
    found = offers_from(setups)
    assert [one.title["it"] for one in found.forces] == ["Reds", "Forza 2", "Verdi"]
    assert [(one.name, [choice.value for choice in one.choices]) for one in found.terms] == [
        ("mission", ["hold", "raid"])
    ]
    assert found.agreed({"mission": "raid"}) == {"mission": "raid"}


# ---------------------------------------------------------------- rules


@pytest.mark.parametrize("name", BOOKS)
def test_every_rule_is_listed_and_one_is_told(http: TestClient, name: str) -> None:
    entries = load_ruleset(name).ledger.entries
    found = http.get(f"/api/books/{name}/rules?lang=it").json()
    assert [one["id"] for one in found] == list(entries)
    assert found[0]["title"] == entries[found[0]["id"]].title["it"]
    assert found[0]["id"].startswith(found[0]["chapter"] + "/")


@pytest.mark.parametrize("name", BOOKS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_chapter_has_a_title(http: TestClient, name: str, language: str) -> None:
    ruleset = load_ruleset(name)
    spoken = Teller(ruleset, language).words
    assert [one for one in ruleset.ledger.chapters() if not spoken.has(f"chapter.{one}")] == []
    found = http.get(f"/api/books/{name}/rules?lang={language}").json()
    assert all(one["heading"] == spoken.say(f"chapter.{one['chapter']}") for one in found)


def test_rules_are_found_by_the_words_of_their_text(http: TestClient) -> None:
    of_all = {one["id"] for one in http.get("/api/books/e55/rules").json()}
    found = [one["id"] for one in http.get("/api/books/e55/rules?seek=cover%20area%20terrain").json()]
    assert 0 < len(found) < len(of_all)
    assert set(found) <= of_all
    texts = [load_ruleset("e55").ledger.entries[one] for one in found]
    assert all(word in searched(one) for one in texts for word in ("cover", "area", "terrain"))
    assert any("terrain" not in one.title["en"].casefold() for one in texts)
    assert http.get("/api/books/e55/rules?seek=%20").json() == http.get("/api/books/e55/rules").json()
    assert http.get("/api/books/e55/rules?seek=nothing-like-it").json() == []
    assert http.get(f"/api/books/e55/rules?seek={'x' * 201}").status_code == 422


def test_a_rule_is_told_with_its_ruling_and_its_code(http: TestClient) -> None:
    found = http.get("/api/books/ragnarok/rules/fire/mod-half-range").json()
    assert found["text"]
    assert found["source"].startswith("rules.yaml:")
    assert [place["file"] for place in found["code"]] == ["shooting/fire.py"]
    assert all("def " in place["source"] and place["line"] > 1 for place in found["code"])
    ruled = next(one for one in load_ruleset("e55").ledger.entries.values() if one.ruling)
    assert http.get(f"/api/books/e55/rules/{ruled.id}").json()["ruling"]


def test_a_rule_is_told_in_italian_where_the_ledger_has_it(http: TestClient) -> None:
    for one in [*load_ruleset("e55").ledger.entries.values()][:3]:
        told = http.get(f"/api/books/e55/rules/{one.id}?lang=it").json()
        assert told["text_language"] == "it"
        assert told["text"] == " ".join(str(one.text_it).split())
        assert told["title"] == one.title["it"]
        assert http.get(f"/api/books/e55/rules/{one.id}?lang=en").json()["text_language"] == "en"


def test_a_rule_that_there_is_not_is_told(http: TestClient) -> None:
    for path in ("fire/nothing", "../../pyproject.toml", "%2e%2e/rules.yaml", "x" * 150):
        assert refused(http, 404, "GET", f"/api/books/ragnarok/rules/{path}")["word"].startswith("no")


# ---------------------------------------------------------------- forces of one's own


def test_a_force_of_ones_own_is_judged_with_every_reason(http: TestClient) -> None:
    plain = dict(load_ruleset("ragnarok").offers().forces[0].plain)  # type: ignore[misc]
    good = http.post("/api/books/ragnarok/force", json={"force": plain, "agreed": {"points": 200}}).json()
    assert good["reasons"] == []
    assert good["force"]["cost"] == 200
    poor = http.post("/api/books/ragnarok/force?lang=it", json={"force": plain, "agreed": {"points": 100}}).json()
    assert len(poor["reasons"]) == 1
    assert "Togli qualcosa" in poor["reasons"][0]
    for book, points in (("ragnarok", ""), ("ragnarok", [1]), ("e55", "many"), ("e55", 1.5)):
        plain = dict(load_ruleset(book).offers().forces[0].plain)  # type: ignore[misc]
        judged = http.post(f"/api/books/{book}/force", json={"force": plain, "agreed": {"points": points}}).json()
        assert "is not a points limit" in judged["reasons"][0]
    none = http.post("/api/books/ragnarok/force", json={"force": {"name": "Nobody"}}).json()
    assert none["force"] is None
    assert none["reasons"]


# ---------------------------------------------------------------- as it travels


def test_what_has_not_changed_is_not_sent_again(http: TestClient) -> None:
    first = http.get("/api/books/e55")
    assert "max-age" in first.headers["cache-control"]
    assert first.headers["vary"].lower().startswith("accept-")
    again = http.get("/api/books/e55", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = http.get("/api/books/e55?lang=it", headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200


@pytest.mark.parametrize(
    ("accepts", "title"),
    [("it-IT,it;q=0.9,en;q=0.8", "Edizione 5.5"), ("de, en;q=0.5, it;q=0.1", "Edition 5.5"), ("", "Edition 5.5")],
)
def test_the_language_is_the_browsers_unless_another_is_asked_for(http: TestClient, accepts: str, title: str) -> None:
    assert http.get("/api/books/e55", headers={"Accept-Language": accepts}).json()["title"] == title
    assert http.get("/api/books/e55?lang=it", headers={"Accept-Language": accepts}).json()["title"] == "Edizione 5.5"


def test_what_is_not_settled_is_not_told_as_agreed() -> None:
    seats = (SeatDraft("me"), SeatDraft("bot"))
    draft = Draft("ragnarok", {"mission": "patrol"}, {}, ({}, {}), seats)
    for language in LANGUAGES:
        found = agreement.lines(draft, 0, language)
        assert all(value for _, value, _ in found)
        titles = [title for title, _, _ in found]
        assert ("Mission" if language == "en" else "Missione") in titles
        assert not {"Points", "Punti"} & set(titles)


def test_when_a_battle_is_over_its_forces_are_no_secret() -> None:
    starters = load_ruleset("e55").starters
    assert starters is not None
    setup = starters()[0]
    draft = Draft("e55", setup.agreed, {}, setup.forces, (SeatDraft("me"), SeatDraft("bot")))
    hidden = told("en", "setup.hidden")
    values = [[value for _, value, _ in agreement.lines(draft, 0, "en", is_over)] for is_over in (False, True)]
    assert values[0].count(hidden) == 1
    assert hidden not in values[1]
    assert len(values[0]) == len(values[1])
