"""The paths in a spec, written anew for another folder: a configuration file has its own."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from compaction_eval.strategies.importing import is_file_target, split_file_target
from compaction_eval.strategies.loading import Kind, find_target, is_model
from compaction_eval.strategies.parameters import annotations_of, reference_of
from compaction_eval.strategies.specs import Spec, parse_spec


def relocated(kind: Kind, spec: Spec, start: Path, new_start: Path) -> Spec:
    """The spec that means from `new_start` what the given one means from `start`.

    Its own path, the files that its parameters name, and the specs inside. Finding out which
    parameters those are imports what the spec names. Raises ConfigurationError.
    """
    if start.resolve() == new_start.resolve():
        return spec
    use = spec.use
    if is_file_target(use) and not is_model(kind, spec):
        path, name = split_file_target(use)
        use = f"{relocated_path(path, start, new_start)}:{name}".removesuffix(":")
    moved = replace(spec, use=use)
    if not spec.params or use == "none" or is_model(kind, spec):
        return moved
    types = annotations_of(find_target(kind, moved, new_start))

    def value(key: str, text: str) -> str:
        match reference_of(text, types.get(key)):
            case "file":
                return relocated_path(text, start, new_start)
            case "summarizer":
                return str(relocated("summarizers", parse_spec(text), start, new_start))
        return text

    return replace(moved, params=tuple((key, value(key, text)) for key, text in spec.params))


def relocated_path(path: str, start: Path, new_start: Path) -> str:
    """The path from another folder; one that starts at the root or at home stays as it is."""
    if Path(path).expanduser().is_absolute():
        return path
    return os.path.relpath(start / path, new_start)
