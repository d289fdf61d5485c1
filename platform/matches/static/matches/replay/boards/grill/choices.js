/**
 * Labels and places of a player's actions at the grill. Functions return undefined for actions that only one of the
 * games has.
 */

import { fill, gettext, ngettext } from "../../i18n.js";
import { faceName } from "./texts.js";

const worth = (face) => (face === "W" ? 5 : Number(face));

export function label(action, view) {
  const [verb, what] = action.split(" ");
  if (verb === "take") {
    const count = view.rolled.filter((face) => face.replace("+", "") === what).length;
    return fill(gettext("Keep %(count)s × %(face)s, for %(sum)s in all"), { count, face: faceName(what), sum: view.sum + count * worth(what) });
  }
  if (action === "roll") return fill(ngettext("Roll on with one die", "Roll on with %(dice)s dice", view.dice_left), { dice: view.dice_left });
  if (action === "stop") return fill(gettext("Stop with %(sum)s"), { sum: view.sum });
  if (action === "steal") return gettext("Steal the tile");
  if (action === "decline") return gettext("Steal nothing");
  if (verb === "tile") return fill(gettext("Take tile %(tile)s"), { tile: what });
  return undefined;
}

const REACHED = ':is(.pk-place, .pk-stack .tile)[data-reach="now"]';

/**
 * Return the selector of the pieces for an action: kept dice, rolled dice, or the sum and the tile that a stop wins.
 */
export function spot(action) {
  const [verb, what] = action.split(" ");
  if (verb === "take") return `.pk-rolled > .die.rolled:is([data-face="${what}"], [data-face="+${what}"])`;
  if (action === "roll") return ".pk-rolled > .die.waiting";
  if (action === "stop") return `.pk-total, ${REACHED}`;
  if (action === "steal") return '.pk-stack .tile[data-reach="now"]';
  if (verb === "tile") return `.pk-place[data-state="up"] > .tile[data-tile="${what}"]`;
  return undefined;
}

export const chip = (action, view) => (action === "decline" ? { at: ".pk-dice", text: label(action, view) } : undefined);
