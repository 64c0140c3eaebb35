// The explorer: what is chosen, where it stands, and both sides kept in step.

const byId = (id) => document.getElementById(id);
// Scenario, strategy, budget, summariser, repeat; the request; beside it; the fact that is followed.
const NOTHING = { s: "", a: "", b: "", m: "", n: 0, r: 0, a2: "", b2: "", m2: "", f: "" };
const state = { ...NOTHING };
const MOST_WIDTH = 1400;
const NOTHING_RECORDED = "This strategy replays recorded compactions, and the conversation has none: there is no request to show.";
let drawing = 0;
let stories = [];

const secondCell = () => (state.a2 === "" ? undefined : cellOf(state.s, state.a2, state.b2, state.m2, state.n));

/** Changes what is shown, and the address with it. `jump`: so that "back" returns to before it. */
async function show(change, jump = false) {
  Object.assign(state, change);
  settle();
  tellOfLink("");
  remember(`#${addressOf()}`, jump);
  await draw();
}

function remember(address, jump) {
  if (address === location.hash) return;
  try {
    if (jump) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  } catch {
    // Browsers allow only so many a second, as when a key is held; the next step tries again.
  }
}

/** Makes the choice one that the run has. */
function settle() {
  const own = CELLS.filter((cell) => cell.scenario.key === state.s);
  const fits = (cell) => [
    cell.strategy === state.a,
    cell.budget === state.b,
    cell.summarizer === state.m,
    cell.repeat === state.n,
  ];
  const score = (cell) => fits(cell).reduce((sum, fit, at) => sum + fit * 2 ** (4 - at), 0);
  const best = own.reduce((one, other) => (one && score(one) >= score(other) ? one : other), undefined);
  if (best) Object.assign(state, { a: best.strategy, b: best.budget, m: best.summarizer, n: best.repeat });
  if (secondCell() === undefined) Object.assign(state, { a2: "", b2: "", m2: "" });
}

async function draw() {
  const turn = (drawing += 1);
  const cells = [cellOf(state.s, state.a, state.b, state.m, state.n), secondCell()].filter(Boolean);
  chooseControls();
  if (cells.length === 0) return;
  const loaded = await Promise.all(
    cells.map(async (cell) => ({
      names: cell,
      talk: await block(cell.scenario.block),
      cell: await block(cell.block),
    })),
  );
  // Another step may have been taken while blocks were unpacked.
  if (turn !== drawing) return;
  stories = loaded;
  const most = Math.max(0, ...stories.map((one) => (one.cell ? one.cell.requests.length - 1 : 0)));
  state.r = Math.min(Math.max(state.r, 0), most);
  const focused = document.activeElement && document.activeElement.dataset.key;
  const side = document.activeElement && document.activeElement.closest(".side");
  const sideAt = side ? [...byId("sides").children].indexOf(side) : -1;
  stepControls(most);
  byId("sides").classList.toggle("two", stories.length > 1);
  byId("sides").replaceChildren(...stories.map(sideOf));
  byId("key").replaceChildren(...timelineKey(stories, state.f, pictureWidth()));
  byId("now").textContent = stories.map(spoken).join(" — ");
  if (focused) refocus(focused, sideAt);
  // What had the focus is gone, as a way to here is: its side's story, or title, has it then.
  if (side && document.activeElement === document.body) destination(Math.min(sideAt, stories.length - 1)).focus({ preventScroll: true });
}

/** Gives the focus back to what had it before everything was drawn anew. */
function refocus(key, sideAt) {
  const root = sideAt < 0 ? byId("explorer") : byId("sides").children[sideAt];
  const same = [...(root || byId("explorer")).querySelectorAll("[data-key]")];
  const found = same.find((one) => one.dataset.key === key);
  if (found) found.focus({ preventScroll: true });
}

const spoken = (story) =>
  (stories.length > 1 ? `${story.names.strategy}, ${story.names.budget}: ` : "") +
  (story.cell && story.cell.requests.length > 0 ? requestWords(story, indexOf(story)) : "nothing to show");

/** The request that a side shows: one may have fewer than the other. */
const indexOf = (story) => Math.min(state.r, story.cell.requests.length - 1);

