"""A scenario's text, written to a file and loaded."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from compaction_eval.scenarios.errors import FaultsError
from compaction_eval.scenarios.loader import load_file
from compaction_eval.scenarios.records import Scenario

Load = Callable[..., tuple[Scenario, ...]]
Faults = Callable[..., list[str]]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """`load(text, name="plan")`: the scenarios of a file `plan.yaml` in the working directory."""
    monkeypatch.chdir(tmp_path)

    def load(text: str | bytes, name: str = "plan") -> tuple[Scenario, ...]:
        data = text if isinstance(text, bytes) else dedent(text).encode()
        Path(f"{name}.yaml").write_bytes(data)
        return load_file(Path(f"{name}.yaml"))

    return load


@pytest.fixture
def faults_of(load: Load) -> Faults:
    """`faults_of(text)`: the lines that a person would see."""

    def faults_of(text: str | bytes, name: str = "plan") -> list[str]:
        with pytest.raises(FaultsError) as caught:
            load(text, name)
        return [str(fault) for fault in caught.value.faults]

    return faults_of
