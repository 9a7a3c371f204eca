"""How the source is built: who may import whom, how long things are, and what must stand nowhere."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import re
import statistics
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from tools import alike

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "campale"
MODULES = sorted(SOURCE.rglob("*.py"))
RULESETS = sorted(path for path in (SOURCE / "rulesets").iterdir() if (path / "__init__.py").exists())

LONGEST_FUNCTION, MEDIAN_FUNCTION, LONGEST_MODULE = 40, 8, 600
KERNELS = SOURCE / "table" / "kernels.py"

RINGS: dict[str, set[str]] = {
    "table": {"table"},
    "dice": {"dice"},
    "referee": {"table", "dice", "referee"},
    "mechanics": {"table", "dice", "referee", "mechanics"},
    "rulesets": {"table", "dice", "referee", "mechanics", "rulesets"},
    "players": {"table", "referee", "players"},
    "simulate": {"referee", "players", "simulate"},
    "odds": {"table", "dice", "referee", "odds"},
    "lab": {"referee", "players", "simulate", "lab"},
    "learn": {"referee", "players", "learn"},
    "screen": {"table", "dice", "referee", "odds", "screen"},
    "server": {"dice", "referee", "odds", "screen", "players", "simulate", "lab", "server"},
    "conformance": {"dice", "table", "referee", "screen", "players", "simulate", "conformance"},
}
"""Each package with those it may import. Whatever is not named here may import everything."""

WARMED = ("server", "campale.table.warming")
ALLOWED = {("referee", "campale.rulesets"), ("referee", "campale"), ("server", "campale"), ("lab", "campale"), WARMED}
"""The referee looks through the folder of the rulesets; it knows the version, as the server and the laboratory do. The
server has the kernels compiled before anybody waits for them."""


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


@lru_cache(maxsize=1024)
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> Iterator[str]:
    """The modules of Campale, and numba, that a module imports, those for the type checker alone left aside."""
    package = ["campale", *path.relative_to(SOURCE).parts[:-1]]
    for node in outside_of_type_checking(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            yield ".".join([*base, *([node.module] if node.module else [])])


def outside_of_type_checking(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield child
            yield from outside_of_type_checking(child)


# ---------------------------------------------------------------- no circles

WEB = ROOT / "web" / "src"
SCRIPT = re.compile(r"""^\s*(?:import|export)\b(?!\s+type\b)(?:[^;'"]*?\bfrom)?\s*['"](\.[^'"]+)['"]""", re.MULTILINE)
"""An import or export of a script that is there when it runs: types are gone by then."""


def dotted(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def python_imports() -> dict[str, set[str]]:
    """Which module imports which, inside functions too; what is for the type checker alone is no import."""
    names = {dotted(path): path for path in MODULES}
    found: dict[str, set[str]] = {}
    for name, path in names.items():
        of_it = found[name] = set()
        for node in outside_of_type_checking(tree_of(path)):
            if isinstance(node, ast.Import):
                of_it |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                parts = {f"{node.module}.{alias.name}" for alias in node.names}
                of_it |= {part if part in names else node.module for part in parts}
        found[name] = of_it & set(names) - {name}
    return found


def script_imports(folder: Path) -> dict[str, set[str]]:
    """Which script or component of a folder imports which."""
    files = {path.resolve() for path in folder.rglob("*") if path.suffix in (".ts", ".svelte")}
    found: dict[str, set[str]] = {}
    for path in files:
        of_it = found[path.relative_to(folder).as_posix()] = set()
        for named in SCRIPT.findall(path.read_text(encoding="utf-8")):
            base = path.parent / named
            several = ((base.parent / (base.name + ending)).resolve() for ending in ("", ".ts", ".svelte"))
            of_it |= {one.relative_to(folder).as_posix() for one in several if one in files}
    return found


def circle_in(imports: dict[str, set[str]]) -> list[str]:
    """Some modules that import each other round and round; none: nothing."""
    try:
        tuple(TopologicalSorter(imports).static_order())
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_module_imports_itself_by_way_of_others() -> None:
    imports = python_imports()
    assert len(imports) > 300
    assert "campale.referee.position" in imports["campale.rulesets.e55.definitions.units"]
    assert circle_in(imports) == []


def test_no_script_imports_itself_by_way_of_others() -> None:
    imports = script_imports(WEB)
    assert len(imports) > 100
    assert "lib/route.svelte.ts" in imports["App.svelte"]
    assert circle_in(imports) == []


def test_a_circle_is_found() -> None:
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": {"b"}})
    assert circle_in({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


# ---------------------------------------------------------------- rings


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_ring_imports_only_what_lies_within(path: Path) -> None:
    ring = path.relative_to(SOURCE).parts[0]
    for module in imported(path) if ring in RINGS else ():
        if module.split(".")[0] == "campale" and (ring, module) not in ALLOWED:
            assert set(module.split(".")[1:2]) & RINGS[ring], f"{name_of(path)} imports {module}"


@pytest.mark.parametrize("folder", RULESETS, ids=lambda folder: folder.name)
def test_rulesets_do_not_import_each_other(folder: Path) -> None:
    own = f"campale.rulesets.{folder.name}"
    for path in folder.rglob("*.py"):
        for module in imported(path):
            assert not module.startswith("campale.rulesets") or f"{module}.".startswith(f"{own}."), (path, module)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_ruleset_is_named_outside_its_folder(path: Path) -> None:
    """But for a mechanism, which says at its head which ledgers state it."""
    text = path.read_text(encoding="utf-8")
    if path.parent == SOURCE / "mechanics":
        text = text.replace(ast.get_docstring(tree_of(path), clean=False) or "", "")
    for name in ("ragnarok", "e55", "w10", "wzr", "e3m", "drill"):
        if SOURCE / "rulesets" / name not in path.parents:
            assert not re.search(rf"\b{name}\b", text.casefold()), f"{name_of(path)} names {name}"


def page_files() -> list[Path]:
    """The sources of the page, and the words of the server."""
    words = (SOURCE / "server" / "words", SOURCE / "screen")
    return sorted(
        [
            *(path for path in (ROOT / "web" / "src").rglob("*") if path.suffix in {".ts", ".svelte", ".css", ".json"}),
            *(path for folder in words for path in folder.rglob("*.json")),
        ]
    )


def test_no_ruleset_is_named_by_the_page() -> None:
    """A new book appears there as it is."""
    names = re.compile(r"\b(ragnarok|e55|w10|wzr|e3m|drill)\b")
    found = [path for path in page_files() if names.search(path.read_text(encoding="utf-8").casefold())]
    assert [path.relative_to(ROOT).as_posix() for path in found] == []


def test_what_the_page_is_built_of_is_under_no_copyleft() -> None:
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: str(one.get("license", "")) for name, one in lock["packages"].items() if name}
    assert packages
    assert {name: told for name, told in packages.items() if not told or "GPL" in told.upper()} == {}


def test_what_the_server_is_made_of_is_under_no_copyleft() -> None:
    """Those that are installed of the packages that are named as needed."""
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    found = {}
    for name in (re.split(r"[<>=!~\[; ]", one)[0] for one in needed):
        about = importlib.metadata.metadata(name)
        texts = [
            told for field in ("License-Expression", "License", "Classifier") for told in about.get_all(field) or ()
        ]
        found[name] = [one for one in texts if re.search(r"\bA?L?GPL|General Public", one)]
    assert {name: told for name, told in found.items() if told} == {}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_the_kernels_import_numba(path: Path) -> None:
    uses = any(module.split(".")[0] == "numba" for module in imported(path))
    assert not uses or path == KERNELS


def test_the_command_line_begins_without_the_kernels() -> None:
    """Help and completion are quick: what is compiled is loaded by the commands that need it."""
    asks = "import sys, campale.cli; print(sorted({'numba', 'campale.table.kernels'} & set(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def functions() -> Iterator[tuple[str, int]]:
    """Every function but the kernels', with its lines from ``def`` to the end."""
    for path in MODULES:
        for node in ast.walk(tree_of(path)) if path != KERNELS else ():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
                yield f"{name_of(path)}:{node.name}", node.end_lineno - node.lineno + 1


def test_no_function_is_long() -> None:
    assert [(name, lines) for name, lines in functions() if lines > LONGEST_FUNCTION] == []


def test_most_functions_are_short() -> None:
    assert statistics.median(lines for _, lines in functions()) <= MEDIAN_FUNCTION


def test_no_module_is_long() -> None:
    lengths = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES if path != KERNELS}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_MODULE} == {}


MACHINE_PATH = re.compile(r"(?<![\w.:/])/(?:work|home|root|Users|tmp|opt|mnt)/\w")
TEXTS = {".py", ".md", ".yaml", ".yml", ".toml", ".json", ".txt", ".cfg", ".sh", ".ts", ".svelte", ""}


def written_files() -> Iterator[Path]:
    """The files of the project, those of tools that leave theirs lying about left aside."""
    told = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    for line in told.stdout.splitlines():
        path = ROOT / line
        if path.suffix in TEXTS and path.is_file():
            yield path


def test_no_file_mentions_a_path_of_somebodys_machine() -> None:
    found = [path for path in written_files() if MACHINE_PATH.search(path.read_text(encoding="utf-8", errors="ignore"))]
    assert [path.relative_to(ROOT).as_posix() for path in found] == []


def test_a_ruleset_package_says_only_what_its_ruleset_is() -> None:
    """``__init__.py`` has ``RULESET`` and nothing else."""
    for folder in RULESETS:
        body = [
            node for node in tree_of(folder / "__init__.py").body if not isinstance(node, ast.Import | ast.ImportFrom)
        ]
        names = [ast.unparse(node.targets[0]) for node in body if isinstance(node, ast.Assign)]
        others = [node for node in body if not isinstance(node, ast.Assign | ast.Expr)]
        assert (names, others) == (["RULESET"], []), folder.name


def test_no_name_of_a_ruleset_package_hides_one_of_its_modules() -> None:
    for folder in RULESETS:
        own = f"campale.rulesets.{folder.name}"
        hidden = [
            f"{node.module}.{alias.name}"
            for node in tree_of(folder / "__init__.py").body
            if isinstance(node, ast.ImportFrom) and node.module not in (own, None)
            for alias in node.names
            if (folder / f"{alias.asname or alias.name}.py").exists()
        ]
        assert hidden == []


# ---------------------------------------------------------------- what books have in common


def test_no_function_of_five_lines_stands_in_two_books() -> None:
    """What is the same but for its names and values, and no rule of its book, belongs to the middle ring."""
    found = alike.same_shape(alike.defined_in())
    assert [[f"{one.module}: {one.name}" for one in group] for group in found.values()] == []


HIT = """
@kept
async def hit(unit, dice):
    \"\"\"How many hit.\"\"\"
    found = 0
    for one in dice:
        if one >= 4:
            found += 1
    return found
"""
STRUCK = """
async def struck(model, faces):
    many = 1
    for face in faces:
        if face >= 5:
            many += 2
    return many
"""
OTHER = STRUCK.replace("many += 2", "many -= 2")
SHORT = "async def struck(model, faces):\n    many = 1\n    return many\n"


@pytest.mark.parametrize(
    ("one", "other", "same", "named"),
    [
        (HIT, STRUCK, [["hit", "struck"]], []),
        (HIT, OTHER, [], []),
        (HIT.replace("@kept", '@rule("hits/roll")'), STRUCK, [], []),
        (HIT.replace("hit(", "struck("), OTHER, [], ["struck"]),
        (SHORT, SHORT, [], ["struck"]),
        ("FAR = 2.0\n", "FAR, NEAR = 3.0, 1.0\n", [], ["FAR"]),
    ],
)
def test_what_two_books_define_alike_is_found(
    tmp_path: Path, one: str, other: str, same: list[list[str]], named: list[str]
) -> None:
    for book, text in (("red", one), ("blue", other), ("_template", one)):
        (tmp_path / book).mkdir()
        (tmp_path / book / "rules.py").write_text(text, encoding="utf-8")
    found = alike.defined_in(tmp_path)
    assert [sorted(each.name for each in group) for group in alike.same_shape(found).values()] == same
    assert list(alike.in_several(found)) == named


def test_what_is_written_alike_is_found_whatever_is_said_of_it(tmp_path: Path) -> None:
    for book, text in (
        ("red", HIT),
        ("blue", HIT.replace("How many hit", "Those who hit").replace("@kept", '@rule("hits/roll")')),
    ):
        (tmp_path / book).mkdir()
        (tmp_path / book / "rules.py").write_text(text, encoding="utf-8")
    (group,) = alike.written_alike(alike.defined_in(tmp_path)).values()
    assert [(each.book, each.name, each.lines) for each in group] == [("blue", "hit", 5), ("red", "hit", 5)]
