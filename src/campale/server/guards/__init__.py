"""What strangers may not do: limits of size, rate and connections, and the names and pages that are trusted."""
