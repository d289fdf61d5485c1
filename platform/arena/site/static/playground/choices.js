/**
 * The legal actions as buttons. Their labels come from the game's choices.js; without it, buttons show the action
 * strings.
 */

import { el } from "../matches/replay/dom.js";

/** Import a game's choices.js from `address`; resolve to {} for a game that has none. */
export const loadLabels = (address) => (address ? import(address) : Promise.resolve({}));

/**
 * Return the label of an action. `labels` is a game's choices.js: label(action, view) returns undefined for an action
 * without a label, and the optional group(action, view) returns the heading of its group.
 */
export const labelOf = (labels, action, view) => labels.label?.(action, view) ?? action;

export function choices(labels, actions, view, choose) {
  const groups = new Map();
  for (const action of actions) {
    const group = labels.group?.(action, view) ?? "";
    const text = labelOf(labels, action, view);
    const button = el("button", { type: "button", class: "button", "data-action": action, click: () => choose(action) }, text);
    groups.set(group, [...(groups.get(group) ?? []), button]);
  }
  return [...groups].map(([group, buttons]) =>
    el("div", { class: "pg-group", role: "group", "aria-label": group || false }, group ? el("span", { class: "small muted" }, group) : null, el("div", { class: "cluster" }, ...buttons)),
  );
}
