"""What strangers may not do."""
