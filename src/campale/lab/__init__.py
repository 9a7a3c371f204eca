"""The laboratory: experiments of many battles, resumable and the same whatever the workers, and their tables."""
