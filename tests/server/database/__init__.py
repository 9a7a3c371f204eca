"""The database, and backups of it."""
