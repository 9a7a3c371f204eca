"""A club: accounts, the battles that count for them, its ladder, and its seasons."""
