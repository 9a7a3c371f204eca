"""Forces of a few models, in files as players bring them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Force = dict[str, Any]


def force(army_list: str, *models: Force) -> Force:
    name = {"en": "The few", "it": "I pochi"}
    return {"ruleset": "ragnarok", "name": name, "army_list": army_list, "points": 200, "models": list(models)}


FEW = (
    force("barrow_host", {"profile": "barrow_jarl", "commander": True}, {"profile": "raider", "count": 2}),
    force("crucible_league", {"profile": "crucible_captain", "commander": True, "expert": "weapons"}),
)


def few_squads(army_list: str, *units: Force) -> Force:
    """A force of WZR."""
    name = {"en": "The few", "it": "I pochi"}
    return {"ruleset": "wzr", "name": name, "list": army_list, "points": 500, "units": list(units)}


SQUADS = (
    few_squads(
        "megacorporation", {"unit": "captain"}, {"unit": "riflemen", "size": 5}, {"unit": "yard-guard", "size": 5}
    ),
    few_squads(
        "dark-legion", {"unit": "nepharite"}, {"unit": "howlers", "size": 5}, {"unit": "cinder-band", "size": 5}
    ),
)


WATCH: Force = {
    "ruleset": "e55",
    "name": {"en": "The few", "it": "I pochi"},
    "list": "lantern-guard",
    "points": 750,
    "units": [
        {"unit": "lamp-captain"},
        {"unit": "keepers", "size": 5, "options": {"warden": 1, "flamethrower": 1}},
        {"unit": "quay-watch", "size": 12, "options": {"boatswain": 1, "mortar": 1}},
        {"unit": "gull-eyes", "size": 4},
    ],
}
"""A force of Edizione 5.5, for either side."""


def file_of(force: Force, folder: Path) -> Path:
    path = folder / f"{force.get('army_list') or force['list']}.json"
    path.write_text(json.dumps(force), "utf-8")
    return path
