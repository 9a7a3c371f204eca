"""The books. Each folder is a ruleset; none imports another."""
