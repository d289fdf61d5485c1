/** The advice on what to play now. */

import { el } from "../matches/replay/dom.js";
import { fill, gettext } from "../matches/replay/i18n.js";
import { points } from "../matches/replay/luck/format.js";
import { labelOf } from "./choices.js";

/** Return the box for a `hint` of peck/person_table.py. `labels` is the game's choices.js, `view` the player's view. */
export function hintBox(hint, labels, view) {
  if (hint.kind === "bot") {
    const message = hint.action === null ? gettext("%(bot)s has no answer here.") : gettext("%(bot)s, a house bot, would choose: %(action)s");
    const why = gettext("No exact analysis for this game, so this is only what that bot would do with your cards.");
    return el("div", { class: "notice" }, el("p", {}, fill(message, { bot: hint.bot, action: labelOf(labels, hint.action, view) })), el("p", { class: "small muted" }, why));
  }
  const best = hint.options[0].value;
  const rows = hint.options.map(({ action, value }) => {
    const less = best - value;
    return el("li", { "data-hint": action === hint.action }, el("span", {}, labelOf(labels, action, view)), el("span", { class: "number" }, less ? points(-less, true) : gettext("best")));
  });
  const by = gettext("In points of win chance less than the best.");
  return el("div", { class: "notice pg-hint" }, el("ol", {}, ...rows), el("p", { class: "small muted" }, by));
}
