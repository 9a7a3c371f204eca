"""Names of marks and notes on models, units and sides, of durations, and of what the position declares."""

from __future__ import annotations

# ---------------------------------------------------------------- marks of models

AP = "ap"
"""Action points left in the activation."""
AP_LOST = "ap-lost"
"""Points that the model's next activation lacks, for recovering, arriving or a card."""
WOUNDS = "wounds"
"""Wounds that the model has lost."""
STUN = "stun"
PINNED = "pinned"
SENTRY = "sentry"
COMMANDER = "commander"
SUBSTITUTE = "substitute"
SPECIALIST = "specialist"
"""The model is a Specialist who has joined a squad."""
ACTED = "acted"
"""The model's activation of this turn is over."""
BEGAN_ENGAGED = "began-engaged"
"""The model was engaged when its activation began."""
AIMED = "aimed"
APPROACHED = "approached"
NO_MORE_AP = "no-more-ap"
"""After a fumble: nothing gives the model AP in this activation."""
THIRD_AP = "third-ap"
BERSERK = "berserk"
RATE_BURNED = "rate-burned"
"""A Resource card has raised the model's RoF or RoA in this turn."""
BERSERK_TESTED = "berserk-tested"
"""The model has taken its one Berserk test of the game."""
KEPT_DOWN = "kept-down"
"""The model's squad has failed to unpin it: it does not act in this turn."""
SHOT_BEFORE = "shot-before"
"""The model has taken an RS test in this turn."""

DONE = "done"
"""A note: names of the actions of this activation (for a vehicle: of this turn)."""
MOVED = "moved"
"""A note: inches moved in this activation (for a vehicle: in this turn)."""
FEAR_TESTED = "fear-tested"
"""The highest X of Fear that the model has been tested for in this turn."""
AFRAID = "afraid"
"""The model's CC is halved until the turn ends."""
HELD = "held"
"""Every melee attack on the model is linked until the turn ends."""
USED = "used"
"""A note: names of the abilities used up in this activation."""
NO_SHOTS = "no-shots"
"""A note: a vehicle's weapons that have lost their RoF for this turn."""
NAME_IT = "name_it"
BLOWN_UP = "blown-up"
"""A note: the hit that has destroyed a vehicle's Engine."""
BONUS = "bonus"
"""The inches of a bonus that movement in this activation has used."""

# ---------------------------------------------------------------- marks of units

ACTIVATED = "activated"
ROUTED = "routed"
START = "start"
"""How many models the squad was bought with, without Specialists."""
AT_ACTIVATION = "at-activation"
"""How many models the squad had when the current activation began."""
TACTIC = "tactic"
"""A Tactic card has been assigned to the squad in this turn."""
LOST = "lost"
"""A note: losses to the enemy in the current activation, in all and to ranged attacks."""
EXECUTED = "executed"
"""One of the squad's models was executed: its next rally or unpin test is passed."""
CAST = "cast"
"""A note: powers that the squad has used in this turn, failed or not."""
LAUNCHED = "launched"
"""A note: who has used weapons that only so many models of a squad may use in this turn, each (way, row)."""
POINTS = "points-bought"
SLOT = "slot"
HELD_BACK = "held-back"
"""The squad waits in reserve for Rapid Deployment."""
INFILTRATES = "infiltrates"
"""The squad is placed after all the others."""

# ---------------------------------------------------------------- holdings of sides

RESOURCES = "resources"
"""All Resource cards of the side, ready or burned."""
SPIED = "spied"
"""The side has made the other one announce a squad in this turn."""
BURNED = "burned"
HAND, DECK, DISCARD = "hand", "deck", "discard"
"""A side's cards. A deck is a bag from which cards are drawn at random."""

# ---------------------------------------------------------------- declarations

LOSSES_BEFORE = "losses-before"
"""The losses of the battle when the current activation began."""
STRATEGY_PLAYED = "strategy-played"
"""A Strategy card has been played in this turn."""
PINNING = "pinning"
"""Causes of pinning tests to take at once, each (squad, modifier, its rule)."""
PINNING_LATER = "pinning-later"
"""The same for tests at the end of the squad's activation."""
ANNOUNCED = "announced"
"""(side, squad): the squad that a side has announced as its next to activate."""
VOLLEY = "volley"
"""The attacks of a Torrent of Fire whose dice wait for those of the other weapons."""
FALLEN = "fallen"
"""Models removed by hits, each with its hit, until the consequences are resolved."""

# ---------------------------------------------------------------- how long effects last

ACTIVATION, TURN = "activation", "turn"

MODEL_MARKS_OF_ACTIVATION = (AP, BEGAN_ENGAGED, AIMED, APPROACHED, NO_MORE_AP, BONUS)
"""Marks removed from a model when its activation ends."""

MODEL_MARKS_OF_TURN = (SENTRY, ACTED, KEPT_DOWN, THIRD_AP, RATE_BURNED, SHOT_BEFORE, FEAR_TESTED, AFRAID, HELD)
"""Marks removed from a model in the Control Phase."""

MODEL_NOTES_OF_TURN = (DONE, MOVED, NO_SHOTS)
UNIT_NOTES_OF_TURN = (CAST, LAUNCHED)
