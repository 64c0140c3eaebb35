"""What a run was: all that its figures depend on, and nothing that changes with the clock."""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import compaction_eval
from compaction_eval.eval.matrix import Matrix
from compaction_eval.eval.places import places_of
from compaction_eval.eval.recall.asking import ASKING
from compaction_eval.eval.recall.grading import GRADER
from compaction_eval.eval.recall.judge import JUDGING
from compaction_eval.eval.verdicts import MATCHER
from compaction_eval.strategies.errors import ConfigurationError
from compaction_eval.strategies.loaded import Loaded
from compaction_eval.strategies.loading import Kind, load_strategy, load_summarizer
from compaction_eval.strategies.prompts import PROMPTS
from compaction_eval.strategies.specs import Spec

SCHEMA = "compaction-eval/run/1"
_DEPENDENCIES = ("tiktoken", "PyYAML")
_CIRCUMSTANCES = (
    "python",
    "dependencies",
    "git_revision",
    "places",
    "made_in",
    "lacking",
    "attempted",
    "selected",
)
"""Keys that are told but may differ between the parts of a resumed run."""


def manifest_of(matrix: Matrix) -> dict[str, Any]:
    """The manifest of a run over a matrix. ConfigurationError for what can't be loaded or read."""
    directory = matrix.directory
    return {
        "schema": SCHEMA,
        "version": compaction_eval.__version__,
        "python": platform.python_version(),
        "dependencies": {name: _version(name) for name in _DEPENDENCIES},
        "git_revision": _git_revision(directory),
        "matcher": MATCHER,
        "encoding": matrix.encoding,
        "profile": matrix.profile,
        "repeats": matrix.repeats,
        **_asked(matrix),
        "budgets": [budget.label for budget in matrix.budgets],
        "strategies": [
            _described(spec, load_strategy(spec, directory)) for spec in matrix.strategies
        ],
        "summarizers": [
            _described(spec, load_summarizer(spec, directory)) for spec in matrix.summarizers
        ],
        "scenarios": [
            {
                "id": scenario.id,
                "variant": scenario.variant,
                "lang": scenario.lang,
                "tags": list(scenario.tags),
                "digest": scenario.digest,
            }
            for scenario in matrix.scenarios
        ],
        # Not part of a scenario: it may lie elsewhere on another machine.
        "places": places_of(matrix.scenarios),
    }


def _asked(matrix: Matrix) -> dict[str, Any]:
    """Who is asked and how, where a model is, and under which faults; nothing where none is."""
    chaos = {} if matrix.chaos is None else {"chaos": matrix.chaos}
    if matrix.model is None:
        return chaos
    return {
        **chaos,
        "model": matrix.model,
        "judge": matrix.judge,
        "asking": ASKING,
        "grader": GRADER,
        **({} if matrix.judge is None else {"judging": JUDGING}),
    }


def same_run(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """The keys in which two manifests differ; none where one run may go on as the other."""
    keys = dict.fromkeys((*one, *other))
    return [key for key in keys if key not in _CIRCUMSTANCES and one.get(key) != other.get(key)]


def run_id(manifest: Mapping[str, Any]) -> str:
    """A short name for a run, the same for the same matrix; of joined runs each one's."""
    if "joined" in manifest:
        return " + ".join(part["id"] for part in manifest["joined"])
    kept = {key: value for key, value in manifest.items() if key not in _CIRCUMSTANCES}
    text = json.dumps(kept, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:10]


def key_seers(manifest: Mapping[str, Any], kind: Kind) -> frozenset[str]:
    """The labels of the strategies or summarisers that were handed the answer key."""
    return frozenset(one["label"] for one in manifest.get(kind, ()) if one["sees_answer_key"])


def _described(spec: Spec, loaded: Loaded[Any] | None) -> dict[str, Any]:
    """A spec with what its figures rest on; files by name alone, so that they may move together.

    Where a model writes summaries, `live` is true: two runs of the same may differ.
    """
    asks = loaded is not None and bool(loaded.models)
    return {
        "label": spec.label,
        "spec": str(spec),
        "sees_answer_key": loaded is not None and loaded.sees_answer_key,
        "files": [
            {"name": file.name, "digest": _digest(file)}
            for file in (loaded.files if loaded is not None else ())
            if file.is_file()
        ],
        **({"live": True, "prompts": PROMPTS} if asks else {}),
    }


def _digest(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise ConfigurationError(f"{file}: can't be read: {error.strerror}") from error


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _git_revision(directory: Path) -> str | None:
    """The revision of the caller's repository; None outside of one or without git."""
    try:
        done = subprocess.run(
            ("git", "rev-parse", "HEAD"),
            cwd=directory,
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None
