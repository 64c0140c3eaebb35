"""What a spec stands for once it is loaded, and what it rests on: foreign code, files, the key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from compaction_eval.strategies.base import Summarizer, sees_answer_key
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.parameters import Reference
from compaction_eval.strategies.specs import Spec, parse_spec

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Loaded(Generic[T]):
    """A loaded strategy or summariser. Called, it makes a fresh instance for one conversation."""

    make: Callable[[], T]
    sample: T
    """An instance to look at. Nothing foreign was run for it, not even a constructor."""
    foreign: bool = False
    """Whether code from outside has a part in it, be it in a summariser inside."""
    files: tuple[Path, ...] = ()
    """The files that its behaviour rests on: source of foreign code, and what parameters name."""
    models: tuple[str, ...] = ()
    """The models that its instances ask, be it in a summariser inside, by name."""

    def __call__(self) -> T:
        """A fresh instance. Raises what a constructor raises, foreign ones StrategyError."""
        return self.make()

    @property
    def sees_answer_key(self) -> bool:
        """Whether its instances are handed the answer key."""
        return sees_answer_key(self.sample)


@dataclass(slots=True)
class References:
    """Resolves what the parameters of one spec point at, and remembers it."""

    directory: Path
    """What relative paths start at."""
    load: Callable[[Spec], Loaded[Summarizer] | None]
    """Loads a summariser inside with the same directory and limits."""
    files: list[Path] = field(default_factory=list)
    parts: list[Loaded[Summarizer]] = field(default_factory=list)

    def resolve(self, reference: Reference, text: str) -> object:
        """The path of a file, or the loaded summariser. Raises ConfigurationError."""
        if reference == "file":
            self.files.append(self.directory / Path(text).expanduser())
            return self.files[-1]
        part = self.load(parse_spec(text))
        if part is None:
            raise ConfigurationError(f"'{text}' is no summarizer")
        self.parts.append(part)
        return part

    def noted(self, loaded: Loaded[T]) -> Loaded[T]:
        """The same, resting also on all that was resolved."""
        files = [*loaded.files, *self.files, *(file for part in self.parts for file in part.files)]
        models = [*loaded.models, *(name for part in self.parts for name in part.models)]
        return replace(
            loaded,
            foreign=loaded.foreign or any(part.foreign for part in self.parts),
            files=tuple(dict.fromkeys(files)),
            models=tuple(dict.fromkeys(models)),
        )


def fresh(arguments: Mapping[str, object]) -> dict[str, Any]:
    """Arguments for one instance: each loaded part made anew."""
    return {k: v.make() if isinstance(v, Loaded) else v for k, v in arguments.items()}


def samples(arguments: Mapping[str, object]) -> dict[str, Any]:
    """Arguments for an instance to look at: each loaded part's sample."""
    return {k: v.sample if isinstance(v, Loaded) else v for k, v in arguments.items()}
