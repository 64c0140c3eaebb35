// What is looked at: scenario, strategy, budget, summariser, repeat, and what stands beside it.

function chooseControls() {
  const own = CELLS.filter((cell) => cell.scenario.key === state.s);
  const each = (values) => [...new Set(values)];
  const box = byId("choosing");
  const label = (words, control) => el("label", {}, `${words} `, control);
  const pieces = [
    label("Scenario", choice("s", INDEX.scenarios.map((one) => [one.key, one.title ? `${one.key}: ${one.title}` : one.key]))),
    label("Strategy", choice("a", each(own.map((cell) => cell.strategy)).map((one) => [one, one]))),
    label("Budget", choice("b", each(own.map((cell) => cell.budget)).map((one) => [one, one]))),
  ];
  const summarizers = each(own.map((cell) => cell.summarizer));
  if (summarizers.length > 1) pieces.push(label("Summariser", choice("m", summarizers.map((one) => [one, one]))));
  const repeats = each(own.map((cell) => cell.repeat));
  if (repeats.length > 1) pieces.push(label("Repeat", choice("n", repeats.map((one) => [one, String(one + 1)]), Number)));
  pieces.push(label("Beside it", besideChoice(own.filter((cell) => cell.repeat === state.n), summarizers.length > 1)));
  const focused = document.activeElement && box.contains(document.activeElement) && document.activeElement.dataset.key;
  box.replaceChildren(...pieces);
  if (focused) box.querySelector(`[data-key="${focused}"]`)?.focus();
}

/** What may stand beside the first side: every other cell of the scenario. */
function besideChoice(own, several) {
  const first = cellOf(state.s, state.a, state.b, state.m, state.n);
  const second = secondCell();
  const others = own.filter((cell) => cell !== first);
  const words = (cell) => `${cell.strategy}, ${cell.budget}${several ? `, ${cell.summarizer}` : ""}`;
  const change = (event) => {
    const cell = others[Number(event.target.value)];
    const names = cell ? [cell.strategy, cell.budget, cell.summarizer] : ["", "", ""];
    show({ a2: names[0], b2: names[1], m2: names[2] }, true);
  };
  return el(
    "select",
    { id: "choose-beside", "data-key": "choose beside", onchange: change },
    el("option", { value: -1 }, "nothing"),
    others.map((cell, at) => el("option", { value: at, selected: cell === second }, words(cell))),
  );
}

function choice(name, options, read = String) {
  const change = (event) => show({ [name]: read(event.target.value), ...(name === "s" ? { r: 0, f: "" } : {}) }, true);
  return el(
    "select",
    { id: `choose-${name}`, "data-key": `choose ${name}`, onchange: change },
    options.map(([value, words]) => el("option", { value, selected: String(state[name]) === String(value) }, words)),
  );
}
