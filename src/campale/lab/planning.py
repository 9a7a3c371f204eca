"""From an experiment file to a plan: it looks up forces, players, missions and tables, and tries out every variant.

Every error is a ``FileError`` with file, line, error and remedy, before anything is played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import msgspec

from campale.lab import plan as plans
from campale.lab.errors import say
from campale.lab.experiment import Experiment, experiment_in, read_experiment
from campale.lab.plan import Fielding, Plan, Scene, Variant, offers_of, player_of
from campale.lab.varying import (
    LONGEST_LABEL,
    ROOTS,
    SIDES,
    Changes,
    PathError,
    grid,
    is_labelled,
    label,
    shown,
    value_of,
    varied,
)
from campale.players import NAMES
from campale.referee.offers import Offers, Term, title_in
from campale.referee.reading import FileError, Place, Written, meant, read
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset, Setup, load_ruleset, ruleset_names
from campale.referee.telling.spoken import Spoken, joined
from campale.referee.telling.teller import Teller

MOST_SCENES = 1000
MOST_SETUPS = 20_000
MOST_TOLD = 5


def plan_of(path: Path) -> Plan:
    """The plan of an experiment file. Raises FileError."""
    experiment, written = read_experiment(path)
    return Planning(experiment, written, path.parent).plan()


def plan_of_text(source: str, name: str) -> Plan:
    """The plan of an experiment file's text, which names no other file. Raises FileError."""
    return Planning(*experiment_in(source, name), Path()).plan()


