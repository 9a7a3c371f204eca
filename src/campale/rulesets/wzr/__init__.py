"""WZR: an Italian house ruleset, squads of single models that spend action points."""

from __future__ import annotations

from campale.mechanics.phases import turn_of
from campale.referee.ruleset import INCH, Ruleset
from campale.rulesets.wzr.armies.army import check_force
from campale.rulesets.wzr.armies.lists import HERE
from campale.rulesets.wzr.armies.offers import offers
from campale.rulesets.wzr.armies.picking import army_lists
from campale.rulesets.wzr.armies.profile import Profile
from campale.rulesets.wzr.armies.setting_out import health, set_out, setup_seen_by, starters
from campale.rulesets.wzr.armies.staging import STAGE
from campale.rulesets.wzr.basics.physical import solid
from campale.rulesets.wzr.bots.acts import vain
from campale.rulesets.wzr.bots.advice import advise
from campale.rulesets.wzr.bots.appraisal import appraise, terms
from campale.rulesets.wzr.bots.offhand import offhand
from campale.rulesets.wzr.cards.secrecy import imagine, seen_by
from campale.rulesets.wzr.odds.forecasts import forecast_of, forecasts
from campale.rulesets.wzr.options import SWITCHES, Options
from campale.rulesets.wzr.queries.form import form
from campale.rulesets.wzr.turn.march import march
from campale.rulesets.wzr.turn.sequence import is_amid, step
from campale.rulesets.wzr.view.cards import card, changes, measured
from campale.rulesets.wzr.view.ground import TERRAIN
from campale.rulesets.wzr.view.holdings import held
from campale.rulesets.wzr.view.likeness import likeness, states
from campale.rulesets.wzr.view.looks import arms, commands, counts_within, points, reaches, watches, zones
from campale.rulesets.wzr.view.motions import MOTIONS
from campale.rulesets.wzr.view.sight import laid, landed, sight
from campale.rulesets.wzr.view.tallying import tally
from campale.rulesets.wzr.view.telling import parts, standing
from campale.rulesets.wzr.view.trifles import needless

RULESET = Ruleset(
    name="wzr",
    title={"en": "WZR", "it": "WZR"},
    unit=INCH,
    folder=HERE,
    set_out=set_out,
    step=step,
    solid=solid,
    turn=turn_of,
    appraise=appraise,
    terms=terms,
    advise=advise,
    offhand=offhand,
    profile_type=Profile,
    options=Options(),
    switches=SWITCHES,
    seen_by=seen_by,
    imagine=imagine,
    setup_seen_by=setup_seen_by,
    is_amid=is_amid,
    heeds=frozenset({"place", "turn", "ground", "unit", "effect"}),
    health=health,
    starters=starters,
    offers=offers,
    card=card,
    arms=arms,
    reaches=reaches,
    changes=changes,
    needless=needless,
    standing=standing,
    parts=parts,
    vain=vain,
    march=march,
    measure=measured,
    sight=sight,
    laid=laid,
    landed=landed,
    likeness=likeness,
    states=states,
    terrain=TERRAIN,
    motions=MOTIONS,
    forecasts=forecasts,
    forecast_of=forecast_of,
    odds_form=form,
    tally=tally,
    counts_within=counts_within,
    zones=zones,
    held=held,
    commands=commands,
    points=points,
    watches=watches,
    check_force=check_force,
    army_lists=army_lists,
    stage=STAGE,
    is_complete=True,
)
