"""Warhammer 40,000, Edizione 5.5: home rules."""

from __future__ import annotations

from pathlib import Path

from campale.referee.ruleset import INCH, Ruleset
from campale.rulesets.e55.armies import offers
from campale.rulesets.e55.armies.army import ARMIES
from campale.rulesets.e55.armies.battles import starters
from campale.rulesets.e55.armies.picking import army_lists
from campale.rulesets.e55.armies.profile import Profile
from campale.rulesets.e55.armies.setting_out import set_out
from campale.rulesets.e55.armies.staging import STAGE
from campale.rulesets.e55.battle.secrets import imagine, seen_by
from campale.rulesets.e55.book import BOOK
from campale.rulesets.e55.bots.advice import advise
from campale.rulesets.e55.bots.appraisal import appraise, terms
from campale.rulesets.e55.definitions.footprints import solid
from campale.rulesets.e55.movement_phase.terrain import level
from campale.rulesets.e55.movement_phase.ways import stand_on_different_storeys
from campale.rulesets.e55.odds import forecasts
from campale.rulesets.e55.options import Options, switches
from campale.rulesets.e55.queries.form import form
from campale.rulesets.e55.turn.sequence import step
from campale.rulesets.e55.view import looks
from campale.rulesets.e55.view.cards import card, counts_within, health, measured
from campale.rulesets.e55.view.ground import TERRAIN
from campale.rulesets.e55.view.known import unit_marks
from campale.rulesets.e55.view.likeness import likeness, states
from campale.rulesets.e55.view.motions import MOTIONS
from campale.rulesets.e55.view.tallying import tally
from campale.rulesets.e55.view.telling import parts, standing
from campale.rulesets.e55.view.trifles import needless, vain
from campale.rulesets.e55.view.zones import zones
from campale.rulesets.e55.weapons import templates

RULESET = Ruleset(
    name="e55",
    title={"en": "Edition 5.5", "it": "Edizione 5.5"},
    unit=INCH,
    folder=Path(__file__).parent,
    set_out=set_out,
    step=step,
    solid=solid,
    turn=lambda position: position.now.get("turn", 0),
    appraise=appraise,
    terms=terms,
    advise=advise,
    profile_type=Profile,
    options=Options(),
    switches=switches(),
    book=BOOK,
    level=level,
    seen_by=seen_by,
    imagine=imagine,
    card=card,
    measure=measured,
    arms=looks.arms,
    reaches=looks.reaches,
    sight=looks.sight,
    changes=looks.changes,
    sampling=looks.sampling,
    laid=templates.laid,
    landed=templates.landed,
    likeness=likeness,
    unit_marks=unit_marks,
    states=states,
    terrain=TERRAIN,
    motions=MOTIONS,
    forecasts=forecasts.forecasts,
    forecast_of=forecasts.forecast_of,
    odds_form=form,
    needless=needless,
    vain=vain,
    authors="unit",
    starters=starters,
    offers=offers.offers,
    setup_seen_by=offers.setup_seen_by,
    check_force=ARMIES.check,
    army_lists=army_lists,
    may_overlap=stand_on_different_storeys,
    zones=zones,
    standing=standing,
    parts=parts,
    health=health,
    tally=tally,
    counts_within=counts_within,
    stage=STAGE,
    is_complete=True,
)
