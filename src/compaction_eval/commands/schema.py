"""`schema`: prints the JSON Schema of a kind of file, for editors."""

from __future__ import annotations

import json

import click

from compaction_eval.commands.errors import reports_faults


@click.command()
@click.argument("kind", type=click.Choice(["scenario", "config"]))
@reports_faults
def command(kind: str) -> None:
    """Print the JSON Schema of scenario or configuration files."""
    if kind == "scenario":
        from compaction_eval.scenarios.schema import scenario_schema

        schema = scenario_schema()
    else:
        from compaction_eval.commands.config_keys import config_schema

        schema = config_schema()
    click.echo(json.dumps(schema, indent=2, ensure_ascii=False))
