// What became of each message at a request: kept, new, dropped, summarised, cut, or gone before.

/**
 * The messages at a request, in reading order: {kind: "message", position | made, state}, and
 * {kind: "gone", from, to} for a stretch that had left the view before.
 */
function messagesAt(story, index) {
  const { cell } = story;
  const request = cell.requests[index];
  const previous = before(cell, index);
  const earlier = previous < 0 ? { view: [], at: 0 } : cell.requests[previous];
  const wasThere = (position) => position >= earlier.at || holds(earlier.view, position);
  const standIns = new Map();
  for (const part of request.view) {
    const made = typeof part === "string" ? cell.made[part] : undefined;
    if (made && made.for !== undefined) standIns.set(made.for, part);
  }
  const items = [];
  let next = 0;

  function missing(until) {
    for (; next < until; next += 1) {
      if (holds(request.view, next)) continue;
      if (!wasThere(next)) {
        const last = items[items.length - 1];
        if (last && last.kind === "gone" && last.to === next) last.to = next + 1;
        else items.push({ kind: "gone", from: next, to: next + 1 });
        continue;
      }
      let state = request.summary ? "summarised" : "dropped";
      if (standIns.has(next)) state = "reduced";
      items.push({ kind: "message", position: next, state, by: standIns.get(next) });
    }
  }

  for (const part of request.view) {
    if (typeof part === "string") {
      items.push({ kind: "message", made: part, state: madeState(cell, part, earlier) });
      continue;
    }
    missing(part[0]);
    for (let position = part[0]; position < part[1]; position += 1) {
      const kept = holds(earlier.view, position) ? "kept" : "back";
      items.push({ kind: "message", position, state: position >= earlier.at ? "new" : kept });
    }
    next = Math.max(next, part[1]);
  }
  missing(request.at);
  return items;
}

function madeState(cell, part, earlier) {
  const made = cell.made[part];
  if (made.kind === "question") return "question";
  if (earlier.view.includes(part)) return made.kind === "summary" ? "summary" : "stand-in";
  return made.kind === "summary" ? "new-summary" : "new-stand-in";
}

/**
 * What a summary in the view of a request replaced: the parts dropped where it was made. A question
 * may have had the same summary made on its fork before; of the main line, the first one counts.
 */
function replacedBy(cell, part, index) {
  const has = (request) => request.view.includes(part);
  const main = cell.requests.findIndex((request, at) => at <= index && !request.probe && has(request));
  const first = main < 0 ? index : main;
  const request = cell.requests[first];
  return { request: first, parts: (request.dropped || []).filter((one) => one !== part) };
}
