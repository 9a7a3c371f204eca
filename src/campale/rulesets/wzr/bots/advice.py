"""What answers are worth to a bot that plays nothing through. This is a judgement, not a rule."""

from __future__ import annotations

from campale.mechanics.judgement.advice import Adviser, by_prompt
from campale.rulesets.wzr.bots import acts, cards

ADVISERS: dict[str, Adviser] = {**cards.ADVICE, **acts.ADVICE}
"""Advisers by the prompt of the question or of the form's field."""

advise = by_prompt(ADVISERS)
