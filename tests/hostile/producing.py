"""Every command, run in one folder on files that carry the corpus."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.hostile.carriers import (
    LABELS,
    NAMED,
    ODD_NAMES,
    SPOKEN,
    SUMMARIZER,
    TRANSCRIPT,
)
from tests.hostile.corpus import ALL

from compaction_eval.cli import cli
from compaction_eval.eval.models.chaos import Chaos
from compaction_eval.eval.models.chaos_server import answering

NAMES_RUN = ("run", "--config", "naming.yaml", "--scenario", NAMED, "--budget", "40%")
SPOKEN_RUN = ("run", "--config", "speaking.yaml", "--scenario", SPOKEN, "--budget", "30%")
INLINE = ("--executor", "inline")
BY = ("family", "kind", "language", "position", "age", "compactions", "where", "probe")
RESULTS = ("json", "jsonl", "csv", "md", "xml")


@dataclass(frozen=True, slots=True)
class Everything:
    """All outputs: what was printed, by the command's name, and the folder with the files."""

    folder: Path
    printed: dict[str, str] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)

    def files(self, suffix: str) -> list[Path]:
        """The files that were written, apart from those that carry the texts in."""
        return sorted((self.folder / "out").rglob(f"*{suffix}"))

    def call(self, name: str, *args: str) -> None:
        """Run a command as a user does; it never ends in a traceback."""
        result = CliRunner().invoke(cli, args)
        fault = result.exception
        if fault is not None and not isinstance(fault, SystemExit):
            raise fault
        self.printed[name] = result.output
        self.codes[name] = result.exit_code


def produce(found: Everything) -> None:
    """Every command on everything; figures are of no interest, only how they look."""
    found.call("run names", *NAMES_RUN, *INLINE, "--out", "runs/names", *_out("names", *RESULTS))
    _spoken(found)
    ways = [word for by in BY for word in ("--by", by)]
    found.call(
        "report names", "report", "runs/names", *ways[:4], *_out("report-names", "md", "csv")
    )
    priced = (*ways, "--price", "gpt-5(on=2026-11-01)")
    found.call("report spoken", "report", "runs/spoken", *priced, "--out", "out/report-spoken")
    _compared(found)
    _followed(found)
    _imported(found)
    found.call("check", "check", "wrong.yaml")
    stress = ("--strategy", "./odd.py:makes_up", "--strategy", "./odd.py:Raises", *INLINE)
    files = _out("stress", "md", "csv", "json")
    found.call("stress", "stress", "--cases", "cases.jsonl", *stress, *files)


def _spoken(found: Everything) -> None:
    """The run in which a model answered, and the one in which much more was lost."""
    models = ("--model", "openai:m", "--judge", "openai:j")
    files = _out("spoken", *RESULTS)
    with answering(Chaos(), _answer) as endpoint, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", endpoint.url)
        patch.setenv("OPENAI_API_KEY", "sk-none")
        spoken = (*SPOKEN_RUN, *INLINE, *models)
        found.call("run spoken", *spoken, "--out", "runs/spoken", *files)
        worse = found.folder / "speaking.yaml"
        worse.write_text(worse.read_text("utf-8").replace('"keep": 40', '"keep": 2'), "utf-8")
        found.call("run worse", *spoken, "--out", "runs/worse")


def _compared(found: Everything) -> None:
    """Two runs compared, and one gated, here and under GitHub Actions."""
    files = _out("compared", "md", "csv", "json")
    found.call("compare", "compare", "runs/spoken", "runs/worse", *files)
    ways = ("--ranking", *_out("ranking", "md", "csv", "json"))
    found.call("ranking", "compare", "runs/spoken", "runs/worse", *ways)
    between = ("--between", *LABELS[:2], *_out("between", "md", "csv", "json"))
    found.call("between", "compare", "runs/spoken", *between)
    found.call("baseline", "baseline", "runs/spoken", "-o", "base.jsonl")
    gate = ("gate", "runs/worse", "--baseline", "base.jsonl", "--fail-under", "survival=0.9",
            "--deterministic")  # fmt: skip
    found.call("gate", *gate, *_out("gate", "xml", "md", "json", "sarif"))
    found.call("gate names", "gate", "runs/names", "--fail-under", "survival=0.9",
               *_out("gate-names", "xml", "md", "json", "sarif"))  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GITHUB_ACTIONS", "true")
        patch.setenv("GITHUB_STEP_SUMMARY", str(found.folder / "out" / "summary.md"))
        found.call("annotations", *gate)


def _followed(found: Everything) -> None:
    """Conversations told request by request, at two widths."""
    for width in ("", "40"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("COLUMNS", width)
            for name in ("rolling-summary", "./odd.py:makes_up"):
                asked = ("--strategy", name, "--budget", "30%")
                found.call(f"show {name} {width}", "show", SPOKEN, *asked)
    named = ("--strategy", f"rolling-summary(name={_quoted(LABELS[0])})", "--budget", "30%",
             "--summarizer", f"extractive(name={_quoted(SUMMARIZER)})")  # fmt: skip
    found.call("show run", "show", SPOKEN, *named, "--run", "runs/spoken")


def _imported(found: Everything) -> None:
    """Transcripts imported, measured as they stand, and refused."""
    files = (TRANSCRIPT, *ODD_NAMES)
    found.call("import", "import", "auto", *files, "-o", "out/imported")
    found.call("check imported", "check", "out/imported")
    for number, name in enumerate(ODD_NAMES):
        out = ("--out", f"runs/transcript{number}", *_out(f"transcript{number}", *RESULTS))
        run = ("run", "--transcript", name, "--budget", "30%", *INLINE)
        found.call(f"run transcript {number}", *run, *out)
        show = ("show", "--transcript", name, "--strategy", "token-window")
        found.call(f"show transcript {number}", *show)
        found.call(f"broken {number}", "import", "auto", "odd.py", name, "-o", "out/broken")


def _quoted(text: str) -> str:
    """A text as a value of a strategy's specification."""
    return json.dumps(text)


def _out(name: str, *suffixes: str) -> list[str]:
    return [word for suffix in suffixes for word in ("-o", f"out/{name}.{suffix}")]


def _answer(request: Mapping[str, Any]) -> str:
    """Everything, whoever is asked; a judge says it as the reason."""
    if "answer to grade" in str(request["messages"][-1]["content"]):
        return json.dumps({"reason": ALL, "verdict": "wrong"})
    return ALL.encode("utf-8", "replace").decode()
