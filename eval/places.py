"""Where the scenarios of a run lay, by its manifest: folder, file, and line of each probe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from compaction_eval.scenarios.records import Scenario


def family(manifest: Mapping[str, Any], scenario: str) -> str | None:
    """The name of the folder in which a scenario lay; None where the run doesn't say."""
    place = manifest.get("places", {}).get(scenario)
    return None if place is None else str(place["family"])


def probe_place(manifest: Mapping[str, Any], scenario: str, probe: str) -> tuple[str, int] | None:
    """The file and line of a probe, as the run saw it; None where the run doesn't say."""
    place = manifest.get("places", {}).get(scenario)
    if place is None:
        return None
    file, _, line = str(place["probes"].get(probe, f"{place['file']}:1")).rpartition(":")
    return file, int(line)


def places_of(scenarios: Iterable[Scenario]) -> dict[str, dict[str, Any]]:
    """Of each scenario its file, the name of its folder, and `file:line` of each probe.

    Of a transcript that was taken as it stands also the format in which it was read.
    """
    places: dict[str, dict[str, Any]] = {}
    for scenario in scenarios:
        if not scenario.file:
            continue
        family = Path(scenario.file).resolve().parent.name
        place = places.setdefault(
            scenario.id, {"file": scenario.file, "family": family, "probes": {}}
        )
        if scenario.format:
            place["format"] = scenario.format
        found = {probe.id: probe.place for probe in scenario.probes}
        found |= {reuse.id: scenario.places[reuse.request] for reuse in scenario.reuse}
        for probe, at in found.items():
            place["probes"].setdefault(probe, f"{at.file}:{at.line}")
    return places
