"""The dialogue between the rules and whoever plays: questions, answers, refusals, the position and its journal."""
