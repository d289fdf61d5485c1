/** Labels and places of a player's actions in Heckmeck am Karteneck. */

import { fill, gettext, ngettext } from "../../i18n.js";

export { yours } from "./yours.js";

export function label(action, view) {
  const total = view.totals[view.you];
  if (action === "pass") return fill(gettext("Pass with %(total)s"), { total });
  if (action === "steal") return fill(gettext("Pass and steal portion %(portion)s"), { portion: total });
  if (action === "done") return gettext("No more worms");
  const [verb, what] = action.split(" ");
  if (what[0] === "W") return fill(verb === "also" ? gettext("And worm number %(tag)s") : gettext("Play worm number %(tag)s"), { tag: what.slice(1) });
  const [count, face] = what.split("x");
  return fill(ngettext("Play one %(face)s, for %(total)s", "Play %(count)s cards of %(face)s, for %(total)s", Number(count)), { count, face, total: total + count * face });
}

const OWN = ".kk-player[data-pov]";

/**
 * Return the selector of the pieces for an action: cards in the player's hand, the total to pass with, or a portion to
 * steal.
 */
export function spot(action, view) {
  if (action === "pass" || action === "done") return `${OWN} .kk-sum`;
  if (action === "steal") return `.kk-player:not([data-pov]) .kk-stack > [data-portion="${view.totals[view.you]}"]:last-child`;
  const what = action.split(" ")[1];
  return `${OWN} .kk-hand > [data-card="${what[0] === "W" ? what : what.split("x")[1]}"]`;
}
