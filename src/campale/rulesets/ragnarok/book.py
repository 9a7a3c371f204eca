"""What options and house rules may exchange: the phases, the actions, the reactions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from campale.rulesets.ragnarok.actions import ACTIONS
from campale.rulesets.ragnarok.declaring import Action
from campale.rulesets.ragnarok.reactions import REACTIONS
from campale.rulesets.ragnarok.sequence import Phase, phases


class Book(NamedTuple):
    phases: Mapping[str, Phase]
    actions: Mapping[str, Action]
    reactions: Mapping[str, Action]


BOOK = Book(phases(), ACTIONS, REACTIONS)
