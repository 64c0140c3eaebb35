"""`list`: what there is to name on the command line, with parameters and their defaults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from compaction_eval.commands.errors import reports_faults
from compaction_eval.strategies.errors import did_you_mean

Entry = dict[str, Any]
"""`name`, `about`, and what else there is to say of it."""


class Kind(click.Choice[str]):
    """One of some words; a mistyped one is told with the nearest."""

    def get_invalid_choice_message(self, value: str, ctx: click.Context | None) -> str:
        """What click says, and the nearest word."""
        said = super().get_invalid_choice_message(value, ctx)
        hint = did_you_mean(str(value), map(str, self.choices))
        return f"{said.removesuffix('.')}{hint}" if hint else said


@click.command()
@click.argument("kind", type=Kind(["strategies", "scenarios", "summarizers", "formats"]))
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list, for programs.")
@reports_faults
def command(kind: str, as_json: bool) -> None:
    """List strategies, scenarios, summarizers or formats, one line each."""
    entries = _KINDS[kind]()
    if as_json:
        from compaction_eval.reports.json_text import json_text

        click.echo(json_text(entries, indent=1))
        return
    from rich.cells import cell_len

    from compaction_eval.reports.printable import cut, one_line

    width = max((cell_len(entry["name"]) for entry in entries), default=0)
    heading, indent = None, ""
    for entry in entries:
        if entry.get("use") != heading:
            heading, indent = entry["use"], "  "
            click.echo(f"{heading}:")
        name = indent + one_line(entry["name"])
        notes = "".join(f" [{note}]" for note in entry.get("notes", ()))
        gap = " " * (len(indent) + width - cell_len(name))
        click.echo(f"{name}{gap}  {one_line(entry['about'])}{notes}")
        for key, value in entry.get("parameters", {}).items():
            click.echo(f"{' ' * width}    {key}={cut(_plain(value), 60)}")


def _plain(value: object) -> str:
    return (
        "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    )


def _strategies() -> list[Entry]:
    return _registered("strategies")


def _summarizers() -> list[Entry]:
    own = [
        {"name": "openai:NAME", "about": "A model writes the summaries; see docs/models.md."},
        {"name": "model", "about": "The same, by the model of --model."},
        {"name": "none", "about": "No summarizer; strategies take their fallback."},
    ]
    return [*_registered("summarizers"), *own]


def _registered(kind: Any) -> list[Entry]:
    from compaction_eval.strategies.loading import registered

    return [
        {"name": name, **_described(kind, name, path)} for name, path in registered(kind).items()
    ]


def _described(kind: Any, name: str, path: str) -> Entry:
    """Description and parameters; of an entry point that can't be imported, the reason."""
    from compaction_eval.strategies.base import sees_answer_key
    from compaction_eval.strategies.describing import first_words
    from compaction_eval.strategies.errors import ConfigurationError
    from compaction_eval.strategies.importing import dotted_target
    from compaction_eval.strategies.loading import BUILT_IN

    try:
        target = dotted_target(path, from_working_directory=False)
    except ConfigurationError as error:
        return {"about": f"can't be loaded: {error}", "parameters": {}}
    about = first_words(target)
    built_in = name in BUILT_IN[kind]
    if not built_in:
        about = f"{about} [{path}]".lstrip()
    entry: Entry = {"about": about, "parameters": _parameters(target)}
    # Of code from outside, whatever it says, the guard keeps the key.
    if built_in and sees_answer_key(target()):
        entry["about"] += " Sees the answer key."
    return entry


def _parameters(target: Any) -> Mapping[str, Any]:
    """Parameters with their defaults as JSON has them; one without a default is `required`."""
    import inspect

    from compaction_eval.strategies.parameters import signature_of

    shown = {}
    for name, parameter in signature_of(target).parameters.items():
        default = parameter.default
        if default is inspect.Parameter.empty:
            # A function's first parameters are given by the run.
            if inspect.isclass(target):
                shown[name] = "required"
        else:
            simple = isinstance(default, str | int | float | bool | None)
            shown[name] = default if simple else _joined(default)
    return shown


def _joined(default: object) -> str:
    """A list of texts, or a summariser, as a spec writes it."""
    if callable(getattr(default, "summarize", None)):
        return str(getattr(default, "name", default))
    return "|".join(map(str, default)) if isinstance(default, tuple | list) else str(default)


def _scenarios() -> list[Entry]:
    from compaction_eval.scenarios.library import library_folder, scenario_files
    from compaction_eval.scenarios.loader import load_file

    entries: list[Entry] = []
    for path in scenario_files(library_folder()):
        variants = load_file(path)
        first = variants[0]
        entries.append(
            {
                "name": first.id,
                "about": first.title,
                "description": first.description,
                "lang": first.lang,
                "tags": list(first.tags),
                "variants": [one.variant for one in variants],
                "messages": [len(one.messages) for one in variants],
                "probes": len(first.probes) + len(first.reuse),
                "notes": [first.lang, *first.tags],
            }
        )
    return entries


def _formats() -> list[Entry]:
    from compaction_eval.commands.charting import PAGE
    from compaction_eval.reports.results import WRITERS
    from compaction_eval.scenarios.importers import AUTO, FORMATS

    auto = {"name": AUTO, "about": "whichever of these a file is in", "use": "import"}
    return [
        *({"name": n, "about": f.about, "use": "import"} for n, f in FORMATS.items()),
        auto,
        *(
            {"name": suffix, "about": (write.__doc__ or "").strip(), "use": "run -o"}
            for suffix, write in WRITERS.items()
        ),
        {"name": PAGE, "about": "The page of `report`, with charts and explorer.", "use": "run -o"},
    ]


_KINDS: Mapping[str, Callable[[], list[Entry]]] = {
    "strategies": _strategies,
    "scenarios": _scenarios,
    "summarizers": _summarizers,
    "formats": _formats,
}
