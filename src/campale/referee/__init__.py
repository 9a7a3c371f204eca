"""The dialogue between the rules and the players: questions, answers, refusals, the position and its journal."""
