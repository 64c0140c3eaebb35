// What a message of a view says of what is looked for, in words and with the value that it says.

/** The text of a part of a view, calls included; "" where it isn't at hand. */
function textOf(story, part) {
  const message = typeof part === "number" ? story.talk && story.talk.messages[part] : story.cell.made[part];
  if (!message) return "";
  return [message.text, ...(message.calls || []).map((call) => call.text)].join("\n");
}

/** What a part says, as a code means it. Of an old value, which one, where it can be pointed at. `parts`: those of the whole. */
function saysWords(code, text = "", old = [], parts = 0) {
  if (code >= FIRST_PART) return parts > 0 && wholeAnswer([{ code }], parts) ? "says it" : "says a part of it";
  const wrong = lastForm(text, old);
  const instead = wrong === undefined ? "an old value" : `“${shortened(wrong, 60)}”`;
  if (code & CURRENT && code & STALE) return code & LAST ? `says it, after ${instead}` : `says it, then ${instead}`;
  if (code & CURRENT) return "says it";
  return wrong === undefined ? "says an old value" : `says ${instead} instead`;
}

/** Which of some forms a text has, in words. */
function keptForms(text, forms) {
  const folded = text.toLowerCase();
  const found = forms.filter((form) => form.trim() !== "" && folded.includes(form.toLowerCase()));
  return found.slice(0, 6).map((form) => `“${shortened(form, 60)}”`).join(", ");
}

/** Where a part stands: `message 24 (tool)`, `summary s3`, or another message that was made. */
function placeWords(story, part) {
  if (typeof part === "number") return `message ${part}${story.talk ? ` (${story.talk.messages[part].role})` : ""}`;
  return story.cell.made[part].kind === "summary" ? `summary ${part}` : `message ${part}`;
}

/** A place as a button that leads to it; what the view doesn't have is named only. */
function placeButton(story, part, actions) {
  return el("button", { type: "button", class: "plain", onclick: () => actions.show(part) }, placeWords(story, part));
}

/** Whether a code means that what holds is said, be it in part. */
const tells = (code) => (code & ~STALE) !== 0;

const listed = (pieces, between = ", ") => pieces.map((one, at) => [at > 0 && between, one]);

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
