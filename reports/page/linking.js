// An address to pass on: copied where the browser lets a page do so, and else shown to be copied.

/** The address of what is shown, whether or not the browser's own line has it yet. */
const linkHere = () => `${location.href.split("#")[0]}#${addressOf()}`;

function linkButton() {
  return el("button", { type: "button", id: "link", title: "An address that leads to just this", onclick: copyLink }, "Copy link");
}

async function copyLink() {
  const box = byId("linking");
  const field = el("input", { type: "text", readonly: true, value: linkHere(), "aria-label": "Link to this state" });
  try {
    await navigator.clipboard.writeText(field.value);
    box.replaceChildren("Link copied.");
    box.hidden = false;
  } catch {
    box.replaceChildren("The browser doesn't let a page copy. The link: ", field);
    box.hidden = false;
    field.focus();
    field.select();
  }
}
