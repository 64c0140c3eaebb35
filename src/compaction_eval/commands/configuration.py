"""The configuration file: found, read with the place of each value, and checked key by key.

`compaction-eval.yaml` in the working directory, else the table `[tool.compaction-eval]` of
`pyproject.toml` there, or the file that `--config` names. Paths in it are relative to it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from compaction_eval.commands.config_checks import wrong_value
from compaction_eval.commands.config_keys import (
    GATE_KEYS,
    GATES,
    KEYS,
    MODEL_KEYS,
    MODELS,
    OPENAI,
    ConfigKey,
)
from compaction_eval.eval.models.settings import wrong_setting
from compaction_eval.scenarios.errors import Fault, FaultsError
from compaction_eval.scenarios.keys import SCENARIO
from compaction_eval.scenarios.records import Place
from compaction_eval.scenarios.yaml_tree import Fields, Items, Node, Scalar, parse
from compaction_eval.strategies.errors import ConfigurationError, did_you_mean

DEFAULT_FILE = "compaction-eval.yaml"
PYPROJECT = "pyproject.toml"


@dataclass(frozen=True, slots=True)
class Given:
    """One value as the user wrote it."""

    text: str
    place: Place | None = None
    """Its place in a configuration file; null on the command line."""
    fields: Mapping[str, str] | None = None
    """A spec given as a mapping; `text` is then what it uses. Or headers by name."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a configuration file gives, by key; empty where there is no file."""

    directory: Path
    file: Path | None = None
    values: Mapping[str, tuple[Given, ...]] = field(default_factory=dict)
    gates: Mapping[str, tuple[Given, ...]] = field(default_factory=dict)
    """The section `gates`, likewise."""
    models: Mapping[str, tuple[Given, ...]] = field(default_factory=dict)
    """Of the section `models` the section `openai`, likewise."""


def find_configuration(named: Path | None, directory: Path) -> Configuration:
    """The file that applies in this folder. Raises ConfigurationError with all its faults."""
    if named is not None:
        return read_configuration(named, required=True)
    if os.path.isfile(directory / DEFAULT_FILE):
        return read_configuration(directory / DEFAULT_FILE)
    if os.path.isfile(directory / PYPROJECT):
        return read_configuration(directory / PYPROJECT)
    return Configuration(directory)


def read_configuration(file: Path, *, required: bool = False) -> Configuration:
    """The file's values. With `required` a TOML file has to have the table."""
    shown = _shown(file)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{shown}: can't be read: {error.strerror}") from error
    if file.suffix.lower() == ".toml":
        from compaction_eval.commands.toml_tree import parse_toml

        root, faults = parse_toml(data, shown)
        if root is None and not faults and required:
            faults = [Fault(Place(shown), "it has no table [tool.compaction-eval]")]
    elif file.suffix.lower() in (".yaml", ".yml"):
        root, faults = (None, []) if _says_nothing(data) else parse(data, shown)
    else:
        raise ConfigurationError(f"{shown}: a configuration is a .yaml or a .toml file")
    values: dict[str, tuple[Given, ...]] = {}
    gates: dict[str, tuple[Given, ...]] = {}
    models: dict[str, tuple[Given, ...]] = {}
    root, section = _apart(root, GATES)
    if section is not None:
        gates = _values(section, GATE_KEYS, f"'{GATES}'", faults)
    root, section = _apart(root, MODELS)
    if section is not None:
        models = _models(section, faults)
    if root is not None:
        values = _values(root, KEYS, "a configuration", faults)
    if faults:
        raise FaultsError(sorted(faults, key=lambda f: (f.place.line, f.place.column)))
    return Configuration(file.parent, file, values, gates, models)


def _apart(root: Node | None, name: str) -> tuple[Node | None, Node | None]:
    """The tree without a section, and that section."""
    if not isinstance(root, Fields) or name not in root.by_key:
        return root, None
    others = {key: entry for key, entry in root.by_key.items() if key != name}
    return replace(root, by_key=others), root.by_key[name][1]


def _models(section: Node, faults: list[Fault]) -> dict[str, tuple[Given, ...]]:
    """What `models` says of each way to reach models; there is one."""
    if not isinstance(section, Fields):
        faults.append(Fault(section.place, f"'{MODELS}' has the key {OPENAI}"))
        return {}
    values: dict[str, tuple[Given, ...]] = {}
    for name, (key_node, node) in section.by_key.items():
        if name == OPENAI:
            values = _values(node, MODEL_KEYS, f"'{MODELS}.{OPENAI}'", faults)
        else:
            hint = did_you_mean(name, (OPENAI,)) or f"; known is {OPENAI}"
            faults.append(Fault(key_node.place, f"unknown key '{name}'{hint}"))
    for name, given in values.items():
        for one in given:
            for message in wrong_setting(name, one.text, one.fields or {}):
                faults.append(Fault(one.place or section.place, f"'{name}': {message}"))
    return values


