"""A summariser with prepared answers: for tests, for worked examples and for replaying a model's
recorded summaries without the model."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from compaction_eval.strategies.base import SummaryRequest
from compaction_eval.strategies.errors import ConfigurationError


@dataclass(slots=True)
class Scripted:
    """Gives its answers in order, one a call, and raises LookupError when they're used up.

    `answers`, or `file`: a text file with one answer a line, or a YAML list (`.yaml`, `.yml`) for
    answers of several lines.
    """

    answers: tuple[str, ...] = ()
    file: Path | None = None
    calls: int = field(default=0, init=False)
    """Answers given so far."""

    def __post_init__(self) -> None:
        if self.file is not None:
            if self.answers:
                raise ConfigurationError("scripted takes 'answers' or 'file', not both")
            self.answers = read_answers(self.file)

    @property
    def name(self) -> str:
        """The registered name."""
        return "scripted"

    def summarize(self, request: SummaryRequest) -> str:
        """The next answer, whatever is asked."""
        if self.calls >= len(self.answers):
            raise LookupError(
                f"scripted has {len(self.answers)} answers, and this is call {self.calls + 1}"
            )
        self.calls += 1
        return self.answers[self.calls - 1]


def read_answers(path: Path) -> tuple[str, ...]:
    """The answers in a file. Raises ConfigurationError for a file that holds none."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is no UTF-8 text"
        raise ConfigurationError(f"{path}: {reason}") from None
    if path.suffix.lower() not in (".yaml", ".yml"):
        return tuple(text.splitlines())
    import yaml  # only for such a file: it costs start-up time

    try:
        # The base loader leaves every scalar text: an answer `no` stays "no".
        value = yaml.load(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        raise ConfigurationError(f"{path}: {' '.join(str(error).split())}") from None
    if not isinstance(value, list) or not all(isinstance(answer, str) for answer in value):
        raise ConfigurationError(f"{path}: a YAML list of texts is expected")
    return tuple(value)
