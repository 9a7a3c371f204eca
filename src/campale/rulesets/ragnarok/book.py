"""The parts that options and house rules may replace: the phases, the actions, the reactions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from campale.mechanics.phases import Phase
from campale.rulesets.ragnarok.turn.actions import ACTIONS
from campale.rulesets.ragnarok.turn.declaring import Action
from campale.rulesets.ragnarok.turn.reactions import REACTIONS
from campale.rulesets.ragnarok.turn.sequence import phases


class Book(NamedTuple):
    phases: Mapping[str, Phase]
    actions: Mapping[str, Action]
    reactions: Mapping[str, Action]


BOOK = Book(phases(), ACTIONS, REACTIONS)
