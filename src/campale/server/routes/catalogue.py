"""The books over HTTP: the choices in each, and every rule with its ruling and its code."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request, Response

from campale.referee.ledgers import sources
from campale.referee.ledgers.ledger import Entry, chapter_title
from campale.referee.offers import Choice, Layout, Offers, Roster, Term, Title, offers_from
from campale.referee.ruleset import Ruleset, Setup, Switch, load_ruleset, ruleset_names, switch_off, unplayable
from campale.referee.telling.spoken import told as in_tongue
from campale.referee.telling.teller import Teller
from campale.screen.looking import card
from campale.screen.scene import piece_shown
from campale.screen.sheet import rule_shown
from campale.screen.shown import Card, PieceShown, RuleShown
from campale.server.battle.draft import Unknown
from campale.server.routes.asking import Language
from campale.server.routes.openapi import answer, body_of, gives, lasting
from campale.server.told import told

router = APIRouter(prefix="/api/books", tags=["books"])
Sought = Annotated[str, Query(description="Only rules in which all these words occur.", max_length=200)]
Book = Annotated[str, Path(description="The short name of a book.", max_length=60)]


# ---------------------------------------------------------------- records


class Named(msgspec.Struct, frozen=True):
    name: str
    title: str


class Ready(msgspec.Struct, frozen=True):
    """A battle ready to play: forces by name."""

    title: str
    agreed: dict[str, Any]
    forces: list[str]


class BookLine(msgspec.Struct, frozen=True):
    """``reads_lists``: whether the book turns lists of other programs into armies."""

    name: str
    title: str
    unit: str
    is_complete: bool
    reads_lists: bool
    missions: list[Named]


class BookOff(msgspec.Struct, frozen=True):
    """An installed book that cannot be played: its package, and the reason."""

    name: str
    package: str
    why: str


class RuleTold(msgspec.Struct, frozen=True):
    """A rule with its text; ``spoken`` is the language of the text in the ledger."""

    id: str
    title: str
    text: str
    spoken: str


class ValueShown(msgspec.Struct, frozen=True):
    """A value to choose. ``rules``: its rules, if they are shown before the choice."""

    value: Any
    text: str
    rules: list[RuleTold] = []


class OptionShown(msgspec.Struct, frozen=True):
    """An optional rule, or a ruling that a club may decide differently."""

    name: str
    rule: RuleShown
    title: str
    text: str
    values: list[ValueShown]
    default: Any


class TermShown(msgspec.Struct, frozen=True):
    """A term of the agreement before a battle.

    ``between``: any whole number from the first to the second is allowed too.
    """

    name: str
    rule: RuleShown
    title: str
    values: list[ValueShown]
    default: Any
    between: tuple[int, int] | None = None


class LayoutShown(msgspec.Struct, frozen=True):
    name: str
    title: str
    width: float
    depth: float
    pieces: list[PieceShown]


class CardLine(msgspec.Struct, frozen=True):
    """A number of models of one profile in a unit. ``points`` is their total."""

    unit: str
    title: str
    count: int
    points: int
    card: Card


class ForceShown(msgspec.Struct, frozen=True):
    """A force. ``points`` is the limit it was built for, ``cost`` its actual cost."""

    name: str
    title: str
    points: int
    cost: int
    army_list: str = msgspec.field(name="list")
    list_title: str
    cards: list[CardLine]


class BookShown(msgspec.Struct, frozen=True):
    """All choices of a book. ``mission``, ``layout`` and ``size`` name the terms for these ("": none)."""

    name: str
    title: str
    unit: str
    is_complete: bool
    reads_lists: bool
    missions: list[Named]
    ready: list[Ready]
    options: list[OptionShown]
    layouts: list[LayoutShown]
    forces: list[ForceShown]
    sizes: list[int]
    agreements: list[TermShown]
    mission: str
    layout: str
    size: str


class RuleLine(msgspec.Struct, frozen=True):
    """``chapter`` is the beginning of its id, ``heading`` the book's name for the chapter."""

    id: str
    title: str
    chapter: str
    heading: str


class CodeShown(msgspec.Struct, frozen=True):
    file: str
    line: int
    name: str
    source: str


