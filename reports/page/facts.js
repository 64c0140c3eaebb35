// How each fact stands at a request, and the story of the one that is followed.

const FACT_STATES = {
  "in-view": ["✓", "in view"],
  "in-summary": ["Σ", "in summary"],
  stale: ["!", "stale"],
  lost: ["✗", "lost"],
  "taken-back": ["–", "taken back"],
};
const MANY_FACTS = 16;

const nameOf = (fact) => (fact.kind === "answer" ? `${fact.name} (answer)` : fact.name);

/** Every fact that has been said, as a button that follows it. */
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
  const there = known.filter((one) => isThere(one.state) && one.at !== followed);
  const list = el("ul", { class: "chips" });
  if (known.length <= MANY_FACTS || there.length === 0) list.append(...chips(known));
  else {
    list.append(...chips(known.filter((one) => !there.includes(one))));
    const more = fold("there", `${there.length} more, all there`, el("ul", { class: "chips" }), () => chips(there));
    list.append(el("li", {}, more));
  }
  return [heading, list];
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

/** The story of the fact that is followed, in stretches that lead to where they begin. */
function factStory(story, fact, index, actions) {
  const last = story.cell.requests.length - 1;
  const whole = stretches(story, fact, last);
  const version = versionAt(fact, story.cell.requests[index]) || fact.versions[0];
  const said = placeWords(story, version.message);
  const forms = version.forms.length > 0 ? version.forms : ["nothing"];
  const line = el("ol", { class: "story" });
  for (const one of whole) {
    const [sign, words] = FACT_STATES[one.state];
    const range = one.first === one.last ? `#${one.first}` : `#${one.first}–${one.last}`;
    const attributes = {
      type: "button",
      class: `chip ${one.state}`,
      "data-key": `stretch ${one.first}`,
      "aria-current": one.first <= index && index <= one.last ? "step" : null,
      onclick: () => actions.go(one.first),
    };
    line.append(el("li", {}, el("button", attributes, `${sign} ${range} ${words}`)));
  }
  return el(
    "section",
    { class: "following", "aria-label": `The story of ${nameOf(fact)} under ${story.names.strategy}, ${story.names.budget}` },
    el("h4", {}, `Following ${nameOf(fact)}`),
    formsLine(version.taken !== undefined ? "Taken back: " : "Holds: ", forms, "current"),
    version.old.length > 0 ? formsLine("Old values: ", version.old, "old") : "",
    el("p", {}, `Said in ${said}. Loss and return, on the main line:`),
    line,
    lossWords(story, fact, index, version, actions),
  );
}

/** What the compaction at this request did to a fact, if it is where the fact turned. */
function lossWords(story, fact, index, version, actions) {
  const state = factState(story, fact, index);
  if (state === null || state === "in-view" || turningOf(story, fact, index, state) !== index) return "";
  const request = story.cell.requests[index];
  const turned = state === "in-summary" ? "moved into a summary" : `turned ${FACT_STATES[state][1]}`;
  const words = [`This request is where it ${turned}: ${deed(request)} `];
  const place = (part) => el("button", { type: "button", class: "plain", onclick: () => actions.show(part) }, placeWords(story, part));
  const previous = before(story.cell, index);
  const earlier = previous < 0 ? [] : sayings(story, story.cell.requests[previous].view, version.search);
  const now = sayings(story, request.view, version.search);
  const gone = earlier.filter((one) => one.code & ~STALE && !now.some((other) => other.part === one.part));
  const names = gone.map((one, at) => [at > 0 && ", ", typeof one.part === "number" ? place(one.part) : placeWords(story, one.part)]);
  if (gone.length > 0) words.push("Until here it was said by ", names, ", gone from this view. ");
  else if (!holds(request.view, version.message)) words.push(`Message ${version.message}, which said it, isn't in this view. `);
  if (state === "stale" && now.length > 0) words.push("The last word has ", place(now[now.length - 1].part), ", with an old value. ");
  if (request.summary) {
    const says = now.some((one) => one.part === request.summary && one.code & ~STALE);
    words.push("What was made here, ", place(request.summary), `, ${says ? "says it" : "doesn't say it"}. `);
  }
  if (state === "lost") words.push(shownWords(story.cell, fact, version));
  return el("p", { class: "turning" }, words);
}

/** Whether the summariser had the chance to keep a fact, where the run says so. */
function shownWords(cell, fact, version) {
  const left = cell.left.find(([message, id]) => message === version.message && `fact ${id}` === fact.id);
  if (left === undefined) return "";
  return left[2] ? "The summariser was shown it." : "The summariser was never shown it: the strategy dropped it unseen.";
}
