"""What books are made of, without a book."""