class RuleText(msgspec.Struct, frozen=True):
    """A rule. ``text_language`` is the language of its text in the ledger. ``source``: its place in the ledger."""

    id: str
    title: str
    text: str
    ruling: str | None
    text_language: str
    source: str
    needs: list[RuleShown]
    code: list[CodeShown]


class ForceTried(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The player's own force as its file has it, and the terms agreed so far."""

    force: dict[str, Any]
    agreed: dict[str, Any] = {}


class ForceJudged(msgspec.Struct, frozen=True):
    """The faults of a force (none: it may be fielded), and its content if known."""

    reasons: list[str]
    force: ForceShown | None = None


# ---------------------------------------------------------------- the routes


@router.get("", **gives(list[BookLine], text="The books that can be played."))
def books(request: Request, language: Language) -> Response:
    return lasting(request, all_books(ruleset_names(), language))


@router.get("-off", **gives(list[BookOff], text="Installed books that cannot be played, and why."))
def books_off() -> Response:
    return answer([BookOff(one.name, one.package, one.why) for one in unplayable()])


@router.get("/{book}", **gives(BookShown, text="A book, and all that can be chosen of it."))
def one_book(request: Request, book: Book, language: Language) -> Response:
    return lasting(request, book_told(playable(book).name, language))


@router.get("/{book}/rules", **gives(list[RuleLine], text="The rules of a book, in its order."))
def rules(
    request: Request,
    book: Book,
    language: Language,
    seek: Sought = "",
) -> Response:
    ruleset = playable(book)
    if not seek.strip():
        return lasting(request, rules_told(ruleset.name, language))
    return answer([rule_line(one, Teller(ruleset, language)) for one in ruleset.ledger.find(seek)])


@router.get("/{book}/rules/{rule:path}", **gives(RuleText, text="A rule: text, ruling, and the code that does it."))
def one_rule(
    request: Request, book: Book, rule: Annotated[str, Path(description="Its id.", max_length=200)], language: Language
) -> Response:
    if rule not in playable(book).ledger.entries:
        raise Unknown("no-rule", rule=rule[:100])
    return lasting(request, rule_told(book, rule, language))


@router.post("/{book}/force", **gives(ForceJudged, takes=ForceTried, text="What is wrong with a force."))
def judge_force(book: Book, tried: Annotated[ForceTried, Depends(body_of(ForceTried))], language: Language) -> Response:
    ruleset = playable(book)
    reasons = faults_of(ruleset, tried.force, tried.agreed, language)
    return answer(ForceJudged(reasons, force_tried(ruleset, tried.force, language)))


# ---------------------------------------------------------------- books


def playable(name: str) -> Ruleset:
    """The ruleset of this name, if it has ready battles. Raises Unknown."""
    found = load_ruleset(name) if name in ruleset_names() else None
    if found is None or found.starters is None:
        raise Unknown("no-book", book=name[:60])
    return found


def offers_of(ruleset: Ruleset) -> Offers:
    """The choices of a book; if it declares none, those of its ready battles."""
    if ruleset.offers is not None:
        return ruleset.offers()
    return offers_from(ruleset.starters() if ruleset.starters is not None else ())


@lru_cache(maxsize=4)
def all_books(names: tuple[str, ...], language: str) -> bytes:
    rulesets = [load_ruleset(name) for name in names]
    lines = (line_or_off(one, language) for one in rulesets if one.starters is not None)
    return msgspec.json.encode([line for line in lines if line is not None])


def line_or_off(ruleset: Ruleset, language: str) -> BookLine | None:
    """The line of a book; None for an installed book whose offers fail: it is switched off."""
    try:
        return line_of(ruleset, language)
    except Exception as error:
        if ruleset.patience is None:
            raise
        switch_off(ruleset.name, f"{type(error).__name__}: {error}")
        return None


def line_of(ruleset: Ruleset, language: str) -> BookLine:
    title = ruleset.title[language]
    reads = ruleset.read_list is not None
    return BookLine(ruleset.name, title, ruleset.unit, ruleset.is_complete, reads, missions_of(ruleset, language))


def missions_of(ruleset: Ruleset, language: str) -> list[Named]:
    offers = offers_of(ruleset)
    term = offers.term(offers.mission)
    choices = term.choices if term is not None else ()
    return [Named(one.value, one.title[language]) for one in choices if isinstance(one.value, str)]


@lru_cache(maxsize=16)
def book_told(name: str, language: str) -> bytes:
    ruleset = load_ruleset(name)
    offers, teller = offers_of(ruleset), Teller(ruleset, language)
    size = offers.term(offers.size)
    return msgspec.json.encode(
        BookShown(
            name,
            ruleset.title[language],
            ruleset.unit,
            ruleset.is_complete,
            ruleset.read_list is not None,
            missions_of(ruleset, language),
            ready_battles(ruleset, language),
            [option_shown(one, teller) for one in ruleset.switches],
            [layout_shown(one, teller) for one in offers.layouts],
            [force_shown(ruleset, one.plain, language) for one in offers.forces],
            [one.value for one in size.choices if isinstance(one.value, int)] if size is not None else [],
            [term_shown(one, teller, one.name == offers.mission) for one in offers.terms],
            offers.mission,
            offers.layout,
            offers.size,
        )
    )


def option_shown(switch: Switch, teller: Teller) -> OptionShown:
    language = teller.language
    entry = teller.ruleset.ledger.entries.get(switch.rule)
    values = [ValueShown(value, told_value(switch, value, teller)) for value in switch.values]
    text = text_of(entry, language)[0] if entry is not None else ""
    return OptionShown(
        switch.name, rule_shown(switch.rule, teller), switch.title[language], text, values, switch.default
    )


def told_value(switch: Switch, value: Any, teller: Teller) -> str:
    if isinstance(value, bool):
        return told(teller.language, "yes" if value else "no")
    key = f"option.{switch.name}.{value}"
    return teller.words.say(key) if teller.words.has(key) else str(value)


def term_shown(term: Term, teller: Teller, is_told: bool) -> TermShown:
    """A term, each value with its rules if these are shown."""
    language = teller.language
    values = [
        ValueShown(one.value, one.title[language], rules_about(one, term, teller) if is_told else [])
        for one in term.choices
    ]
    rule = rule_shown(term.rule, teller)
    return TermShown(term.name, rule, term.title[language], values, term.default, term.between)


def rules_about(choice: Choice, term: Term, teller: Teller) -> list[RuleTold]:
    """The rules named by a choice.

    Without named rules: the rules of the term's chapter with the value's name in their ids, or a rule of that name in
    another chapter; if there is none, the rule of the term.
    """
    value = choice.value
    entries = teller.ruleset.ledger.entries
    chapter = term.rule.partition("/")[0]
    named = value.replace("_", "-").lower() if isinstance(value, str) and value else None
    in_chapter = [one for id_, one in entries.items() if named and bears(id_, named, chapter)]
    elsewhere = [one for id_, one in entries.items() if named and id_.partition("/")[2] == named]
    own = [entries[term.rule]] if term.rule in entries else []
    of = [entries[id_] for id_ in choice.rules] or in_chapter or elsewhere or own
    return [RuleTold(one.id, titled(one.title, teller.language), *text_of(one, teller.language)) for one in of]


def bears(id_: str, named: str, chapter: str) -> bool:
    """Whether an id of the chapter has the name as one of its words."""
    of, _, rest = id_.partition("/")
    return of == chapter and f"-{named}-" in f"-{rest}-"


def layout_shown(layout: Layout, teller: Teller) -> LayoutShown:
    pieces = [piece_shown(piece, teller) for piece in layout.pieces]
    return LayoutShown(layout.name, layout.title[teller.language], layout.width, layout.depth, pieces)


def ready_battles(ruleset: Ruleset, language: str) -> list[Ready]:
    setups = ruleset.starters() if ruleset.starters is not None else ()
    return [found for setup in setups if (found := ready_battle(ruleset, setup, language)) is not None]


def ready_battle(ruleset: Ruleset, setup: Setup, language: str) -> Ready | None:
    """A ready set-up by the names of its forces; None if one of them cannot be chosen."""
    offers = offers_of(ruleset)
    known = [next((one for one in offers.forces if one.plain == plain), None) for plain in setup.forces]
    forces = [one for one in known if one is not None]
    if len(forces) < len(known):
        return None
    chosen = [title_of(offers, name, setup.agreed.get(name), language) for name in (offers.mission, offers.layout)]
    sides = " – ".join(one.title[language] for one in forces)
    return Ready(" · ".join([sides, *filter(None, chosen)]), setup.agreed, [one.name for one in forces])


def title_of(offers: Offers, name: str, value: Any, language: str) -> str:
    """The title of a value of a term."""
    term = offers.term(name)
    found = next((one.title[language] for one in term.choices if one.value == value), "") if term is not None else ""
    return found or ("" if value is None else str(value))


# ---------------------------------------------------------------- forces


def force_shown(ruleset: Ruleset, plain: dict[str, Any], language: str) -> ForceShown:
    """A force. Raises ValueError for anything that is not one."""
    offers = offers_of(ruleset)
    title, cost, roster = offers.roster(plain)
    known = next((one for one in offers.forces if one.plain == plain), None)
    cards = [card_line(ruleset, one, language) for one in roster]
    if known is None:
        return ForceShown("", title[language], cost, cost, "", "", cards)
    listed = known.list_title[language]
    return ForceShown(known.name, title[language], known.points, cost, known.army_list, listed, cards)


def force_tried(ruleset: Ruleset, plain: dict[str, Any], language: str) -> ForceShown | None:
    try:
        return force_shown(ruleset, plain, language)
    except ValueError:
        return None


def card_line(ruleset: Ruleset, line: Roster, language: str) -> CardLine:
    shown = msgspec.structs.replace(card(line.model(ruleset), language), title=line.title[language])
    return CardLine(line.unit[language], line.title[language], line.count, line.points, shown)


def faults_of(ruleset: Ruleset, plain: dict[str, Any], agreed: dict[str, Any], language: str) -> list[str]:
    """Every reason why a force may not be fielded."""
    if ruleset.check_force is None:
        return []
    return [one_fault(ruleset, found, language) for found in ruleset.check_force(plain, agreed)]


def one_fault(ruleset: Ruleset, found: Any, language: str) -> str:
    """A fault of a force: a sentence, in both languages if it has them, or the text of a refusal."""
    return in_tongue(found, language) if isinstance(found, str) else Teller(ruleset, language).refusal(found)


# ---------------------------------------------------------------- rules


@lru_cache(maxsize=16)
def rules_told(name: str, language: str) -> bytes:
    ruleset = load_ruleset(name)
    teller = Teller(ruleset, language)
    return msgspec.json.encode([rule_line(one, teller) for one in ruleset.ledger.entries.values()])


def rule_line(entry: Entry, teller: Teller) -> RuleLine:
    chapter = entry.id.partition("/")[0]
    return RuleLine(entry.id, titled(entry.title, teller.language), chapter, chapter_title(chapter, teller.words))


@lru_cache(maxsize=512)
def rule_told(name: str, id_: str, language: str) -> bytes:
    ruleset = load_ruleset(name)
    entry, folder = ruleset.ledger.entries[id_], ruleset.folder
    text, spoken = text_of(entry, language)
    teller = Teller(ruleset, language)
    code = [
        CodeShown(place.path.relative_to(folder).as_posix(), place.line, place.name, place.source)
        for place in sources.functions_citing(folder, id_)
    ]
    return msgspec.json.encode(
        RuleText(
            id_,
            titled(entry.title, language),
            text,
            ruling_of(entry, language),
            spoken,
            f"rules.yaml:{sources.line_in_ledger(folder / 'rules.yaml', id_)}",
            [rule_shown(one, teller) for one in entry.needs],
            code,
        )
    )


def text_of(entry: Entry, language: str) -> tuple[str, str]:
    """The text in the language if the ledger has it, otherwise in English; and its language."""
    if language == "it" and entry.text_it:
        return joined(entry.text_it), "it"
    return joined(entry.text), "en"


def ruling_of(entry: Entry, language: str) -> str | None:
    ruling = (entry.ruling_it if language == "it" else None) or entry.ruling
    return joined(ruling) if ruling else None


def joined(text: str) -> str:
    return " ".join(text.split())


def titled(title: Title, language: str) -> str:
    return title.get(language) or title.get("en", "")
