"""Union Wars: Ragnarok, Skirmish 3D, rulebook 3.0."""

from __future__ import annotations

from campale.referee.ruleset import CM, Ruleset
from campale.rulesets.ragnarok.appraisal import appraise
from campale.rulesets.ragnarok.arsenal import HERE
from campale.rulesets.ragnarok.battlefield import level
from campale.rulesets.ragnarok.book import BOOK
from campale.rulesets.ragnarok.options import Options, rulings, switches
from campale.rulesets.ragnarok.profile import Profile
from campale.rulesets.ragnarok.sequence import step
from campale.rulesets.ragnarok.setting_out import card, check_force, measured, set_out, solid, starters
from campale.rulesets.ragnarok.staging import STAGE

RULESET = Ruleset(
    name="ragnarok",
    title={"en": "Union Wars: Ragnarok", "it": "Union Wars: Ragnarok"},
    unit=CM,
    folder=HERE,
    set_out=set_out,
    step=step,
    solid=solid,
    turn=lambda position: position.now.get("turn", 0),
    appraise=appraise,
    profile_type=Profile,
    options=Options(),
    switches=(*switches(), *rulings()),
    book=BOOK,
    level=level,
    heeds=frozenset({"place", "ground", "wounds", "charging"}),
    card=card,
    measure=measured,
    starters=starters,
    check_force=check_force,
    stage=STAGE,
    is_complete=True,
)
