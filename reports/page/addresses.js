// Each state has an address: what stands after the `#`, written and read.

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
  tellOfLink("");
  // One of a part of the page, or of something else altogether, changes nothing.
  if (![...Object.keys(filters), "s"].some((name) => said.has(name))) return false;
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
    await begin();
    tellOfLink(`This run has no scenario ${change.s}, which the link names. Here is another one.`);
    return true;
  }
  Object.assign(state, change, { s: key });
  settle();
  await draw();
  const lacking = ["a", "b", "m", "a2", "b2", "m2"].filter((name) => change[name] !== "" && change[name] !== state[name]);
  const facts = stories.length > 0 && stories[0].talk ? stories[0].talk.facts : [];
  if (change.f !== "" && !facts.some((one) => one.id === change.f)) lacking.push("f");
  if (lacking.length > 0)
    tellOfLink(`This run has no ${lacking.map((name) => change[name]).join(", ")} for that scenario; what comes nearest is shown.`);
  return true;
}

/** What is wrong with the link that led here, for everybody to read. */
function tellOfLink(words) {
  byId("linked").textContent = words;
  byId("linked").hidden = words === "";
}
