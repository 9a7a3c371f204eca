"""For whoever runs a server: logs, metrics, and the processes of one club."""
