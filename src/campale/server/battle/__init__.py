"""A battle on the server: from its draft and agreement to its end, the hall that keeps all of them, and its seats."""
