// How a fact stands in a view, by what its messages say of it.
// Pure functions over a story: {talk: the conversation's block or null, cell: the cell's block}.

const CURRENT = 1;
const STALE = 2;
const LAST = 4;
const FIRST_PART = 8;

const inRange = (part, position) => part[0] <= position && position < part[1];
const holds = (view, position) =>
  view.some((part) => typeof part !== "string" && inRange(part, position));

/** Index of the main-line request before one; -1 before the first. */
function before(cell, index) {
  let at = index - 1;
  while (at >= 0 && cell.requests[at].probe) at -= 1;
  return at;
}

/** What a view says of a search, message by message in its order; the question isn't asked. */
function sayings(story, view, search) {
  const places = story.talk.searches[search];
  const found = [];
  for (const part of view) {
    if (typeof part === "string") {
      const made = story.cell.made[part];
      const said = made && made.says ? made.says.find(([one]) => one === search) : undefined;
      if (said) found.push({ part, code: said[1] });
    } else {
      for (const [position, code] of places)
        if (inRange(part, position)) found.push({ part: position, code });
    }
  }
  return found;
}

/** The version of a fact that holds at a request; undefined before it is said. */
function versionAt(fact, request) {
  let found;
  for (const version of fact.versions) if (version.message < request.at) found = version;
  return found;
}

/** How a fact stands at a request: null, in-view, in-summary, stale, lost or taken-back. */
function factState(story, fact, index) {
  const request = story.cell.requests[index];
  const version = versionAt(fact, request);
  return version === undefined ? null : stateOf(story, request.view, version);
}

const known = new WeakMap();

/** The state in a view, worked out once: a step asks for those of all requests up to it. */
function stateOf(story, view, version) {
  if (!known.has(view)) known.set(view, new Map());
  const states = known.get(view);
  if (!states.has(version)) states.set(version, stateIn(story, view, version));
  return states.get(version);
}

function stateIn(story, view, version) {
  const found = sayings(story, view, version.search);
  if (version.taken !== undefined) {
    const told =
      holds(view, version.message) || sayings(story, view, version.taken).length > 0;
    return found.some((one) => one.code & STALE) && !told ? "stale" : "taken-back";
  }
  const parts = version.parts || 0;
  if (parts > 0) {
    const all = (some) => wholeAnswer(some, parts);
    if (!all(found)) return "lost";
    return all(found.filter((one) => isOriginal(story, one.part))) ? "in-view" : "in-summary";
  }
  if (found.length === 0) return "lost";
  if (!(found[found.length - 1].code & LAST)) return "stale";
  const original = found.some((one) => one.code & CURRENT && isOriginal(story, one.part));
  return original ? "in-view" : "in-summary";
}

function wholeAnswer(found, parts) {
  const every = Math.min(parts, 28);
  let mask = 0;
  for (const one of found) mask |= one.code;
  for (let part = 0; part < every; part += 1) if (!(mask & (FIRST_PART << part))) return false;
  return true;
}

/** Whether a part of a view is a message of the conversation, be it cut, and no summary. */
function isOriginal(story, part) {
  return typeof part !== "string" || story.cell.made[part].kind !== "summary";
}

const isThere = (state) => state === "in-view" || state === "in-summary";
const isWrong = (state) => state === "lost" || state === "stale";

/**
 * The stretches of a fact's story up to a request, on the main line and at that request itself:
 * [{first, last, state, version}], in order.
 */
function stretches(story, fact, until) {
  const found = [];
  story.cell.requests.slice(0, until + 1).forEach((request, index) => {
    if (request.probe && index !== until) return;
    const version = versionAt(fact, request);
    if (version === undefined) return;
    const state = stateOf(story, request.view, version);
    const last = found[found.length - 1];
    if (last && last.state === state && last.version === version) last.last = index;
    else found.push({ first: index, last: index, state, version });
  });
  return found;
}

/** The request at which a fact got into the state that it is in: the last stretch's first one. */
function turnedAt(story, fact, index) {
  const found = stretches(story, fact, index);
  const last = found.pop();
  if (last === undefined) return null;
  let first = last.first;
  // An answer that went stale was lost before, if nothing was right in between.
  while (isWrong(last.state) && found.length > 0) {
    const earlier = found.pop();
    if (!isWrong(earlier.state) || earlier.version !== last.version) break;
    first = earlier.first;
  }
  return first;
}

/**
 * The request from which on nothing says what holds by a request: of the main line, or that one
 * itself. An old value may have had the last word before. Null where something says it.
 */
function leftAt(story, version, index) {
  const parts = version.parts || 0;
  const says = (at) => {
    const found = sayings(story, story.cell.requests[at].view, version.search);
    return parts > 0 ? wholeAnswer(found, parts) : found.some((one) => one.code & CURRENT);
  };
  if (says(index)) return null;
  let left = index;
  for (let at = before(story.cell, index); at >= 0; at = before(story.cell, at)) {
    if (story.cell.requests[at].at <= version.message || says(at)) break;
    left = at;
  }
  return left;
}
