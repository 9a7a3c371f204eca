"""The odds that this book offers: shots, melee attacks and charges, possible now or being declared."""

from __future__ import annotations

from campale.referee.looks import Forecast
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.rulesets.wzr.odds.fire_odds import fire_forecast_of, fire_forecasts
from campale.rulesets.wzr.odds.melee_odds import melee_forecast_of, melee_forecasts


def forecasts(position: Position, row: int, target: int) -> list[Forecast]:
    """The odds of what a model may do to another now."""
    return [*fire_forecasts(position, row, target), *melee_forecasts(position, row, target)]


def forecast_of(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """The odds of an answer, or of a partly filled form."""
    return fire_forecast_of(position, question, answer) or melee_forecast_of(position, question, answer)
