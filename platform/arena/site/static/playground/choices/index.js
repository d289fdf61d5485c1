/** The legal actions as buttons, in words; of a game without words as they are written. */

import { el } from "../../matches/replay/dom.js";
import { label as atTheGrill } from "./grill.js";
import { label as atTheKarteneck } from "./karteneck.js";
import { group as byLake, label as atTheLakes } from "./laghetti.js";

const LABELS = { pickomino: atTheGrill, heckmeck: atTheGrill, laghetti: atTheLakes, karteneck: atTheKarteneck };
const GROUPS = { laghetti: byLake };

/** `choose(action)` is called once; `view` is what the player may see. */
export function choices(game, actions, view, choose) {
  const groups = new Map();
  for (const action of actions) {
    const group = GROUPS[game]?.(action, view) ?? "";
    const text = LABELS[game]?.(action, view) ?? action;
    const button = el("button", { type: "button", class: "button", "data-action": action, click: () => choose(action) }, text);
    groups.set(group, [...(groups.get(group) ?? []), button]);
  }
  return [...groups].map(([group, buttons]) =>
    el("div", { class: "pg-group", role: "group", "aria-label": group || false }, group ? el("span", { class: "small muted" }, group) : null, el("div", { class: "cluster" }, ...buttons)),
  );
}
