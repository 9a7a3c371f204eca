"""Standing orders: questions that are answered for a player by policies set in advance.

Orders are plain data: a policy for each prompt, and one under ``default`` for the rest.

- ``"ask"``: always ask.
- ``"matter"``: ask only when it can matter: a question with one lawful answer is answered automatically, unless it is
  secret (the lack of a choice would show). The same holds for a question of which the ruleset says, from the player's
  view, that no answer can change anything (``Ruleset.needless``). A question with possible orders is also passed if
  neither side can reach the other, wherever the enemy in question may go.
- ``"own"``: the same, but a secret question is answered too if the player's own secrets leave only one answer. The
  speed of the answer would betray the lack of a choice: a server gives every such answer after the same pause.
- ``"worthwhile"``: as ``"own"``, and a question is also passed if the ruleset advises nothing else: by its estimate
  (``Ruleset.advise``) every act costs at least what it gains.
- ``"pass"``: do nothing, if the question allows it.
- ``"proposed"``: accept the proposal (see ``deploying``).
- ``{"act": [keys], "within": length}``: do the first of these that is lawful, if an enemy that the question is about is
  within the length, as the ruleset measures; other fields (the weapon, the target) are as proposed, with the nearest
  target. Otherwise pass.

The prompts for which a policy other than the first three makes sense are those that a ruleset names in its words under
``standing-orders``; ``standing-orders.<prompt>`` is their title, ``standing-orders.<prompt>.acts`` lists the words of
what can be done (``reaction.fall-back`` for the key ``fall-back``), and ``standing-orders.<prompt>.at-first`` is the
initial policy. By default only the first three can be given. An answer by order is an ordinary answer in the record.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypedDict

from campale.referee.asking import are_numbers
from campale.referee.handles import Model
from campale.referee.lawful import NoAnswer, is_passing, only_answer
from campale.referee.looks import Reach
from campale.referee.position import Position
from campale.referee.question import Allot, Choose, Form, Number, Order, Question
from campale.referee.refusal import Plain
from campale.referee.telling.teller import Teller
from campale.screen.deploying import PROPOSED, deploying, taken
from campale.screen.proposing import proposed
from campale.screen.shown import OrderKind
from campale.screen.telling import Marked, Marker, distinct

ORDERS = "standing-orders"
ASK, MATTER, OWN, WORTHWHILE, PASS, DEFAULT = "ask", "matter", "own", "worthwhile", "pass", "default"
POLICIES = (ASK, MATTER, OWN, WORTHWHILE, PASS, PROPOSED)
WHERE_IT_MATTERS = (MATTER, OWN, WORTHWHILE)
BY_SECRETS = (OWN, WORTHWHILE)
"""The policies that also use the player's own secrets for a secret question."""
AT_FIRST: dict[str, Plain] = {DEFAULT: MATTER}
MOST_ORDERS, LONGEST_KEY, MOST_ACTS = 200, 80, 40

Orders = Mapping[str, Plain]
NOTHING: Mapping[str, Any] = {}


class Acting(TypedDict):
    act: list[str]
    within: float


def read_orders(plain: Any) -> dict[str, Plain]:
    """The orders in a request. Raises ValueError if they cannot be read."""
    if not isinstance(plain, dict) or len(plain) > MOST_ORDERS:
        raise ValueError("orders are policies by prompt")
    if plain.get(DEFAULT, ASK) not in (ASK, *WHERE_IT_MATTERS):
        raise ValueError("by default one is asked, or asked where it can matter")
    for prompt, policy in plain.items():
        if not isinstance(prompt, str) or len(prompt) > LONGEST_KEY or not (policy in POLICIES or is_acting(policy)):
            raise ValueError(f"'{str(prompt)[:LONGEST_KEY]}' has no such policy")
    return dict(plain)


def at_first(messages: Mapping[str, str]) -> dict[str, Plain]:
    """The initial orders, by the words of a book."""
    known = {prompt: messages.get(f"{ORDERS}.{prompt}.at-first") for prompt in messages.get(ORDERS, "").split()}
    return {**AT_FIRST, **{prompt: policy for prompt, policy in known.items() if policy is not None}}


def is_acting(policy: Any) -> bool:
    if not isinstance(policy, dict) or set(policy) != {"act", "within"} or not are_numbers([policy["within"]]):
        return False
    acts = policy["act"]
    fits = isinstance(acts, list) and 0 < len(acts) <= MOST_ACTS and 0.0 <= policy["within"] < math.inf
    return fits and all(isinstance(one, str) and len(one) <= LONGEST_KEY for one in acts)


def kinds(teller: Teller) -> list[OrderKind]:
    """The prompts with possible orders, and the possible acts for each."""
    messages = teller.words.messages
    return [
        OrderKind(
            prompt,
            teller.words.say(f"{ORDERS}.{prompt}"),
            [
                (key.partition(".")[2], teller.words.say(key))
                for key in messages.get(f"{ORDERS}.{prompt}.acts", "").split()
            ],
        )
        for prompt in ordered(teller)
    ] + deploying(teller)


