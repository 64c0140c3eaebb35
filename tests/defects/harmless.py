"""Changes that no gate may alarm for: other ways of running, naming and laying out the same."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.defects.planting import Around, Defect, Rewriting, planted

from compaction_eval.eval.baseline import read_baseline, write_baseline
from compaction_eval.eval.evidence import Evidence, evidence_of
from compaction_eval.eval.matrix import Budget, Matrix
from compaction_eval.eval.run_files import CELLS
from compaction_eval.eval.runner import run_matrix
from compaction_eval.eval.store import read_run
from compaction_eval.scenarios.library import library_folder, select
from compaction_eval.scenarios.records import Scenario
from compaction_eval.strategies.specs import Spec, parse_spec, spec_from_mapping

ROOT = Path(__file__).resolve().parents[2]
FILES = (
    "chat/designer-introduction",
    "service/zh-washing-machine",
    "incident/de-ladekarten-stoerung",
)
IDS = [file.rpartition("/")[2] for file in FILES]
USUAL = ("rolling-summary", "window-summary", "block-truncation", "mine")
MINE = """def keep(messages, budget, count):
    head = [m for m in messages if m["role"] == "system"]
    rest = [m for m in messages if m["role"] != "system"]
    while len(rest) > 1 and count(head + rest) > budget:
        rest = rest[1:]
    return head + rest
"""
FORMS = {
    "comments": f"# Keeps the newest.\n\n{MINE}\n# That was all.\n",
    "class": f"{MINE}\nclass Keep:\n    def compact(self, messages, context):\n"
    "        return keep(messages, context.budget, context.count)\n",
    "callable object": f"{MINE}\nclass Made:\n    def __call__(self, messages, budget, count):\n"
    "        return keep(messages, budget, count)\n\nKeep = Made()\n",
    "async": f"{MINE}\nasync def Keep(messages, budget, count):\n"
    "    return keep(messages, budget, count)\n",
    "lambda": f"{MINE}\nKeep = lambda messages, budget, count: keep(messages, budget, count)\n",
    "partial": f"import functools\n\n{MINE}\nKeep = functools.partial(keep)\n",
    "generator": f"{MINE}\ndef Keep(messages, budget, count):\n"
    "    yield from keep(messages, budget, count)\n",
    "renamed variables": MINE.replace("rest", "others").replace("head", "first"),
    "other module beside": f"import unrelated\n\n{MINE}",
}
Measure = Callable[[Path], Evidence]


@dataclass(frozen=True, slots=True)
class Harmless:
    """A change that changes nothing."""

    name: str
    measure: Measure
    """The evidence with the change, measured with a folder to write to."""
    adds_row: bool = False
    """Whether the run then has a row that the baseline hasn't."""


def sample() -> list[Scenario]:
    """Some scenarios in three languages."""
    return select(IDS)


def mine(folder: Path, text: str = MINE, name: str = "keep", file: str = "mine.py") -> Spec:
    """A strategy of somebody's own, in a file."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file).write_text(text, "utf-8")
    (folder / "unrelated.py").write_text("", "utf-8")
    return replace(parse_spec(f"{folder / file}:{name}"), name="mine")


def run(
    place: Path,
    *,
    scenarios: Sequence[Scenario] | None = None,
    specs: Sequence[Spec] | None = None,
    own: Spec | None = None,
    order: Callable[[list[Any]], list[Any]] = list,
    budgets: Sequence[str] = ("30%",),
    summarizers: Sequence[str] = ("extractive",),
    **how: Any,
) -> Evidence:
    """The usual strategies over the usual scenarios, with something otherwise."""
    ours = list(specs or map(parse_spec, USUAL[:-1]))
    matrix = Matrix(
        tuple(order(list(scenarios or sample()))),
        tuple(order([*ours, own or mine(place / "own")])),
        tuple(map(Budget.parse, budgets)),
        tuple(map(parse_spec, summarizers)),
    )
    return evidence_of(run_matrix(matrix, **{"executor": "inline", **how}), "new")


def usual(**changed: Any) -> Measure:
    """A run with something otherwise."""
    return lambda folder: run(folder, **changed)


def respelled(**texts: str) -> Measure:
    """Some of our strategies written in another way."""
    specs = [
        replace(parse_spec(texts.get(use.replace("-", "_"), use)), name=use) for use in USUAL[:-1]
    ]
    return usual(specs=specs)


def mapped(folder: Path) -> Evidence:
    """Our strategies as mappings, as a configuration file has them."""
    return run(folder, specs=[spec_from_mapping({"use": use}) for use in USUAL[:-1]])


def formed(form: str) -> Measure:
    """The user's strategy in another form."""
    name = "Keep" if re.search(r"\bKeep\b", FORMS[form]) else "keep"
    return lambda folder: run(folder, own=mine(folder / "form", FORMS[form], name))


