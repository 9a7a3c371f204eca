"""How bots judge positions and answers in this book; none of it is a rule."""
