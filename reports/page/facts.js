// How each fact stands at a request: those that are asked for, then the others, as buttons.

const FACT_STATES = {
  "in-view": ["✓", "in view"],
  "in-summary": ["Σ", "in summary"],
  stale: ["«", "stale"],
  lost: ["✗", "lost"],
  "taken-back": ["–", "taken back"],
};
const MANY_FACTS = 8;

const nameOf = (fact) => (fact.kind === "answer" ? `${fact.name} (answer)` : fact.name);

/** Every fact that has been said, as a button that follows it; the first ones, and a fold for the rest. */
function factChips(story, index, followed, actions) {
  const facts = story.talk.facts;
  const known = facts
    .map((fact, at) => ({ fact, at, state: factState(story, fact, index) }))
    .filter((one) => one.state !== null);
  const counts = Object.keys(FACT_STATES)
    .map((state) => [known.filter((one) => one.state === state).length, FACT_STATES[state][1]])
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`);
  const heading = el("h4", {}, `Facts: ${counts.join(", ") || "none said yet"}`);
  const chips = (some) => some.map((one) => el("li", {}, chip(story, one, index, followed, actions)));
  const ordered = inOrder(story.talk, known, followed);
  const list = el("ul", { class: "chips" }, ...chips(ordered.slice(0, MANY_FACTS)));
  if (ordered.length <= MANY_FACTS) return [heading, list];
  const values = known.filter((one) => one.fact.kind === "value").length;
  const used = values > 0 ? `, ${number(values)} of them values that the agent used again` : "";
  const rest = fold("facts", `Show all ${number(ordered.length)}${used}`, el("ul", { class: "chips" }), () => chips(ordered.slice(MANY_FACTS)));
  return [heading, list, rest];
}

/** The one that is followed, then those that probes ask for, then the rest; what is wrong goes first. */
function inOrder(talk, known, followed) {
  const asked = new Set(talk.questions.filter((one) => one.ask !== undefined).map((one) => one.fact));
  const rank = ({ fact, at, state }) =>
    at === followed ? -1 : 2 * (asked.has(at) ? 0 : fact.kind === "value" ? 2 : 1) + (isWrong(state) ? 0 : 1);
  return [...known].sort((one, other) => rank(one) - rank(other));
}

function chip(story, { fact, at, state }, index, followed, actions) {
  const [sign, words] = FACT_STATES[state];
  const turned = state === "in-view" || state === "taken-back" ? null : turningOf(story, fact, index, state);
  const since = turned === null ? "" : ` since #${turned}`;
  const attributes = {
    type: "button",
    class: `chip ${state}`,
    "data-key": `fact ${fact.id}`,
    "aria-pressed": String(at === followed),
    onclick: () => actions.go(since === "" ? index : turned, at),
  };
  return el("button", attributes, `${sign} `, el("b", {}, nameOf(fact)), ` ${words}${since}`);
}

/** Where a fact got into its state: a lost one where it left, a stale one where it went wrong. */
function turningOf(story, fact, index, state) {
  const version = versionAt(fact, story.cell.requests[index]);
  return state === "lost" ? leftAt(story, version, index) : turnedAt(story, fact, index);
}
