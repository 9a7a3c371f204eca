"""Warhammer 40,000, 10th edition, by its Rules Commentary."""

from __future__ import annotations

from campale.mechanics.bases import upright
from campale.referee.ruleset import INCH, Ruleset
from campale.rulesets.w10.armies.datasheets import HERE
from campale.rulesets.w10.armies.muster import check_force
from campale.rulesets.w10.armies.offers import offers
from campale.rulesets.w10.armies.picking import army_lists
from campale.rulesets.w10.armies.profile import Profile
from campale.rulesets.w10.armies.setting_out import health, set_out, starters
from campale.rulesets.w10.armies.staging import STAGE
from campale.rulesets.w10.basics.levels import level_at, stand_on_different_levels
from campale.rulesets.w10.battle.secondary import NEW_ORDERS
from campale.rulesets.w10.bots.advice import advise
from campale.rulesets.w10.bots.appraisal import appraise, terms
from campale.rulesets.w10.bots.proposing import vain
from campale.rulesets.w10.deeds.attacking import last_deeds
from campale.rulesets.w10.deeds.perform import DEEDS, perform
from campale.rulesets.w10.lists.reading import read_army
from campale.rulesets.w10.movement.wrecks import passengers_get_out
from campale.rulesets.w10.odds.forecasts import forecast_of, forecasts
from campale.rulesets.w10.options import SWITCHES, Options
from campale.rulesets.w10.queries.form import form
from campale.rulesets.w10.turn.sequence import step
from campale.rulesets.w10.view.cards import arms, card, changes, counts_within, measured, reaches
from campale.rulesets.w10.view.ground import TERRAIN
from campale.rulesets.w10.view.likeness import likeness, states
from campale.rulesets.w10.view.looks import sight
from campale.rulesets.w10.view.motions import MOTIONS
from campale.rulesets.w10.view.tallying import tally
from campale.rulesets.w10.view.telling import parts, standing
from campale.rulesets.w10.view.trifles import needless
from campale.rulesets.w10.view.zones import zones
from campale.rulesets.w10.windows.stratagems import CORE
from campale.rulesets.w10.windows.windows import Book

RULESET = Ruleset(
    name="w10",
    title={"en": "10th edition: Rules Commentary", "it": "10ª edizione: Commentario alle Regole"},
    unit=INCH,
    folder=HERE,
    set_out=set_out,
    step=step,
    solid=upright,
    turn=lambda position: position.now.get("turn", 0),
    horizon=None,
    appraise=appraise,
    terms=terms,
    advise=advise,
    forecasts=forecasts,
    forecast_of=forecast_of,
    odds_form=form,
    profile_type=Profile,
    book=Book((*CORE, NEW_ORDERS), passengers_get_out, DEEDS, perform, last_deeds),
    options=Options(),
    switches=SWITCHES,
    heeds=frozenset({"place", "ground", "unit"}),
    health=health,
    card=card,
    changes=changes,
    needless=needless,
    vain=vain,
    arms=arms,
    reaches=reaches,
    sight=sight,
    counts_within=counts_within,
    likeness=likeness,
    states=states,
    terrain=TERRAIN,
    motions=MOTIONS,
    parts=parts,
    zones=zones,
    standing=standing,
    tally=tally,
    measure=measured,
    starters=starters,
    offers=offers,
    stage=STAGE,
    level=level_at,
    may_overlap=stand_on_different_levels,
    check_force=check_force,
    army_lists=army_lists,
    read_list=read_army,
    is_complete=True,
)
