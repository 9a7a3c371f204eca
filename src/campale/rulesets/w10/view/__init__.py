"""What tables and players see: cards, weapons, options in words, how the battle stands."""
