"""What this book tells the odds of: shots, blows and charges, as they may be made now or as they are declared."""

from __future__ import annotations

from campale.referee.looks import Forecast
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.rulesets.wzr.odds.fire_odds import fire_forecast_of, fire_forecasts
from campale.rulesets.wzr.odds.melee_odds import melee_forecast_of, melee_forecasts


def forecasts(position: Position, row: int, target: int) -> list[Forecast]:
    """What a model may do to another now."""
    return [*fire_forecasts(position, row, target), *melee_forecasts(position, row, target)]


def forecast_of(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """Of an answer, or of a form as far as it is filled in."""
    return fire_forecast_of(position, question, answer) or melee_forecast_of(position, question, answer)
