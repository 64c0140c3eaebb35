"""Trajectories of tau-bench: OpenAI's chat messages under `traj`, beside a task's reward."""

from __future__ import annotations

from collections.abc import Mapping

from compaction_eval.scenarios.importers import openai
from compaction_eval.scenarios.importers.documents import Document
from compaction_eval.scenarios.importers.records import Imported


def recognises(document: Document) -> bool:
    """Whether every entry is a trajectory with its task or its reward."""
    values = document.values
    entries = values[0] if len(values) == 1 and isinstance(values[0], list) else values
    return bool(entries) and all(
        isinstance(entry, Mapping)
        and isinstance(entry.get("traj"), list)
        and ("reward" in entry or "task_id" in entry)
        for entry in entries
    )


def convert(document: Document) -> Imported:
    """One conversation for each trajectory, named after its task and trial."""
    return openai.convert(document)
