"""Outpost: a toy book, complete, to be copied. ``docs/en/adding-a-ruleset.md`` tells how."""

from campale.mechanics import bases, display, phases
from campale.referee.ruleset import INCH, Ruleset

from . import advice, fire, orders, profile, setup, stage, turn

RULESET = Ruleset(
    name=profile.FOLDER.name,
    title={"en": "Outpost", "it": "Avamposto"},
    unit=INCH,
    folder=profile.FOLDER,
    set_out=setup.set_out,
    step=turn.step,
    solid=bases.upright,
    turn=phases.turn_of,
    appraise=advice.appraise,
    advise=advice.advise,
    profile_type=profile.Profile,
    options=setup.Options(),
    switches=setup.SWITCHES,
    seen_by=orders.ORDERS.seen_by,
    imagine=orders.ORDERS.imagine,
    card=profile.card,
    health=display.health,
    forecasts=fire.ODDS.between,
    forecast_of=fire.ODDS.of_answer,
    standing=turn.standing,
    starters=setup.starters,
    check_force=setup.FORCES.messages,
    stage=stage.STAGE,
    is_complete=True,
)
