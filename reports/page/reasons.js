// Why a fact stands as it does at a request: which compaction, what went, what says what instead.

/** Sentences on a fact that has been said by a request, as children of an element. */
function reasonWords(story, fact, index, actions) {
  const state = factState(story, fact, index);
  const version = versionAt(fact, story.cell.requests[index]);
  if (state === null) return notYet(story, fact);
  const tell = { lost: lostWords, stale: staleWords, "in-summary": summaryWords, "in-view": viewWords, "taken-back": takenWords };
  return tell[state]({ story, fact, version, index, actions });
}

function notYet(story, fact) {
  return [`Not said yet: ${placeWords(story, fact.versions[0].message)} says it first.`];
}

/** A request as a place: `here`, or a button that goes there. */
function atRequest(index, request, actions) {
  if (request === index) return "here";
  const go = () => actions.go(request);
  return ["at ", el("button", { type: "button", class: "plain", "data-key": `at ${request}`, onclick: go }, `#${request}`)];
}

/** What a request dropped, in words: `messages 4–12 and summary s3`. */
function droppedWords(story, request) {
  const positions = [];
  const made = [];
  for (const part of request.dropped || []) {
    if (typeof part === "string") made.push(placeWords(story, part));
    else for (let one = part[0]; one < part[1]; one += 1) positions.push(one);
  }
  const messages = positions.length > 0 ? [`${positions.length === 1 ? "message" : "messages"} ${span(positions)}`] : [];
  return [...messages, ...made].join(" and ");
}

/** What said it before a request and isn't in its view any more. */
function goneAt(story, version, request) {
  const previous = before(story.cell, request);
  const earlier = previous < 0 ? [] : sayings(story, story.cell.requests[previous].view, version.search);
  const now = sayings(story, story.cell.requests[request].view, version.search);
  return earlier.filter((one) => tells(one.code) && !now.some((other) => other.part === one.part)).map((one) => one.part);
}

/** Which compaction took it away, what went with it, and what stands there instead. */
function departure({ story, version, index, actions }, request) {
  const made = story.cell.requests[request];
  const dropped = droppedWords(story, made);
  const place = atRequest(index, request, actions);
  const words = dropped || made.action ? [made.action || "a compaction", " ", place, dropped ? ` dropped ${dropped}. ` : ". "] : ["without a compaction ", place, ". "];
  const gone = goneAt(story, version, request);
  const there = (part) => (typeof part === "number" || made.view.includes(part) ? placeButton(story, part, actions) : placeWords(story, part));
  if (gone.length > 0) words.push("Until then it was said by ", listed(gone.map(there)), ". ");
  else if (!holds(made.view, version.message)) words.push(capital(placeWords(story, version.message)), ", which said it, isn't in this view. ");
  return { words, gone };
}

function lostWords(given) {
  const { story, fact, version, index, actions } = given;
  const request = leftAt(story, version, index);
  const made = story.cell.requests[request];
  const { words, gone } = departure(given, request);
  const rest = sayings(story, made.view, version.search);
  // What stands in its place is told once, with what it says.
  const elsewhere = rest.filter((one) => one.part !== made.summary);
  if ((version.parts || 0) > 0 && elsewhere.length > 0)
    words.push(elsewhere.length > 1 ? "Parts of it are left in " : "A part of it is left in ", listed(elsewhere.map((one) => placeButton(story, one.part, actions))), ". ");
  words.push(...replacement(given, made, gone, rest));
  return ["Lost: ", ...words, shownWords(story.cell, fact, version)];
}

/** What was put in the place of what left, and what it says nearest to what is lost. */
function replacement({ story, version, actions }, made, gone, rest) {
  const cut = made.view.find((part) => typeof part === "string" && gone.includes((story.cell.made[part] || {}).for));
  const keeps = (part) => rest.some((one) => one.part === part) && keptForms(textOf(story, part), version.forms);
  if (!made.summary && cut !== undefined && keeps(cut)) return [capital(placeWords(story, cut)), ` stands for it, cut or masked, and keeps only ${keeps(cut)}. `];
  if (!made.summary && cut !== undefined) return [capital(placeWords(story, cut)), " stands for it, cut or masked, without it. "];
  if (!made.summary) return made.action ? ["Nothing was put in its place. "] : [];
  const said = [version.message, ...gone].map((part) => textOf(story, part));
  const source = said.map((one) => around(one, version.forms)).find((one) => one !== "") || said[0];
  const nearest = nearestWords(textOf(story, made.summary), source);
  const place = made.view.includes(made.summary) ? placeButton(story, made.summary, actions) : placeWords(story, made.summary);
  if (rest.some((one) => one.part === made.summary)) return ["In its place ", place, ` was made, which keeps only ${keeps(made.summary) || "a part of it"}. `];
  return ["In its place ", place, " was made, which doesn't say it", nearest ? ["; nearest to it: ", el("q", {}, nearest), " "] : ". "];
}

