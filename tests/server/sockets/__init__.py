"""The socket of a battle."""
