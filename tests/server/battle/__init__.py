"""A battle on the server, from its agreement to its end."""