def ordered(teller: Teller) -> list[str]:
    return teller.words.messages.get(ORDERS, "").split()


def standing_answer(question: Question, orders: Orders, position: Position, teller: Teller) -> tuple[Plain] | None:
    """The answer that the orders give, or None if the player gets the question.

    ``position`` is what his side sees. The result is a tuple, because an answer may itself be None.
    """
    if question.is_chance:
        return None
    policy = policy_for(question, orders)
    if policy == ASK:
        return None
    found = taken(question, teller) if policy == PROPOSED else None
    if found is None and (is_open(question) or policy in BY_SECRETS):
        found = sole_answer(question)
    if found is None and policy in WHERE_IT_MATTERS:
        found = needless(question, position)
        if found is None and is_idle(question, Marker(position, teller)):
            found = passing(question)
    if found is None and policy == WORTHWHILE:
        found = not_worth_it(question, position)
    if found is None and policy == PASS:
        found = passing(question)
    if found is None and isinstance(policy, dict):
        found = acting(question, Acting(act=policy["act"], within=policy["within"]), Marker(position, teller))
    return found if found is not None and question.refusal(found[0]) is None else None


def policy_for(question: Question, orders: Orders) -> Plain:
    return orders.get(question.prompt, orders.get(DEFAULT, ASK))


def is_paced(question: Question, orders: Orders) -> bool:
    """Whether an answer by order comes after a constant pause, because it depends on the player's own secrets."""
    return not is_open(question) and policy_for(question, orders) in BY_SECRETS


def needless(question: Question, position: Position) -> tuple[Plain] | None:
    """The ruleset's answer if no answer can change anything."""
    tells = position.ruleset.needless
    return tells(position, question) if tells is not None and is_open(question) else None


def not_worth_it(question: Question, position: Position, within: Mapping[str, Any] = NOTHING) -> tuple[Plain] | None:
    """The passing answer, if the ruleset advises nothing worth more; for a form without advice, in each field.

    ``within``: what the surrounding form is about.
    """
    advise, nothing = position.ruleset.advise, passing(question)
    if advise is None or nothing is None:
        return None
    about = {**within, **question.about}
    worth = {repr(answer): value for answer, value in advise(position, question, about)}
    if isinstance(question, Form) and not worth:
        return nothing_worth_it(question, position, about)
    least = worth.pop(repr(nothing[0]), None)
    return nothing if least is not None and all(value <= least for value in worth.values()) else None


def nothing_worth_it(form: Form, position: Position, about: Mapping[str, Any]) -> tuple[Plain] | None:
    """Pass in each field, if nothing is worth more in any."""
    answers: list[Plain] = []
    for field in fields(form, answers):
        nothing = not_worth_it(field, position, about)
        if nothing is None:
            return None
        answers.append(nothing[0])
    return (answers,)


def is_open(question: Question) -> bool:
    return bool(question.about.get("open", True))


# ---------------------------------------------------------------- one lawful answer


def sole_answer(question: Question) -> tuple[Plain] | None:
    """The only lawful answer of a question. Places and paths on the table are always asked."""
    if isinstance(question, Form):
        return sole_form(question)
    if isinstance(question, Number):
        return (question.low,) if question.low == question.high else None
    if isinstance(question, Order):
        return (list(question.items),) if len(question.items) < 2 else None
    if isinstance(question, Allot):
        return ([question.holders[0] for _ in question.items],) if len(set(question.holders)) == 1 else None
    return only_answer(question) if isinstance(question, Choose) and is_scant(question) else None


def is_scant(question: Choose) -> bool:
    """Whether fewer than two keys are lawful; it judges no more keys than it needs to."""
    lawful = question.lawful()
    return next(lawful, question) is question or next(lawful, question) is question


def sole_form(form: Form) -> tuple[Plain] | None:
    """The only answer of a form, if each field has only one."""
    answers: list[Plain] = []
    for field in fields(form, answers):
        only = sole_answer(field) if is_open(field) else None
        if only is None:
            return None
        answers.append(only[0])
    return (answers,)


def fields(form: Form, answers: list[Plain]) -> Iterator[Question]:
    """The fields one after another; the caller adds each answer to ``answers``."""
    filled: list[Any] = []
    while (field := form.after(filled)) is not None:
        yield field
        filled.append(field.understood(answers[-1]))


# ---------------------------------------------------------------- doing nothing


def passing(question: Question) -> tuple[Plain] | None:
    """The answer that does nothing, if there is one."""
    if isinstance(question, Choose):
        return next(((key,) for key in question.lawful() if is_passing(key)), None)
    if not isinstance(question, Form):
        return (None,) if question.kind == "along" and question.refusal(None) is None else None
    if question.idle is not None and question.refusal(question.idle) is None:
        return (question.idle,)
    answers: list[Plain] = []
    for field in fields(question, answers):
        nothing = passing(field) or sole_answer(field)
        if nothing is None:
            return None
        answers.append(nothing[0])
    return (answers,)


