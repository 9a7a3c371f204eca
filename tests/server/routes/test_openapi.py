"""The description of the routes is whole, and whatever fits it (or does not) is answered as it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from campale.server.app import create_app
from campale.server.settings import Settings
from tests.server.http import client

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
BOUNDED = settings(
    max_examples=12,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def described() -> FastAPI:
    return create_app(Settings(database="sqlite:///not-opened.db", rate=None, workers=1))


schema = schemathesis.openapi.from_dict(described().openapi())


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client(tmp_path_factory.mktemp("openapi")) as found:
        yield found


def test_every_route_of_the_api_is_described() -> None:
    app = described()
    described_paths = app.openapi()["paths"]
    routes = {getattr(route, "path", "") for route in app.routes}
    over_http = {path for path in routes if path.startswith("/api/") and not path.endswith("/socket")}
    assert over_http - {path.replace("{rule}", "{rule:path}") for path in described_paths} == set()
    for path, methods in described_paths.items():
        for method, told in methods.items():
            assert "4XX" in told["responses"], (method, path)
            assert [status for status in told["responses"] if status[0] == "2"], (method, path)
            assert ("requestBody" in told) == (method == "post"), (method, path)
            for status, one in told["responses"].items():
                assert ("content" in one) == (status != "204"), (method, path)


def test_every_record_that_is_named_is_described() -> None:
    found = described().openapi()
    known = set(found["components"]["schemas"])
    assert set(referred(found)) - known == set()
    assert {"NewBattle", "Created", "BookShown", "Problem", "Summary"} <= known


def referred(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"].rpartition("/")[2]
        part = list(part.values())
    for one in part if isinstance(part, list) else ():
        yield from referred(one)


@schema.parametrize()
@BOUNDED
def test_whatever_is_sent_is_answered_as_described(case: Any, http: TestClient) -> None:
    sent = case.as_transport_kwargs(base_url="http://testserver")
    body = {"content": sent["data"]} if isinstance(sent.get("data"), bytes) else {"json": sent.get("json")}
    given = {name: sent[name] for name in ("method", "url", "params", "headers", "cookies") if sent.get(name)}
    case.validate_response(http.request(**given, **body), checks=CHECKS)
