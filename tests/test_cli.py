"""The command line's front, on a table of commands of its own."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import click
import pytest
from click.testing import CliRunner, Result

from compaction_eval import __version__
from compaction_eval.cli import COMMANDS, DEFAULT_COMMAND, LazyGroup, cli

ROOT = Path(__file__).resolve().parents[1]
TABLE = {
    "run": ("fake_commands:run", "Replay."),
    "check": ("fake_commands:check", "Validate."),
    "stop": ("fake_commands:stop", "Be interrupted."),
    "paint": ("fake_commands:paint", "Print in red."),
    "absent": ("no_such_module:command", "Never imported."),
}


@click.command()
@click.option("--budget")
def run(budget: str | None) -> None:
    click.echo(f"run budget={budget}")


@click.command()
def check() -> None:
    click.echo("check")


@click.command()
def stop() -> None:
    raise KeyboardInterrupt


@click.command()
def paint() -> None:
    click.secho("red", fg="red")


@pytest.fixture
def group(monkeypatch: pytest.MonkeyPatch) -> click.Group:
    module = ModuleType("fake_commands")
    for command in (run, check, stop, paint):
        setattr(module, command.name or "", command)
    monkeypatch.setitem(sys.modules, "fake_commands", module)

    @click.group(cls=LazyGroup, table=TABLE, default="run")
    @click.version_option("9.9")
    def fake() -> None:
        """A group."""

    return fake


def invoke(group: click.Group, *args: str, color: bool = False) -> Result:
    return CliRunner().invoke(group, args, color=color)


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ((), "run budget=None\n"),
        (("--budget", "30%"), "run budget=30%\n"),
        (("--budget=30%",), "run budget=30%\n"),
        (("run", "--budget", "2000"), "run budget=2000\n"),
        (("check",), "check\n"),
    ],
)
def test_options_without_a_command_belong_to_the_default_command(
    group: click.Group, args: tuple[str, ...], expected: str
) -> None:
    result = invoke(group, *args)
    assert (result.exit_code, result.output) == (0, expected)


def test_help_lists_the_table_in_order_and_imports_no_command(group: click.Group) -> None:
    result = invoke(group, "--help")
    assert result.exit_code == 0
    listed = [line.split()[0] for line in result.output.split("Commands:\n")[1].splitlines()]
    assert listed == list(TABLE)


def test_version_is_the_groups_own_option(group: click.Group) -> None:
    assert "9.9" in invoke(group, "--version").output


def test_a_commands_help_is_its_own(group: click.Group) -> None:
    assert "--budget" in invoke(group, "run", "--help").output


def test_an_unknown_command_exits_2_and_names_the_nearest(group: click.Group) -> None:
    result = invoke(group, "chekc")
    assert result.exit_code == 2
    assert "No such command 'chekc'; did you mean 'check'?" in result.stderr


def test_an_unknown_command_like_no_other_gets_the_whole_list(group: click.Group) -> None:
    result = invoke(group, "zzz")
    assert result.exit_code == 2
    assert "one of: run, check, stop, paint, absent." in result.stderr


def test_an_unknown_option_exits_2(group: click.Group) -> None:
    assert invoke(group, "--budgett", "3").exit_code == 2


def test_an_interrupt_exits_130_without_a_traceback(group: click.Group) -> None:
    result = invoke(group, "stop")
    assert result.exit_code == 130
    assert result.output.startswith("\nInterrupted. Again: ")
    assert result.output.endswith(" stop\n")


@pytest.mark.parametrize(("value", "colored"), [("1", False), ("", True)])
def test_no_color_is_honoured_unless_it_is_empty(
    group: click.Group, monkeypatch: pytest.MonkeyPatch, value: str, colored: bool
) -> None:
    monkeypatch.setenv("NO_COLOR", value)
    assert ("\x1b[31m" in invoke(group, "paint", color=True).output) is colored


def test_the_real_table_is_whole() -> None:
    assert isinstance(cli, LazyGroup)
    assert cli.table is COMMANDS
    assert DEFAULT_COMMAND in COMMANDS


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)], ids=" ".join)
def test_help_of_the_real_program_imports_nothing_heavy(command: tuple[str, ...]) -> None:
    """`--help` answers at once: of all third-party packages it needs click alone."""
    code = f"""
import sys
sys.argv = ["compaction-eval", *{command}, "--help"]
from compaction_eval.__main__ import main
try:
    main()
except SystemExit as stop:
    assert stop.code == 0, stop.code
heavy = {{"rich", "yaml", "tiktoken", "pandas", "matplotlib", "openai", "asyncio"}}
print("loaded:", sorted(heavy & set(sys.modules)))
rooms = ("strategies", "scenarios", "eval", "reports", "commands")
print("rooms:", [name for name in rooms if f"compaction_eval.{{name}}" in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r})\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "loaded: []\n" in done.stdout
    if not command:
        assert done.stdout.endswith("rooms: []\n")


def test_the_version_is_the_packages() -> None:
    result = invoke(cli, "--version")
    assert result.output == f"compaction-eval, version {__version__}\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("gate", "a", "--baseline", "b", "--baseline", "c"), "'--baseline' is given twice"),
        (("gate", "a", "--allow-flips=9", "--allow-flips=0"), "'--allow-flips' is given twice"),
        (("run", "-k", "zh", "-q", "-k", "de"), "'-k' is given twice"),
        (("-k", "zh", "-k", "zh"), "'-k' is given twice"),
        (("compare", "a", "--between", "x", "y", "--between", "x", "z"), "'--between' is given"),
    ],
)
def test_a_single_value_that_is_given_twice_is_refused_since_the_last_would_win(
    words: tuple[str, ...], told: str
) -> None:
    result = CliRunner().invoke(cli, words)
    assert (result.exit_code, told in result.stderr) == (2, True), result.output


def test_repeatable_options_and_flags_may_be_repeated() -> None:
    assert CliRunner().invoke(cli, ["list", "--json", "--json", "formats"]).exit_code == 0
    bounds = ("--fail-under", "survival=0.1", "--fail-under", "survival=0.2")
    assert "no such folder" in CliRunner().invoke(cli, ["gate", "nowhere", *bounds]).stderr