const actions = (side) => ({
  go(index, fact) {
    const facts = stories[side].talk ? stories[side].talk.facts : [];
    const change = { r: index };
    if (fact !== undefined && fact !== null) change.f = facts[fact].id === state.f && index === state.r ? "" : facts[fact].id;
    return show(change, true).then(() => change.f && reveal(side));
  },
  show(part) {
    const rows = [...byId("sides").children[side].querySelectorAll(".message")];
    // What a summary replaced is folded up in it, and may be there a second time.
    const row = rows.find((one) => one.dataset.part === String(part) && one.closest("details") === null);
    if (row === undefined) return;
    row.scrollIntoView({ block: "center" });
    row.setAttribute("tabindex", "-1");
    row.focus({ preventScroll: true });
  },
});

function sideOf(story, side) {
  const { names, cell } = story;
  const title = `${names.strategy}, budget ${names.budget}`;
  const bands = [sideHead(story, title)];
  if (cell && cell.requests.length > 0) bands.push(...requestBands(story, side));
  return el("section", { class: "side", "aria-label": title }, bands.map((pieces) => el("div", { class: "band" }, pieces)));
}

/** The title of a side, what it is, and what is amiss with it. */
function sideHead({ names, talk, cell }, title) {
  const note = (...words) => el("p", { class: "note" }, ...words);
  const head = [el("h3", { tabindex: "-1" }, title)];
  if (names.error) head.push(note(`This cell ended in an error: ${names.error}`));
  if (cell === null) {
    const limit = number(INDEX.limit / 1e6);
    head.push(note(`Its requests were left out to keep the page within ${limit} MB; report with a larger --max-size to see them.`));
    return head;
  }
  if (names.apart && cell.requests.length > 0)
    head.push(note("Apart: in more than half of its requests the system messages and the newest block alone exceed the budget."));
  const size = `${number(cell.budget)} tokens, of a conversation of ${number(cell.tokens)}`;
  if (cell.requests.length > 0) head.push(el("p", { class: "small" }, `${names.scenario.key}: ${size}; summariser ${names.summarizer}. ${countedWords(cell)}.`));
  if (cell.neverFired) head.push(note("The history outgrew the budget, and the strategy never changed anything."));
  if (talk === null) {
    const why = names.scenario.why || "left out";
    head.push(note(`The messages of ${names.scenario.key} aren't at hand: ${why}. References only.`));
  }
  if (cell.requests.length === 0 && !names.error)
    head.push(note(names.apart ? NOTHING_RECORDED : "No model is called in this conversation, so there is no request to show."));
  return head;
}

/** A request as bands, which stand side by side where there are two: picture, story, request, facts, messages. */
function requestBands(story, side) {
  const { talk, cell } = story;
  const index = indexOf(story);
  const fact = talk ? talk.facts.find((one) => one.id === state.f) : undefined;
  const width = pictureWidth();
  const own = actions(side);
  const picture = timeline(story, index, fact, (at) => show({ r: at }), width, timelineWords(story));
  const messages = messageList(story, index, lookedFor(story, index, fact));
  return [
    [picture],
    fact ? [factStory(story, fact, index, own)] : [],
    [el("p", { class: "request" }, requestWords(story, index)), remarks(cell.requests[index]), ...verdictPanels(story, index, own)],
    talk ? factChips(story, index, fact ? talk.facts.indexOf(fact) : -1, own) : [],
    // Two lists below one another are a long way to scroll.
    isNarrow() && stories.length > 1
      ? [fold(`messages ${side}`, "Messages", el("div"), () => [messages])]
      : [el("h4", {}, "Messages"), messages],
  ];
}

/** Pixels that a timeline has, within the frame of its side. */
function pictureWidth() {
  const columns = isNarrow() ? 1 : stories.length;
  return Math.floor(Math.min(Math.max(byId("sides").clientWidth / columns - 34, 260), MOST_WIDTH));
}

/** Whether two sides stand below each other. */
const isNarrow = () => window.innerWidth < 860;

/** What is marked in the messages: the fact that is followed, or else what is asked for. */
function lookedFor(story, index, fact) {
  const none = { forms: [], old: [], says: new Map() };
  if (!story.talk) return none;
  const request = story.cell.requests[index];
  const verdict = story.cell.verdicts.find((one) => one.request === index && request.probe);
  const sought = fact ? versionAt(fact, request) : verdict && questionOf(story, verdict);
  if (!sought) return none;
  const everything = [[0, story.talk.messages.length], ...Object.keys(story.cell.made)];
  const says = new Map(sayings(story, everything, sought.search).map((one) => [one.part, one.code]));
  return { forms: sought.forms, old: sought.old, parts: sought.parts || 0, says };
}
