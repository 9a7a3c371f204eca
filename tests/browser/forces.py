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


def file_of(force: Force, folder: Path) -> Path:
    path = folder / f"{force['army_list']}.json"
    path.write_text(json.dumps(force), "utf-8")
    return path
