// What a row lost: by kind, each a filter, then by conversation, each loss with what was asked.

/** What one row lost of what the filters leave: by kind, then each loss with a link into the explorer. */
async function tellForgotten(row, name, opener) {
  const [strategy, budget, summarizer] = INDEX.rows[row];
  const [figures, losses, asked] = await Promise.all([block("figures"), block("losses"), block("asked")]);
  const { tag, kind: only } = filters;
  const counts = (kind) => only === "" || kind === only;
  const mine = CELLS.map((cell, at) => ({ cell, lost: losses[at].filter((one) => counts(one[1])), asked: askedOf(asked[at], counts) })).filter(
    ({ cell }) =>
      cell.strategy === strategy && cell.budget === budget && !cell.apart && (tag === "" || cell.scenario.tags.includes(tag)),
  );
  // Where each summariser made the same of it, one of them stands for all.
  const chosen = summarizer === "" && mine.length > 0 ? mine[0].cell.summarizer : summarizer;
  const own = mine.filter(({ cell }) => cell.summarizer === chosen);
  // Kinds without a share of their own in the losses aren't told: the numbers add up.
  const kinds = Object.entries(figures[row][tag] || {})
    .filter(([kind]) => kind !== "" && kind !== "reuse-text" && kind !== ABSTENTION && counts(kind))
    .sort((one, other) => other[1][3] / other[1][2] - one[1][3] / one[1][2]);
  const box = byId("forgets");
  const shut = () => {
    closeForgotten();
    opener.focus();
  };
  const close = el("button", { type: "button", onclick: shut }, "Close");
  box.hidden = false;
  box.replaceChildren(
    el("h3", { tabindex: "-1" }, `What ${name} forgets at ${budget}`),
    aboutOf(row) ? el("div", { class: "about" }, aboutOf(row)) : "",
    el("p", {}, forgottenWords(budget, own, kinds)),
    only === "" ? "" : el("button", { type: "button", class: "plain", onclick: () => onlyKind("") }, "Show all kinds"),
    el(
      "ul",
      { class: "kinds" },
      kinds.map(([kind, [, , of, lost]]) =>
        el("li", {}, el("meter", { min: 0, max: 1, value: lost / of, "aria-label": `${kind} lost` }), " ", kindButton(kind), `: ${number(lost)} of ${number(of)} lost (${percent(lost / of)})`),
      ),
    ),
    el("p", { class: "small" }, COUNTED),
    ...own
      .filter((one) => one.lost.length > 0)
      .sort((one, other) => lostShare(other) - lostShare(one) || other.lost.length - one.lost.length)
      .map(lossesOf),
    close,
  );
}

const COUNTED = "Counts pool all answers, values used again too; the table and the charts average over scenarios.";

/** A kind, which leaves only its probes in the table and here; a second time, all of them. */
function kindButton(kind) {
  const chosen = filters.kind === kind;
  const attributes = { type: "button", class: "plain", "aria-pressed": String(chosen), title: chosen ? "Show all kinds" : "Only this kind" };
  return el("button", { ...attributes, onclick: () => onlyKind(chosen ? "" : kind) }, kind);
}

async function onlyKind(kind) {
  await filterTable({ kind }, true);
  byId("forgets").querySelector("h3").focus({ preventScroll: true });
}

const askedOf = (byKind, counts) =>
  Object.entries(byKind).reduce((sum, [kind, count]) => sum + (kind !== ABSTENTION && counts(kind) ? count : 0), 0);
const gone = ({ lost }) => lost.filter(([, kind]) => kind !== ABSTENTION).length;
const lostShare = (one) => (one.asked > 0 ? gone(one) / one.asked : 0);

function forgottenWords(budget, own, kinds) {
  if (INDEX.unscored[budget]) return `At ${budget}, ${INDEX.unscored[budget]}.`;
  const total = own.reduce((sum, one) => sum + gone(one), 0);
  const asked = own.reduce((sum, one) => sum + one.asked, 0);
  const said = own.reduce((sum, one) => sum + one.lost.length, 0) - total;
  const shown = [filters.tag && `tagged ${filters.tag}`, filters.kind && `of kind ${filters.kind}`].filter(Boolean).join(", ");
  return [
    `${number(total)} of ${plural(asked, "answer")} lost${shown ? ` (${shown})` : ""}.`,
    said > 0 ? `Said what it shouldn't have: ${number(said)}, asked only where that happened, so strategies differ in number.` : "",
    kinds.length > 0 ? "By kind of probe, the worst first:" : "",
  ].filter(Boolean).join(" ");
}

/** The losses of one conversation, whose messages are unpacked when it is opened. */
function lossesOf(one) {
  const { cell, lost, asked } = one;
  const said = lost.length - gone(one);
  const head = `${cell.scenario.key}: ${number(gone(one))} of ${plural(asked, "answer")} lost${said > 0 ? `, ${number(said)} said that shouldn't be` : ""}`;
  const list = el("ul", {}, lost.map((loss) => lossItem(cell, loss, null)));
  const details = el("details", {}, el("summary", {}, head), list);
  const tell = async () => {
    const talk = await block(cell.scenario.block);
    if (talk === null) return;
    for (const [at, item] of [...list.children].entries()) item.querySelector(".asked").textContent = askedWords(talk, lost[at]);
  };
  details.addEventListener("toggle", () => details.open && tell(), { once: true });
  return details;
}

/** A loss: what it is called, with what was asked for, then where it was missed and lost, and its age. */
function lossItem(cell, [probe, kind, verdict, request, , left, age]) {
  const names = { s: cell.scenario.key, a: cell.strategy, b: cell.budget, m: cell.summarizer, n: cell.repeat };
  const link = el("a", { href: `#${addressOf({ ...names, r: request })}` }, probe);
  const places = [`missed at #${request}`, age !== null && `${plural(age, "token")} after it was said`];
  const words = `${left === null ? "" : ` at #${left}`}, ${places.filter(Boolean).join(", ")}`;
  return el("li", {}, link, " ", el("span", { class: "asked" }), ` ${kind}, `, el("span", { class: `verdict ${verdict}` }, verdictWord(verdict)), words);
}

/** What was asked, or the value that the agent used again. */
function askedWords(talk, [probe, , , , at]) {
  const question = talk.questions.find((one) => one.probe === probe && one.at === at);
  if (!question) return "";
  return shortened(question.ask !== undefined ? `“${question.ask}”` : question.forms[0] || "", 120);
}
