"""Settings for all tests: Hypothesis tries the same examples on every machine; a full disk."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from hypothesis import settings

pytest_plugins = ["pytester"]

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")


@pytest.fixture
def files_of_at_most() -> Callable[[int], AbstractContextManager[None]]:
    """A context in which, as on a full disk, no file can grow beyond a size in bytes."""
    resource = pytest.importorskip("resource")

    @contextmanager
    def limited(size: int) -> Iterator[None]:
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    return limited
