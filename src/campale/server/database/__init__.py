"""The database: its tables, battles kept and read again, backups."""
