"""The scenarios of a finished run, found again by its manifest and checked to be the same."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compaction_eval.scenarios.errors import FaultsError
from compaction_eval.scenarios.importers.in_memory import read_transcripts
from compaction_eval.scenarios.library import library_folder, scenario_files
from compaction_eval.scenarios.loader import load_file
from compaction_eval.scenarios.records import Scenario, variant_name
from compaction_eval.scenarios.wording import listed_words
from compaction_eval.strategies.errors import ConfigurationError

Variant = tuple[str, str]
"""A scenario's id and variant."""
GONE = "its file isn't where the run found it"
CHANGED = "its file has changed since the run"


@dataclass(slots=True)
class Recovered:
    """What could be found again, and of the rest why not."""

    scenarios: dict[Variant, Scenario] = field(default_factory=dict)
    lacking: dict[Variant, str] = field(default_factory=dict)


def recovered(manifest: Mapping[str, Any], wanted: Container[Variant] | None = None) -> Recovered:
    """The scenarios that a manifest lists, read from their files where those are as they were.

    Of these only the `wanted` ones; all, if that isn't given.

    A shipped scenario is found wherever the package lies now, a transcript that was taken as it
    stood is read as it was then. Never raises for what a file holds.
    """
    found = Recovered()
    taken = _taken(manifest)
    shipped = {file.stem: file for file in scenario_files(library_folder())}
    read: dict[Path, tuple[Scenario, ...]] = {}
    for one in manifest.get("scenarios", ()):
        variant = (str(one["id"]), str(one["variant"]))
        if wanted is not None and variant not in wanted:
            continue
        place = manifest.get("places", {}).get(one["id"], {})
        given = place.get("file")
        if "format" in place:
            same = [s for s in taken if s.id == one["id"] and s.digest == one["digest"]]
            if same:
                found.scenarios[variant] = same[0]
            else:
                found.lacking[variant] = CHANGED if Path(given).is_file() else GONE
            continue
        files = [Path(given)] if given else []
        files += [shipped[one["id"]]] if one["id"] in shipped else []
        reason = GONE
        for file in files:
            if file not in read:
                read[file] = _read(file)
            same = [s for s in read[file] if (s.id, s.variant) == variant]
            if same and same[0].digest == one["digest"]:
                found.scenarios[variant] = same[0]
                break
            reason = CHANGED if file.is_file() else reason
        else:
            found.lacking[variant] = reason
    return found


def _taken(manifest: Mapping[str, Any]) -> list[Scenario]:
    """The conversations of the transcripts that a run took as they stood."""
    places = manifest.get("places", {})
    by_format: dict[str, dict[Path, None]] = {}
    for place in places.values():
        if "format" in place and Path(place["file"]).is_file():
            by_format.setdefault(place["format"], {})[Path(place["file"])] = None
    others = [id for id, place in places.items() if "format" not in place]
    found: list[Scenario] = []
    for name, files in by_format.items():
        try:
            transcripts = read_transcripts(files, name, others)
        except ConfigurationError:
            continue
        found += (scenario for one in transcripts for scenario in one.scenarios)
    return found


def _read(file: Path) -> tuple[Scenario, ...]:
    """The scenarios of a file; none where it isn't there or no longer holds any."""
    if not file.is_file():
        return ()
    try:
        return load_file(file)
    except FaultsError:
        return ()


def lacking_lines(found: Recovered) -> list[str]:
    """A line for each reason why scenarios aren't at hand, with their names."""
    by_reason: dict[str, list[str]] = {}
    for variant, reason in found.lacking.items():
        by_reason.setdefault(reason, []).append(variant_name(*variant))
    return [f"{listed_words(names, most=8)}: {reason}" for reason, names in by_reason.items()]
