// Where a link or a click leads the eye and the focus: to the story, and never under the bar.

/** The part of a side that somebody was led to: its fact's story, its question, or its title. */
function destination(side) {
  const root = byId("sides").children[side];
  if (!root) return byId("explorer-heading");
  const question = state.f === "" ? root.querySelector(".question") : null;
  if (question) question.setAttribute("tabindex", "-1");
  return root.querySelector(".following h4") || question || root.querySelector("h3") || byId("explorer-heading");
}

/** Shows a side from its title on, with what is to be read there, and gives that the focus. */
function reveal(side = 0) {
  const target = destination(side);
  // The first side's key stands above it.
  const shown = side === 0 || !isNarrow() ? byId("key") : target.closest(".side");
  (target.closest(".side") ? shown : byId("explorer")).scrollIntoView();
  target.focus({ preventScroll: true });
  const whole = target.closest(".following") || target;
  if (whole.getBoundingClientRect().bottom > window.innerHeight) whole.scrollIntoView({ block: "nearest" });
}

/** Into the explorer, unless somebody is there already. */
function enter() {
  if (byId("explorer").contains(document.activeElement) && isOnScreen(byId("sides"))) return;
  reveal();
}

/** Whether enough of an element is in the window to be used; what can't be seen isn't stepped through. */
function isOnScreen(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return top < window.innerHeight - 40 && bottom > 40;
}