class Planning:
    """An experiment on its way to a plan."""

    def __init__(self, experiment: Experiment, written: Written, folder: Path) -> None:
        self.experiment = experiment
        self.written = written
        self.folder = folder
        if experiment.ruleset not in ruleset_names():
            raise self.amiss(
                ("ruleset",), say("no-ruleset", name=repr(experiment.ruleset), advice=among(ruleset_names()))
            )
        self.ruleset: Ruleset = load_ruleset(experiment.ruleset)
        self.offers: Offers = offers_of(self.ruleset)

    def amiss(self, place: Place, what: Spoken) -> FileError:
        return FileError(say("at", at=self.written.where(place), what=what))

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
            raise self.amiss(("vary",), error.what) from None
        self.check_labels()
        self.check_values()
        made = [self.variant(written) for written in found]
        self.check_variants(made)
        return made

    def check_labels(self) -> None:
        """Labels are words, each with its value, and no two in a crossed list are alike."""
        experiment = self.experiment
        for part, lists in (("vary", experiment.vary), ("together", experiment.together)):
            for path, values in lists.items():
                for number, value in enumerate(values):
                    if is_labelled(value) and not is_sound_label(value):
                        raise self.amiss((part, path, number), say("label", most=LONGEST_LABEL))
        for path, values in experiment.vary.items():
            self.check_unlike([label({path: value}) for value in values if is_labelled(value)], ("vary", path))
        if any(is_labelled(value) for values in experiment.together.values() for value in values):
            rows = grid({}, experiment.together)
            self.check_unlike([label(row, experiment.together) for row in rows], ("together",))

    def check_unlike(self, labels: Sequence[str], place: Place) -> None:
        if pair := first_twice(labels):
            raise self.amiss(place, say("same-label", label=repr(labels[pair[1]])))

    def check_values(self) -> None:
        """No value of a list twice; of lists that go together, no row of values twice."""
        experiment = self.experiment
        for path, written in experiment.vary.items():
            values = list(map(value_of, written))
            if pair := first_twice(values):
                raise self.amiss(("vary", path, pair[1]), twice_told(shown(values[pair[1]]), pair))
        rows = list(zip(*(map(value_of, values) for values in experiment.together.values()), strict=True))
        if pair := first_twice(rows):
            path = next(iter(experiment.together))
            row = ", ".join(shown(value) for value in rows[pair[1]])
            raise self.amiss(("together", path, pair[1]), twice_told(row, pair))

    def check_variants(self, made: list[Variant]) -> None:
        """Variants that are written differently but are the same would be compared with themselves."""
        defaults = {switch.name: switch.default for switch in self.ruleset.switches}
        pair = first_twice([substance(one, defaults) for one in made])
        if pair:
            one, other = (f"{number} ({made[number].label})" for number in pair)
            raise self.amiss(("vary",), say("same", one=one, other=other))

    def variant(self, written: Changes) -> Variant:
        experiment = self.experiment
        changes = {path: value_of(value) for path, value in written.items()}
        tree: dict[str, Any] = msgspec.to_builtins({name: getattr(experiment, name) for name in ROOTS})
        for side in SIDES:
            tree[side]["player"] = getattr(experiment, side).player
        try:
            tree = varied(tree, changes, lambda force: self.force(force, ("vary",))[1])
        except PathError as error:
            raise self.amiss(self.place_of(error.path), error.what) from None
        first, second = (self.fielding(side, tree[side], changes) for side in SIDES)
        agreed = self.agreed(tree["agreed"], (first, second), changes)
        options = self.options(tree["options"], changes)
        return Variant(label(written, experiment.together), changes, first, second, options, agreed)

    def place_of(self, path: str) -> Place:
        return ("vary" if path in self.experiment.vary else "together", path)

    def place_in(self, changes: Changes, *steps: str) -> Place:
        """The place of a value in the file: where it is varied, or else where it stands."""
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
                raise self.amiss(
                    place, say("no-force", book=self.ruleset.name, name=repr(written), advice=meant(written, names))
                )
            return offered.name, offered.plain
        if not isinstance(written, dict):
            raise self.amiss(place, say("force"))
        if set(written) == {"file"}:
            return self.force_in(written["file"], place)
        return title_in(written)["en"][:80], written

    def force_in(self, name: Any, place: Place) -> tuple[str, dict[str, Plain]]:
        """A force from a file in the experiment's folder, or in one within it."""
        path = Path(str(name))
        if not isinstance(name, str) or path.is_absolute() or ".." in path.parts:
            raise self.amiss(place, say("force-outside"))
        try:
            source = (self.folder / path).read_bytes()
        except (OSError, ValueError):
            raise self.amiss(place, say("force-unread", name=name[:60])) from None
        content = read(source, path.name).content
        if not isinstance(content, dict):
            raise self.amiss(place, say("force-none", name=name[:60]))
        return path.stem, content

    def player(self, written: Any, place: Place) -> tuple[str, dict[str, Plain]]:
        parameters = dict(written) if isinstance(written, dict) else {"name": written}
        name = parameters.pop("name", None)
        try:
            player_of(Fielding("", {}, str(name), parameters), "1")
        except KeyError:
            raise self.amiss(place, say("no-player", name=repr(str(name)[:40]), advice=among(NAMES))) from None
        except (TypeError, ValueError) as error:
            raise self.amiss(place, say("player", name=name, error=error)) from None
        return str(name), parameters

    def options(self, written: dict[str, Plain], changes: Changes) -> dict[str, Plain]:
        for name, value in written.items():
            place = self.place_in(changes, "options", name)
            switch = next((one for one in self.ruleset.switches if one.name == name), None)
            if switch is None:
                known = ", ".join(one.name for one in self.ruleset.switches) or "-"
                raise self.amiss(place, say("no-option", book=self.ruleset.name, name=name, known=known))
            if value not in switch.values:
                given, known = repr(value), ", ".join(map(str, switch.values))
                raise self.amiss(place, say("option", book=self.ruleset.name, name=name, value=given, known=known))
        return written

    # ------------------------------------------------------------------ what is agreed

    def agreed(self, written: dict[str, Plain], sides: tuple[Fielding, Fielding], changes: Changes) -> dict[str, Plain]:
        """All terms of the book. Without a size, both forces may be as large as they are."""
        size = self.offers.term(self.offers.size)
        chosen = dict(written)
        if size is not None and size.name not in chosen and self.experiment.sizes is None:
            costs = [self.cost(side, one, changes) for side, one in zip(SIDES, sides, strict=True)]
            chosen[size.name] = max(costs + usual_size(size))
        for name, value in chosen.items():
            term = self.offers.term(name)
            place = self.place_in(changes, "agreed", name)
            if term is None:
                known = among([one.name for one in self.offers.terms])
                raise self.amiss(place, say("no-term", name=repr(name[:60]), advice=known))
            if not term.allows(value):
                raise self.amiss(place, cannot_be(term, value))
        return self.offers.agreed(chosen)

    def cost(self, side: str, one: Fielding, changes: Changes) -> int:
        try:
            return self.offers.roster(one.force)[1]
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            what = say("at", at=one.force_name, what=self.against(one.force, {}) or sentence(error))
            raise self.amiss(self.place_in(changes, side, "force"), what) from None

    def against(self, force: dict[str, Plain], agreed: dict[str, Plain]) -> Spoken | None:
        """The book's objection to a force, in both languages; None if there is none."""
        check = self.ruleset.check_force
        try:
            found = check(force, agreed) if check is not None else []
        except (ValueError, LookupError, TypeError, AttributeError):
            return None
        tellers = {tongue: Teller(self.ruleset, tongue) for tongue in ("en", "it")}
        return joined([fault_told(one, tellers) for one in found], " ") if found else None

    def scenes(self) -> list[Scene]:
        """Missions, layouts and sizes crossed."""
        lists = [self.terms(name) for name in ("mission", "layout", "size")]
        count = len(lists[0]) * len(lists[1]) * len(lists[2])
        if count > MOST_SCENES:
            raise self.amiss((), say("scenes", count=count, most=MOST_SCENES))
        return [Scene({name: value for name, value in chosen if name}) for chosen in product(*lists)]

    def terms(self, name: str) -> list[tuple[str, Plain]]:
        """The values of a list in the file by the name of their term; a single empty choice without a list."""
        key = f"{name}s"
        values = getattr(self.experiment, key)
        term = self.offers.term(getattr(self.offers, name))
        if values is None:
            return [("", None)]
        if term is None:
            raise self.amiss((key,), say("no-list", book=self.ruleset.name, list=key))
        if any(path == f"agreed.{term.name}" for path in (*self.experiment.vary, *self.experiment.together)):
            raise self.amiss((key,), say("varied-too", name=term.name))
        for number, value in enumerate(values):
            if not term.allows(value):
                raise self.amiss((key, number), cannot_be(term, value))
        return [(term.name, value) for value in values]

    # ------------------------------------------------------------------ trying out

    def try_out(self, made: Plan) -> None:
        """Set up every battle once, to find now what the book refuses."""
        if made.per_pair * len(made.scenes) > MOST_SETUPS:
            count = made.per_pair * len(made.scenes)
            raise self.amiss((), say("setups", count=count, most=MOST_SETUPS))
        faults: dict[Spoken, None] = {}
        for number, setup in plans.setups(made):
            fault = plans.fault_in(self.ruleset, setup)
            if fault:
                faults[self.refused(made.variants[number], number, setup, fault)] = None
            if len(faults) >= MOST_TOLD:
                break
        if faults:
            raise FileError(*faults)

    def refused(self, variant: Variant, number: int, setup: Setup, fault: str) -> Spoken:
        """The battle that the book refuses, and the reason: its objection to the forces, or its own message."""
        own = [found for force in setup.forces if (found := self.against(force, setup.agreed)) is not None]
        why: str = joined(list(dict.fromkeys(own)), " ") if own else fault
        place = self.place_of(next(iter(variant.changes))) if variant.changes else ()
        which = say("of-variant", number=number, label=variant.label) if variant.changes else ""
        what = say("refuses", book=self.ruleset.name, variant=which, why=why)
        return say("at", at=self.written.where(place), what=what)


