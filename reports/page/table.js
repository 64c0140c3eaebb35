// The table: sorted by a column, filtered by budget, tag and kind, and what a row forgets.

const filters = { budget: "", tag: "", kind: "", sort: "", forgets: "" };
const figureOf = (text) => {
  const value = text.replaceAll(",", "").replace("\u2212", "-").match(/-?\d+(\.\d+)?/);
  return value === null ? -Infinity : Number(value[0]);
};
const rowsTable = byId("rows");
const lines = [...rowsTable.tBodies[0].rows];
const figureHeads = [...rowsTable.tHead.rows[0].cells];

function readyTable() {
  figureHeads.forEach((head, at) => {
    const sort = () => filterTable({ sort: nextSort(at) }, true);
    head.replaceChildren(el("button", { type: "button", class: "sort", onclick: sort }, head.textContent.trim()));
  });
  lines.forEach((line) => {
    const name = line.querySelector(".name");
    const words = name.textContent;
    const click = () => openForgotten(Number(line.dataset.row));
    name.replaceChildren(el("button", { type: "button", class: "plain", title: "What it forgets", onclick: click }, words));
  });
  for (const id of ["filters", "table-keys"]) byId(id).hidden = false;
  for (const name of ["budget", "tag", "kind"])
    byId(`by-${name}`).addEventListener("change", (event) => filterTable({ [name]: event.target.value }, true));
  byId("filters").addEventListener("reset", () => filterTable({ budget: "", tag: "", kind: "", sort: "" }, true));
}

function nextSort(at) {
  const first = at < 2 ? "up" : "down";
  const [column, way] = filters.sort.split("-");
  if (column !== String(at)) return `${at}-${first}`;
  return `${at}-${way === "up" ? "down" : "up"}`;
}

/** Applies a change of the filters, and puts it into the address where a person made it. */
async function filterTable(change, said) {
  Object.assign(filters, change);
  for (const name of ["budget", "tag", "kind"]) byId(`by-${name}`).value = filters[name];
  // A link to the table leads to the table: where the explorer stands is no part of it.
  if (said) history.replaceState(null, "", `#${addressOf({})}`);
  const split = filters.tag !== "" || filters.kind !== "" ? await block("figures") : null;
  showFigures(split);
  lines.forEach((line) => {
    line.hidden = filters.budget !== "" && line.dataset.budget !== filters.budget;
  });
  sortLines();
  for (const caption of byId("captions").children)
    caption.hidden = split !== null || (filters.budget !== "" && caption.dataset.budget !== filters.budget);
  byId("filtered").textContent = split === null ? "" : filteredWords(split);
  await showForgotten();
}

function filteredWords(split) {
  const tagged = filters.tag ? ` tagged ${filters.tag}` : "";
  const kind = filters.kind ? ` of kind ${filters.kind}` : "";
  if (lines.every((line) => line.hidden || figureOfLine(split, line) === undefined))
    return `Nothing to show: no scenario${tagged} asks a probe${kind} that counts.`;
  return `Share of the probes${kind} kept, over the scenarios${tagged}; the other columns aren't available for this filter.`;
}

const figureOfLine = (split, line) => (split[Number(line.dataset.row)][filters.tag] || {})[filters.kind];

function splitHeads() {
  return ["share", "scenarios", "probes"].map((name, at) => {
    const sort = () => filterTable({ sort: nextSort(figureHeads.length + at) }, true);
    return el("th", { scope: "col", class: "figure split" }, el("button", { type: "button", class: "sort", onclick: sort }, name));
  });
}

/** With a filter by tag or kind only what can be told apart: the share and what it rests on. */
function showFigures(split) {
  rowsTable.querySelectorAll(split === null ? ".split" : "td.split").forEach((one) => one.remove());
  rowsTable.classList.toggle("filtered", split !== null);
  if (split === null) return;
  // Headings stay what they are while it is sorted, so that one keeps the focus.
  if (rowsTable.querySelector("th.split") === null) rowsTable.tHead.rows[0].append(...splitHeads());
  lines.forEach((line) => {
    const figure = figureOfLine(split, line);
    const texts = figure ? [percent(figure[0]), number(figure[1]), number(figure[2])] : ["–", "–", "–"];
    line.append(...texts.map((text) => el("td", { class: "figure split" }, text)));
  });
}

/** Sorts by the column that is chosen; without one that can be seen, each budget's best first. */
function sortLines() {
  const [column, way] = filters.sort.split("-");
  const heads = [...rowsTable.tHead.rows[0].cells];
  const chosen = heads[Number(column)];
  const at = filters.sort !== "" && chosen && chosen.getClientRects().length > 0 ? Number(column) : -1;
  heads.forEach((head, place) => {
    if (place === at) head.setAttribute("aria-sort", way === "up" ? "ascending" : "descending");
    else head.removeAttribute("aria-sort");
  });
  const sorted = [...lines];
  const text = (line, place) => line.cells[place].textContent.trim();
  const difference = (one, other, place) => figureOf(text(one, place)) - figureOf(text(other, place)) || 0;
  if (at >= 0) {
    const order = (one, other) =>
      at === 0 ? text(one, 0).localeCompare(text(other, 0), "en") : difference(one, other, at);
    sorted.sort((one, other) => (way === "up" ? order(one, other) : order(other, one)));
  } else if (rowsTable.classList.contains("filtered")) {
    const budgets = [...new Set(lines.map((line) => line.dataset.budget))];
    const place = (line) => budgets.indexOf(line.dataset.budget);
    const rank = (line) => ["unusable", "control"].findIndex((name) => line.classList.contains(name));
    sorted.sort(
      (one, other) => place(one) - place(other) || rank(one) - rank(other) || difference(other, one, figureHeads.length),
    );
  }
  rowsTable.tBodies[0].append(...sorted);
}

const ABSTENTION = "abstention";

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
    el("p", {}, forgottenWords(budget, own, kinds)),
    el(
      "ul",
      { class: "kinds" },
      kinds.map(([kind, [, , of, lost]]) =>
        el("li", {}, el("meter", { min: 0, max: 1, value: lost / of, "aria-label": `${kind} lost` }), ` ${kind}: ${number(lost)} of ${number(of)} lost (${percent(lost / of)})`),
      ),
    ),
    ...own
      .filter((one) => one.lost.length > 0)
      .sort((one, other) => lostShare(other) - lostShare(one) || other.lost.length - one.lost.length)
      .map(lossesOf),
    close,
  );
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

function lossesOf(one) {
  const { cell, lost, asked } = one;
  const items = lost.map(([probe, kind, verdict, request]) => {
    const names = { s: cell.scenario.key, a: cell.strategy, b: cell.budget, m: cell.summarizer, n: cell.repeat };
    const link = el("a", { href: `#${addressOf({ ...names, r: request })}` }, probe);
    return el("li", {}, link, ` ${kind}, `, el("span", { class: `verdict ${verdict}` }, verdictWord(verdict)));
  });
  const said = lost.length - gone(one);
  const head = `${cell.scenario.key}: ${number(gone(one))} of ${plural(asked, "answer")} lost${said > 0 ? `, ${number(said)} said that shouldn't be` : ""}`;
  return el("details", {}, el("summary", {}, head), el("ul", {}, items));
}
