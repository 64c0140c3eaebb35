"""A conversation that has to be summarised, and a model that writes its summaries."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

STORY = """\
id: story
title: An orchard is planned
lang: en
tags: [orchard]
turns:
  - system: You help with an orchard.
  - user: |
      The new orchard stands on parcel 5521, by the way, and the owner is Ines Halvorsen. Please
      compare the soils of the two terraces and tell me which one drains better after a wet winter.
    facts: {parcel: "5521", owner: Ines Halvorsen}
  - assistant: |
      The upper terrace drains better: its soil is sandy loam on gravel. The lower one holds water
      for days after rain, which pears forgive and cherries don't.
  - user: |
      Then cherries go up and pears go down. We have a budget of 7340 crowns for the trees alone,
      stakes and ties apart, and the nursery wants the order by the end of the month.
    facts: {crowns: "7340"}
  - assistant: |
      Noted. With rows four metres apart the upper terrace takes three rows of cherries, and the
      lower one two rows of pears, with a path between them for the cart.
  - user: |
      The irrigation comes from the old mill race. Its gate opens at 6:45 and nobody may change
      that, the neighbours share the water. Sketch the pipes so that both terraces get some.
    facts: {gate: "6:45"}
  - assistant: |
      A main pipe runs along the wall, with one branch for each terrace and a valve at each branch,
      so that the lower terrace can be shut off in wet weeks.
  - mark: half
  - user: |
      Correction: the budget for the trees is 8125 crowns now, my sister adds a little. Write the
      list of what has to be bought, without prices, in the order in which we need it.
    facts: {crowns: "8125"}
  - assistant: |
      Stakes, ties, trees, pipe, two valves, mulch, and mesh against the deer, in this order. The
      mesh can wait until the trees have been planted.
  - user: And a short note for the neighbours about the weekend of the planting, friendly please.
  - assistant: Written; it asks them to keep the lane free on both days.
probes:
  - {id: parcel, kind: recall, ask: On which parcel does the orchard stand?, fact: parcel}
  - {id: owner, kind: recall, ask: Who owns the orchard?, fact: owner, at: [half, end]}
  - {id: crowns, kind: update, ask: How much may the trees cost?, fact: crowns, at: [half, end]}
  - {id: gate, kind: constraint, ask: When does the gate of the mill race open?, fact: gate}
"""
_NUMBER = re.compile(r"\d[\d:]*")


def is_for_a_summary(request: Mapping[str, Any]) -> bool:
    return "<transcript>" in json.dumps(request["messages"])


def material(request: Mapping[str, Any]) -> str:
    """What a request shows: the previous summary and the messages."""
    return str(request["messages"][-1]["content"])


def written(request: Mapping[str, Any]) -> str:
    """A summary that keeps numbers and loses names; or an answer that gives the first number."""
    if not is_for_a_summary(request):
        numbers = _NUMBER.findall(json.dumps(request["messages"][:-1]))
        return numbers[0] if numbers else "I don't know."
    text = material(request).replace("transcript-2", "")
    numbers = list(dict.fromkeys(_NUMBER.findall(text)))
    return f"The plan so far rests on these numbers: {', '.join(numbers)}; more is to be planned."
