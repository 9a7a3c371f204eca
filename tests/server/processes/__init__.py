"""What is computed in processes of its own."""
