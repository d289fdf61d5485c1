/** The legal actions as buttons, in words; of a game without words as they are written. */

import { el } from "../matches/replay/dom.js";

/** The words of a game, which lie beside its board as choices.js; a game without them has none. */
export const wordsOf = (address) => (address ? import(address) : Promise.resolve({}));

/**
 * `words` has label(action, view), which is undefined for an action without words, and perhaps group(action, view), by which
 * actions stand together. `choose(action)` is called once; `view` is what the player may see.
 */
export const labelOf = (words, action, view) => words.label?.(action, view) ?? action;

export function choices(words, actions, view, choose) {
  const groups = new Map();
  for (const action of actions) {
    const group = words.group?.(action, view) ?? "";
    const text = labelOf(words, action, view);
    const button = el("button", { type: "button", class: "button", "data-action": action, click: () => choose(action) }, text);
    groups.set(group, [...(groups.get(group) ?? []), button]);
  }
  return [...groups].map(([group, buttons]) =>
    el("div", { class: "pg-group", role: "group", "aria-label": group || false }, group ? el("span", { class: "small muted" }, group) : null, el("div", { class: "cluster" }, ...buttons)),
  );
}
