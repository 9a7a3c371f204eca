"""What is computed beside the tables, in processes of its own: bots, odds, trials, analyses, experiments."""
