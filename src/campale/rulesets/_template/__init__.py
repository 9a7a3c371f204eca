"""Outpost: a toy book, complete, to be copied. ``docs/en/adding-a-ruleset.md`` tells how."""

from campale.referee.ruleset import INCH, Ruleset

from . import advice, orders, profile, sequence, setup, victory

RULESET = Ruleset(
    name=profile.FOLDER.name,
    title={"en": "Outpost", "it": "Avamposto"},
    unit=INCH,
    folder=profile.FOLDER,
    set_out=setup.set_out,
    step=sequence.step,
    solid=profile.solid,
    turn=sequence.turn,
    appraise=victory.appraise,
    advise=advice.advise,
    profile_type=profile.Profile,
    options=setup.Options(),
    switches=setup.SWITCHES,
    seen_by=orders.seen_by,
    imagine=orders.imagine,
    card=profile.card,
    starters=setup.starters,
    check_force=setup.check_force,
    is_complete=True,
)
