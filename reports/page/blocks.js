// The index, and the blocks that are unpacked when something of them is to be shown.

const INDEX = JSON.parse(document.getElementById("index").textContent);
const unpacked = new Map();

/** The value of a block, or null where the page doesn't have it. */
function block(name) {
  if (name === null) return Promise.resolve(null);
  if (!unpacked.has(name)) unpacked.set(name, unpack(name));
  return unpacked.get(name);
}

async function unpack(name) {
  const element = document.getElementById(name);
  if (element === null) return null;
  const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

/** The cells of the run as objects; what they hold is in their blocks. */
const CELLS = INDEX.cells.map(([scenario, strategy, budget, summarizer, repeat, name, error, apart]) => ({
  scenario: INDEX.scenarios[scenario],
  strategy: INDEX.strategies[strategy],
  budget: INDEX.budgets[budget],
  summarizer: INDEX.summarizers[summarizer],
  repeat,
  block: name,
  error,
  apart: apart === 1,
}));

/** The cell that these names mean, or undefined. */
function cellOf(scenario, strategy, budget, summarizer, repeat) {
  return CELLS.find(
    (cell) =>
      cell.scenario.key === scenario &&
      cell.strategy === strategy &&
      cell.budget === budget &&
      cell.summarizer === summarizer &&
      cell.repeat === repeat,
  );
}
