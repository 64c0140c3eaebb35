"""The command line's front: knows each command's name and one line of help, and loads it late.

Only click is imported here, so that `--help` answers at once; a command's module is imported when
the command is used.
"""

import importlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

import click

from compaction_eval import __version__

DEFAULT_COMMAND = "run"
COMMANDS: Mapping[str, tuple[str, str]] = {
    "run": (
        "compaction_eval.commands.run:command",
        "Replay scenarios through strategies and print the table (default).",
    ),
    "list": (
        "compaction_eval.commands.listing:command",
        "List strategies, scenarios, summarizers or formats.",
    ),
    "check": (
        "compaction_eval.commands.check:command",
        "Validate scenarios and configuration, and show what a library covers.",
    ),
    "show": (
        "compaction_eval.commands.show:command",
        "Follow one conversation request by request: what was kept, what was lost.",
    ),
    "report": (
        "compaction_eval.commands.report:command",
        "Tell where a finished run lost most: by family, kind, language, position, age.",
    ),
    "baseline": (
        "compaction_eval.commands.baseline:command",
        "Make a finished run the one that later runs are compared with.",
    ),
    "gate": (
        "compaction_eval.commands.gate:command",
        "Fail where a run forgets or costs more than its baseline or a bound allows.",
    ),
    "compare": (
        "compaction_eval.commands.compare:command",
        "Tell what changed between two runs, or between two strategies at matched size.",
    ),
    "stress": (
        "compaction_eval.commands.stress:command",
        "Judge strategies on the edge suite: what compaction code must get right.",
    ),
    "import": (
        "compaction_eval.commands.importing:command",
        "Turn transcripts into scenarios.",
    ),
    "schema": (
        "compaction_eval.commands.schema:command",
        "Print the JSON Schema of scenario or configuration files.",
    ),
}


def refuse_repeated(ctx: click.Context, args: list[str]) -> None:
    """UsageError for an option that takes one value and is given two: the last would win unseen."""
    try:
        *_, given = ctx.command.make_parser(ctx).parse_args(list(args))
    except click.UsageError:
        return  # told when the command itself reads them
    for one in given:
        single = isinstance(one, click.Option) and not (one.multiple or one.is_flag or one.count)
        if single and given.count(one) > 1:
            longest = max(one.opts, key=len)
            raise click.UsageError(f"'{longest}' is given twice, and takes one value.", ctx)


class LazyGroup(click.Group):
    """A group whose commands are given as a table: name -> ("module:attribute", help line).

    An invocation without a command name, or which starts with an option that is not the group's
    own, is one of the command `default`.
    """

    def __init__(
        self, *args: Any, table: Mapping[str, tuple[str, str]], default: str, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.table = table
        self.default = default

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the table's order, which is the order of use."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module; None for an unknown name."""
        if cmd_name not in self.table:
            return None
        module, _, attribute = self.table[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Refuse an unknown name with the nearest known one (exit code 2)."""
        if args[0] not in self.table and not ctx.resilient_parsing:
            near = get_close_matches(args[0], self.table, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"one of: {', '.join(self.table)}."
            ctx.fail(f"No such command '{args[0]}'; {hint}")
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and not ctx.resilient_parsing:
            refuse_repeated(click.Context(command, info_name=name, parent=ctx), rest)
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, importing none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self.table.items()])

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Honour NO_COLOR (any non-empty value) in everything that click prints."""
        if os.environ.get("NO_COLOR"):
            extra.setdefault("color", False)
        with _safely_told():
            return super().make_context(info_name, args, parent, **extra)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command's name in front where none was given."""
        own = {name for option in self.get_params(ctx) for name in option.opts}
        # Resilient parsing is shell completion, which has to be offered the commands' names.
        if not ctx.resilient_parsing and (
            not args or (args[0].startswith("-") and args[0] not in own)
        ):
            args = [self.default, *args]
        ctx.meta[_ARGUMENTS] = tuple(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """End on Ctrl-C with exit code 130, as a shell expects, and without a traceback."""
        try:
            with _safely_told():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            again = f" Again: {_once_more(ctx)}" if _ARGUMENTS in ctx.meta else ""
            click.echo(f"\nInterrupted.{again}", err=True)
            ctx.exit(130)


def _once_more(ctx: click.Context) -> str:
    """The command line that was interrupted, as it can be pasted."""
    from compaction_eval.commands.invocation import command_line

    name, *arguments = ctx.meta[_ARGUMENTS]
    return command_line(name, arguments)


_ARGUMENTS = "compaction_eval.command_line"


@contextmanager
def _safely_told() -> Iterator[None]:
    """Make wrong usage safe to show: `*.jsonl` may stand for a file that looks like an option."""
    try:
        yield
    except click.MissingParameter:
        raise
    except click.UsageError as error:
        from compaction_eval.reports.printable import shown_path

        raise click.UsageError(shown_path(error.format_message()), error.ctx) from None


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    default=DEFAULT_COMMAND,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="compaction-eval")
def cli() -> None:
    """Measure what conversation compaction makes an agent forget, and what it saves.

    Without a command, `run` is meant: its options may follow directly.
    """
