"""The documentation as a site: ``python -m tools.site`` builds it out of docs/, with the rulebooks and the HTTP API."""
