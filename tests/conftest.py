"""How long an example takes never decides a test."""

from hypothesis import HealthCheck, settings

settings.register_profile("campale", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("campale")
