// Elements made by hand. Text is only ever put in as text.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children; `on…` are listeners, null and false are left out. */
function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== false));
  return element;
}

const number = (value) => value.toLocaleString("en-US");
const plural = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
/** A share in per cent; 0% and 100% stand for exactly that. */
function percent(share) {
  if (share === 0 || share === 1) return `${100 * share}%`;
  return `${Math.min(Math.max(100 * share, 0.1), 99.9).toFixed(1)}%`;
}

const opened = new Set();

/** A fold that stays open when everything is drawn anew. What is in it is made when it is opened. */
function fold(key, head, inside, make) {
  const details = el("details", { open: opened.has(key) }, el("summary", { "data-key": `fold ${key}` }, head), inside);
  const fill = () => inside.childElementCount === 0 && inside.append(...make());
  if (details.open) fill();
  details.addEventListener("toggle", () => {
    if (details.open) opened.add(key);
    else opened.delete(key);
    if (details.open) fill();
  });
  return details;
}

/** A text in which these forms are marked; of two that overlap, the longer one. */
function marked(text, forms, old) {
  const kinds = new Map();
  for (const form of old) kinds.set(form.toLowerCase(), "old");
  for (const form of forms) kinds.set(form.toLowerCase(), "current");
  const patterns = [...kinds.keys()]
    .filter((form) => form.trim() !== "")
    .sort((one, other) => other.length - one.length)
    .map((form) => form.trim().split(/\s+/).map(escaped).join("\\s+"));
  if (patterns.length === 0) return [text];
  const pieces = [];
  let end = 0;
  for (const match of text.matchAll(new RegExp(patterns.join("|"), "giu"))) {
    if (cutsAWord(text, match)) continue;
    pieces.push(text.slice(end, match.index));
    const kind = kinds.get(match[0].toLowerCase().replace(/\s+/g, " ")) || "current";
    pieces.push(el("mark", { class: kind, title: kind === "old" ? "an old value" : null }, match[0]));
    end = match.index + match[0].length;
  }
  pieces.push(text.slice(end));
  return pieces;
}

const escaped = (word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, (sign) => `\\${sign}`);

/** Whether a match goes on: an ASCII letter or digit at its edge stands beside another one. */
function cutsAWord(text, match) {
  const joined = (one, other) => /[a-z0-9]/i.test(one || "") && /[a-z0-9]/i.test(other || "");
  const end = match.index + match[0].length;
  return joined(text[match.index - 1], match[0][0]) || joined(match[0][match[0].length - 1], text[end]);
}
