"""What is wrong with one value of a configuration, by the shape that its key has."""

from __future__ import annotations

from typing import cast

from compaction_eval.commands.config_keys import LONGEST, ConfigKey
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean


def wrong_value(name: str, key: ConfigKey, text: str) -> str | None:
    """What is wrong with the value of the key of this name, or None."""
    if not text:
        return "it is empty"
    if key.values and text not in key.values:
        return f"'{text}' is none of {', '.join(key.values)}{did_you_mean(text, key.values)}"
    whole = text.isascii() and text.isdigit() and len(text) < 19
    if key.shape == "number" and not (whole and int(text) > 0):
        return f"'{text}' is no whole number above 0"
    if key.shape == "count" and not (text.isascii() and text.isdigit() and len(text) < 10):
        return f"'{text}' is no whole number from 0"
    if key.shape in ("number", "count") and key.most is not None and int(text) > key.most:
        return f"'{text}' is more than {key.most:,}"
    if key.shape == "seconds":
        try:
            fits = 0 < float(text) <= LONGEST
            return None if fits else f"'{text}' is no time above 0 and up to {LONGEST:,} seconds"
        except ValueError:
            return f"'{text}' is no number of seconds"
    if key.shape == "flag" and text.casefold() not in ("true", "false"):
        return f"'{text}' is neither true nor false"
    return _wrong_gate(name, text) if key.shape == "gates" else None


def _wrong_gate(rule: str, text: str) -> str | None:
    from compaction_eval.eval.gates import Rule, parse_gate

    try:
        parse_gate(cast("Rule", rule), text)
    except ConfigurationError as error:
        return str(error).removeprefix(f"--{rule} ")
    return None
