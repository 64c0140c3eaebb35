// From request to request: buttons, the slider, and keys.

/** The buttons and the slider, made once: one that is being dragged must stay what it is. */
function stepControls(most) {
  const box = byId("stepping");
  if (box.childElementCount === 0) box.append(...stepButtons());
  const slide = byId("slide");
  Object.assign(slide, { max: most, value: state.r });
  slide.setAttribute("aria-valuetext", `request ${state.r} of 0 to ${most}`);
  byId("where").textContent = `#${state.r} of #0–${most}`;
  box.hidden = false;
}

function stepButtons() {
  const press = (words, sign, key, go) =>
    el("button", { type: "button", "aria-label": words, title: `${words} (${key})`, onclick: go }, el("span", { "aria-hidden": "true" }, sign));
  const slide = (event) => show({ r: Number(event.target.value) });
  return [
    press("First request", "|◀", "Home", () => step(-Infinity)),
    press("Previous compaction", "◀▼", "p", () => seek(-1, compacts)),
    press("Previous request", "◀", "k", () => step(-1)),
    el("span", { id: "where", class: "where" }),
    press("Next request", "▶", "j", () => step(1)),
    press("Next compaction", "▼▶", "n", () => seek(1, compacts)),
    press("Last request", "▶|", "End", () => step(Infinity)),
    el("input", { id: "slide", type: "range", min: 0, max: 0, value: 0, "aria-label": "Request", oninput: slide }),
    linkButton(),
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

/** Keys that scroll where there is something to scroll. */
const SCROLLING = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  if (event.target.closest("select, input, textarea")) return;
  if (SCROLLING.has(event.key) && event.target.closest(".scroll")) return;
  // Who dictates can turn letters off: WCAG 2.2, success criterion 2.1.4.
  if (event.key.length === 1 && !byId("letters").checked) return;
  const act = KEYS[event.key];
  if (act === undefined || (event.key !== "?" && !isOnScreen(byId("sides")))) return;
  event.preventDefault();
  act();
}
