"""What a run is held to: the configuration's section `gates`, and what the command line adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from compaction_eval.commands.configuration import Configuration
from compaction_eval.eval.gates import RULES, Gate, parse_gates
from compaction_eval.reports.gate_files import WRITERS
from compaction_eval.reports.results import check_output
from compaction_eval.strategies.relocating import relocated_path


@dataclass(frozen=True, slots=True)
class GateOptions:
    """Everything that decides, checked."""

    gates: tuple[Gate, ...]
    baseline: Path | None
    allow_flips: int
    allow_removed: bool
    statistical: bool | None
    """None: where a model took part."""
    outputs: tuple[Path, ...]


def gate_options(
    texts: Mapping[str, Sequence[str]],
    configuration: Configuration,
    here: Path,
    *,
    baseline: str | None,
    allow_flips: int | None,
    allow_removed: bool | None,
    statistical: bool | None,
    outputs: Sequence[str],
) -> GateOptions:
    """Gates of both, the configuration's first; of single values the command line's.

    Raises ConfigurationError.
    """
    given = {key: [one.text for one in values] for key, values in configuration.gates.items()}
    gates = parse_gates({rule: [*given.get(rule, ()), *texts.get(rule, ())] for rule in RULES})
    paths = tuple(dict.fromkeys(map(Path, outputs)))
    for path in paths:
        check_output(path, tuple(WRITERS))

    def flag(name: str) -> bool | None:
        return given[name][-1].casefold() == "true" if name in given else None

    file = Path(baseline) if baseline is not None else None
    if file is None and "baseline" in given:
        located = relocated_path(given["baseline"][-1], configuration.directory, here)
        file = Path(located).expanduser()
    flips = int(given["allow-flips"][-1]) if "allow-flips" in given else 0
    return GateOptions(
        gates=gates,
        baseline=file,
        allow_flips=flips if allow_flips is None else allow_flips,
        allow_removed=bool(flag("allow-removed") if allow_removed is None else allow_removed),
        statistical=flag("statistical") if statistical is None else statistical,
        outputs=paths,
    )


def matrix_options(texts: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The options that say what is to be run, those that are given."""
    names = ("scenario", "strategy", "budget", "summarizer")
    return {name: list(texts[name]) for name in names if texts.get(name)}
