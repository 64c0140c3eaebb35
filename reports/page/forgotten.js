// The list of what a row forgets has an address: opened by a name, a link, or going back.

/** What an address calls a row: its strategy, budget and, where there are several, summariser. */
const rowAddress = (row) => INDEX.rows[row].slice(0, 3).filter((name) => name !== "").join(" @ ");
let forgottenShown = "";

/** Opens what a row forgets, as a person asked for it. */
async function openForgotten(row) {
  filters.forgets = rowAddress(row);
  remember(`#${addressOf({})}`, true);
  await showForgotten();
  byId("forgets").querySelector("h3").focus({ preventScroll: true });
  byId("forgets").scrollIntoView({ block: "nearest" });
}

/** Shows the list that the filters name, or none; one that is shown already stays as it is. */
async function showForgotten() {
  const row = INDEX.rows.findIndex((_, at) => rowAddress(at) === filters.forgets);
  if (row < 0) filters.forgets = "";
  const wanted = [filters.forgets, filters.tag, filters.kind].join("\n");
  if (wanted === forgottenShown) return;
  forgottenShown = wanted;
  byId("forgets").hidden = row < 0;
  const line = lines.find((one) => one.dataset.row === String(row));
  if (line) await tellForgotten(row, line.querySelector(".name").textContent, line.querySelector(".name button"));
}

function closeForgotten() {
  Object.assign(filters, { forgets: "" });
  forgottenShown = "";
  byId("forgets").hidden = true;
  remember(`#${addressOf({})}`, true);
}