# ---------------------------------------------------------------- questions that cannot matter


def is_idle(question: Question, marker: Marker) -> bool:
    """Whether orders are possible for the question, and none of its models is in reach of an enemy."""
    reaches = marker.position.ruleset.reaches
    if reaches is None or question.prompt not in ordered(marker.teller):
        return False
    own, enemies = parties(question, everybody(question, marker), marker.position)
    pairs = [(marker.position.model(a), marker.position.model(b)) for a in own for b in enemies]
    return bool(pairs) and not any(is_in_reach(one, other, reaches) for one, other in pairs)


def everybody(question: Question, marker: Marker) -> Marked:
    """The models of a question, and of each field of a form if the player passes."""
    found = marker.of_fields(question.about)
    if isinstance(question, Form):
        answers: list[Plain] = []
        for field in fields(question, answers):
            found = joined(found, marker.of_fields(field.about))
            nothing = passing(field)
            if nothing is None:
                break
            answers.append(nothing[0])
    return found


def parties(question: Question, about: Marked, position: Position) -> tuple[list[int], list[int]]:
    """The models on the table, of the asked side and of the other."""
    rows = [row for row in distinct([*about.actors, *about.targets]) if position.model(row).is_on_table]
    own = [row for row in rows if position.side_of[row] == question.side]
    return own, [row for row in rows if row not in own]


def is_in_reach(one: Model, other: Model, reaches: Callable[[Model], Sequence[Reach]]) -> bool:
    """Whether one of them can reach the other after the other has moved."""
    theirs = reaches(other)
    longest = max((reach.reach for reach in (*reaches(one), *theirs)), default=math.inf)
    nearer = max((reach.reach for reach in theirs if reach.kind == "move"), default=0.0)
    return gap(one, other) <= longest + nearer


# ---------------------------------------------------------------- doing something


def acting(question: Question, policy: Acting, marker: Marker) -> tuple[Plain] | None:
    """The act of the orders, or passing if no enemy is near enough."""
    about = marker.of_fields(question.about)
    if not isinstance(question, Form):
        return one_act(question, policy, about, marker) or passing(question)
    answers: list[Plain] = []
    has_acted = False
    for field in fields(question, answers):
        given = one_act(field, policy, joined(about, marker.of_fields(field.about)), marker)
        has_acted = has_acted or given is not None
        given = given or passing(field) or (further(field, policy, marker) if has_acted else None)
        if given is None:
            return None
        answers.append(given[0])
    return (answers,)


def joined(one: Marked, other: Marked) -> Marked:
    return Marked([*one.actors, *other.actors], [*one.targets, *other.targets])


def one_act(question: Question, policy: Acting, about: Marked, marker: Marker) -> tuple[Plain] | None:
    """The first lawful act, if an enemy that the question is about is near enough."""
    if not isinstance(question, Choose) or not is_near(question, about, policy["within"], marker):
        return None
    lawful = {word_of(key): key for key in question.options()}
    return next(((lawful[act],) for act in policy["act"] if act in lawful), None)


def word_of(key: Plain) -> Plain:
    """The meaning of an option: the key, or its first word."""
    return key[0] if isinstance(key, list | tuple) and key and isinstance(key[0], str) else key


def is_near(question: Question, about: Marked, within: float, marker: Marker) -> bool:
    own, enemies = parties(question, about, marker.position)
    return any(far <= within for far in gaps(own, enemies, marker.position))


def gaps(own: Sequence[int], enemies: Sequence[int], position: Position) -> Iterator[float]:
    """The distances between models on the table."""
    return (gap(position.model(one), position.model(other)) for one in own for other in enemies)


def gap(one: Model, other: Model) -> float:
    """The distance as the ruleset measures it, if it does."""
    measure = one.position.ruleset.measure
    return float(measure(one, other)["distance"]) if measure is not None else math.dist(one.at, other.at)


def further(question: Question, policy: Acting, marker: Marker) -> tuple[Plain] | None:
    """The further fields: the nearest of several targets, otherwise the proposal."""
    if isinstance(question, Choose):
        far = target_gap(question, marker)
        nearest = min(question.options(), key=far, default=None)
        if nearest is not None and far(nearest) < math.inf:
            return (nearest,)
    try:
        return (proposed(question, marker.teller, marker.position),)
    except NoAnswer:
        return None


def target_gap(question: Choose, marker: Marker) -> Callable[[Plain], float]:
    """A function for the distance of an option's targets from the models that the question is about."""
    own = marker.of_fields(question.about).actors

    def far(key: Plain) -> float:
        targets = [row for row in marker.of_option(question, key).targets if marker.position.model(row).is_on_table]
        return min(gaps(own, targets, marker.position), default=math.inf)

    return far
