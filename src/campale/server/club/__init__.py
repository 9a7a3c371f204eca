"""A club: accounts, the battles that are tied to them, its ladder, and its seasons."""
