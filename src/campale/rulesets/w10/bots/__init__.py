"""What bots think of this book: a judgement, and no rule."""
