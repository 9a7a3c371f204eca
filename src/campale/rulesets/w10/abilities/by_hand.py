"""Abilities that the vocabulary cannot express: they are kept as text, shown, and played by hand."""

from __future__ import annotations

from campale.referee.position import Position

PLAYED, BY_HAND = "by-referee", "by-hand"


def tell_by_hand(position: Position) -> None:
    """Tell once per battle which abilities of the two armies the referee does not play."""
    seen: set[tuple[int, str, str]] = set()
    for model in position.models:
        for id, ability in model.profile.rules.items():
            if ability.is_played or (model.side, model.profile.id, id) in seen:
                continue
            seen.add((model.side, model.profile.id, id))
            position.write("by-hand", side=model.side, bearer=model.profile.title, ability=ability.title.in_both)
