"""Every finished reply in one SQLite file, so that a rerun costs nothing.

The file may be used by several threads and processes at once, and by a process that is killed: a
reply that `keep` returned for is there. (After a power failure the newest ones may be missing.)
For one key the first reply stays. Nothing of a request is kept but its digest; no key of an
endpoint, no header.

ConfigurationError      at opening: a file that is no store, a damaged one, a newer version's
StoreError              afterwards: the disk is full, or the file was damaged meanwhile
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from compaction_eval.eval.models.base import Reply, StoreError
from compaction_eval.eval.models.keys import RequestKey
from compaction_eval.eval.models.reply_json import decode_reply, encode_reply
from compaction_eval.eval.writing import check_folder
from compaction_eval.strategies.errors import ConfigurationError

DEFAULT_STORE = Path(".compaction-eval", "responses.sqlite")
"""Where a run keeps its replies, seen from the working directory."""

_APPLICATION = 0x43455653  # "CEVS", in the file's header
_VERSION = 1
_PATIENCE = 60.0  # seconds to wait for other processes' writing
_TABLE = """
CREATE TABLE responses (
    endpoint TEXT NOT NULL, model TEXT NOT NULL, digest TEXT NOT NULL, repeat INTEGER NOT NULL,
    reply TEXT NOT NULL, PRIMARY KEY (endpoint, model, digest, repeat)
)"""
_FIND = "SELECT reply FROM responses WHERE endpoint=? AND model=? AND digest=? AND repeat=?"
_KEEP = "INSERT OR IGNORE INTO responses VALUES (?, ?, ?, ?, ?)"


class ResponseStore:
    """An open store; only its owner may read it. Each process opens its own."""

    def __init__(self, path: Path = DEFAULT_STORE) -> None:
        """Open the file, or make it. Raises ConfigurationError; nothing is ever deleted."""
        self.path = path
        self._lock = threading.Lock()
        _make(path)
        try:
            self._connection = sqlite3.connect(
                path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise ConfigurationError(f"{path}: can't be opened: {error}") from error
        try:
            self._prepare()
        except BaseException as error:
            self._connection.close()
            if isinstance(error, sqlite3.Error):
                raise ConfigurationError(_unreadable(path, error)) from error
            raise

    def find(self, endpoint: str, key: RequestKey) -> Reply | None:
        """The reply that was kept first, if any. Raises StoreError."""
        with self._told():
            row = self._connection.execute(_FIND, _columns(endpoint, key)).fetchone()
            return decode_reply(json.loads(row[0])) if row else None

    def keep(self, endpoint: str, key: RequestKey, reply: Reply) -> None:
        """Keep a reply, unless another was kept before. Raises StoreError."""
        text = json.dumps(encode_reply(reply), separators=(",", ":"))
        with self._told():
            self._connection.execute(_KEEP, (*_columns(endpoint, key), text))

    def size(self) -> int:
        """How many replies there are. No `__len__`: an empty store would count as none."""
        with self._told():
            return int(self._connection.execute("SELECT count(*) FROM responses").fetchone()[0])

    def close(self) -> None:
        """Give the file back; it is then one file again, unless others still use it."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> ResponseStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """One thread at a time; what goes wrong is told as StoreError."""
        with self._lock:
            try:
                yield
            except (sqlite3.Error, ValueError) as error:
                raise StoreError(f"{self.path}: the store of replies failed: {error}") from error

    def _prepare(self) -> None:
        """See that the file is a store of this version; make it one if it is empty."""
        found, version, empty = self._header()
        if found == _APPLICATION and version > _VERSION:
            raise ConfigurationError(
                f"{self.path}: was written by a newer version of compaction-eval "
                f"(store {version}, this one reads {_VERSION}); upgrade, or name another file"
            )
        if found != _APPLICATION and (found or not empty):
            raise ConfigurationError(
                f"{self.path}: is a database of another program, not a store of replies; "
                "name another file"
            )
        self._use_wal()
        self._connection.execute("PRAGMA synchronous = NORMAL")
        if empty:
            self._create()
        self._connection.execute(_FIND, ("", "", "", 0)).fetchone()

    def _header(self) -> tuple[int, int, bool]:
        """Application, version, and whether there is no table: all of one moment, since another
        process may be making the store."""
        self._connection.execute("BEGIN")
        try:
            empty = self._is_empty()
            (found,), (version,) = self._pragma("application_id"), self._pragma("user_version")
            return found, version, empty
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def _create(self) -> None:
        """All in one transaction, so that a killed process leaves an empty file or a store."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            if self._is_empty():  # another process may have been faster
                self._connection.execute(_TABLE)
                self._connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                self._connection.execute(f"PRAGMA user_version = {_VERSION}")
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            self._connection.execute("ROLLBACK")
            raise

    def _use_wal(self) -> None:
        """Write-ahead logging; SQLite doesn't wait by itself for others who switch as well."""
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                self._pragma("journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > end:
                    raise
                time.sleep(0.01)
            else:
                return

    def _is_empty(self) -> bool:
        return not self._connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()

    def _pragma(self, text: str) -> tuple[int]:
        row: tuple[int] = self._connection.execute(f"PRAGMA {text}").fetchone()
        return row


def _columns(endpoint: str, key: RequestKey) -> tuple[str, str, str, int]:
    return endpoint, key.model, key.digest, key.repeat


def _unreadable(path: Path, error: sqlite3.Error) -> str:
    return (
        f"{path}: can't be used as a store of replies: {error}; "
        "it was left as it is: move it away, or name another file"
    )


def _make(path: Path) -> None:
    """An empty file that only its owner may read; a folder of our own is kept out of git."""
    folder = path.parent
    check_folder(folder)
    try:
        if not folder.exists():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if folder.name == DEFAULT_STORE.parent.name:
                (folder / ".gitignore").write_text("*\n", "utf-8")
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise ConfigurationError(f"{path}: can't write there: {error.strerror}") from error