function staleWords(given) {
  const { story, fact, version, index, actions } = given;
  const found = sayings(story, story.cell.requests[index].view, version.search);
  const last = found[found.length - 1];
  const turned = turnedAt(story, fact, index);
  const words = ["Stale: ", last ? [placeButton(story, last.part, actions), " has the last word and ", saysWords(last.code, textOf(story, last.part), version.old)] : "an old value has the last word", ". "];
  const left = leftAt(story, version, index);
  if (left === null) words.push("What holds is said before it. ");
  if (turned !== null && version.taken === undefined) words.push("So since: ", departure(given, left === null ? turned : left).words);
  return words;
}

function summaryWords(given) {
  const { story, fact, version, index, actions } = given;
  const found = sayings(story, story.cell.requests[index].view, version.search).filter((one) => tells(one.code));
  const last = found[found.length - 1].part;
  const quoted = around(textOf(story, last).replace(/^\[[^\]\n]*\]\n/, ""), version.forms);
  const words = ["In ", placeButton(story, last, actions), quoted ? [": ", el("q", {}, quoted), " "] : ". "];
  const turned = turnedAt(story, fact, index);
  const back = cameBack(given);
  if (back) return [...words, ...back];
  return turned === null || story.cell.requests[turned].at <= version.message ? words : [...words, "Since then: ", departure(given, turned).words];
}

function viewWords(given) {
  const { story, version, index, actions } = given;
  const found = sayings(story, story.cell.requests[index].view, version.search).filter((one) => tells(one.code) && isOriginal(story, one.part));
  const whole = found.filter((one) => typeof one.part === "number").map((one) => one.part);
  const words =
    whole.length > 0
      ? ["In ", listed(whole.slice(0, 4).map((part) => placeButton(story, part, actions))), whole.length > 4 && ` and ${whole.length - 4} more`, ", word for word. "]
      : ["In ", placeButton(story, found[0].part, actions), ", which stands for a message that was cut or masked, and says it still. "];
  return [...words, ...(cameBack(given) || [])];
}

/** Why a fact that was lost is there again: who said it, or what was sent again. */
function cameBack({ story, fact, version, index, actions }) {
  const turned = turnedAt(story, fact, index);
  const whole = stretches(story, fact, index);
  const place = whole.findIndex((one) => one.first === turned);
  if (place < 1) return null;
  const last = whole[place - 1];
  if (last.version !== version) {
    const again = last.version.search === version.search;
    const who = again ? againWords(story, version.message, 0, actions) : ["in ", placeButton(story, version.message, actions)];
    return [renewalWords(last.version, version), " ", atRequest(index, turned, actions), again ? ": " : ", ", who, ". "];
  }
  if (!isWrong(last.state)) return null;
  const previous = before(story.cell, turned);
  const request = story.cell.requests[turned];
  const known = sayings(story, story.cell.requests[previous].view, version.search).map((one) => one.part);
  const found = sayings(story, request.view, version.search).filter((one) => tells(one.code) && !known.includes(one.part));
  if (found.length === 0) return ["There again ", atRequest(index, turned, actions), ". "];
  const part = found[0].part;
  return ["There again ", atRequest(index, turned, actions), ": ", againWords(story, part, story.cell.requests[previous].at, actions), ". "];
}

/** Whether a later version says the same, or another value. */
const renewalWords = (earlier, later) => (earlier.search === later.search ? "Said again" : "Given a new value");

function againWords(story, part, said, actions) {
  const place = placeButton(story, part, actions);
  if (typeof part === "string") return [place, " says it again"];
  if (part < said) return [place, " is sent again"];
  const role = story.talk.messages[part].role;
  if (role === "assistant") return ["the agent repeats it in ", place];
  return role === "user" ? ["the user says it again in ", place] : ["it comes again in ", place];
}

function takenWords({ story, version, actions }) {
  return ["Taken back by ", placeButton(story, version.message, actions), "; nothing in this view claims it. "];
}

/** Whether the summariser had the chance to keep a fact, where the run says so. */
function shownWords(cell, fact, version) {
  const left = cell.left.find(([message, id]) => message === version.message && `fact ${id}` === fact.id);
  if (left === undefined) return "";
  return left[2] ? "The summariser was shown it." : "The summariser was never shown it: the strategy dropped it unseen.";
}
