"""The names of what models, units and sides have on them, of moments, and of what the position declares."""

from __future__ import annotations

# ---------------------------------------------------------------- of models

AP = "ap"
"""Action points left in the activation."""
AP_LOST = "ap-lost"
"""Points that its next activation will lack: for recovering, arriving, a card."""
WOUNDS = "wounds"
"""Wounds lost."""
STUN = "stun"
PINNED = "pinned"
SENTRY = "sentry"
COMMANDER = "commander"
SUBSTITUTE = "substitute"
SPECIALIST = "specialist"
"""A Specialist who has joined a squad."""
ACTED = "acted"
"""Its activation of this turn is over."""
BEGAN_ENGAGED = "began-engaged"
"""It was engaged as its activation began."""
AIMED = "aimed"
APPROACHED = "approached"
NO_MORE_AP = "no-more-ap"
"""After a fumble: nothing gives it AP in this activation."""
THIRD_AP = "third-ap"
BERSERK = "berserk"
RATE_BURNED = "rate-burned"
"""A Resource card has raised its RoF or RoA in this turn."""
BERSERK_TESTED = "berserk-tested"
"""It has taken the one test of the game."""
SHOT_BEFORE = "shot-before"
"""It has taken an RS test in this turn."""

DONE = "done"
"""The note with the actions of this activation (of a vehicle: of this turn), by name."""
MOVED = "moved"
"""The note with the inches it has moved in this activation (a vehicle: in this turn)."""
FEAR_TESTED = "fear-tested"
"""The highest X of Fear for which it has been tested in this turn."""
AFRAID = "afraid"
"""Its CC is halved until the turn ends."""
HELD = "held"
"""Every melee attack on it is linked until the turn ends."""
USED = "used"
"""The note with the abilities used up in this activation, by name."""
NO_SHOTS = "no-shots"
"""The note with the weapons of a vehicle that have lost their RoF for the turn."""
NAME_IT = "name_it"
BONUS = "bonus"
"""The inches of a bonus that a movement of this activation has used."""

# ---------------------------------------------------------------- of units

ACTIVATED = "activated"
ROUTED = "routed"
START = "start"
"""How many models it was bought with, Specialists aside."""
AT_ACTIVATION = "at-activation"
"""How many models it had as the activation under way began."""
TACTIC = "tactic"
"""A Tactic card has been assigned to it in this turn."""
LOST = "lost"
"""The note with the losses to the enemy in the activation under way: in all, to ranged attacks."""
EXECUTED = "executed"
"""One of its models was executed: its next rally or unpin test is passed."""
CAST = "cast"
"""The note with the powers that it has used in this turn, failed or not."""
LAUNCHED = "launched"
"""The note with the uses in this turn of weapons of which a squad has so many."""
POINTS = "points-bought"
SLOT = "slot"
HELD_BACK = "held-back"
"""It waits in reserve, for Rapid Deployment."""
INFILTRATES = "infiltrates"
"""It is placed after all others."""

# ---------------------------------------------------------------- of sides

RESOURCES = "resources"
"""All Resource cards, ready or burned."""
SPIED = "spied"
"""It has made the other side announce a squad in this turn."""
BURNED = "burned"
HAND, DECK, DISCARD = "hand", "deck", "discard"
"""What a side holds of its cards. A deck is a bag from which cards are drawn at random."""

# ---------------------------------------------------------------- declared

LOSSES_BEFORE = "losses-before"
"""How many losses the battle had seen as the activation under way began."""
STRATEGY_PLAYED = "strategy-played"
"""A Strategy card has been played in this turn."""
PINNING = "pinning"
"""Causes of pinning tests at once: (squad, modifier, its rule) each."""
PINNING_LATER = "pinning-later"
"""The same of tests at the end of the activation of the squad."""
ANNOUNCED = "announced"
"""(side, squad): what a side has said that it activates next."""
VOLLEY = "volley"
"""The attacks of a Torrent of Fire whose dice wait for those of the other weapons."""
FALLEN = "fallen"
"""Who was removed by hits, each with the hit, until what that sets off is resolved."""

# ---------------------------------------------------------------- until when effects last

ACTIVATION, TURN = "activation", "turn"

MODEL_MARKS_OF_ACTIVATION = (AP, BEGAN_ENGAGED, AIMED, APPROACHED, NO_MORE_AP, BONUS)
"""What is cleared of a model as its activation ends."""

MODEL_MARKS_OF_TURN = (SENTRY, ACTED, THIRD_AP, RATE_BURNED, SHOT_BEFORE, FEAR_TESTED, AFRAID, HELD)
"""What is cleared of a model in the Control Phase."""

MODEL_NOTES_OF_TURN = (DONE, MOVED, NO_SHOTS)
UNIT_NOTES_OF_TURN = (CAST, LAUNCHED)
