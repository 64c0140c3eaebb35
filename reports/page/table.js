// The table: sorted by a column, filtered by budget, tag and kind.

const filters = { budget: "", tag: "", kind: "", sort: "", forgets: "" };
const figureOf = (text) => {
  const value = text.replaceAll(",", "").replace("\u2212", "-").match(/-?\d+(\.\d+)?/);
  return value === null ? -Infinity : Number(value[0]);
};
/** A kind of which a view can only go wrong: asked only where it did. */
const ABSTENTION = "abstention";
const rowsTable = byId("rows");
const lines = [...rowsTable.tBodies[0].rows];
const figureHeads = [...rowsTable.tHead.rows[0].cells];

/** What the strategy of a row is, in a line; empty where the run doesn't say. */
const aboutOf = (row) => lines.find((one) => one.dataset.row === String(row))?.dataset.about || "";

function readyTable() {
  figureHeads.forEach((head, at) => {
    const sort = () => filterTable({ sort: nextSort(at) }, true);
    head.replaceChildren(el("button", { type: "button", class: "sort", onclick: sort }, head.textContent.trim()));
  });
  lines.forEach((line) => {
    const name = line.querySelector(".name");
    const words = name.textContent;
    const click = () => openForgotten(Number(line.dataset.row));
    name.replaceChildren(el("button", { type: "button", class: "plain", title: [aboutOf(Number(line.dataset.row)), "What it forgets"].filter(Boolean).join("\n"), onclick: click }, words));
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
  for (const line of document.querySelectorAll("#unusable li"))
    line.hidden = filters.budget !== "" && line.dataset.budget !== filters.budget;
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
  if (filters.kind === ABSTENTION)
    return `Abstention asks whether a view says what it shouldn't, only where it did: read the number of probes, where fewer are better. The share is 0% by construction, and a dash stands where that never happened${tagged ? ` (scenarios${tagged})` : ""}.`;
  return `Share of the probes${kind} kept, averaged over the scenarios${tagged}; the other columns aren't available for this filter.`;
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
