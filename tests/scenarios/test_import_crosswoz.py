"""CrossWOZ's slots become questions, where the dialogue says their values."""

import json
from pathlib import Path
from typing import Any

from tests.scenarios.writing import write_files

from compaction_eval.scenarios.importers import find_formats, import_file
from compaction_eval.scenarios.importers.records import Imported
from compaction_eval.scenarios.importers.writing import scenario_files
from compaction_eval.scenarios.loader import load_file

INN, CAFE = "青石客栈", "云雀面馆"


def usr(text: str, *acts: list[str], state: Any = ()) -> dict[str, Any]:
    return {"role": "usr", "content": text, "dialog_act": list(acts), "user_state": list(state)}


def sys(text: str, *acts: list[str]) -> dict[str, Any]:
    return {"role": "sys", "content": text, "dialog_act": list(acts)}


BYE = (usr("谢谢，再见！", ["General", "bye", "none", "none"]), sys("再见！"))


def read(folder: Path, *messages: dict[str, Any], goal: Any = ()) -> Imported:
    dialogue = {"messages": [*messages, *BYE], "final_goal": list(goal)}
    path = folder / "city.json"
    path.write_text(json.dumps({"7": dialogue}), "utf-8")
    return import_file(find_formats("crosswoz"), path)


def probes(imported: Imported) -> list[tuple[Any, ...]]:
    (conversation,) = imported.conversations
    return [(q.kind, q.ask, q.accept, q.reject, q.evidence) for q in conversation.questions]


TOLD = (
    usr("我想找一家客栈。", ["Request", "酒店", "名称", ""]),
    sys(f"{INN}不错。", ["Recommend", "酒店", "名称", INN]),
    usr(f"就住{INN}，电话多少？", ["Inform", "酒店", "名称", INN], ["Request", "酒店", "电话", ""]),
    sys("电话是555-0131、555-0177。", ["Inform", "酒店", "电话", "555-0131 555-0177"]),
)
CHOSEN = ("decision", "我最后选了哪家酒店？", (INN,), (), (2,))


def test_what_was_told_of_a_place_is_asked_by_its_name(tmp_path: Path) -> None:
    goal = [[1, "酒店", "名称", INN, True], [1, "酒店", "电话", "555-0131 555-0177", True]]
    imported = read(tmp_path, *TOLD, goal=goal)
    phone = (f"{INN}的电话是多少？", ("555-0131", "555-0177"), (), (3,))
    assert probes(imported) == [("recall", *phone), CHOSEN]
    conversation = imported.conversations[0]
    assert conversation.name == "city-dialogue-7"
    assert [q.id for q in conversation.questions] == ["hotel-phone", "hotel-chosen"]
    assert [m["role"] for m in conversation.messages] == ["user", "assistant"] * 3


def test_several_places_nearby_are_asked_for_together(tmp_path: Path) -> None:
    near = sys(
        f"周边有{CAFE}、老井茶馆。",
        ["Inform", "酒店", "周边餐馆", CAFE],
        ["Inform", "酒店", "周边餐馆", "老井茶馆"],
    )
    goal = [[1, "酒店", "名称", INN], [1, "酒店", "周边餐馆", [CAFE, "老井茶馆", "没提到的店"]]]
    imported = read(tmp_path, *TOLD, near, goal=goal)
    assert (
        "recall",
        f"{INN}周边有哪些餐馆？",
        (CAFE, "老井茶馆"),
        (),
        (4,),
    ) in probes(imported)
    assert imported.conversations[0].questions[0].match == "all_of"


WISH = ["Inform", "酒店", "价格", "200-300元"]


def test_a_condition_that_stood_is_a_constraint(tmp_path: Path) -> None:
    wish = usr("想住200-300元的酒店。", WISH, state=[[1, "酒店", "价格", "200-300元", True]])
    found = probes(read(tmp_path, wish, sys("好的。")))
    assert found == [("constraint", "我想住什么价位的酒店？", ("200-300元",), (), (0,))]


def test_a_condition_that_was_given_up_is_an_update(tmp_path: Path) -> None:
    before, after = [1, "酒店", "价格", "200-300元", True], [1, "酒店", "价格", "685元", True]
    imported = read(
        tmp_path,
        usr("想住200-300元的酒店。", WISH, state=[before]),
        sys(f"只有{INN}，685元。", ["Inform", "酒店", "价格", "685元"]),
        usr("可以。", state=[after]),
        sys("好的。"),
        goal=[[1, "酒店", "名称", INN, True], after],
    )
    ask = f"我后来改了要求，选了{INN}，它的价格是多少？"
    assert probes(imported)[0] == ("update", ask, ("685元",), ("200-300元",), (1,))
    assert dict(imported.account.skipped) == {"question: condition was given up later": 1}


def test_a_condition_that_the_user_restates_is_an_update_too(tmp_path: Path) -> None:
    imported = read(
        tmp_path,
        usr("想住200-300元的酒店。", WISH),
        sys("没有。"),
        usr("那400-500元的呢？", ["Inform", "酒店", "价格", "400-500元"]),
        sys("有的。"),
    )
    asked = ("我想住什么价位的酒店？", ("400-500元",), ("200-300元",), (2,))
    assert probes(imported) == [("update", *asked)]


def test_what_cannot_be_asked_is_counted_by_reason(tmp_path: Path) -> None:
    goal = [
        [1, "酒店", "名称", INN],
        [1, "酒店", "地址", "河街9号"],
        [1, "酒店", "评分", "4.5分"],
        [1, "出租", "车牌", "#CP"],
        [2, "餐馆", "评分", "4.5分"],
        [3, "餐馆", "名称", CAFE],
    ]
    imported = read(
        tmp_path,
        *TOLD[:3],
        sys("在河边的九号。", ["Inform", "酒店", "地址", "河街9号"]),
        sys(
            "4.5分，车牌是#CP。",
            ["Inform", "酒店", "评分", "4.5分"],
            ["Inform", "出租", "车牌", "#CP"],
        ),
        sys("这家也是4.5分。", ["Inform", "餐馆", "评分", "4.5分"]),
        goal=goal,
    )
    assert probes(imported) == [CHOSEN]
    assert dict(imported.account.skipped) == {
        "question: value isn't said in these words": 1,
        "question: value is said of something else too": 1,
        "question: no wording for the slot '车牌'": 1,
        "question: place without one name": 1,
        "question: several places of one kind were chosen": 1,
    }


def test_odd_messages_are_counted(tmp_path: Path) -> None:
    odd: Any = {"role": "bot", "content": "嗨"}
    imported = read(tmp_path, *TOLD, odd, usr(" "))
    assert dict(imported.account.skipped) == {"no known role": 1, "empty": 1}
    assert imported.account.kept == 6


def test_the_scenario_loads_in_chinese_and_is_the_same_twice(tmp_path: Path) -> None:
    goal = [[1, "酒店", "名称", INN, True], [1, "酒店", "电话", "555-0131 555-0177", True]]
    first, again = (
        scenario_files(read(tmp_path, *TOLD, goal=goal).conversations[0], "city") for _ in range(2)
    )
    assert first == again
    write_files(tmp_path / "out", first)
    (scenario,) = load_file(tmp_path / "out" / "city.yaml")
    assert scenario.lang == "zh"
    assert [(p.id, p.evidence) for p in scenario.probes] == [
        ("hotel-phone", 3),
        ("hotel-chosen", 2),
    ]
