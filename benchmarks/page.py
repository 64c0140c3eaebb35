"""All charts and the page: of the default run, and of one of 5,000 cells; and opening the page."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

from benchmarks.measuring import ROOT, Figure, median_seconds, peak_mebibytes, python
from compaction_eval.eval.encoding import encode_cell
from compaction_eval.eval.records import CellRecord
from compaction_eval.eval.run_files import CELLS, MANIFEST
from compaction_eval.eval.store import read_run

_MANY = 5_000


def figures() -> Iterator[Figure]:
    """Seconds, megabytes and memory; the time to open is there where chromium is."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        usual, many = folder / "usual", folder / "many"
        command = python("run_eval.py", "run", "-q", "--out", str(usual))
        subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
        seconds, _ = _reported(usual, folder / "report")
        page = folder / "report" / "page.html"
        yield Figure("charts and page of the default run, imports apart", seconds, "s", 10)
        yield Figure("size of the page", page.stat().st_size / 1e6, "MB", 15)
        opened = _opened(page)
        if opened is not None:
            yield Figure("opening it in a browser, until it answers", opened, "s", 2)
        _repeat(usual, many)
        seconds, mebibytes = _reported(many, folder / "many-report")
        yield Figure("the same of a run of 5,000 cells", seconds, "s", 60)
        yield Figure("memory at its peak", mebibytes, "MiB", 1024)


def _reported(run: Path, out: Path) -> tuple[float, float]:
    """Seconds and MiB of a process of its own that makes everything."""
    command = python("-m", "benchmarks.page", str(run), str(out))
    done = subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True)
    seconds, mebibytes = json.loads(done.stdout)
    return seconds, mebibytes


def _repeat(run: Path, folder: Path) -> None:
    """A run of many cells: those of another again and again."""
    folder.mkdir()
    shutil.copy(run / MANIFEST, folder)
    cells = read_run(run).cells

    def repeated() -> Iterator[CellRecord]:
        for repeat in count():
            yield from (replace(one, key=replace(one.key, repeat=repeat)) for one in cells)

    with (folder / CELLS).open("w", encoding="utf-8") as file:
        file.writelines(f"{encode_cell(one)}\n" for one in islice(repeated(), _MANY))


def _opened(page: Path) -> float | None:
    """Median seconds from the address until the explorer answers; None without chromium."""
    chromium, driver_file = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver_file is None:
        return None
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = chromium
    for argument in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"):
        options.add_argument(f"--{argument}")
    driver = Chrome(options=options, service=Service(driver_file))

    def opening() -> None:
        driver.get("about:blank")
        driver.get(page.as_uri())
        while not driver.execute_script("return document.documentElement.dataset.ready"):
            time.sleep(0.01)

    try:
        return median_seconds(opening)
    finally:
        driver.quit()


def _main(run: Path, out: Path) -> None:
    import jinja2  # noqa: F401  # imports aren't measured
    import matplotlib.figure  # noqa: F401  # likewise

    from compaction_eval.commands.charting import Drawing
    from compaction_eval.commands.running import run_marks
    from compaction_eval.eval.summary import summary_rows
    from compaction_eval.reports.difficulty_files import Report

    start = time.perf_counter()
    measured = read_run(run)
    marks = run_marks(measured.manifest)
    Drawing(measured, summary_rows(measured), marks, most=200).write_folder(out, Report([], marks))
    print(json.dumps([time.perf_counter() - start, peak_mebibytes()]))


if __name__ == "__main__":
    _main(*map(Path, sys.argv[1:]))
