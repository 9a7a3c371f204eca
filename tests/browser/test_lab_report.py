"""The laboratory's report in a browser: it is shown, nothing is fetched, and axe-core finds nothing in either theme."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Page, expect

from campale.lab.planning import plan_of
from campale.lab.report import report
from tests.browser.test_axe import AXE, RULES, RUN
from tests.lab.conftest import REAL, play


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    experiment, page = folder / "experiment.yaml", folder / "report.html"
    experiment.write_text(yaml.safe_dump(REAL), "utf-8")
    play(folder / "out", plan_of(experiment))
    page.write_text(report(folder / "out", "it"), "utf-8")
    return page


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_report_is_shown(page: Page, told: Path, theme: str) -> None:
    asked: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    page.goto(told.as_uri())
    expect(page.get_by_role("heading", name="La risposta")).to_be_visible()
    expect(page.get_by_role("heading", name="Unità", exact=True)).to_be_visible()
    drawn = page.locator("figure svg").first.bounding_box()
    assert drawn is not None
    assert drawn["width"] > 300
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.evaluate(AXE.read_text("utf-8"))
    assert page.evaluate(RUN, RULES) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.evaluate(RUN, RULES) == []
    assert (asked, errors) == ([told.as_uri()], [])


@pytest.mark.parametrize("language", ["en", "it"])
def test_no_table_needs_scrolling_sideways_at_1100_pixels(page: Page, tmp_path: Path, language: str) -> None:
    """With variants that have long names, intervals of two digits, and units of a real book."""
    named = "A name as long as a name of a variant may be, which is eighty signs, or nearly so"[:80]
    vary = {
        "first.force.models[raider].count": [3, {"label": named, "value": 5}],
        "second.force.models[steam_rifleman].count": [4, 3],
    }
    experiment, told = tmp_path / "experiment.yaml", tmp_path / "report.html"
    experiment.write_text(yaml.safe_dump(REAL | {"vary": vary, "battles": 4}), "utf-8")
    play(tmp_path / "results-of-a-rather-long-name", plan_of(experiment))
    told.write_text(report(tmp_path / "results-of-a-rather-long-name", language), "utf-8")
    page.set_viewport_size({"width": 1100, "height": 900})
    page.goto(told.as_uri())
    parts = page.evaluate(
        "[...document.querySelectorAll('html, .wide, figure')].map(one => one.scrollWidth - one.clientWidth)"
    )
    assert len(parts) > 8
    assert max(parts) <= 0
