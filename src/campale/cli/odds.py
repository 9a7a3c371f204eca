"""The command that asks for odds without a battle: a query from its options, a file or a link, shown or compared."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from campale.cli.common import Sorry, language, ruleset_named, say, yaml_of

if TYPE_CHECKING:
    from campale.referee.ruleset import Ruleset

FILE_KEYS = ("book", "query", "compare", "order")
ORDERS = {"best": "losses", "losses": "losses", "wipe-out": "wipe-out"}
EPILOG = (
    "Example: campale odds RULESET --attacker FORCE:CARD --target FORCE:CARD --distance 12 --weapon rifle*5. "
    "--list tells what may be given."
)

Texts = list[str]
WEAPON = "What is fired, and by how many, as rifle*5; again and again, in the order of fire."
AGAINST = "Another target, to compare with; may be given again and again."
VARY = "A field and values to compare, as distance=6,12,24 (values that have commas: with / between them)."


def add_to(app: typer.Typer) -> None:
    app.command(epilog=EPILOG)(odds)


def odds(
    book: Annotated[str, typer.Argument(metavar="RULESET")] = "",
    attacker: Annotated[str, typer.Option(help="The attacker: army:card, a profile, or one written inline.")] = "",
    target: Annotated[str, typer.Option(help="The target, in the same way.")] = "",
    weapon: Annotated[Texts | None, typer.Option(help=WEAPON)] = None,
    distance: Annotated[str, typer.Option(help="The distance, in the unit of the rulebook.")] = "",
    cover: Annotated[str, typer.Option(help="What covers the target.")] = "",
    state: Annotated[Texts | None, typer.Option(help="A state of the attackers, or target:STATE.")] = None,
    policy: Annotated[Texts | None, typer.Option(help="A choice of the players, like save=cover.")] = None,
    option: Annotated[Texts | None, typer.Option(help="An option or ruling of the rulebook, like night=true.")] = None,
    setting: Annotated[Texts | None, typer.Option("--set", help="Any other field, like attacker-models=8.")] = None,
    against: Annotated[Texts | None, typer.Option(help=AGAINST)] = None,
    vary: Annotated[Texts | None, typer.Option(help=VARY)] = None,
    order: Annotated[str, typer.Option(metavar="best|wipe-out", help="Find the best order of the weapons.")] = "",
    file: Annotated[Path | None, typer.Option(help="A query in a YAML file; other options override it.")] = None,
    link: Annotated[str, typer.Option(help="The link of a query or of a comparison; other options override it.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    listing: Annotated[bool, typer.Option("--list", help="List what may be given, with the present choices.")] = False,
) -> None:
    """Tell the exact odds of fire without a battle: hits, wounds, losses, stage by stage; compare, order, link."""
    named = {"attacker": attacker, "target": target, "distance": distance, "cover": cover}
    pairs = [*prefixed("policy-", policy), *prefixed("option-", option), *(setting or ())]
    written = {**{name: text for name, text in named.items() if text}, **dict(map(pair_of, pairs))}
    if weapon:
        written["weapons"] = ",".join(weapon)
    written.update(states_of(state or ()))
    query = Asked(book, file, link)
    query.add(written, against or (), vary or (), order)
    from campale.cli import odds_shown

    odds_shown.tell(query.ruleset, query.written, query.varied, query.aim, as_json, listing)


def prefixed(prefix: str, pairs: Texts | None) -> list[str]:
    return [prefix + pair for pair in pairs or ()]


def pair_of(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise Sorry(say("odds-bad-pair", pair=text))
    return name, value


def states_of(states: list[str] | tuple[str, ...]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for one in states:
        name = "target-states" if one.startswith("target:") else "attacker-states"
        found.setdefault(name, []).append(one.removeprefix("target:"))
    return {name: ",".join(several) for name, several in found.items()}


class Asked:
    """A query as asked: the book, the values written in its fields, the fields varied, and the aim."""

    def __init__(self, book: str, file: Path | None, link: str) -> None:
        self.written: dict[str, Any] = {}
        self.varied: dict[str, list[Any]] = {}
        self.aim = ""
        if link:
            book = self.from_link(link, book)
        if file is not None:
            book = self.from_file(file, book)
        if not book:
            raise Sorry(say("odds-no-book"))
        self.ruleset: Ruleset = ruleset_named(book)

    def from_link(self, link: str, book: str) -> str:
        from campale.odds.link import read
        from campale.odds.troubles import QueryError

        try:
            linked = read(link)
        except QueryError as error:
            raise Sorry(error.told(language.get())) from None
        self.written.update(linked.written)
        self.varied.update(linked.compare)
        self.aim = aim_of(linked.order)
        return same_book(linked.book, book)

    def from_file(self, file: Path, book: str) -> str:
        plain = yaml_of(file)
        known = isinstance(plain, dict) and set(plain) <= set(FILE_KEYS) and isinstance(plain.get("query", {}), dict)
        if not known or not is_table_of_lists(plain.get("compare", {})):
            raise Sorry(say("odds-bad-file", file=file, keys=", ".join(FILE_KEYS)))
        self.written.update(plain.get("query", {}))
        self.varied.update(plain.get("compare", {}))
        self.aim = aim_of(str(plain.get("order", "")))
        return same_book(str(plain.get("book", book)), book)

    def add(self, written: dict[str, str], against: Any, vary: Any, order: str) -> None:
        """Add the values given in the command, on top of the rest."""
        self.written.update(written)
        for pair in vary:
            name, values = pair_of(pair)
            self.varied[name] = values.split("/") if "/" in values else values.split(",")
        if against:
            self.varied["target"] = [*([self.written["target"]] if "target" in self.written else []), *against]
        self.aim = aim_of(order) or self.aim


def is_table_of_lists(plain: Any) -> bool:
    return isinstance(plain, dict) and all(isinstance(one, list) and one for one in plain.values())


def aim_of(order: str) -> str:
    if order and order not in ORDERS:
        raise Sorry(say("odds-no-order", order=order, known=", ".join(ORDERS)))
    return ORDERS.get(order, "")


def same_book(found: str, wanted: str) -> str:
    if wanted and found != wanted:
        raise Sorry(say("odds-other-book", found=found[:60], wanted=wanted))
    return found
