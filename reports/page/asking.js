// The questions of a request: each verdict, what was looked for, and what the view says of it.

/** A verdict as this page calls it: what no message says is lost, be it a fact or an answer. */
const VERDICT_WORDS = { missing: "lost", "not-asked": "not asked" };
const verdictWord = (verdict) => VERDICT_WORDS[verdict] || verdict;

/** The questions of a request, each with its verdict and where the answer stands. */
function verdictPanels(story, index, actions) {
  const asked = story.cell.verdicts.filter((verdict) => verdict.request === index);
  const quiet = (verdict) => verdict.kind.startsWith("reuse") && (verdict.free || verdict.verdict === "correct");
  const panels = (some) => some.map((verdict) => verdictPanel(story, verdict, actions));
  const rest = asked.filter(quiet);
  if (rest.length === 0) return panels(asked);
  const head = `${plural(rest.length, "value")} that the agent uses here: still in view, or not counted`;
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
      el("b", { class: `verdict ${verdict.verdict}` }, verdictWord(verdict.verdict) + share),
      ` ${verdict.probe}, ${verdict.kind}${aboutWords(story, verdict, question)}`,
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
  if (left === null || left === verdict.lost) return [[verdict.lost, "The answer left the view"]];
  return [old, [left, "The answer left the view"]];
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
  words.push(...lookedForWords(question));
  if (question.old.length > 0) words.push(formsLine("Old values: ", question.old, "old"));
  if (question.absent) words.push(el("p", {}, "No value holds here: a view can only go wrong."));
  if (question.absent && question.reject.length > 0) words.push(formsLine("Wrong, since nobody said it: ", question.reject, "old"));
  const found = sayings(story, story.cell.requests[verdict.request].view, question.search);
  const places = found.map((one) => [placeButton(story, one.part, actions), ` ${saysWords(one.code, textOf(story, one.part), question.old, question.parts)}`]);
  words.push(el("p", {}, "In this view: ", found.length > 0 ? listed(places, "; ") : "nothing says it", "."));
  return words;
}

/** The fact behind a question, where its name is another. */
function aboutWords(story, verdict, question) {
  const fact = question && typeof question.fact === "number" ? story.talk.facts[question.fact] : undefined;
  return fact && fact.kind === "fact" && fact.name !== verdict.probe ? `, about the fact ${fact.name}` : "";
}

const LOOKED_FOR = {
  all_of: "Looked for all of: ",
  set: "Looked for every one of: ",
  number: "Looked for as a number, however it is written: ",
  exact: "Looked for exactly: ",
};

/** What counts as the answer. A pattern is told by words of this conversation that fit it. */
function lookedForWords(question) {
  if (question.patterns !== undefined) {
    const codes = question.patterns.map((one) => el("p", {}, el("code", {}, one)));
    const pattern = fold(`pattern ${question.probe}`, question.patterns.length > 1 ? "The patterns, any of which will do" : "The pattern", el("div"), () => codes);
    const label = "Looked for wording such as: ";
    return [question.forms.length > 0 ? formsLine(label, question.forms, "current") : el("p", {}, "Looked for wording that fits a pattern."), pattern];
  }
  if (question.forms.length === 0) return [];
  const any = question.forms.length > 1 ? "Looked for any of: " : "Looked for: ";
  return [formsLine(LOOKED_FOR[question.match] || any, question.forms, "current")];
}

function formsLine(label, forms, kind) {
  return el("p", {}, label, forms.slice(0, 12).map((form) => [el("mark", { class: kind }, form), " "]));
}
