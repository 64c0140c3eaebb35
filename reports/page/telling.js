// One cell at one request in words: what was done, and what was asked.

/** A request in a sentence: where it stands, its size, what the strategy did. */
function requestWords(story, index) {
  const request = story.cell.requests[index];
  const asks = request.probe ? `, asks ${request.probe}` : "";
  const end = story.talk && request.at >= story.talk.messages.length;
  const where = end ? "at the end" : `before message ${request.at}`;
  const sizes = `${number(request.tokens)} of ${number(story.cell.budget)} tokens`;
  return `#${index}, ${where}${asks}: ${sizes} (full history ${number(request.full)}). ${deed(request)}`;
}

function deed(request) {
  if (!request.action && !request.dropped) return "Nothing was done.";
  const dropped = (request.dropped || []).reduce(
    (count, part) => count + (typeof part === "string" ? 1 : part[1] - part[0]),
    0,
  );
  const words = [request.action || "no compaction"];
  if (dropped > 0) words.push(`${plural(dropped, "message")} dropped`);
  if (request.summary) words.push(`summary ${request.summary} made`);
  if (request.cost) words.push(`summariser read ${number(request.cost[0])} tokens, wrote ${number(request.cost[1])}`);
  return `${words.join(", ")}.`;
}

function remarks(request) {
  const told = [...(request.remarks || [])];
  if (request.over) told.unshift("over budget");
  if (request.infeasible)
    told.unshift("infeasible: system messages and newest block alone exceed the budget");
  return told.length > 0 ? el("ul", { class: "remarks" }, told.map((one) => el("li", {}, one))) : "";
}

/** The questions of a request, each with its verdict and where the answer stands. */
function verdictPanels(story, index, actions) {
  const asked = story.cell.verdicts.filter((verdict) => verdict.request === index);
  const quiet = (verdict) => verdict.kind.startsWith("reuse") && (verdict.free || verdict.verdict === "correct");
  const panels = (some) => some.map((verdict) => verdictPanel(story, verdict, actions));
  const rest = asked.filter(quiet);
  if (rest.length === 0) return panels(asked);
  const head = `${plural(rest.length, "value")} that the agent uses here and can see, or that count for nothing`;
  return [
    ...panels(asked.filter((verdict) => !quiet(verdict))),
    fold("quiet", head, el("div"), () => panels(rest)),
  ];
}

function verdictPanel(story, verdict, actions) {
  const question = questionOf(story, verdict);
  const panel = el("section", { class: "question", "aria-label": `Question ${verdict.probe} under ${story.names.strategy}, ${story.names.budget}` });
  const share = verdict.share !== undefined && verdict.share < 1 ? ` (${percent(verdict.share)} of its parts)` : "";
  panel.append(
    el(
      "p",
      {},
      el("b", { class: `verdict ${verdict.verdict}` }, verdict.verdict + share),
      ` ${verdict.probe}, ${verdict.kind}`,
      verdict.free ? ", free (not counted)" : verdict.own ? ", in the agent's own words only" : "",
    ),
  );
  if (question) panel.append(...questionWords(story, verdict, question, actions));
  if (verdict.answer) panel.append(...answerWords(verdict.answer));
  const turns = turningsOf(story, verdict, question);
  if (turns.length > 0) {
    const buttons = turns.map(([at, words]) => {
      const go = () => actions.go(at, question ? question.fact : null);
      const place = at === verdict.request ? "at this request" : `at request #${at}`;
      return el("button", { type: "button", "data-key": `lost ${verdict.probe} ${words}`, onclick: go }, `${words} ${place}`);
    });
    panel.append(el("p", { class: "turns" }, buttons));
  }
  return panel;
}

/** Where an answer went, as [request, words]: it left the view, or an old value got the last word. */
function turningsOf(story, verdict, question) {
  if (verdict.lost === undefined || !["missing", "stale", "mixed"].includes(verdict.verdict)) return [];
  const old = [verdict.lost, "An old value got the last word"];
  if (verdict.verdict === "mixed") return [old];
  if (question && question.absent) return [[verdict.lost, "What takes it back left the view"]];
  const fact = question && typeof question.fact === "number" ? story.talk.facts[question.fact] : undefined;
  const version = fact && versionAt(fact, story.cell.requests[verdict.request]);
  const left = version ? leftAt(story, version, verdict.request) : null;
  if (left === null || left === verdict.lost) return [[verdict.lost, "Left the view"]];
  return [old, [left, "Left the view"]];
}

/** What a model made of the view: its words, and their verdict beside the view's. */
function answerWords(answer) {
  const judge = answer.judge ? `, the judge says ${answer.judge}` : "";
  const kept = answer.right ? "recalled" : answer.verdict === "error" ? "no answer" : "not recalled";
  const words = [el("p", {}, "The model: ", el("b", { class: `verdict ${answer.verdict}` }, answer.verdict), ` (${kept}${judge})`)];
  if (answer.text) words.push(el("blockquote", { class: "answer" }, answer.text));
  if (answer.reason) words.push(el("p", {}, answer.reason));
  return words;
}

const MATCHES = { all_of: ", all of", set: ", all of", number: ", as a number", regex: ", as a pattern", exact: ", exactly" };

const questionOf = (story, verdict) =>
  story.talk &&
  story.talk.questions.find(
    (one) => one.probe === verdict.probe && one.place === verdict.place && one.at === verdict.at,
  );

function questionWords(story, verdict, question, actions) {
  const words = [];
  if (question.ask !== undefined) words.push(el("p", { class: "asked" }, question.ask));
  else {
    const use = question.tool ? `The agent passes ${question.forms[0]} to ${question.tool}.` : `The agent says ${question.forms[0]}.`;
    words.push(el("p", { class: "asked" }, use));
  }
  if (question.forms.length > 0) words.push(formsLine(`Looked for${MATCHES[question.match] || ""}: `, question.forms, "current"));
  if (question.old.length > 0) words.push(formsLine("Old values: ", question.old, "old"));
  if (question.absent) words.push(el("p", {}, "No value holds here: a view can only go wrong."));
  if (question.absent && question.reject.length > 0) words.push(formsLine("Wrong, since nobody said it: ", question.reject, "old"));
  const found = sayings(story, story.cell.requests[verdict.request].view, question.search);
  const places = found.map((one, at) => [
    at > 0 && "; ",
    el("button", { type: "button", class: "plain", onclick: () => actions.show(one.part) }, placeWords(story, one.part)),
    ` ${saysWords(one.code)}`,
  ]);
  words.push(el("p", {}, "In this view: ", found.length > 0 ? places : "nothing says it", "."));
  return words;
}

function formsLine(label, forms, kind) {
  return el("p", {}, label, forms.slice(0, 12).map((form) => [el("mark", { class: kind }, form), " "]));
}

function placeWords(story, part) {
  if (typeof part === "number") return `message ${part} (${story.talk.messages[part].role})`;
  return story.cell.made[part].kind === "summary" ? `summary ${part}` : `message ${part}`;
}
