"""In which language a text is, where it says enough to tell."""

import pytest

from compaction_eval.strategies.prose_language import prose_language

ENGLISH = "The owner of the service is Mei Lindqvist, and that it listens on 9443 was not changed."
GERMAN = "Der Dienst hört auf 9443, und die Änderung ist nicht für den Test, sondern auch dem Team."
CHINESE = "负责人是林若溪，服务监听 9443 端口，周四之前不能重启。"
JAPANESE = "担当は佐伯さんで、ポートは9443に変更されました。"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (ENGLISH, "en"),
        (GERMAN, "de"),
        (CHINESE, "zh"),
        (JAPANESE, "ja"),
        ("Le port est 9443 et les équipes sont prêtes pour la mise en place des règles.", "fr"),
        ("El puerto es 9443 y los equipos están listos con las reglas del servicio.", "es"),
    ],
)
def test_a_plain_text_tells_its_language(text: str, language: str) -> None:
    assert prose_language(text) == language


@pytest.mark.parametrize(
    "text",
    ["", "9443", "port: 9443\nowner: Mei Lindqvist", "GET /api/v2 200", f"{ENGLISH} {GERMAN}"],
    ids=["nothing", "a number", "fields", "a log line", "two languages"],
)
def test_of_a_text_that_says_too_little_or_is_mixed_no_language_is_guessed(text: str) -> None:
    assert prose_language(text) is None


def test_a_name_in_another_script_changes_nothing() -> None:
    assert prose_language(f"{ENGLISH} Her name in Chinese is 林若溪.") == "en"
