// The story of the fact that is followed: what holds, its stretches, and why it stands as it does.

/** The story of a fact under one side, to be read under its timeline. */
function factStory(story, fact, index, actions) {
  const version = versionAt(fact, story.cell.requests[index]) || fact.versions[0];
  const state = factState(story, fact, index);
  const [sign, words] = state === null ? ["·", "not said yet"] : FACT_STATES[state];
  return el(
    "section",
    { class: "following", "aria-label": `The story of ${nameOf(fact)} under ${story.names.strategy}, ${story.names.budget}` },
    el("h4", { tabindex: "-1" }, `Following ${nameOf(fact)}: `, el("b", { class: `state ${state}` }, `${sign} ${words}`)),
    holdsLine(version),
    version.old.length > 0 ? formsLine("Old values: ", version.old, "old") : "",
    el("p", { class: "turning" }, reasonWords(story, fact, index, actions)),
    stretchList(story, fact, index, actions),
  );
}

function holdsLine(version) {
  const label = version.taken !== undefined ? "Taken back: " : "Holds: ";
  if (version.forms.length > 0) return formsLine(label, version.forms, "current");
  return el("p", {}, label, "wording that fits a pattern");
}

/** Its stretches on the main line, as buttons that lead to where each begins. */
function stretchList(story, fact, index, actions) {
  const whole = toldStretches(story, fact);
  const list = el("ol", { class: "story", "aria-label": "Loss and return" });
  whole.forEach((one, place) => {
    const until = place + 1 < whole.length ? whole[place + 1].first - 1 : story.cell.requests.length - 1;
    const [sign, words] = FACT_STATES[one.state];
    const attributes = {
      type: "button",
      class: `chip ${one.state}`,
      "data-key": `stretch ${one.first}`,
      "aria-current": one.first <= index && index <= until ? "step" : null,
      onclick: () => actions.go(one.first),
    };
    const note = place > 0 ? renewalNote(whole[place - 1].version, one) : "";
    list.append(el("li", {}, el("button", attributes, `${sign} ${rangeWords(one.first, until)} ${words}${note}${elsewhere(story, fact, one, until)}`)));
  });
  return list;
}

/** The stretches as they are told: that the same value was said once more while nothing changed is no new one. */
function toldStretches(story, fact) {
  const told = [];
  for (const one of stretches(story, fact, story.cell.requests.length - 1)) {
    const last = told[told.length - 1];
    if (!last || last.state !== one.state || last.version.search !== one.version.search) told.push(one);
  }
  return told;
}

/** That a stretch begins with a new value, or with the same one once more where it is there. */
function renewalNote(earlier, { version, state }) {
  if (version === earlier || version.taken !== undefined) return "";
  return earlier.search !== version.search || isThere(state) ? `, ${renewalWords(earlier, version).toLowerCase()}` : "";
}

const rangeWords = (first, last) => (first === last ? `#${first}` : `#${first}–${last}`);

/** Questions within a stretch in whose own view the fact stands otherwise. */
function elsewhere(story, fact, stretch, until) {
  const other = [];
  for (let at = stretch.first; at <= until; at += 1) {
    const state = story.cell.requests[at].probe ? factState(story, fact, at) : stretch.state;
    if (state !== stretch.state) other.push(at);
  }
  return other.length > 0 ? `, but not at question #${span(other)}` : "";
}
