"""The table in the browser: HTTP and WebSockets. It talks to the referee, never to a ruleset."""
