"""The routes over HTTP."""
