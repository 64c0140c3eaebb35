// Addresses, keys, and the beginning.

const NUMBERS = new Set(["n", "r"]);

/** The part of the address that means a state of the explorer and the table. */
function addressOf(chosen = state) {
  const said = new URLSearchParams();
  for (const name of Object.keys(state)) {
    const value = chosen[name];
    if (value !== undefined && value !== "" && !(name === "n" && value === 0)) said.set(name, String(value));
  }
  for (const [name, value] of Object.entries(filters)) if (value !== "") said.set(name, value);
  return said.toString();
}

/** Goes where an address leads, and says whether it was into the explorer. */
async function follow(address) {
  const said = new URLSearchParams(address.slice(1));
  for (const name of Object.keys(filters)) filters[name] = said.get(name) || "";
  const known = (select, value) => [...byId(select).options].some((one) => one.text === value || one.value === value);
  for (const name of ["budget", "tag", "kind"]) if (!known(`by-${name}`, filters[name])) filters[name] = "";
  await filterTable({}, false);
  if (!said.has("s")) return false;
  const change = { ...NOTHING };
  for (const name of Object.keys(change))
    if (said.has(name)) change[name] = NUMBERS.has(name) ? Number.parseInt(said.get(name), 10) || 0 : said.get(name);
  const keys = INDEX.scenarios.map((one) => one.key);
  // An id without values means the first variant.
  const key = keys.find((one) => one === change.s) || keys.find((one) => one.startsWith(`${change.s}[`));
  if (key === undefined) {
    byId("now").textContent = `This run has no scenario ${change.s}, which the link names.`;
    return true;
  }
  Object.assign(state, change, { s: key });
  settle();
  await draw();
  const other = ["a", "b"].filter((name) => change[name] !== "" && change[name] !== state[name]);
  if (other.length > 0)
    byId("now").textContent = `This run has no ${other.map((name) => change[name]).join(", ")} for that scenario. ${byId("now").textContent}`;
  return true;
}

/** Where an unlinked page begins: a loss that can be followed. */
async function begin() {
  const { probe, ...names } = INDEX.start;
  if (names.s === undefined) return;
  Object.assign(state, names);
  settle();
  const cell = cellOf(state.s, state.a, state.b, state.m, state.n);
  const talk = await block(cell.scenario.block);
  const question = talk && talk.questions.find((one) => one.probe === probe);
  if (question && typeof question.fact === "number") state.f = talk.facts[question.fact].id;
  await draw();
}

/** The buttons and the slider, made once: one that is being dragged must stay what it is. */
function stepControls(most) {
  const box = byId("stepping");
  if (box.childElementCount === 0) box.append(...stepButtons());
  const slide = byId("slide");
  Object.assign(slide, { max: most, value: state.r });
  slide.setAttribute("aria-valuetext", `request ${state.r} of ${most}`);
  byId("where").textContent = `#${state.r} of ${most}`;
  box.hidden = false;
}

function stepButtons() {
  const press = (words, sign, key, go) =>
    el("button", { type: "button", "aria-label": words, title: `${words} (${key})`, onclick: go }, sign);
  const slide = (event) => show({ r: Number(event.target.value) });
  return [
    press("First request", "|◀", "Home", () => step(-Infinity)),
    press("Previous compaction", "◀Σ", "p", () => seek(-1, compacts)),
    press("Previous request", "◀", "k", () => step(-1)),
    el("span", { id: "where", class: "where" }),
    press("Next request", "▶", "j", () => step(1)),
    press("Next compaction", "Σ▶", "n", () => seek(1, compacts)),
    press("Last request", "▶|", "End", () => step(Infinity)),
    el("input", { id: "slide", type: "range", min: 0, max: 0, value: 0, "aria-label": "Request", oninput: slide }),
    press("Keys", "?", "?", () => byId("help").showModal()),
  ];
}

const longest = () => Math.max(0, ...stories.map((one) => (one.cell ? one.cell.requests.length - 1 : 0)));
const step = (by) => show({ r: Math.min(Math.max(state.r + by, 0), longest()) });
const requestsAt = (index) => stories.map((one) => one.cell && one.cell.requests[index]).filter(Boolean);
const compacts = (request) => request.action && !request.probe;
const asks = (request) => Boolean(request.probe);

/** To the next request, in either direction, of which something holds on one of the sides. */
function seek(by, wanted) {
  for (let at = state.r + by; at >= 0 && at <= longest(); at += by)
    if (requestsAt(at).some(wanted)) return show({ r: at });
  return undefined;
}

const KEYS = {
  j: () => step(1),
  ArrowRight: () => step(1),
  k: () => step(-1),
  ArrowLeft: () => step(-1),
  Home: () => step(-Infinity),
  End: () => step(Infinity),
  n: () => seek(1, compacts),
  p: () => seek(-1, compacts),
  q: () => seek(1, asks),
  Q: () => seek(-1, asks),
  Escape: () => show({ f: "" }),
  "?": () => byId("help").showModal(),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  if (event.target.closest("select, input, textarea")) return;
  // In a box that scrolls sideways, arrows scroll.
  if (event.key.startsWith("Arrow") && event.target.closest(".scroll")) return;
  const act = KEYS[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
}

let width = window.innerWidth;

/** A phone's bars come and go and change the height alone. */
function resized() {
  if (window.innerWidth === width) return;
  width = window.innerWidth;
  draw();
}

async function start() {
  if (!("DecompressionStream" in window)) {
    const words = "This browser is too old to unpack what the explorer shows; any of 2023 or later can.";
    byId("sides").append(el("p", { class: "note" }, words));
    return;
  }
  readyTable();
  byId("choosing").hidden = false;
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", async () => {
    if (await follow(location.hash)) byId("explorer").scrollIntoView();
  });
  window.addEventListener("resize", resized);
  if (await follow(location.hash)) byId("explorer").scrollIntoView();
  else {
    await begin();
    if (Object.values(filters).some((value) => value !== "")) byId("table").scrollIntoView();
  }
  document.documentElement.dataset.ready = "true";
}

start();
