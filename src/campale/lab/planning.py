"""From an experiment file to a plan: forces, players, missions and tables looked up, every variant tried out.

Whatever is wrong is a ``FileError`` that says file, line, what and what to do, before anything is played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import msgspec

from campale.lab import plan as plans
from campale.lab.experiment import Experiment, read_experiment
from campale.lab.plan import Fielding, Plan, Scene, Variant, offers_of, player_of
from campale.lab.varying import ROOTS, SIDES, Changes, PathError, grid, label, shown, varied
from campale.players import NAMES
from campale.referee.offers import Offers, Term, title_in
from campale.referee.reading import FileError, Place, Written, meant, read
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset, load_ruleset, ruleset_names

MOST_SCENES = 1000
MOST_SETUPS = 20_000
MOST_TOLD = 5


def plan_of(path: Path) -> Plan:
    """The plan of an experiment file. Raises FileError."""
    experiment, written = read_experiment(path)
    return Planning(experiment, written, path.parent).plan()


class Planning:
    """An experiment on its way to a plan."""

    def __init__(self, experiment: Experiment, written: Written, folder: Path) -> None:
        self.experiment = experiment
        self.written = written
        self.folder = folder
        if experiment.ruleset not in ruleset_names():
            raise self.amiss(("ruleset",), f"there is no ruleset {experiment.ruleset!r}. {among(ruleset_names())}")
        self.ruleset: Ruleset = load_ruleset(experiment.ruleset)
        self.offers: Offers = offers_of(self.ruleset)

    def amiss(self, place: Place, what: str) -> FileError:
        return FileError(f"{self.written.where(place)}: {what}")

    def plan(self) -> Plan:
        experiment = self.experiment
        version, rules_hash = plans.versions(experiment.ruleset)
        made = Plan(
            format=plans.FORMAT,
            campale=version,
            ruleset=experiment.ruleset,
            rules_hash=rules_hash,
            seed=str(experiment.seed),
            title=experiment.title,
            variants=tuple(self.variants()),
            scenes=tuple(self.scenes()),
            battles=experiment.battles or (experiment.precision.most if experiment.precision is not None else 0),
            precision=experiment.precision,
            most_answers=experiment.most_answers,
        )
        self.try_out(made)
        return made

    # ------------------------------------------------------------------ variants

    def variants(self) -> list[Variant]:
        experiment = self.experiment
        try:
            found = grid(experiment.vary, experiment.together)
        except PathError as error:
            raise self.amiss(("vary",), sentence(error)) from None
        self.check_values()
        made = [self.variant(changes) for changes in found]
        self.check_variants(made)
        return made

    def check_values(self) -> None:
        """No value of a list twice; of lists that go together, no row of values twice."""
        experiment = self.experiment
        for path, values in experiment.vary.items():
            if pair := first_twice(values):
                raise self.amiss(("vary", path, pair[1]), twice_told(shown(values[pair[1]]), pair))
        rows = list(zip(*experiment.together.values(), strict=True))
        if pair := first_twice(rows):
            path = next(iter(experiment.together))
            told = ", ".join(shown(value) for value in rows[pair[1]])
            raise self.amiss(("together", path, pair[1]), twice_told(told, pair))

    def check_variants(self, made: list[Variant]) -> None:
        """What is written otherwise, and yet comes to the same, would be compared with itself."""
        defaults = {switch.name: switch.default for switch in self.ruleset.switches}
        pair = first_twice([substance(one, defaults) for one in made])
        if pair:
            one, other = (f"{number} ({made[number].label})" for number in pair)
            raise self.amiss(("vary",), f"variants {one} and {other} are the same battles. Keep one of the two.")

    def variant(self, changes: Changes) -> Variant:
        experiment = self.experiment
        tree: dict[str, Any] = msgspec.to_builtins({name: getattr(experiment, name) for name in ROOTS})
        for side in SIDES:
            tree[side]["player"] = getattr(experiment, side).player
        try:
            tree = varied(tree, changes, lambda force: self.force(force, ("vary",))[1])
        except PathError as error:
            raise self.amiss(self.place_of(error.path), sentence(error)) from None
        first, second = (self.fielding(side, tree[side], changes) for side in SIDES)
        agreed = self.agreed(tree["agreed"], (first, second), changes)
        return Variant(label(changes), changes, first, second, self.options(tree["options"], changes), agreed)

    def place_of(self, path: str) -> Place:
        return ("vary" if path in self.experiment.vary else "together", path)

    def place_in(self, changes: Changes, *steps: str) -> Place:
        """Where the file says a thing: where it is varied, or else where it stands."""
        route = ".".join(steps)
        path = next((one for one in changes if one == route or one.startswith((f"{route}.", f"{route}["))), None)
        return steps if path is None else self.place_of(path)

    def fielding(self, side: str, plain: dict[str, Any], changes: Changes) -> Fielding:
        place = self.place_in(changes, side, "force")
        name, _ = self.force(changes.get(f"{side}.force", getattr(self.experiment, side).force), place)
        _, force = self.force(plain["force"], place)
        player, parameters = self.player(plain["player"], self.place_in(changes, side, "player"))
        return Fielding(name, force, player, parameters)

    def force(self, written: Any, place: Place) -> tuple[str, dict[str, Plain]]:
        """The name of a force and what it is."""
        if isinstance(written, str):
            offered = self.offers.force(written)
            if offered is None:
                names = [one.name for one in self.offers.forces]
                raise self.amiss(place, f"{self.ruleset.name} has no force {written!r}. {meant(written, names)}")
            return offered.name, offered.plain
        if not isinstance(written, dict):
            raise self.amiss(place, "a force is a name, {file: ...} or written out. Give one of them.")
        if set(written) == {"file"}:
            return self.force_in(written["file"], place)
        return title_in(written)["en"][:80], written

    def force_in(self, name: Any, place: Place) -> tuple[str, dict[str, Plain]]:
        """A force from a file in the experiment's folder, or in one within it."""
        path = Path(str(name))
        if not isinstance(name, str) or path.is_absolute() or ".." in path.parts:
            raise self.amiss(place, "the file of a force lies in the experiment's folder. Put it there.")
        try:
            source = (self.folder / path).read_bytes()
        except (OSError, ValueError):
            raise self.amiss(place, f"{name[:60]} cannot be read. Check its name; it lies beside this file.") from None
        content = read(source, path.name).content
        if not isinstance(content, dict):
            raise self.amiss(place, f"{name[:60]} holds no force. Look at those that come with the book.")
        return path.stem, content

    def player(self, written: Any, place: Place) -> tuple[str, dict[str, Plain]]:
        parameters = dict(written) if isinstance(written, dict) else {"name": written}
        name = parameters.pop("name", None)
        try:
            player_of(Fielding("", {}, str(name), parameters), "1")
        except KeyError:
            raise self.amiss(place, f"there is no player {str(name)[:40]!r}. {among(NAMES)}") from None
        except (TypeError, ValueError) as error:
            raise self.amiss(place, f"{name} cannot be made so: {error}. Look at its parameters.") from None
        return str(name), parameters

    def options(self, written: dict[str, Plain], changes: Changes) -> dict[str, Plain]:
        try:
            self.ruleset.with_options(written)
        except (ValueError, TypeError) as error:
            places = [self.place_in(changes, "options", name) for name in written if name in str(error)]
            raise self.amiss(places[0] if places else ("options",), sentence(error)) from None
        return written

    # ------------------------------------------------------------------ what is agreed

    def agreed(self, written: dict[str, Plain], sides: tuple[Fielding, Fielding], changes: Changes) -> dict[str, Plain]:
        """All terms of the book. Without a size, both forces may be as large as they are."""
        size = self.offers.term(self.offers.size)
        chosen = dict(written)
        if size is not None and size.name not in chosen and self.experiment.sizes is None:
            costs = [self.cost(side, one, changes) for side, one in zip(SIDES, sides, strict=True)]
            chosen[size.name] = max(costs + usual_size(size))
        try:
            return self.offers.agreed(chosen)
        except ValueError as error:
            places = [self.place_in(changes, "agreed", name) for name in written if name in str(error)]
            known = among([term.name for term in self.offers.terms])
            raise self.amiss(places[0] if places else ("agreed",), f"{error}. {known}") from None

    def cost(self, side: str, one: Fielding, changes: Changes) -> int:
        try:
            return self.offers.roster(one.force)[1]
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise self.amiss(self.place_in(changes, side, "force"), f"{one.force_name}: {error}") from None

    def scenes(self) -> list[Scene]:
        """Missions, layouts and sizes crossed."""
        lists = [self.terms(name) for name in ("mission", "layout", "size")]
        count = len(lists[0]) * len(lists[1]) * len(lists[2])
        if count > MOST_SCENES:
            raise self.amiss((), f"{count} missions by layouts by sizes, at most {MOST_SCENES}. Choose fewer.")
        return [Scene({name: value for name, value in chosen if name}) for chosen in product(*lists)]

    def terms(self, name: str) -> list[tuple[str, Plain]]:
        """The values of a list of the file by the name of their term; one place without a list."""
        key = f"{name}s"
        values = getattr(self.experiment, key)
        term = self.offers.term(getattr(self.offers, name))
        if values is None:
            return [("", None)]
        if term is None:
            raise self.amiss((key,), f"{self.ruleset.name} has no {key} to choose from. Leave this out.")
        if any(path == f"agreed.{term.name}" for path in (*self.experiment.vary, *self.experiment.together)):
            raise self.amiss((key,), f"agreed.{term.name} is varied too. Keep one of the two.")
        for number, value in enumerate(values):
            if not term.allows(value):
                known = among([choice.value for choice in term.choices if choice.value is not None])
                raise self.amiss((key, number), f"{term.name} cannot be {str(value)[:60]!r}. {known}")
        return [(term.name, value) for value in values]

    # ------------------------------------------------------------------ trying out

    def try_out(self, made: Plan) -> None:
        """Set every battle out once, so that what the book refuses is told now."""
        if made.per_pair * len(made.scenes) > MOST_SETUPS:
            count = made.per_pair * len(made.scenes)
            raise self.amiss((), f"{count} set-ups to try out, at most {MOST_SETUPS}. Vary less at a time.")
        faults: dict[str, None] = {}
        for number, setup in plans.setups(made):
            fault = plans.fault_in(self.ruleset, setup)
            if fault:
                variant = made.variants[number]
                place = self.place_of(next(iter(variant.changes))) if variant.changes else ()
                told = f" (variant {number}: {variant.label})" if variant.changes else ""
                faults[f"{self.written.where(place)}: {self.ruleset.name} refuses this battle{told}: {fault}"] = None
            if len(faults) >= MOST_TOLD:
                break
        if faults:
            raise FileError(*faults)


