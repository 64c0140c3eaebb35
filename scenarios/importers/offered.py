"""The tools that a recording gives beside its messages, as a scenario can have them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from compaction_eval.scenarios.importers.records import Tally
from compaction_eval.scenarios.importers.repairs import MAX_DEPTH, is_deep
from compaction_eval.scenarios.shapes import is_word

_SURROGATE = re.compile("[\ud800-\udfff]")


def offered(tools: Sequence[object], tally: Tally) -> tuple[Mapping[str, Any], ...]:
    """Schemas, or names, of tools; adds a reason for each that a scenario can't have."""
    kept: dict[str, Mapping[str, Any]] = {}
    for tool in tools:
        schema = tool if isinstance(tool, dict) else {"name": tool}
        inner = schema.get("function", schema.get("custom", schema))
        name = inner.get("name") if isinstance(inner, dict) else None
        if not isinstance(name, str) or not is_word(name):
            tally.skipped.append("tool without a usable name")
        elif name in kept:
            tally.skipped.append("tool given twice")
        elif is_deep(schema):
            tally.skipped.append(f"tool nested deeper than {MAX_DEPTH} levels")
        else:
            text = json.dumps(schema, ensure_ascii=False)
            # YAML, in which tools are written, has no way to say a lone surrogate.
            sayable = _SURROGATE.sub("\ufffd", text)
            kept[name] = json.loads(sayable)
            if sayable != text:
                tally.repaired.append("unpaired surrogate in a tool replaced")
    return tuple(kept.values())
