"""The socket of a battle: its messages, what a seat has been sent, and how a connection is served."""