def first_twice(values: Sequence[Any]) -> tuple[int, int] | None:
    """The places of the first value that is there already, and of its like."""
    seen: dict[str, int] = {}
    for place, value in enumerate(values):
        before = seen.setdefault(json_of(value), place)
        if before != place:
            return before, place
    return None


def json_of(value: Any) -> str:
    """Values that are alike as the same text: 3 and 3.0 are, true and 1 (books take one for the other), and keys in
    another order."""
    return msgspec.json.encode(whole(msgspec.to_builtins(value)), order="sorted").decode()


def whole(plain: Any) -> Any:
    if isinstance(plain, dict):
        return {key: whole(value) for key, value in plain.items()}
    if isinstance(plain, list | tuple):
        return [whole(value) for value in plain]
    is_whole = isinstance(plain, bool) or (isinstance(plain, float) and plain.is_integer())
    return int(plain) if is_whole else plain


def twice_told(value: str, places: tuple[int, int]) -> str:
    one, other = (place + 1 for place in places)
    return f"the value {value} is there twice, at {one} and {other}: it would meet itself. Keep one of them."


def substance(variant: Variant, defaults: Mapping[str, Plain]) -> dict[str, Any]:
    """What a variant's battles hang on, whatever it is called."""
    sides = [(one.force, one.player, one.parameters) for one in (variant.first, variant.second)]
    return {"sides": sides, "options": {**defaults, **variant.options}, "agreed": variant.agreed}


def usual_size(term: Term) -> list[int]:
    return [term.default] if isinstance(term.default, int) else []


def sentence(error: Exception) -> str:
    text = str(error)
    return text if text.endswith((".", "?")) else f"{text}."


def among(names: Any) -> str:
    return f"Choose one of {', '.join(map(str, names))}."
