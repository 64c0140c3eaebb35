"""Where the scenarios of a run lay, by its manifest: folder, file, and line of each probe.

Paths are as they were given, from the folder in which the run was made. A run's own manifest says
where that is, from the run folder (`made_in`), so that both can be moved together; of a run that
was read it is said from the current folder, and so are the places.
"""

from __future__ import annotations

import os
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


def made_in(folder: Path, start: Path) -> dict[str, str]:
    """What a manifest says of where its paths start, seen from the run folder that it is in.

    Nothing where no path leads from one to the other: on another drive.
    """
    try:
        return {"made_in": Path(os.path.relpath(start.resolve(), folder.resolve())).as_posix()}
    except ValueError:
        return {}


def seen_from_here(manifest: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The manifest of a run folder with its places as seen from the current folder.

    A file that isn't where it was keeps the path that the run gave it, as do all those of a run
    that doesn't say where it was made.
    """
    made = manifest.get("made_in")
    if not isinstance(made, str):
        return dict(manifest)
    start = folder.resolve() / made
    seen = {**manifest, "made_in": os.path.relpath(start)}
    if seen["made_in"] == os.curdir or not isinstance(manifest.get("places"), Mapping):
        return seen
    seen["places"] = {name: _moved(place, start) for name, place in manifest["places"].items()}
    return seen


def _moved(place: Mapping[str, Any], start: Path) -> dict[str, Any]:
    probes = {probe: _from_here(str(at), start) for probe, at in place.get("probes", {}).items()}
    return {**place, "file": _from_here(f"{place['file']}:0", start)[:-2], "probes": probes}


def _from_here(at: str, start: Path) -> str:
    """`file:line` with the file's path from the current folder."""
    file, _, line = at.rpartition(":")
    if os.path.isabs(file) or not (start / file).is_file():
        return at
    return f"{os.path.relpath(start / file)}:{line}"
