from tests.raid.fixture import raid

__all__ = ["raid"]
