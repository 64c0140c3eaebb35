"""Files that are written whole or not at all."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from compaction_eval.eval.writing import check_folder, replace_file
from compaction_eval.strategies.errors import ConfigurationError


@pytest.mark.parametrize("before", [None, b"old"])
def test_a_full_disk_leaves_what_was_there_before(
    tmp_path: Path,
    before: bytes | None,
    files_of_at_most: Callable[[int], AbstractContextManager[None]],
) -> None:
    file = tmp_path / "out.csv"
    if before is not None:
        file.write_bytes(before)
    with files_of_at_most(10), pytest.raises(OSError, match="File too large"):
        replace_file(file, b"far more than ten bytes")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == (
        [] if before is None else [before]
    )


def test_a_link_stays_a_link_and_what_it_points_at_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    replace_file(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


def test_a_folder_that_can_be_written_or_made_is_good_and_stays_as_it_was(tmp_path: Path) -> None:
    check_folder(tmp_path)
    check_folder(tmp_path / "to" / "be" / "made")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ConfigurationError, match="file: is no folder"):
        check_folder(tmp_path / "file" / "below")
