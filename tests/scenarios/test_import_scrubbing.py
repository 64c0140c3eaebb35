"""Private values go from the whole import, and what the agent used again is found as before."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compaction_eval.scenarios.importers.literals import any_of
from compaction_eval.scenarios.importers.private_values import private_values
from compaction_eval.scenarios.importers.records import Conversation, Question
from compaction_eval.scenarios.importers.scrubbing import Scrubber
from compaction_eval.scenarios.importers.writing import scenario_files
from compaction_eval.scenarios.records import RecordedCompaction
from compaction_eval.scenarios.reuse import reuse_probes


def say(speaker: str, text: str) -> Any:
    return {"role": speaker, "content": text}


def call(**arguments: object) -> Any:
    function = {"name": "run", "arguments": json.dumps(arguments)}
    calls = [{"id": "c", "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def scrub(*conversations: Conversation) -> tuple[list[Conversation], Scrubber]:
    scrubber = Scrubber()
    for one in conversations:
        scrubber.look(one)
    return [scrubber.scrubbed(one) for one in conversations], scrubber


def scrubbed(text: str) -> str:
    ((one,), _) = scrub(Conversation("talk", "Talk", (say("user", text),)))
    return str(one.messages[0]["content"])


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Write to mira.lund@acme.dev.", "mira.lund@acme.dev"),
        ("Write to MIRA@acme.dev.", "MIRA@acme.dev"),
        ("?to=mira%40acme.dev&x", "mira%40acme.dev"),
        ("Call +45 28 55 01 31 now", "+45 28 55 01 31"),
        ("Call (555) 010-4477 now", "(555) 010-4477"),
        ("电话是010-63553377。", "010-63553377"),
        ("at 10.20.30.41:8080", "10.20.30.41"),
        ("at fe80::1ff:fe23:4567:890a", "fe80::1ff:fe23:4567:890a"),
        ("open /home/lindqvist/app", "lindqvist"),
        ("open /Users/lindqvist/app", "lindqvist"),
        (r"open C:\Users\lindqvist\app", "lindqvist"),
        (r'{"path": "C:\\Users\\lindqvist\\app"}', "lindqvist"),
        ("open /home/jo/app", "/home/jo"),
        (r'{"path": "\/home\/lindqvist\/app"}', "lindqvist"),
        ("?path=%2Fhome%2Flindqvist%2Fapp", "lindqvist"),
        (r'{"url": "https:\/\/wiki.tarmworks.dev\/page"}', "tarmworks"),
        ("?next=https%3A%2F%2Fwiki.tarmworks.dev%2Fpage", "tarmworks"),
        ("see https://wiki.tarmworks.dev/page", "tarmworks"),
        ("see http://pumphost:8080/page", "pumphost"),
        ("lindqvist@pumphost:~/app$ ls", "pumphost"),
        ("\x1b[32mlindqvist@pumphost\x1b[0m:~$ ls", "pumphost"),
        ("ping db7.tarmworks.internal", "tarmworks"),
        ("key sk-ant-Zx81qLmN0pQr55TuVw", "Zx81qLmN0pQr55TuVw"),
        ("ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"),
        ("xoxb-123456789012-abcdefGHIJ", "123456789012-abcdefGHIJ"),
        ("AKIAQ7RZ5T2MPLW9XK3B is it", "Q7RZ5T2MPLW9XK3B"),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.Zm9vYmFy7", "hbGciOiJI.eyJzdWIiOiIx.Zm9vYmFy7"),
        ("Authorization: Bearer q7RzT2mP9xK3", "q7RzT2mP9xK3"),
        ('"api_key": "q7RzT2mP9xK3"', "q7RzT2mP9xK3"),
        (r'{"env": "{\"DB_PASSWORD\": \"tr0ub4dor\"}"}', "tr0ub4dor"),
        ("export GITHUB_TOKEN=9f8e7d6c5b4a39281706", "9f8e7d6c5b4a39281706"),
        ("postgres://app:tr0ub4dor@db/x", "tr0ub4dor"),
        (
            "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\n-----END PRIVATE KEY-----",
            "MIIEvQIBADANBgkqhkiG9w0B",
        ),
        (
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOYBF0zq8wBCADgkqhkiG9w\n-----END PGP",
            "lQOYBF0zq8wBCADgkqhkiG9w",
        ),
        ("Cookie: theme=dark; pumpsid=q7RzT2mP9xK3", "q7RzT2mP9xK3"),
        ("Set-Cookie: sid=q7RzT2mP9xK3; Path=/; HttpOnly", "q7RzT2mP9xK3"),
        ("curl -b 'connect.sid=s%3Aq7RzT2mP9xK3' http://server", "q7RzT2mP9xK3"),
        ("https://hooks.slack.com/services/T0A/B0E/q7RzT2mP9xK3", "q7RzT2mP9xK3"),
        ("bot712345678:AAq7RzT2mP9xK3q7RzT2mP9xK3q7RzT2mP9 is it", "q7RzT2mP9xK3q7RzT2mP9"),
        ("mysql -u root -ptr0ub4dor mill", "tr0ub4dor"),
        ("psql --password tr0ub4dor", "tr0ub4dor"),
        ("sshpass -p tr0ub4dor ssh box", "tr0ub4dor"),
        ("curl -u mira:tr0ub4dor http://server/x", "tr0ub4dor"),
        ("machine server login mira password tr0ub4dor", "tr0ub4dor"),
        ("<dbPassword>tr0ub4dor</dbPassword>", "tr0ub4dor"),
        ("export DB_PASSWORD=troubadour", "troubadour"),
        ("https://server/x?sv=2&sig=q7RzT2mP9xK3%3D", "q7RzT2mP9xK3"),
        ('{"auths": {"r": {"auth": "bWlyYTpxN1J6VDJtUDl4SzM="}}}', "bWlyYTpxN1J6VDJtUDl4SzM"),
        ("Skriv til jørgen@møller.dk", "jørgen@møller"),
        (r"open C:\Users\Mira Lund\app", "Mira Lund"),
    ],
)
def test_a_private_value_is_replaced_by_one_of_its_shape(text: str, secret: str) -> None:
    found = scrubbed(text)
    assert secret.lower() not in found.lower()
    assert len(found) == len(text)
    shapes = [
        "".join("a" if c.isalpha() else "0" if c.isdigit() else c for c in s) for s in (text, found)
    ]
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize(
    "text",
    [
        "open /home/user/app and /home/ubuntu/x",
        "listen on 127.0.0.1 and 0.0.0.0 at 12:30:45",
        "see http://localhost:8080 and https://example.com/a and http://server/x",
        "max_tokens: 4096, token_count = 12345678, tokens=abc12345",
        "version 1.10.2, 2031-05-04, 4,000.50, a1b2c3d4e5f6a7b8",
        "password: str, token = get_token(request), token = Base.url_encode64(x)",
        "import index.ts, README.md, logger.info(x), self.home",
        "@decorator, foo@1.2.3, a @ b",
        "PASSWORD=password, SECRET_KEY=changeme, connect(password=passwords, user=owner)",
        "--password VALUE, login with a password or token, <password>secret</password>",
        "docker run -u 1000:1000 -p 8080:8080 image, ssh -p 2222 box, mkdir -p build2",
        "Cookie: theme=dark; Max-Age=31536000; Path=/",
    ],
)
def test_what_names_nobody_and_opens_nothing_stays(text: str) -> None:
    assert list(private_values(text)) == []
    assert scrubbed(text) == text


def test_a_value_is_replaced_alike_in_everything_that_is_written() -> None:
    mail, key, name = "mira.lund@tarmworks.dev", "sk-Zx81qLmN0pQr55TuVw77", "lindqvist"
    every = f"{mail} {key} /home/{name}/x {name}"
    first = Conversation("of-lindqvist", "Talk", (say("user", f"{key} and {name} before all"),))
    second = Conversation(
        f"{name}-{mail}",
        f"Talk of {name}",
        (say("user", every), call(path=f"/home/{name}/x", to=mail, key=key)),
        tools=({"name": "run", "description": every, "enum": [mail]},),
        compactions=(RecordedCompaction(1, 1, every),),
        questions=(Question(f"q-{name}", "recall", every, (mail,), (key,)),),
    )
    clean, scrubber = scrub(first, second)
    files = [content for one in clean for content in scenario_files(one, "talk").values()]
    written = b"\n".join(files).decode() + "".join(one.name + one.title for one in clean)
    for secret in (mail, mail.split("@")[0], "tarmworks", key[3:], name):
        assert secret not in written
    a, b = (one.messages[0]["content"] for one in clean)
    words = str(b).split()
    assert str(a).split()[0] == words[1]
    assert str(a).split()[2] == words[3]
    assert words[2] == f"/home/{words[3]}/x"
    assert words[1].startswith("sk-")
    assert len(words[1]) == len(key)
    assert json.loads(clean[1].messages[1]["tool_calls"][0]["function"]["arguments"]) == {  # type: ignore[typeddict-item]  # it's an assistant's
        "path": words[2],
        "to": words[0],
        "key": words[1],
    }
    assert clean[1].questions[0].accept == (words[0],)
    assert scrubber.account()["key"][0] == 1


def test_a_host_is_the_same_in_an_address_and_in_a_link() -> None:
    words = scrubbed("mira@tarmworks.dev https://wiki.tarmworks.dev/x").split()
    host = words[0].split("@")[1]
    assert host.endswith(".dev")
    assert words[1].split("/")[2].endswith(f".{host}")


def test_two_values_never_become_one() -> None:
    text = " ".join(f"10.0.7.{n} u{n}@pump{n}.com" for n in range(10, 200))
    found = scrubbed(text).split()
    assert len(set(found)) == len(found)
    assert set(found).isdisjoint(text.split())


def test_where_nothing_is_private_nothing_changes() -> None:
    given = Conversation("talk", "Talk", (say("user", "The pump is P-77."),))
    ((one,), scrubber) = scrub(given)
    assert one == given
    assert scrubber.account() == {}


def test_a_name_with_an_accent_goes_from_arguments_that_escape_it_too() -> None:
    mail = "j\u00f8rgen@m\u00f8ller.dk"
    talk = [say("user", f"Write to {mail}"), say("assistant", "Yes."), say("user", "Go on.")]
    ((clean,), _) = scrub(Conversation("talk", "Talk", (*talk, call(to=mail))))
    arguments = clean.messages[3]["tool_calls"][0]["function"]["arguments"]  # type: ignore[typeddict-item]  # it's an assistant's
    assert json.loads(arguments)["to"] != mail
    before_, after_ = (
        reuse_probes([*talk, say("assistant", f"Wrote {to}")], (), text=True)
        for to, talk in ((mail, talk), (json.loads(arguments)["to"], list(clean.messages[:3])))
    )
    assert len(before_) == len(after_)
    assert str(clean.messages[0]["content"]).endswith(json.loads(arguments)["to"])


def test_arguments_with_a_key_of_several_lines_stay_json_and_are_found_again() -> None:
    lines = "\n".join(f"{n}MIIEvQIBADANBgkqhkiG9w{n}" for n in range(3))
    key = f"-----BEGIN PRIVATE KEY-----\n{lines}\n-----END PRIVATE KEY-----\n"
    talk = [say("user", f"Use {key}"), say("assistant", "Seen."), say("user", "Go on.")]
    given_ = Conversation("talk", "Talk", (*talk, call(text=f"put {key}")))
    ((clean,), _) = scrub(given_)
    before_, after_ = (reuse_probes(each.messages) for each in (given_, clean))
    assert len(before_) == 3
    assert len(after_) == len(before_)
    arguments = clean.messages[3]["tool_calls"][0]["function"]["arguments"]  # type: ignore[typeddict-item]  # it's an assistant's
    assert json.loads(arguments)["text"].removeprefix("put ") in str(clean.messages[0]["content"])


SECRETS = st.one_of(
    st.from_regex(r"[a-z]{2,8}[.][a-z]{2,8}[0-9]@[a-z]{4,9}[.](com|dev|org)", fullmatch=True),
    st.from_regex(r"/home/[a-z]{5,9}[0-9]/[a-z]{2,6}", fullmatch=True),
    st.from_regex(r"C:\\Users\\[a-z]{5,9}[0-9]\\[a-z]{2,6}", fullmatch=True),
    st.from_regex(r"(sk-|ghp_|glpat-)[A-Za-z0-9]{20,30}", fullmatch=True),
    st.from_regex(r"(1[1-9]|2[0-4])(\.[1-9][0-9]){3}", fullmatch=True),
    st.from_regex(r"https://[a-z]{5,9}[0-9]\.[a-z]{5,9}\.net/[a-z0-9]{3,6}", fullmatch=True),
    st.from_regex(r"[a-z]{5,9}[0-9]@[a-z]{5,9}[0-9]:~/[a-z]{2,6}", fullmatch=True),
    st.from_regex(r"\+4[0-9] [1-9][0-9] [1-9][0-9] [1-9][0-9] [1-9][0-9]", fullmatch=True),
)
AROUND = st.sampled_from([" ", "\n", '"', "'", "(", "[", ": ", "=", "<", "\t", "，", "`", ", "])
PLACES = st.sampled_from(["user", "tool", "argument", "nested", "summary", "tool schema", "title"])


def private_parts(secret: str) -> list[str]:
    """What of a secret must be gone."""
    if secret.startswith(("/home/", "C:")):
        return [secret.replace("\\", "/").split("/")[2]]
    if secret.startswith("https"):
        return [secret.split("/")[2], f".{secret.split('.')[1]}.net"]
    if ":~/" in secret:
        return [secret.split("@")[0], secret.split("@")[1].split(":")[0]]
    return [secret, *([secret.split("@")[0]] if "@" in secret else [])]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(SECRETS, AROUND, AROUND, PLACES), min_size=1, max_size=8))
def test_no_original_survives_anywhere(planted: list[tuple[str, str, str, str]]) -> None:
    messages: list[Any] = [say("user", "Start.")]
    one = Conversation("talk", "Talk", ())
    for secret, before, after, place in planted:
        text = f"see{before}{secret}{after}now"
        if place in ("user", "tool"):
            messages.append(say("user", text))
        elif place == "argument":
            messages.append(call(note=text))
        elif place == "nested":
            messages.append(call(body=json.dumps({"note": text})))
        elif place == "summary":
            compactions = (*one.compactions, RecordedCompaction(1, 1, text))
            one = replace(one, compactions=compactions)
        elif place == "title":
            one = replace(one, title=one.title + text, name=one.name + text)
        else:
            tool = {"name": f"run-{len(one.tools)}", "description": text}
            one = replace(one, tools=(*one.tools, tool))
        # Also where nothing tells that it is private.
        messages.append(say("assistant", f"done {private_parts(secret)[0]} done"))
    one = replace(one, messages=tuple(messages))
    ((clean,), _) = scrub(one)
    written = b"".join(scenario_files(clean, "talk").values()).decode() + clean.name
    for secret, *_ in planted:
        for part in private_parts(secret):
            assert part.lower() not in written.lower()
    assert len(clean.messages) == len(messages)
    for message in clean.messages:
        for made in message.get("tool_calls", ()):  # type: ignore[attr-defined]  # a mapping's
            json.loads(made["function"]["arguments"])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(SECRETS, AROUND, AROUND), min_size=1, max_size=6))
def test_what_was_used_again_is_found_in_the_same_places(
    planted: list[tuple[str, str, str]],
) -> None:
    messages: list[Any] = [say("user", "Order K-4711."), say("user", "Go on.")]
    for secret, before, after in planted:
        messages += [say("user", f"see{before}{secret}{after}now"), say("assistant", "Seen.")]
        messages.append(say("user", "Go on."))
    for secret, *_ in planted:
        messages.append(call(value=secret, order="K-4711"))
    given_ = Conversation("talk", "Talk", tuple(messages))
    ((clean,), _) = scrub(given_)
    before_, after_ = (
        [(p.request, p.source, p.free, p.own, p.tool) for p in reuse_probes(each.messages)]
        for each in (given_, clean)
    )
    assert before_
    assert after_ == before_


def test_the_words_of_messages_stay_where_somebody_is_called_so() -> None:
    """A folder that is called like a key of messages mustn't take their calls away."""
    messages = (say("user", "In /home/tool_calls/app."), call(path="/home/tool_calls/app"))
    ((clean,), _) = scrub(Conversation("talk", "Talk", messages))
    assert clean.messages == messages


