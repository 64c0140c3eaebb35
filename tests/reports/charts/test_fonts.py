"""Names in any script: drawn where a font is, told where none is, and never in the way of a chart.

The fonts here are made by the tests, so that what is installed makes no difference.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from matplotlib import font_manager
from tests.reports.charts.answering import renamed
from tests.reports.charts.looking import words_of

from compaction_eval.reports.charts import fonts
from compaction_eval.reports.charts.chart import Chart, Material
from compaction_eval.reports.charts.rendering import render
from compaction_eval.reports.charts.theme import THEMES
from compaction_eval.reports.charts.tradeoff import tradeoff_charts
from compaction_eval.reports.charts.writing import glyph_note

NAMES = ("最近十条 🐼", "ローリング要約 ✂️", "窗口摘要🚀")
Install = Callable[..., None]


def forget() -> None:
    """Nothing is known of the fonts there are."""
    for cached in (fonts.families, fonts._search, fonts._glyphs):
        cached.cache_clear()


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Install]:
    """A machine with the drawing library's own font alone, and a way to install another one."""
    own = [font for font in font_manager.fontManager.ttflist if font.name == fonts.LATIN]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", own)
    monkeypatch.setattr(fonts, "PACKAGES", ())
    files: list[str] = []
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: list(files))

    def installed(family: str, characters: str, weight: int = 400) -> None:
        path = tmp_path / f"{len(files)}.ttf"
        save_font(path, family, characters, weight)
        files.append(str(path))
        forget()

    forget()
    yield installed
    forget()


def save_font(path: Path, family: str, characters: str, weight: int) -> None:
    """A font in which each of the characters is the same black square."""
    names = {ord(char): f"u{ord(char):x}" for char in dict.fromkeys(characters)}
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", *names.values()])
    builder.setupCharacterMap(names)
    pen = TTGlyphPen(None)
    pen.moveTo((100, 0))
    for corner in ((100, 800), (900, 800), (900, 0)):
        pen.lineTo(corner)
    pen.closePath()
    square = pen.glyph()
    builder.setupGlyf(dict.fromkeys((".notdef", *names.values()), square))
    builder.setupHorizontalMetrics(dict.fromkeys((".notdef", *names.values()), (1000, 100)))
    builder.setupHorizontalHeader(ascent=900, descent=-100)
    builder.setupNameTable({"familyName": family, "styleName": "Regular"})
    builder.setupOS2(usWeightClass=weight, sTypoAscender=900, usWinAscent=900, usWinDescent=100)
    builder.setupPost()
    builder.save(path)


def chart_of(material: Material) -> Chart:
    """A chart whose strategies have names in three scripts."""
    return tradeoff_charts(renamed(material, NAMES))[0]


@pytest.mark.usefixtures("install")
def test_without_a_font_the_chart_is_drawn_and_all_say_which_characters_lack_one(
    material: Material, caplog: pytest.LogCaptureFixture
) -> None:
    chart = chart_of(material)
    with warnings.catch_warnings(), caplog.at_level(logging.WARNING):
        warnings.simplefilter("error")
        assert render(chart, THEMES["light"], "png").startswith(b"\x89PNG")
    assert not caplog.records
    note = glyph_note([chart])
    assert note is not None
    for name in ("fonts-noto-cjk", "fonts-symbola", "~/.local/share/fonts"):
        assert name in note
    written = " ".join(" ".join(words_of(chart)).split())
    assert "no font had" in written
    for char in fonts.missing_glyphs(NAMES)[:3]:
        assert char in note
        assert f"no font had {char}" in written or char in written.split("no font had")[1]


def test_a_font_that_was_just_installed_counts_though_no_list_has_it(
    material: Material, install: Install
) -> None:
    boxes = render(chart_of(material), THEMES["light"], "png")
    install("Squares", "".join(NAMES))
    assert fonts.families("最近") == (fonts.LATIN, "Squares")
    assert glyph_note([chart_of(material)]) is None
    assert not any("no font had" in text for text in words_of(chart_of(material)))
    drawn = render(chart_of(material), THEMES["light"], "png")
    assert drawn != boxes
    assert drawn == render(chart_of(material), THEMES["light"], "png")


def test_several_fonts_share_the_characters_and_only_what_is_left_is_told(install: Install) -> None:
    install("Wide Squares", "最近十条")
    install("Noto Emoji", "🐼")
    assert fonts.families(NAMES[0]) == (fonts.LATIN, "Noto Emoji", "Wide Squares")
    assert fonts.missing_glyphs(["最近 🐼🚀"]) == "🚀"


def test_pictures_in_colour_and_hairlines_are_no_first_choice(install: Install) -> None:
    install("Some Color Emoji", "🐼🚀")
    assert fonts.missing_glyphs(["🐼"]) == "🐼"
    install("Noto Emoji", "🐼🚀", weight=100)
    install("Squares", "🐼🚀")
    assert fonts.families("🐼") == (fonts.LATIN, "Squares")


def test_japanese_is_drawn_in_its_own_forms_where_there_is_a_choice(install: Install) -> None:
    install("Noto Sans CJK SC", "要約ローリング窗口")
    install("Noto Sans CJK JP", "要約ローリング窗口")
    assert fonts.families("ローリング要約")[1] == "Noto Sans CJK JP"
    assert fonts.families("窗口")[1] == "Noto Sans CJK SC"


def test_the_extra_draws_emoji(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    install("Squares", "最近十条")
    assert fonts.missing_glyphs(NAMES[:1]) == "🐼"
    monkeypatch.setattr(fonts, "PACKAGES", ("manimgx_fonts",))
    forget()
    assert "Noto Emoji" in fonts.families(NAMES[0])
    assert fonts.missing_glyphs([NAMES[0], "🚀👩‍💻"]) == ""


@pytest.mark.usefixtures("install")
def test_joiners_and_variation_selectors_have_no_glyph_to_miss() -> None:
    assert fonts.missing_glyphs(["plain", "naïve – 9443 →", "✂\ufe0f\u200d"]) == ""


def test_a_file_that_is_no_font_is_passed_over(
    install: Install, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install("Squares", "最")
    (tmp_path / "broken.ttf").write_bytes(b"no font at all")
    files = [str(tmp_path / "0.ttf"), str(tmp_path / "broken.ttf")]
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: files)
    assert fonts.missing_glyphs(["最近"]) == "近"


@pytest.mark.usefixtures("install")
def test_an_svg_keeps_the_words_for_the_fonts_of_whoever_reads_it(material: Material) -> None:
    image = render(chart_of(material), THEMES["light"], "svg").decode()
    assert NAMES[0] in image
    assert "'DejaVu Sans', sans-serif" in image