def renamed_file(folder: Path) -> Evidence:
    """The user's file under another name, in another folder."""
    return run(folder, own=mine(folder / "elsewhere" / "deep", file="newest_first.py"))


def library_at(where: str, link: bool = False) -> Measure:
    """The scenarios from a copy of their files."""

    def measure(folder: Path) -> Evidence:
        target = folder / where
        for file in FILES:
            place = target / Path(file).name
            place.parent.mkdir(parents=True, exist_ok=True)
            source = library_folder().resolve() / f"{file}.yaml"
            if link:
                place.with_suffix(".yaml").symlink_to(source)
            else:
                shutil.copy(source, place.with_suffix(".yaml"))
        return run(folder, scenarios=select([str(target)]))

    return measure


def stored(change: Callable[[Path], Path], again: bool = True) -> Measure:
    """A run folder to which something was done, and, with `again`, the same run once more."""

    def measure(folder: Path) -> Evidence:
        where = folder / "run"
        run(folder, folder=where)
        where = change(where)
        return run(folder, folder=where) if again else evidence_of(read_run(where), "new")

    return measure


def killed(share: float, torn: str = "") -> Callable[[Path], Path]:
    """A folder in which only some cells are finished, the last perhaps not whole."""

    def change(where: Path) -> Path:
        lines = (where / CELLS).read_text("utf-8").splitlines(keepends=True)
        (where / CELLS).write_text("".join(lines[: int(len(lines) * share)]) + torn, "utf-8")
        return where

    return change


def moved(where: Path) -> Path:
    """A folder under another name."""
    return Path(shutil.move(where, where.with_name("a run, moved")))


def shuffled(where: Path) -> Path:
    """A folder whose cells are in another order, one of them twice."""
    lines = (where / CELLS).read_text("utf-8").splitlines(keepends=True)
    random.Random(5).shuffle(lines)
    (where / CELLS).write_text("".join([*lines, lines[0]]), "utf-8")
    return where


def through_baseline(folder: Path) -> Evidence:
    """The evidence written as a baseline, and read again."""
    write_baseline(folder / "baseline.jsonl", run(folder))
    return read_baseline(folder / "baseline.jsonl")


def wrapped(**how: Any) -> Measure:
    """Every strategy or summariser in something that changes nothing."""

    def measure(folder: Path) -> Evidence:
        with planted(Defect("", "", "", **how)):
            return run(folder)

    return measure


def command(*arguments: str, cwd: str = "", **environment: str) -> Measure:
    """The command line in a process of its own."""

    def measure(folder: Path) -> Evidence:
        own = mine(folder / "own")
        place = folder / cwd
        place.mkdir(parents=True, exist_ok=True)
        line = [sys.executable, str(ROOT / "run_eval.py"), "run", "-q", "--no-controls"]
        for scenario in IDS:
            line += ["--scenario", scenario]
        for use in (*USUAL[:-1], f"{own.use}(name=mine)"):
            line += ["--strategy", use]
        if "--budget" not in arguments:
            line += ["--budget", "30%"]
        line += ["--out", str(folder / "out"), *arguments]
        subprocess.run(
            line, check=True, capture_output=True, cwd=place, env={**os.environ, **environment}
        )
        return evidence_of(read_run(folder / "out"), "new")

    return measure


def backwards(things: list[Any]) -> list[Any]:
    """The other way round."""
    return things[::-1]


def mixed(things: list[Any]) -> list[Any]:
    """In an order of no meaning."""
    return random.Random(3).sample(things, len(things))


def extra(kind: str) -> Measure:
    """More beside the usual."""
    if kind == "scenario":
        return lambda folder: run(folder, scenarios=select([*IDS, "store-returns"]))
    more = [parse_spec(one) for one in (*USUAL[:-1], "count-slice", "none")]
    return usual(specs=more)


