// The beginning, and what happens when the window or the address changes.

/** Where an unlinked page begins: a loss that can be followed. */
async function begin() {
  const { probe, ...names } = INDEX.start;
  if (names.s === undefined) {
    byId("sides").replaceChildren(el("p", { class: "note" }, "This run has no cells to look into."));
    return;
  }
  Object.assign(state, NOTHING, names);
  settle();
  const cell = cellOf(state.s, state.a, state.b, state.m, state.n);
  const talk = await block(cell.scenario.block);
  const question = talk && talk.questions.find((one) => one.probe === probe);
  if (question && typeof question.fact === "number") state.f = talk.facts[question.fact].id;
  await draw();
}

let width = window.innerWidth;

/** A phone's bars come and go and change the height alone. */
function resized() {
  if (window.innerWidth === width) return;
  width = window.innerWidth;
  draw();
}

/** Old browsers know no stream of this kind, or none at all. */
function canUnpack() {
  try {
    return Boolean(new DecompressionStream("deflate-raw"));
  } catch {
    return false;
  }
}

/** To the explorer, and the focus too, so that the next Tab leads into it. */
function enter() {
  if (byId("explorer").contains(document.activeElement) && isOnScreen(byId("explorer"))) return;
  byId("explorer").scrollIntoView();
  byId("explorer-heading").focus({ preventScroll: true });
}

async function wander() {
  if (location.hash === "") await begin();
  else if (await follow(location.hash)) enter();
}

async function start() {
  if (!canUnpack()) {
    const words = "This browser is too old to unpack what the explorer shows; any of 2023 or later can.";
    byId("sides").replaceChildren(el("p", { class: "note" }, words));
    return;
  }
  readyTable();
  for (const id of ["choosing", "stepping-keys"]) byId(id).hidden = false;
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", wander);
  window.addEventListener("resize", resized);
  if (await follow(location.hash)) enter();
  else {
    await begin();
    if (Object.values(filters).some((value) => value !== "")) byId("table").scrollIntoView();
  }
  document.documentElement.dataset.ready = "true";
}

start();
