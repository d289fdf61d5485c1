/** What would be best now, in words. */

import { el } from "../matches/replay/dom.js";
import { fill, gettext } from "../matches/replay/i18n.js";
import { points } from "../matches/replay/luck/words.js";
import { labelOf } from "./choices.js";

/** `hint` as peck/person_table.py tells it, in a game with these `words`, at this `view`. */
export function hintBox(hint, words, view) {
  if (hint.kind === "bot") {
    const said = hint.action === null ? gettext("%(bot)s has no answer here.") : gettext("%(bot)s, a house bot, would choose: %(action)s");
    const why = gettext("No exact analysis for this game, so this is only what that bot would do with your cards.");
    return el("div", { class: "notice" }, el("p", {}, fill(said, { bot: hint.bot, action: labelOf(words, hint.action, view) })), el("p", { class: "small muted" }, why));
  }
  const best = hint.options[0].value;
  const rows = hint.options.map(({ action, value }) => {
    const less = best - value;
    return el("li", { "data-hint": action === hint.action }, el("span", {}, labelOf(words, action, view)), el("span", { class: "number" }, less ? points(-less, true) : gettext("best")));
  });
  const by = gettext("In points of win chance less than the best.");
  return el("div", { class: "notice pg-hint" }, el("ol", {}, ...rows), el("p", { class: "small muted" }, by));
}
