// A picture of all requests: their sizes against the budget, compactions, questions, one fact.

const VERDICT_SIGNS = { correct: "✓", missing: "✗", stale: "«", mixed: "≠", wrong: "«", "not-asked": "·" };
/** Pixels of a request below which a verdict is a mark instead of a sign. */
const SIGN_ROOM = 7;

/** The timeline of a cell. `go` is called with the index of a request that is clicked on. */
function timeline(story, current, fact, go, width, label) {
  const { requests, budget } = story.cell;
  const height = 150;
  const top = 16;
  const bottom = height - 34;
  const most = Math.max(budget, ...requests.map((request) => Math.max(request.full, request.tokens)));
  const step = width / Math.max(requests.length, 1);
  const x = (index) => index * step;
  const y = (tokens) => bottom - ((bottom - top) * tokens) / most;
  const gap = step > 4 ? 1 : 0;
  const verdicts = verdictsAt(story.cell);

  const full = requests.map(
    (request, index) => `L${x(index)},${y(request.full)}L${x(index + 1)},${y(request.full)}`,
  );
  const layers = [svg("path", { class: "full", d: `M0,${bottom}${full.join("")}L${width},${bottom}Z` })];
  requests.forEach((request, index) => {
    const size = { x: x(index), width: Math.max(step - gap, 0.5) };
    layers.push(
      svg("rect", { class: request.probe ? "bar fork" : "bar", ...size, y: y(request.tokens), height: bottom - y(request.tokens) }),
    );
    if (request.tokens > budget)
      layers.push(svg("rect", { class: "over", ...size, y: y(request.tokens), height: Math.max(y(budget) - y(request.tokens), 2) }));
    if (request.action && !request.probe)
      layers.push(svg("path", { class: "compacts", d: triangle(x(index) + step / 2, top - 3) }));
    if (fact) {
      const state = factState(story, fact, index);
      if (state) layers.push(svg("rect", { class: `strip ${state}`, ...size, y: bottom + 2, height: 6 }));
    }
    if (request.probe && step >= SIGN_ROOM) {
      const verdict = verdicts.get(index);
      const sign = VERDICT_SIGNS[verdict] || "✗";
      const place = { class: `sign ${verdict}`, x: x(index) + step / 2, y: bottom + 22 };
      layers.push(svg("text", { ...place, "text-anchor": "middle" }, sign));
    } else if (request.probe) {
      const verdict = verdicts.get(index);
      // Where a sign has no room, what is lost stands taller, not in another colour alone.
      const tall = verdict === "correct" || verdict === "not-asked" ? 3 : 10;
      layers.push(svg("rect", { class: `sign ${verdict}`, ...size, y: bottom + 22 - tall, height: tall }));
    }
  });
  const cursor = { x: x(current) - 1, width: step + 2 - gap, y: top - 1, height: bottom - top + 2 };
  layers.push(
    svg("line", { class: "budget", x1: 0, x2: width, y1: y(budget), y2: y(budget) }),
    svg("rect", { class: "cursor", ...cursor }),
    svg("text", { class: "label", x: 2, y: Math.max(y(budget) - 4, 10) }, `budget ${number(budget)}`),
  );
  const picture = svg(
    "svg",
    { class: "timeline", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label },
    layers,
  );
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const index = Math.floor(((event.clientX - box.left) / box.width) * requests.length);
    go(Math.min(Math.max(index, 0), requests.length - 1));
  });
  return picture;
}

/** Of each request with a question its verdict, which has a sign below it. */
function verdictsAt(cell) {
  const known = new Map(cell.verdicts.map((one) => [one.request, one.verdict]));
  const asked = cell.requests.map((request, index) => [index, known.get(index) || "not-asked"]);
  return new Map(asked.filter(([index]) => cell.requests[index].probe));
}

const triangle = (x, y) => `M${x - 4},${y - 7}L${x + 4},${y - 7}L${x},${y}Z`;

/** What the timeline shows, in words. */
function timelineWords(story) {
  const { requests, budget } = story.cell;
  const compactions = requests.filter((request) => request.action && !request.probe).length;
  const largest = Math.max(...requests.map((request) => request.tokens));
  const fullest = Math.max(...requests.map((request) => request.full));
  return (
    `Sizes of ${plural(requests.length, "request")}: at most ${number(largest)} tokens sent, ` +
    `of a full history of up to ${number(fullest)}; budget ${number(budget)}; ` +
    `${plural(compactions, "compaction")}.`
  );
}
