"""Edition 3.m: Club TreEmme's variant of the third edition, in simultaneous turns."""

from __future__ import annotations

from campale.referee.ruleset import INCH, Ruleset
from campale.rulesets.e3m.armies.army import ARMIES
from campale.rulesets.e3m.armies.lists import HERE
from campale.rulesets.e3m.armies.offers import offers
from campale.rulesets.e3m.armies.picking import army_lists
from campale.rulesets.e3m.armies.profile import Profile
from campale.rulesets.e3m.armies.setting_out import health, set_out, starters
from campale.rulesets.e3m.armies.staging import STAGE
from campale.rulesets.e3m.bots.advice import advise
from campale.rulesets.e3m.bots.appraisal import appraise, terms
from campale.rulesets.e3m.bots.counsel import ORDERS_OF_A_SIDE, offhand
from campale.rulesets.e3m.command.orders import seen_by
from campale.rulesets.e3m.command.units import solid
from campale.rulesets.e3m.odds.forecasts import forecast_of, forecasts
from campale.rulesets.e3m.options import SWITCHES, Options
from campale.rulesets.e3m.queries.form import form
from campale.rulesets.e3m.turn.sequence import imagine, is_amid, step
from campale.rulesets.e3m.view.aiming import laid, landed
from campale.rulesets.e3m.view.cards import card, changes, measured
from campale.rulesets.e3m.view.ground import TERRAIN
from campale.rulesets.e3m.view.known import chits, commands, unit_marks
from campale.rulesets.e3m.view.likeness import likeness, states
from campale.rulesets.e3m.view.looks import arms, reaches
from campale.rulesets.e3m.view.motions import MOTIONS
from campale.rulesets.e3m.view.tallying import tally
from campale.rulesets.e3m.view.telling import parts, standing
from campale.rulesets.e3m.view.trifles import needless, vain
from campale.rulesets.e3m.view.zones import zones

RULESET = Ruleset(
    name="e3m",  # general/third-edition-base
    title={"en": "Edition 3.m", "it": "Edizione 3.m"},
    unit=INCH,  # hierarchy/inch-mark
    folder=HERE,
    set_out=set_out,
    step=step,
    solid=solid,
    turn=lambda position: position.now.get("turn", 0),
    appraise=appraise,
    terms=terms,
    advise=advise,
    offhand=offhand,
    far_reaching=frozenset({ORDERS_OF_A_SIDE}),
    profile_type=Profile,
    options=Options(),
    switches=SWITCHES,
    seen_by=seen_by,
    imagine=imagine,
    is_amid=is_amid,
    heeds=frozenset({"place", "ground", "unit"}),
    health=health,
    card=card,
    arms=arms,
    reaches=reaches,
    changes=changes,
    needless=needless,
    vain=vain,
    laid=laid,
    landed=landed,
    likeness=likeness,
    states=states,
    terrain=TERRAIN,
    motions=MOTIONS,
    unit_marks=unit_marks,
    commands=commands,
    chits=chits,
    zones=zones,
    parts=parts,
    standing=standing,
    tally=tally,
    measure=measured,
    starters=starters,
    offers=offers,
    stage=STAGE,
    forecasts=forecasts,
    forecast_of=forecast_of,
    odds_form=form,
    check_force=ARMIES.check,
    army_lists=army_lists,
    is_complete=True,
)