@pytest.mark.parametrize(
    "text",
    ["\\u005c" + "u005c" * 3_000, "\x1b" * 3_000 + "[0m" * 3_000, "\\" * 200_000],
    ids=["escapes of escapes", "colours in colours", "an endless escape"],
)
def test_marks_within_marks_are_no_trap(text: str) -> None:
    assert list(private_values(f"{text} at 10.20.30.41")) != []


def test_keys_that_begin_alike_have_a_pattern_however_many_there_are() -> None:
    texts = ["k3y" + "a1" * number for number in range(600)]
    pattern = re.compile(any_of(texts))
    assert all(pattern.fullmatch(text) for text in texts)
    assert pattern.match(f"{texts[-1]}!") is not None


def test_a_key_keeps_the_stand_in_of_the_longest_known_key_that_it_begins_with() -> None:
    keys = ["zQ8aa77bb1", "zQ8aa77bb1cc22", "zQ8aa77bb1cc22dd33"]
    made = scrubbed("\n".join(f"token={key}" for key in reversed(keys))).split()
    longest, middle, shortest = (one.removeprefix("token=") for one in made)
    assert longest.startswith(middle)
    assert middle.startswith(shortest)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text("ab.-c", min_size=1, max_size=6), min_size=1, max_size=30))
def test_the_one_pattern_finds_the_longest_of_its_texts(texts: list[str]) -> None:
    pattern = re.compile(any_of(texts))
    for text in texts:
        assert pattern.fullmatch(text)
        longest = max((one for one in texts if f"{text}b.a".startswith(one)), key=len)
        found = pattern.match(f"{text}b.a")
        assert found is not None
        assert found[0] == longest
