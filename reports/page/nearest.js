// What a text says nearest to something that it doesn't say, and what stands around what it says.

const LONGEST_QUOTE = 160;
/** What a sentence must share to be near: so many words, and this much of what was said. */
const LEAST_SHARED = 2;
const LEAST_SHARE = 0.3;

/** The words of a text; of scripts without spaces, pairs of letters. Short words tell nothing. */
function wordsOf(text) {
  const found = new Set();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) || []) {
    if (/[\u3040-\u30ff\u3400-\u9fff]/u.test(word))
      for (let at = 0; at + 1 < word.length; at += 1) found.add(word.slice(at, at + 2));
    else if (word.length > 3) found.add(word);
  }
  return found;
}

/** The sentence of a text that shares most words with what was said; "" where none shares enough. */
function nearestWords(text, said) {
  const wanted = wordsOf(said);
  let best = "";
  let most = Math.max(LEAST_SHARED, Math.ceil(LEAST_SHARE * wanted.size)) - 1;
  for (const sentence of text.split(/\n+|(?<=[.!?;])\s+|(?<=[。！？；])/u)) {
    const shared = [...wordsOf(sentence)].filter((word) => wanted.has(word)).length;
    if (shared > most) [best, most] = [sentence.trim(), shared];
  }
  return shortened(best, LONGEST_QUOTE);
}

/** The surroundings of the first of some forms in a text, or "" where it has none of them. */
function around(text, forms, room = LONGEST_QUOTE) {
  const folded = text.toLowerCase();
  for (const form of forms) {
    const at = form.trim() === "" ? -1 : folded.indexOf(form.toLowerCase());
    if (at < 0) continue;
    const start = Math.max(at - Math.floor((room - form.length) / 2), 0);
    const piece = text.slice(start, start + Math.max(room, form.length)).replace(/\s+/g, " ").trim();
    return `${start > 0 ? "…" : ""}${piece}${start + room < text.length ? "…" : ""}`;
  }
  return "";
}

/** The form that a text has last, as a person would point at it; undefined where it has none. */
function lastForm(text, forms) {
  const folded = text.toLowerCase();
  const ends = forms.map((form) => [folded.lastIndexOf(form.toLowerCase()), form]).filter(([at, form]) => at >= 0 && form.trim() !== "");
  ends.sort((one, other) => other[0] - one[0] || other[1].length - one[1].length);
  return ends.length > 0 ? ends[0][1] : undefined;
}

const shortened = (text, room) => (text.length > room ? `${text.slice(0, room)}…` : text);
