// The key to the timelines that are shown: every sign that they have, and none beside.

const SIGN_WORDS = {
  correct: "answer there",
  missing: "answer lost",
  stale: "an old value instead",
  mixed: "an old value beside it",
  wrong: "what nobody said",
  "not-asked": "not asked",
};
const BARS = [
  ["full", "full history", () => true],
  ["bar", "sent", () => true],
  ["bar fork", "sent with a question", (request) => request.probe],
  ["over", "over the budget", (request, cell) => request.tokens > cell.budget],
];

/** For sighted readers; what it says is in words elsewhere. `width`: pixels of each timeline. */
function timelineKey(some, followed, width) {
  const shown = some.filter((one) => one.cell && one.cell.requests.length > 0);
  const has = (holdsFor) => shown.some(({ cell }) => cell.requests.some((request) => holdsFor(request, cell)));
  const widths = shown.map(({ cell }) => width / cell.requests.length);
  const swatch = (kind, words) => el("span", { class: "entry" }, el("span", { class: `swatch ${kind}` }), words);
  const sign = (letter, words, kind) => el("span", { class: "entry" }, el("span", { class: `letter ${kind}` }, letter), ` ${words}`);
  const entries = BARS.filter(([, , holdsFor]) => has(holdsFor)).map(([kind, words]) => swatch(kind, words));
  if (has(compacts)) entries.push(sign("▼", "compaction", "compacts"));
  const verdicts = new Set(shown.flatMap(({ cell }) => [...verdictsAt(cell).values()]));
  const marks = widths.some((width) => width < SIGN_ROOM);
  const used = Object.keys(SIGN_WORDS).filter((one) => verdicts.has(one));
  if (widths.some((width) => width >= SIGN_ROOM))
    entries.push(...signGroups(used).map(([letter, words, kind]) => sign(letter, words, kind)));
  if (marks && used.includes("correct")) entries.push(swatch("short correct", "answer there"));
  if (marks && used.some((one) => one !== "correct" && one !== "not-asked")) entries.push(swatch("tall", "answer not there"));
  return [...entries, ...bandEntries(shown, followed, swatch)];
}

/** The signs with their words; two verdicts may share one. */
function signGroups(verdicts) {
  const groups = new Map();
  for (const one of verdicts) {
    const letter = VERDICT_SIGNS[one];
    groups.set(letter, [...(groups.get(letter) || []), one]);
  }
  return [...groups].map(([letter, all]) => [letter, all.map((one) => SIGN_WORDS[one]).join(", or "), all[0]]);
}

/** The band below the bars: how the fact that is followed stands. */
function bandEntries(shown, followed, swatch) {
  const states = new Set();
  for (const story of shown) {
    const fact = story.talk && story.talk.facts.find((one) => one.id === followed);
    if (fact) story.cell.requests.forEach((_, index) => states.add(factState(story, fact, index)));
  }
  const used = Object.keys(FACT_STATES).filter((one) => states.has(one));
  if (used.length === 0) return [];
  return [el("span", { class: "entry" }, "band, the fact that is followed:"), ...used.map((one) => swatch(one, FACT_STATES[one][1]))];
}