def fault_told(found: Any, tellers: Mapping[str, Teller]) -> Spoken:
    """A fault of a force: a sentence, in both languages where it has them, or a refusal to be told."""
    if isinstance(found, Spoken):
        return found
    return Spoken(*(found if isinstance(found, str) else tellers[one].refusal(found) for one in ("en", "it")))


def cannot_be(term: Term, value: Any) -> Spoken:
    known = among([choice.value for choice in term.choices if choice.value is not None])
    return say("term", name=term.name, value=repr(str(value)[:60]), advice=known)


def is_sound_label(value: dict[str, Any]) -> bool:
    words = value["label"]
    return "value" in value and isinstance(words, str) and len(words.strip()) > 0 and len(words) <= LONGEST_LABEL


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


def twice_told(value: str, places: tuple[int, int]) -> Spoken:
    one, other = (place + 1 for place in places)
    return say("twice", value=value, one=one, other=other)


def substance(variant: Variant, defaults: Mapping[str, Plain]) -> dict[str, Any]:
    """Everything that a variant's battles depend on, without its label."""
    sides = [(one.force, one.player, one.parameters) for one in (variant.first, variant.second)]
    return {"sides": sides, "options": {**defaults, **variant.options}, "agreed": variant.agreed}


def usual_size(term: Term) -> list[int]:
    return [term.default] if isinstance(term.default, int) else []


def sentence(error: Exception) -> str:
    if isinstance(error, FileError):
        return joined(list(error.messages))
    text = str(error)
    return text if text.endswith((".", "?")) else f"{text}."


def among(names: Any) -> Spoken:
    return say("among", names=", ".join(map(str, names)))
