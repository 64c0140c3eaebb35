"""How a defect is planted: one function exchanged, or one object wrapped, and put back afterwards.

Only this process is changed, so what is measured with a defect is measured inline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

from compaction_eval.eval import worker
from compaction_eval.strategies.base import Compaction, Context
from compaction_eval.strategies.summarizers.pieces import pieces

Place = Literal["strategy", "summariser", "counting", "importer"]
Make = Callable[[Any], Any]
"""The broken thing, from the sound one."""


@dataclass(frozen=True, slots=True)
class Patch:
    """One attribute of a module or class, and what stands there instead."""

    owner: Any
    attribute: str
    make: Make


@dataclass(frozen=True, slots=True)
class Defect:
    """One thing that is broken, and the strategy in which it shows."""

    name: str
    about: str
    """What is broken, as a sentence."""
    strategy: str
    """The spec of the sound strategy."""
    broken: str = ""
    """The spec of the broken one where parameters alone make the defect; else the sound one."""
    patches: tuple[Patch, ...] = ()
    wrap: Make | None = None
    """The broken strategy around a sound one."""
    wrap_summarizer: Make | None = None
    summarizer: str = "extractive"
    place: Place = "strategy"
    wants: str = ""
    """A scenario of this suite without which the default library can't show it."""


@contextmanager
def planted(defect: Defect) -> Iterator[None]:
    """The process with a defect in it."""
    patches = [*defect.patches]
    if defect.wrap is not None:
        patches.append(Patch(worker, "load_strategy", _wrapping(defect.wrap)))
    if defect.wrap_summarizer is not None:
        patches.append(Patch(worker, "load_summarizer", _wrapping(defect.wrap_summarizer)))
    with ExitStack() as stack:
        # What was taken apart by sound code mustn't serve the broken one, nor the other way round.
        stack.callback(pieces.cache_clear)
        for patch in patches:
            sound = getattr(patch.owner, patch.attribute)
            stack.callback(setattr, patch.owner, patch.attribute, sound)
            setattr(patch.owner, patch.attribute, patch.make(sound))
        pieces.cache_clear()
        yield


def _wrapping(wrap: Make) -> Make:
    """A loader whose strategies or summarisers come wrapped."""

    def make(load: Any) -> Any:
        def loading(*arguments: Any, **named: Any) -> Any:
            loaded = load(*arguments, **named)
            return loaded and replace(loaded, make=lambda: wrap(loaded.make()))

        return loading

    return make


@dataclass(slots=True)
class Around:
    """A strategy around another: what it is given and what it gives back may be changed.

    `state` is this conversation's own; a probe's fork gets a copy of it.
    """

    inner: Any
    after: Callable[[Compaction, Any, dict[str, int]], Compaction] = lambda made, messages, _: made
    """The result, from the inner strategy's, the messages, and the state."""
    before: Callable[[Context], Context] = lambda context: context
    state: dict[str, int] | None = None

    @property
    def name(self) -> str:
        """The inner strategy's."""
        return str(self.inner.name)

    @property
    def history(self) -> str:
        """The inner strategy's."""
        return str(getattr(self.inner, "history", "replace"))

    def compact(self, messages: Any, context: Context) -> Compaction:
        """The inner strategy's compaction, changed."""
        if self.state is None:
            self.state = {}
        made = self.inner.compact(messages, self.before(context))
        return self.after(made, messages, self.state)


def after(change: Callable[..., Compaction]) -> Make:
    """Wraps a strategy so that its results are changed."""
    return lambda inner: Around(inner, after=change)


def before(change: Callable[[Context], Context]) -> Make:
    """Wraps a strategy so that its context is changed."""
    return lambda inner: Around(inner, before=change)


@dataclass(slots=True)
class Rewriting:
    """A summariser around another, whose texts, or requests, are changed."""

    inner: Any
    text: Callable[[str], str] = lambda text: text
    request: Callable[[Any], Any] = lambda request: request

    @property
    def name(self) -> str:
        """The inner summariser's."""
        return str(self.inner.name)

    def summarize(self, request: Any) -> str:
        """The inner summariser's text, changed."""
        return self.text(self.inner.summarize(self.request(request)))


def texts(change: Callable[[str], str]) -> Make:
    """Wraps a summariser so that its texts are changed."""
    return lambda inner: Rewriting(inner, text=change)


def requests(change: Callable[[Any], Any]) -> Make:
    """Wraps a summariser so that it is asked something else."""
    return lambda inner: Rewriting(inner, request=change)


def given(**changed: Any) -> Make:
    """A function whose named arguments are other ones."""

    def make(sound: Any) -> Any:
        return lambda *arguments, **named: sound(*arguments, **{**named, **changed})

    return make


def planned(**changed: Any) -> Make:
    """`cut_and_summarize` under a plan in which some fields are others."""

    def make(sound: Any) -> Any:
        return lambda messages, context, plan: sound(messages, context, replace(plan, **changed))

    return make
