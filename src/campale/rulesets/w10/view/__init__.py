"""The view for tables and players: cards, weapons, options in words, how the battle stands."""