ROLLING = "rolling-summary(reserve_tokens=0, summary_limit=300, summary_role=user, output=300)"
WINDOW = "window-summary(target=0.8, request=keep, summary_place=front)"
HARMLESS = (
    Harmless("the same again", usual()),
    *(Harmless(f"{n} workers", usual(executor="processes", jobs=n)) for n in (1, 2, 3)),
    Harmless("executor auto", usual(executor="auto")),
    Harmless("no time limit", usual(time_limit=None)),
    Harmless("a longer time limit", usual(time_limit=60.0)),
    Harmless("scenarios and strategies backwards", usual(order=backwards)),
    Harmless("scenarios and strategies mixed", usual(order=mixed)),
    Harmless("backwards on 2 workers", usual(order=backwards, executor="processes", jobs=2)),
    Harmless("rolling-summary with defaults spelled out", respelled(rolling_summary=ROLLING)),
    Harmless("window-summary with defaults spelled out", respelled(window_summary=WINDOW)),
    Harmless(
        "parameters in another order",
        respelled(
            rolling_summary="rolling-summary(output=300, summary_role=user, reserve_tokens=0)"
        ),
    ),
    Harmless("a number written otherwise", respelled(window_summary="window-summary(target=0.80)")),
    Harmless(
        "spaces in a spec", respelled(block_truncation=" block-truncation( request = window )")
    ),
    Harmless("strategies as mappings", mapped),
    Harmless("the budget written 30.0%", usual(budgets=["30.0%"])),
    Harmless("another budget beside", usual(budgets=["50%", "30%"]), adds_row=True),
    Harmless("no summariser beside", usual(summarizers=["none", "extractive"]), adds_row=True),
    Harmless(
        "the summariser with defaults spelled out",
        usual(summarizers=["extractive(limit=300, density=0.6, name=extractive)"]),
    ),
    Harmless("more strategies beside", extra("strategy"), adds_row=True),
    Harmless("another scenario beside", extra("scenario")),
    Harmless("the library in another folder", library_at("copy")),
    Harmless("the library in a deep folder with a space", library_at("a b/c/d")),
    Harmless("the library through links", library_at("links", link=True)),
    *(Harmless(f"own strategy: {form}", formed(form)) for form in FORMS),
    Harmless("own strategy: another file name and folder", renamed_file),
    Harmless("strategies in a wrapper that does nothing", wrapped(wrap=Around)),
    Harmless("strategies in two of these", wrapped(wrap=lambda inner: Around(Around(inner)))),
    Harmless("the summariser in a wrapper", wrapped(wrap_summarizer=Rewriting)),
    Harmless("resumed after a kill at the first cell", stored(killed(0.0))),
    Harmless("resumed after a kill at the half", stored(killed(0.5))),
    Harmless("resumed after a kill in the middle of a line", stored(killed(0.7, '{"key": ["des'))),
    Harmless("the finished run again", stored(lambda where: where)),
    Harmless("a renamed run folder", stored(moved, again=False)),
    Harmless("a moved run folder, run again", stored(moved)),
    Harmless("lines of the run folder in another order", stored(shuffled, again=False)),
    Harmless("written as a baseline and read", through_baseline),
    *(Harmless(f"hash seed {n}", command(PYTHONHASHSEED=n)) for n in ("0", "1", "4242")),
    Harmless("locale C", command(LC_ALL="C", LANG="C")),
    Harmless("locale of Turkey", command(LC_ALL="tr_TR.UTF-8", LANG="tr_TR.UTF-8")),
    Harmless("no UTF-8 mode", command(PYTHONUTF8="0", LC_ALL="POSIX")),
    Harmless("time zone of Tokyo", command(TZ="Asia/Tokyo")),
    Harmless("in CI, without colours, narrow", command(CI="1", NO_COLOR="1", COLUMNS="40")),
    Harmless("another working directory", command(cwd="some/where else")),
    Harmless("without assertions", command(PYTHONOPTIMIZE="1")),
    Harmless("command line with 2 processes", command("--executor", "processes", "--jobs", "2")),
    Harmless("command line, files beside", command("-o", "results.json", "-o", "table.md")),
)


def commented(folder: Path) -> Evidence:
    """A comment in a scenario file: another digest, so that the gate refuses."""
    measure = library_at("commented")
    measure(folder)
    file = folder / "commented" / f"{IDS[0]}.yaml"
    file.write_text(file.read_text("utf-8") + "# Reviewed.\n", "utf-8")
    return run(folder, scenarios=select([str(folder / "commented")]))
