// The messages of a request, each with what became of it.

const STATES = {
  kept: ["", "kept"],
  new: ["+", "new"],
  back: ["↺", "back again"],
  dropped: ["−", "dropped now"],
  summarised: ["Σ", "summarised now"],
  reduced: ["≈", "cut or masked"],
  gone: ["−", "gone earlier"],
  summary: ["Σ", "summary"],
  "new-summary": ["Σ", "summary, new"],
  "stand-in": ["≈", "stands for a message"],
  "new-stand-in": ["≈", "stands for a message, new"],
  question: ["?", "the question"],
};
const LEAVING = new Set(["dropped", "summarised", "reduced"]);
const CLOSED_LENGTH = 700;
const CLOSED_LINES = 24;
const MANY = 6;

/** The list of messages at a request. `looked` is what is followed: {forms, old, says: Map}. */
function messageList(story, index, looked) {
  const list = el("ol", { class: "messages" });
  let leaving = [];
  const flush = () => {
    if (leaving.length > MANY) list.append(leavingGroup(story, leaving, looked));
    else list.append(...leaving.map((item) => messageItem(story, item, looked)));
    leaving = [];
  };
  for (const item of messagesAt(story, index)) {
    // What says what is looked for is never folded up.
    if (item.kind === "message" && LEAVING.has(item.state) && !looked.says.has(item.position)) {
      leaving.push(item);
      continue;
    }
    flush();
    list.append(item.kind === "gone" ? goneGroup(story, item, looked) : messageItem(story, item, looked));
  }
  flush();
  return list;
}

/** Many messages that leave at once, opened on demand. */
function leavingGroup(story, items, looked) {
  const [sign, words] = STATES[items[0].state];
  const positions = items.map((item) => item.position);
  const head = `${sign} ${plural(items.length, "message")} ${words}: ${span(positions)}`;
  return lazyGroup(items[0].state, `leaving ${positions[0]}`, head, () => items.map((item) => messageItem(story, item, looked)));
}

function goneGroup(story, gone, looked) {
  const positions = [];
  for (let at = gone.from; at < gone.to; at += 1) positions.push(at);
  const said = positions.filter((position) => looked.says.has(position));
  const more = said.length > 0 ? `, among them ${span(said)}, which said it` : "";
  const head = `${plural(positions.length, "message")} gone earlier: ${span(positions)}${more}`;
  return lazyGroup("gone", `gone ${gone.from}`, head, () =>
    positions.map((position) => messageItem(story, { position, state: "gone" }, looked)),
  );
}

function lazyGroup(state, key, head, make) {
  return el("li", { class: `group ${state}` }, fold(key, head, el("ol", { class: "messages" }), make));
}

/** Positions in words: `4–12`, or some of them. */
function span(positions) {
  const runs = [];
  for (const at of positions) {
    const last = runs[runs.length - 1];
    if (last && last[1] === at - 1) last[1] = at;
    else runs.push([at, at]);
  }
  const words = runs.slice(0, 8).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  return words.join(", ") + (runs.length > 8 ? " …" : "");
}

function messageItem(story, item, looked) {
  const made = item.made !== undefined;
  const message = made ? story.cell.made[item.made] : story.talk && story.talk.messages[item.position];
  const [sign, words] = STATES[item.state];
  const part = made ? item.made : item.position;
  const code = looked.says.get(part) || 0;
  const head = el(
    "div",
    { class: "head" },
    el("span", { class: "place" }, String(part)),
    el("span", { class: "role" }, message ? message.role : "message"),
    el("span", { class: `state ${item.state}` }, `${sign} ${words}`.trim()),
    item.by !== undefined && el("span", { class: "small" }, `${item.by} stands for it`),
    message && message.for !== undefined && el("span", { class: "small" }, `for message ${message.for}`),
    code !== 0 && el("span", { class: "says" }, saysWords(code, textOf(story, part), looked.old, looked.parts)),
    message && message.tokens !== undefined && el("span", { class: "small size" }, plural(message.tokens, "token")),
  );
  const row = el("li", { class: `message ${item.state}${code ? " said" : ""}`, "data-part": part }, head);
  if (!message) row.append(el("p", { class: "small" }, "Its text isn't at hand."));
  else row.append(...body(message, looked));
  if (item.state === "summary" || item.state === "new-summary") row.append(replaced(story, item, looked));
  return row;
}

function body(message, looked) {
  const pieces = [];
  if (message.text !== "") pieces.push(longText(message.text, message.cut, looked));
  for (const call of message.calls || [])
    pieces.push(
      el("div", { class: "call" }, el("span", { class: "small" }, "calls "), el("code", {}, call.name), longText(call.text, call.cut, looked)),
    );
  if (pieces.length === 0) pieces.push(el("p", { class: "small" }, "(empty)"));
  return pieces;
}

/** A text; a long one is closed at first, around the first place that is looked for. */
function longText(text, cut, looked) {
  const box = el("div", { class: "text" });
  const left = cut ? el("p", { class: "small" }, `${plural(cut, "more character")} left out of this page.`) : "";
  const whole = () => box.replaceChildren(...marked(text, looked.forms, looked.old), left);
  const start = excerptStart(text, [...looked.forms, ...looked.old]);
  const piece = text.slice(start, start + CLOSED_LENGTH).split("\n", CLOSED_LINES).join("\n");
  if (text.length <= piece.length * 1.3) {
    whole();
    return box;
  }
  const more = el("button", { type: "button", class: "plain", onclick: whole }, `Show all ${number(text.length)} characters`);
  box.append(start > 0 ? "…" : "", ...marked(piece, looked.forms, looked.old), "… ", more);
  return box;
}

function excerptStart(text, forms) {
  const folded = text.toLowerCase();
  const places = forms.map((form) => folded.indexOf(form.toLowerCase())).filter((at) => at >= 0);
  const first = Math.min(...places, Infinity);
  return first === Infinity || first < CLOSED_LENGTH / 2 ? 0 : first - Math.floor(CLOSED_LENGTH / 3);
}

/** What a summary replaced, to be read next to it. */
function replaced(story, item, looked) {
  const { request, parts } = replacedBy(story.cell, item.made, indexOf(story));
  if (parts.length === 0) return "";
  const items = parts.flatMap((part) =>
    typeof part === "string"
      ? [{ made: part, state: "gone" }]
      : Array.from({ length: part[1] - part[0] }, (_, at) => ({ position: part[0] + at, state: "gone" })),
  );
  const group = lazyGroup("", `replaced ${item.made}`, `What it replaced at #${request}: ${plural(items.length, "message")}`, () =>
    items.map((one) => messageItem(story, one, looked)),
  );
  return el("ol", { class: "messages replaced" }, group);
}
