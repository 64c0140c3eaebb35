"""Settings for all tests: Hypothesis tries the same examples on every machine."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")
