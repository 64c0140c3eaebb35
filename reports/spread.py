"""What a library covers, as a table: in the terminal and in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from compaction_eval.reports.figures import count, share
from compaction_eval.reports.printable import markdown, name_text
from compaction_eval.scenarios.spread import Asked, Spread

if TYPE_CHECKING:
    from rich.console import Console

_COLUMNS = ("", "", "scenarios", "number", "share")
_ORDINALS = ("first", "second", "third", "fourth", "last")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table; what doesn't apply is None and stays empty."""

    group: str
    name: str
    scenarios: int | None = None
    number: int | None = None
    share: float | None = None

    @property
    def cells(self) -> tuple[str, str, str, str, str]:
        """As it is shown."""
        return (
            self.group,
            self.name,
            "" if self.scenarios is None else count(self.scenarios),
            "" if self.number is None else count(self.number),
            "" if self.share is None else share(self.share),
        )


def lines(found: Spread) -> list[Line]:
    """The table's lines; shares are of the scenarios or, where there is a number, of that."""
    return [
        Line("all", "", found.scenarios, found.probes),
        *_of_scenarios("language", found.languages.items(), found.scenarios),
        *_of_scenarios("family", found.families.items(), found.scenarios),
        *_of_scenarios(
            "tools", (("calls", found.tools), ("parallel calls", found.parallel)), found.scenarios
        ),
        *_of_probes("kind of probe", found.kinds.items(), found.probes),
        *_of_probes("match", found.matches.items(), found.probes),
        *_parts("evidence, by tokens", found.evidence_by_tokens),
        *_parts("evidence, by messages", found.evidence_by_messages),
        Line("facts", "updates", number=found.updates),
        Line("facts", "updated twice or more", number=found.updated_twice),
        Line("facts", "retracted", number=found.retracted),
        *(
            Line(group, name, number=getattr(lengths, name))
            for group, lengths in (("tokens", found.tokens), ("messages", found.messages))
            for name in ("shortest", "median", "longest")
        ),
        *(Line("on demand", f"tag:{tag}", number) for tag, number in found.on_demand.items()),
    ]


def _of_scenarios(group: str, items: Iterable[tuple[str, int]], all_: int) -> Iterator[Line]:
    for name, number in items:
        yield Line(group, name, number, None, number / all_ if all_ else None)


def _of_probes(group: str, items: Iterable[tuple[str, Asked]], all_: int) -> Iterator[Line]:
    for name, asked in items:
        part = asked.probes / all_ if all_ else None
        yield Line(group, name, asked.scenarios, asked.probes, part)


def _parts(group: str, numbers: Sequence[int]) -> Iterator[Line]:
    for ordinal, number in zip(_ORDINALS, numbers, strict=True):
        yield Line(group, f"{ordinal} fifth", None, number, number / (sum(numbers) or 1))


def print_spread(found: Spread, out: Console) -> None:
    """Print the table; a group's name stands at its first line only."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for at, title in enumerate(_COLUMNS):
        table.add_column(title, justify="left" if at < 2 else "right", no_wrap=True)
    for cells in _grouped(found):
        table.add_row(*(Text(name_text(cell)) for cell in cells))
    with out.capture() as captured:
        out.print(table)
    out.file.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def spread_table(found: Spread) -> str:
    """The table in Markdown."""
    rows = ["| what | | scenarios | number | share |", "|---|---|---:|---:|---:|"]
    rows += [f"| {' | '.join(map(markdown, cells))} |" for cells in _grouped(found)]
    return "\n".join(rows) + "\n"


def _grouped(found: Spread) -> Iterator[tuple[str, ...]]:
    group = None
    for line in lines(found):
        yield ("" if line.group == group else line.group, *line.cells[1:])
        group = line.group
