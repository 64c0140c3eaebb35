"""What a run does with replies: it looks them up, keeps them, records them, or replays them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from compaction_eval.eval.models.base import ChatModel
from compaction_eval.eval.models.cassette import read_cassette
from compaction_eval.eval.models.naming import parse_model
from compaction_eval.eval.models.recording import Recorder, recording_to, unfinished_of
from compaction_eval.eval.models.replaying import Replayer
from compaction_eval.eval.models.store import ResponseStore
from compaction_eval.eval.models.stored import StoredModel
from compaction_eval.strategies.errors import ConfigurationError

Wrap = Callable[[ChatModel], ChatModel]


@contextmanager
def keeping(endpoint: str, *, store: Path | None, record: Path | None = None) -> Iterator[Wrap]:
    """What to wrap a run's models in, for as long as the context lasts.

    `endpoint` is the base URL of the real endpoint. None is for no store and no cassette: under
    `--chaos` there is neither, or made-up answers would be found again for real ones. Raises
    ConfigurationError for files that can't be used, before anything is asked.
    """
    with ExitStack() as stack:
        journal = stack.enter_context(recording_to(record)) if record is not None else None
        opened = stack.enter_context(ResponseStore(store)) if store is not None else None

        def wrap(model: ChatModel) -> ChatModel:
            inner = model if opened is None else StoredModel(model, opened, endpoint)
            return inner if journal is None else Recorder(inner, journal)

        yield wrap


def replaying(cassette: Path) -> Callable[[str], ChatModel]:
    """From a model's name to one that a cassette answers for; nothing else is needed.

    Raises ConfigurationError for a file that is no cassette, and later for what is no name.
    """
    if not cassette.exists() and unfinished_of(cassette).exists():
        raise ConfigurationError(
            f"{cassette}: its recording was killed; the same run with --record finishes it"
        )
    recording = read_cassette(cassette)
    return lambda name: Replayer(parse_model(name).text, recording, str(cassette))