def is_configuration(file: Path) -> bool:
    """Whether a file is one by its name, or has more keys of one than of a scenario.

    A single key doesn't tell: it may be the one that is misspelt.
    """
    if file.suffix.lower() == ".toml" or file.name == DEFAULT_FILE:
        return True
    if file.suffix.lower() not in (".yaml", ".yml") or not os.path.isfile(file):
        return False
    try:
        root, _ = parse(file.read_bytes(), str(file))
    except OSError:
        return False
    keys = root.by_key.keys() if isinstance(root, Fields) else set()
    return len(keys & {*KEYS, GATES, MODELS}) > len(keys & SCENARIO.keys())


def _says_nothing(data: bytes) -> bool:
    """Whether there are only comments: a configuration, unlike a scenario, may be empty."""
    return all(line.lstrip()[:1] in (b"", b"#") for line in data.splitlines())


def _shown(file: Path) -> str:
    """The file as messages name it: relative to the working directory where it lies below."""
    absolute, here = file.absolute(), Path.cwd()
    return str(absolute.relative_to(here) if absolute.is_relative_to(here) else file)


def _values(
    root: Node, keys: Mapping[str, ConfigKey], what: str, faults: list[Fault]
) -> dict[str, tuple[Given, ...]]:
    if not isinstance(root, Fields):
        faults.append(Fault(root.place, f"{what} has keys such as {', '.join(keys)}"))
        return {}
    known = (*keys, GATES, MODELS) if keys is KEYS else keys
    values = {}
    for name, (key_node, node) in root.by_key.items():
        key = keys.get(name)
        if key is None:
            hint = did_you_mean(name, known) or f"; known are {', '.join(known)}"
            faults.append(Fault(key_node.place, f"unknown key '{name}'{hint}"))
        else:
            values[name] = tuple(_given(name, key, node, faults))
    return values


def _given(name: str, key: ConfigKey, node: Node, faults: list[Fault]) -> list[Given]:
    several = key.shape in ("texts", "specs", "gates")
    if isinstance(node, Items) and several:
        if not node.nodes:
            faults.append(Fault(node.place, f"'{name}' is an empty list"))
        return [given for item in node.nodes for given in _one(name, key, item, faults)]
    return _one(name, key, node, faults)


def _one(name: str, key: ConfigKey, node: Node, faults: list[Fault]) -> list[Given]:
    if isinstance(node, Fields) and key.shape == "specs":
        return _mapping(name, node, faults)
    if isinstance(node, Fields) and key.shape == "headers":
        return _headers(name, node, faults)
    if not isinstance(node, Scalar) or key.shape == "headers":
        wanted = {
            "texts": "a text or a list of texts",
            "specs": "a spec or a list of specs",
            "gates": "a METRIC=VALUE or a list of them",
            "headers": "a mapping of names to values",
        }
        faults.append(Fault(node.place, f"'{name}' is {wanted.get(key.shape, 'one value')}"))
        return []
    text = node.text.strip()
    message = wrong_value(name, key, text)
    if node.cut:
        message = "` #` ends an unquoted text; quote it, or put the comment on a line of its own"
    if message:
        faults.append(Fault(node.place, f"'{name}': {message}"))
        return []
    return [Given(text, node.place)]


def _mapping(name: str, node: Fields, faults: list[Fault]) -> list[Given]:
    """A spec written as `{use: count-slice, keep: 10, name: last-ten}`."""
    fields = {}
    for word, (_, value) in node.by_key.items():
        if isinstance(value, Scalar):
            fields[word] = value.text
        elif isinstance(value, Items) and all(isinstance(v, Scalar) for v in value.nodes):
            fields[word] = "|".join(v.text for v in value.nodes if isinstance(v, Scalar))
        else:
            faults.append(Fault(value.place, f"'{name}': parameter '{word}' is no text"))
            return []
    if "use" not in fields:
        hint = did_you_mean("use", fields)
        faults.append(Fault(node.place, f"'{name}': a mapping needs the key 'use'{hint}"))
        return []
    return [Given(fields["use"], node.place, fields)]


def _headers(name: str, node: Fields, faults: list[Fault]) -> list[Given]:
    fields = {}
    for header, (_, value) in node.by_key.items():
        if isinstance(value, Scalar) and value.text.strip() and not value.cut:
            fields[header] = value.text.strip()
        else:
            faults.append(Fault(value.place, f"'{name}': '{header}' is no text on one line"))
    return [Given("", node.place, fields)]
