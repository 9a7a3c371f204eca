"""Union Wars: Ragnarok, Skirmish 3D, rulebook 3.0."""

from __future__ import annotations

from functools import partial

from campale.referee.refusal import first_refusal
from campale.referee.ruleset import CM, DoubtDie, Ruleset
from campale.rulesets.ragnarok.armies import offers
from campale.rulesets.ragnarok.armies.army import check_force
from campale.rulesets.ragnarok.armies.arsenal import HERE
from campale.rulesets.ragnarok.armies.picking import army_lists
from campale.rulesets.ragnarok.armies.profile import Profile
from campale.rulesets.ragnarok.armies.setting_out import (
    card,
    counts_within,
    health,
    measured,
    set_out,
    solid,
    starters,
)
from campale.rulesets.ragnarok.armies.staging import STAGE
from campale.rulesets.ragnarok.basics.dice import decide_by_die, no_doubt
from campale.rulesets.ragnarok.battle.battlefield import level
from campale.rulesets.ragnarok.book import BOOK
from campale.rulesets.ragnarok.bots.advice import advise
from campale.rulesets.ragnarok.bots.appraisal import appraise, terms
from campale.rulesets.ragnarok.odds import forecasts
from campale.rulesets.ragnarok.options import Options, rulings, switches
from campale.rulesets.ragnarok.queries.form import form
from campale.rulesets.ragnarok.shooting import bursting
from campale.rulesets.ragnarok.turn.sequence import step
from campale.rulesets.ragnarok.view import looks
from campale.rulesets.ragnarok.view.ground import TERRAIN
from campale.rulesets.ragnarok.view.likeness import likeness, states
from campale.rulesets.ragnarok.view.motions import MOTIONS
from campale.rulesets.ragnarok.view.tallying import tally
from campale.rulesets.ragnarok.view.telling import parts, standing
from campale.rulesets.ragnarok.view.trifles import needless, vain
from campale.rulesets.ragnarok.view.zones import zones

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
    terms=terms,
    advise=advise,
    profile_type=Profile,
    options=Options(),
    switches=(*switches(), *rulings()),
    book=BOOK,
    level=level,
    heeds=frozenset({"place", "ground", "wounds", "charging"}),
    card=card,
    measure=measured,
    arms=looks.arms,
    reaches=looks.reaches,
    sight=looks.sight,
    changes=looks.changes,
    sampling=looks.sampling,
    laid=bursting.laid,
    landed=bursting.landed,
    likeness=likeness,
    states=states,
    terrain=TERRAIN,
    motions=MOTIONS,
    forecasts=forecasts.forecasts,
    forecast_of=forecasts.forecast_of,
    odds_form=form,
    needless=needless,
    vain=vain,
    doubt=DoubtDie(partial(first_refusal, (no_doubt,)), decide_by_die),
    starters=starters,
    offers=offers.offers,
    check_force=check_force,
    army_lists=army_lists,
    zones=zones,
    standing=standing,
    parts=parts,
    health=health,
    tally=tally,
    counts_within=counts_within,
    stage=STAGE,
    is_complete=True,
)
