"""What attacks may come to, exactly."""
