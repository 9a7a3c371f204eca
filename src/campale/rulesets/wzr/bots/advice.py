"""What answers are worth in the eyes of a bot that plays nothing through. It is a judgement and no rule."""

from __future__ import annotations

from campale.mechanics.judgement.advice import Adviser, by_prompt
from campale.rulesets.wzr.bots import acts, cards

ADVISERS: dict[str, Adviser] = {**cards.ADVICE, **acts.ADVICE}
"""By the prompt of the question, or of the field of a form."""

advise = by_prompt(ADVISERS)
