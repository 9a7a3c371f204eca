"""The Command phase: command points, battle-shock tests."""
