"""The files that start a club's server: what they name is there, and only the proxy is reached from outside."""

from __future__ import annotations

import re
import shlex
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import typer.main
import yaml

from campale.cli import app
from campale.server.settings import PREFIX, Settings, address, from_environment

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
TABLES = {name: service for name, service in SERVICES.items() if name.startswith("table-")}
CONTAINERFILE = (ROOT / "Containerfile").read_text("utf-8")
CADDYFILE = (ROOT / "docs" / "proxies" / "Caddyfile.club").read_text("utf-8")


def options(command: list[str]) -> list[str]:
    """The options of ``campale serve`` on a command line; all of them exist, by what the command itself reads."""
    name, *words = command
    serve = getattr(typer.main.get_command(app), "commands")[name]  # noqa: B009
    context = serve.make_context(name, list(words), resilient_parsing=False)
    assert not context.args
    return [word for word in words if word.startswith("--")]


def filled(value: str) -> str:
    """With what stands in .env; every name without which it cannot go says so."""
    assert not re.search(r"\$\{[A-Z_]+\}", value), value
    return re.sub(r"\$\{([A-Z_]+):\?[^}]+\}", lambda found: f"given-{found[1].casefold()}", value)


@pytest.mark.parametrize("name", TABLES)
def test_the_commands_are_ones_that_the_server_knows(name: str) -> None:
    command = TABLES[name]["command"]
    assert options(command) == ["--host", "--port", "--address"]
    assert command[-1] == f"{name}:8240", "each is reached by the name of its service"


@pytest.mark.parametrize("name", TABLES)
def test_the_settings_are_ones_that_the_server_knows(name: str) -> None:
    known = {f"{PREFIX}{one.name.upper()}" for one in fields(Settings)}
    environment = {key: filled(value) for key, value in TABLES[name]["environment"].items()}
    assert set(environment) <= known
    settings = from_environment(environment)
    assert settings.database == "postgresql://campale:given-campale_db_password@database/campale"
    assert settings.names == ("given-campale_name",)
    (subnet,) = COMPOSE["networks"]["default"]["ipam"]["config"]
    assert settings.proxies == (subnet["subnet"],)
    assert f"127.0.0.1:{address(settings.metrics)[1]}/health" in TABLES[name]["healthcheck"]["test"][-1]


def test_only_the_proxy_is_reached_from_outside_and_it_leads_to_no_figures() -> None:
    assert {name for name, service in SERVICES.items() if "ports" in service} == {"caddy"}
    assert "9240" not in CADDYFILE
    (upstreams,) = re.findall(r"reverse_proxy (.+) \{", CADDYFILE)
    assert upstreams.split() == [f"{name}:8240" for name in TABLES]


def test_what_is_named_is_there() -> None:
    kept = set(COMPOSE["volumes"])
    for service in SERVICES.values():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert (ROOT / source).is_file() if source.startswith(".") else source in kept
        assert set(service.get("depends_on", [])) <= set(SERVICES)
        assert re.search(r":\d", service["image"]) or service["build"] == {
            "context": ".",
            "dockerfile": "Containerfile",
        }
    environment = SERVICES["database"]["environment"]
    url = TABLES["table-1"]["environment"]["CAMPALE_DATABASE"]
    assert f"{environment['POSTGRES_USER']}:{environment['POSTGRES_PASSWORD']}@database/" in url
    assert url.endswith(f"/{environment['POSTGRES_DB']}")


def test_the_image_is_made_of_what_is_there() -> None:
    for line in re.findall(r"^COPY (?!--from)(.+)$", CONTAINERFILE, re.MULTILINE):
        for source in shlex.split(line)[:-1]:
            assert (ROOT / source).exists(), source
    (script,) = re.findall(r'^RUN python -c "(.+)"$', CONTAINERFILE, re.MULTILINE)
    compile(script, "Containerfile", "exec")
    assert "from campale.table.warming import warm_up" in script
    exec(script.partition(";")[0], {})
    (command,) = re.findall(r"^CMD \[(.+)\]$", CONTAINERFILE, re.MULTILINE)
    assert options([word.strip().strip('"') for word in command.split(",")]) == ["--host"]
    fetched = re.findall(r"pip \w+ (.+?)(?: &&|$)", CONTAINERFILE, re.MULTILINE)
    assert len(fetched) == 3
    assert not re.search(r"curl|wget|apt-get|git ", CONTAINERFILE)


def test_what_is_secret_or_large_does_not_go_into_the_image() -> None:
    left_out = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert {".env", ".git", ".venv", "**/node_modules"} <= set(left_out)
