"""The rules of a book as data, and which code and tests carry them out."""
