"""The command that goes on with a finished or interrupted run, by its manifest alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from compaction_eval.commands.invocation import command_line
from compaction_eval.commands.next_step import is_shipped
from compaction_eval.scenarios.library import ON_DEMAND


def run_again(folder: Path, manifest: Mapping[str, Any]) -> str:
    """The `run` that measures what a folder lacks; it keeps what is there."""
    arguments = _scenarios(manifest)
    for option, key in (("--strategy", "strategies"), ("--summarizer", "summarizers")):
        for entry in manifest[key]:
            arguments += [option, str(entry["spec"])]
    for budget in manifest["budgets"]:
        arguments += ["--budget", budget]
    arguments.append("--no-controls")
    for name, usual in (("repeats", 1), ("encoding", "o200k_base"), ("profile", "openai")):
        if manifest.get(name, usual) != usual:
            arguments += [f"--{name}", str(manifest[name])]
    for name in ("model", "judge", "chaos"):
        if manifest.get(name) is not None:
            arguments += [f"--{name}", str(manifest[name])]
    return command_line("run", [*arguments, "--out", str(folder)])


def _scenarios(manifest: Mapping[str, Any]) -> list[str]:
    """The options that select the run's scenarios; none where they are the shipped library."""
    places = manifest.get("places", {})
    ids = list(dict.fromkeys(one["id"] for one in manifest["scenarios"]))
    files = {one: places.get(one, {}).get("file", "") for one in ids}
    if _is_library(manifest["scenarios"], files):
        return []
    recorded = [one for one in ids if "format" in places.get(one, {})]
    found: list[str] = []
    for one in ids:
        if one not in recorded:
            name = one if not files[one] or is_shipped(one, files[one]) else files[one]
            found += ["--scenario", name]
    if recorded:
        for file in dict.fromkeys(files[one] for one in recorded):
            found += ["--transcript", file]
        form = places[recorded[0]]["format"]
        found += [] if form == "auto" else ["--format", form]
    return found


def _is_library(scenarios: Iterable[Mapping[str, Any]], files: Mapping[str, str]) -> bool:
    from compaction_eval.scenarios.library import select

    if not all(file and is_shipped(one, file) for one, file in files.items()):
        return False
    scenarios = list(scenarios)
    if any(ON_DEMAND & set(one.get("tags", ())) for one in scenarios):
        return False
    return [(one["id"], one["variant"]) for one in scenarios] == [
        (one.id, one.variant) for one in select([])
    ]
