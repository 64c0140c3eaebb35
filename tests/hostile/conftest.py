"""One folder in which everything hostile was run, and all that came out of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.hostile.carriers import write_all
from tests.hostile.producing import Everything, produce
from tests.reports.page.conftest import browser, reader

__all__ = ["browser", "everything", "reader"]


@pytest.fixture(scope="session")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Everything]:
    """All outputs of all commands; made once, since every text is in every one of them."""
    found = Everything(tmp_path_factory.mktemp("hostile"))
    write_all(found.folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(found.folder)
        for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "COLUMNS"):
            patch.delenv(name, raising=False)
        produce(found)
    return found
