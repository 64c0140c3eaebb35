// One cell at one request in words: where it stands, its size, and what was done.

/** A request in a sentence: where it stands, its size, what the strategy did. */
function requestWords(story, index) {
  const request = story.cell.requests[index];
  const asks = request.probe ? `, asks ${request.probe}` : "";
  const end = story.talk && request.at >= story.talk.messages.length;
  const where = end ? "at the end" : `before message ${request.at}`;
  const sizes = `${number(request.tokens)} of ${number(story.cell.budget)} tokens`;
  return `#${index}, ${where}${asks}: ${sizes} (full history ${number(request.full)}). ${deed(request)}`;
}

/** How many requests the agent makes and how many questions are asked, and how they are numbered, as by `show`. */
function countedWords({ requests }) {
  const questions = requests.filter((request) => request.probe).length;
  const asked = questions > 0 ? ` and ${plural(questions, "question")}` : "";
  return `${plural(requests.length - questions, "request")}${asked}, numbered together from #0`;
}

function deed(request) {
  if (!request.action && !request.dropped) return "No compaction here.";
  const dropped = (request.dropped || []).reduce(
    (count, part) => count + (typeof part === "string" ? 1 : part[1] - part[0]),
    0,
  );
  const words = [request.action || "no compaction"];
  if (dropped > 0) words.push(`${plural(dropped, "message")} dropped`);
  if (request.summary) words.push(`summary ${request.summary} made`);
  if (request.cost) words.push(`summariser read ${number(request.cost[0])} tokens, wrote ${number(request.cost[1])}`);
  return `${words.join(", ")}.`;
}

function remarks(request) {
  const told = [...(request.remarks || [])];
  if (request.over) told.unshift("over budget");
  if (request.infeasible)
    told.unshift("infeasible: system messages and newest block alone exceed the budget");
  return told.length > 0 ? el("ul", { class: "remarks" }, told.map((one) => el("li", {}, one))) : "";
}
