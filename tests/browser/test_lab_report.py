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
