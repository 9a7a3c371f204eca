"""A book that only tests play: all that the referee must be able to do and no finished book does yet."""

from __future__ import annotations

from campale.mechanics.frames import is_busy
from campale.referee.ruleset import INCH, Ruleset
from tests.conformance.drill import hand, profile, sequence, victory

RULESET = Ruleset(
    name="drill",
    title={"en": "Drill", "it": "Addestramento"},
    unit=INCH,
    folder=profile.FOLDER,
    set_out=profile.set_out,
    step=sequence.step,
    solid=profile.solid,
    turn=sequence.turn,
    is_amid=is_busy,
    appraise=victory.appraise,
    profile_type=profile.Profile,
    options=profile.Options(),
    switches=profile.SWITCHES,
    seen_by=hand.seen_by,
    imagine=hand.imagine,
    starters=profile.starters,
    is_complete=True,
)
