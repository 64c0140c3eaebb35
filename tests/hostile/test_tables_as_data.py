"""CSV, JSON and XML are read by programs: nothing in them is a formula, a line or an element."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from tests.hostile.carriers import LABELS
from tests.hostile.corpus import HOSTILE
from tests.hostile.reading import highest, steering

if TYPE_CHECKING:
    from tests.hostile.producing import Everything

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)\b", re.IGNORECASE)
SVG = "{http://www.w3.org/2000/svg}"


def test_no_cell_of_a_csv_file_is_a_formula_and_no_row_is_torn(everything: Everything) -> None:
    files = everything.files(".csv")
    assert len(files) > 12
    for file in files:
        text = file.read_bytes().decode("utf-8")
        assert steering(text) == [], file
        heading, *rows = csv.reader(text.splitlines(keepends=True), strict=True)
        assert rows, file
        for row in rows:
            assert len(row) == len(heading), file
            figures = [cell for cell in row if not _is_number(cell)]
            assert not any(cell.startswith(FORMULA) for cell in figures), file


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", cell) is not None


def test_json_says_the_texts_themselves_and_shows_none_of_what_steers(
    everything: Everything,
) -> None:
    for file in (
        *everything.files(".json"),
        *everything.files(".jsonl"),
        *everything.files(".sarif"),
    ):
        if file.is_relative_to(everything.folder / "out" / "imported"):
            continue
        text = file.read_bytes().decode("utf-8")
        assert [one for one in steering(text) if one.startswith("U+")] == [], file
        # Some readers take more than line feeds for the end of a line.
        for document in text.splitlines() if file.suffix == ".jsonl" else [text]:
            json.loads(document)
    rows = json.loads((everything.folder / "out" / "names.json").read_text("utf-8"))["summary"]
    names = {row["strategy"] for row in rows}
    said = {re.sub("[\ud800-\udfff]", "", one.text) for one in HOSTILE}
    assert len(said - names) < 8, said - names


def test_junit_and_pictures_are_xml_without_anything_that_acts(everything: Everything) -> None:
    suites = everything.files(".xml")
    assert len(suites) == 7
    for file in suites:
        root = ET.parse(file).getroot()
        texts = ["".join(root.itertext()), *(v for e in root.iter() for v in e.attrib.values())]
        assert steering("".join(texts)) == []
        assert {element.tag for element in root.iter()} <= {
            "testsuites", "testsuite", "testcase", "failure", "error", "skipped", "system-out",
            "properties", "property",
        }  # fmt: skip
    pictures = everything.files(".svg")
    assert len(pictures) > 6
    for file in pictures:
        root = ET.parse(file).getroot()
        assert steering("".join(root.itertext())) == []
        assert highest("".join(root.itertext())) <= 6
        tags = {element.tag for element in root.iter()}
        assert tags.isdisjoint({f"{SVG}{one}" for one in ("script", "foreignObject", "a", "image")})
        for element in root.iter():
            for name, value in element.attrib.items():
                assert not name.startswith("on")
                assert not name.endswith("href") or value.startswith("#")


def test_names_stand_in_pictures_as_they_are_written(everything: Everything) -> None:
    picture = everything.folder / "out" / "report-spoken" / "tradeoff-survival.svg"
    told = "".join(ET.parse(picture).getroot().itertext())
    for name in (LABELS[0][:18], LABELS[1], LABELS[2][:10], LABELS[3][:18]):
        assert name in told


def test_a_picture_says_in_itself_what_it_shows_without_steering(everything: Everything) -> None:
    from PIL import Image

    for file in everything.files(".png"):
        with Image.open(file) as picture:
            title = picture.info["Title"]
            assert max(picture.size) < 5_000
        assert steering(title, allowed="") == []


def test_sarif_leads_to_files_of_the_repository(everything: Everything) -> None:
    results = json.loads((everything.folder / "out" / "gate.sarif").read_text("utf-8"))["runs"][0]
    places = {
        location["physicalLocation"]["artifactLocation"]["uri"]
        for result in results["results"]
        for location in result["locations"]
    }
    assert places <= {"spoken.yaml", "base.jsonl"}


def test_imported_conversations_stay_in_their_folder_under_names_that_any_system_takes(
    everything: Everything,
) -> None:
    folder = everything.folder / "out" / "imported"
    files = [path.relative_to(folder) for path in folder.rglob("*")]
    assert len(files) == 2 * (len(HOSTILE) + 3)
    assert all(
        re.fullmatch(r"[A-Za-z0-9_][\w.-]{0,98}\.(yaml|jsonl)", str(one), re.ASCII) for one in files
    )
    assert not any(DEVICE.match(one.name) for one in files)
    assert not (everything.folder.parent / "etc").exists()
    assert not any(Path(one).exists() for one in ("/etc/passwd.yaml", "C:\\windows\\x.yaml"))
