"""Texts that would act on whoever reads them, if anything let them.

All of them that speak say `ACTED`: in a browser they would set `window.acted`.
"""

from __future__ import annotations

from dataclasses import dataclass

ACT = "window.acted=1"
SITE = "tracker.test"
"""The host that every address of the corpus leads to."""


@dataclass(frozen=True, slots=True)
class Hostile:
    """One text."""

    name: str
    text: str
    would: str
    """What it would do."""


HOSTILE = tuple(
    Hostile(*one)
    for one in (
        # HTML and XML
        ("script", f"<script>{ACT}</script>", "run in a page"),
        ("script-end", f"</script><script>{ACT}</script>", "end a page's own script"),
        ("comment", f"<!-- <script> --!> <!--><img src=x onerror={ACT}>", "start a comment"),
        ("cdata", f"]]><script>{ACT}</script><![CDATA[", "leave a CDATA section"),
        ("attribute", f'"\'><img src=x onerror={ACT}> x=" autofocus onfocus={ACT} "', "run"),
        ("style", f"</style></title></textarea><svg/onload={ACT}>", "leave the element it is in"),
        ("image", f"<img src='https://{SITE}/a.png'><iframe src=//{SITE}></iframe>", "load"),
        ("script-address", f"<a href='javascript:{ACT}'>x</a> javascript:{ACT}", "run on a click"),
        ("entity", "&lt;b&gt; &#x202e; &amp;lt; &nbsp;", "become other characters"),
        (
            "refresh",
            f"<meta http-equiv=refresh content='0;url=https://{SITE}'><base href=/x>",
            "go",
        ),
        ("details", "</details></summary><details open><summary>x</summary>", "fold or unfold"),
        ("no-xml", "\x00\x01\x08\x0b\x0c\x0e\x1f\x7f\ufffe\uffff", "make XML that none can read"),
        ("doctype", '<!DOCTYPE a [<!ENTITY b "ccccc">]><a>&b;&b;</a>', "define an entity"),
        # Terminals
        ("colour", "\x1b[31;5mred\x1b[0m\x1b[2J\x1b[H", "paint and clear the screen"),
        ("title", "\x1b]0;owned\x07\x1b]2;owned\x1b\\", "set the window's title"),
        ("terminal-link", f"\x1b]8;;https://{SITE}\x1b\\click\x1b]8;;\x1b\\", "make a link"),
        ("clipboard", "\x1b]52;c;cm0gLXJmIH4=\x07", "fill the clipboard"),
        ("control-1", "\x9b2J\x9d0;owned\x9c\x90q\x85", "clear the screen with one-byte controls"),
        ("report", "\x1b[6n\x1b[c\x05\x1bc", "have the terminal type something"),
        ("overwrite", "harmless\rHARMFUL\b\b\b\x1b[1A\x1b[2K", "write over what was said"),
        ("bell", "\a\x0e\x0f\v\f", "ring, and change the letters"),
        (
            "markup",
            f"[bold red]x[/] [link=//{SITE}]y[/link] :bomb:",
            "be markup of rich",
        ),
        # Letters that turn, hide or pile up
        ("turned", "a\u202egnp.exe\u202c \u202ab\u202bc\u202dd", "turn the direction of writing"),
        ("isolated", "a\u2066b\u2067c\u2068d\u2069 \u200e\u200f\u061c", "turn it for what follows"),
        ("hidden", "a\u200b\u2060\ufeff\u00ad\u180e\u2064b", "hide between letters"),
        ("tags", "a\U000e0001\U000e0049\U000e0067\U000e006e\U000e007fb", "hide a sentence"),
        ("fillers", "a\u115f\u1160\u3164\uffa0\u034f\u17b4b", "be letters that nobody sees"),
        ("selectors", "a" + "".join(map(chr, range(0xE0100, 0xE0140))), "hide bytes on a letter"),
        ("joiners", "a" + "\u200c\u200d" * 40 + "b", "hide bits between two letters"),
        ("tower", "z" + "\u0301\u0338\u0489\u20dd" * 60 + "o", "cover the lines around it"),
        ("line-ends", "one\u2028two\u2029three\x85four\vfive\x1csix", "end a line"),
        ("half", "half \ud83d and \udc00 halves", "have no UTF-8"),
        ("private", "\ue000\uf8ff\U000f0000\U0010ffff", "look like anything"),
        # Spreadsheets
        ("formula", "=cmd|' /C calc'!A0", "run a program"),
        ("plus", f'+HYPERLINK("https://{SITE}")', "be a formula"),
        ("minus", "-2+3+cmd|' /C calc'!A0", "be a formula"),
        ("at", "@SUM(1+1)*cmd|' /C calc'!A0", "be a formula"),
        ("tabbed", "\t=1+1", "be a formula behind a tab"),
        ("returned", "\r=1+1", "be a formula behind a carriage return"),
        ("next-line", "\n=1+1\n+1\n-1\n@x", "be a formula behind a line feed"),
        ("wide-formula", "＝1+1", "be a formula in wide letters"),
        ("cells", 'a","=1+1","b;=1+1\n=1+1,c', "start a cell or a row of its own"),
        # Markdown
        ("cell", "a | b || c |\n|---|---|\n| d |", "start a cell"),
        ("code", "` `` ``` ~~~\n```\nx\n~~~", "start or end a block of code"),
        ("picture", f"![x](https://{SITE}/a.png) [![y](//{SITE}/b.png)](//{SITE})", "load"),
        ("link", f"[x](javascript:{ACT}) [y](https://{SITE} 'z') [z]: //{SITE}", "be a link"),
        ("bare-link", f"https://{SITE}/a www.{SITE} a@{SITE} <https://{SITE}>", "be a link"),
        ("heading", "# heading\n===\n---\n> quote\n1. one\n- two\n    code", "be a block"),
        ("mention", "@everyone @octo-org/team cc @octocat", "call people"),
        ("reference", "#1 GH-1 octo/repo#2 fixes #3", "close an issue"),
        ("mathematics", "$\\frac{1}{0}$ $$\\input{x}$$ $ \\$ $`x`$", "be a formula"),
        ("footnote", "[^1] [^1]: x **b** __i__ ~~s~~ <!-- c -->", "be a note"),
        # Templates, formats of strings
        ("template", "{{ 7*7 }} {% for %} {# x #} ${7*7} #{7*7} <%= 7*7 %> {0} %s %(x)s", "count"),
        ("formatted", "{0.__class__} {} %n %d {x!r} \\N{DASH} \\u202e \\x1b[31m", "be filled in"),
        # What CI systems look for in a log
        ("command", "::set-output name=x::y\n::error file=a,line=1::x", "be a command of GitHub's"),
        ("old-command", "a ##[add-mask]x ##[error]y ##[group]z", "be an older one"),
        ("other-command", "##vso[task.setvariable variable=x]y ##teamcity[x]", "be another's"),
        ("stop", "::stop-commands::x", "silence what follows"),
        ("percent", "%0A::error::x%0D%0A::error::y", "be a line of its own when it is read"),
        # Names of files
        ("upwards", "../../../../etc/passwd", "lead out of a folder"),
        ("absolute", "/etc/passwd", "lead elsewhere"),
        ("backslash", "..\\..\\C:\\windows\\x", "lead out of a folder, elsewhere"),
        ("device", "CON", "be a device"),
        ("option", "--help", "be an option"),
        ("dots", "..", "be the folder above"),
        ("shell", "; rm -rf ~ `id` $(id) && x | y > z #", "be a command when it is pasted"),
        ("long", "long-" * 400, "be no file's name, and wider than any screen"),
        ("newlines", "top" + "\n" * 2_000 + "bottom", "push everything away"),
        ("json", '{"a": [1, "\\ud800"]}\n{"b": NaN}', "be a line of its own"),
    )
)

BY_NAME = {one.name: one for one in HOSTILE}
ALL = " ".join(f"{one.name}: {one.text}" for one in HOSTILE)
"""All of them in one text."""
