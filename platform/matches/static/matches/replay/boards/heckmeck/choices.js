/** Labels and places of a player's actions in Heckmeck. */

import { fill, gettext } from "../../i18n.js";
import { chip as chipAtTheGrill, label as atTheGrill, spot as spotAtTheGrill } from "../grill/choices.js";
import { nameOf } from "./specialists.js";

export { yours } from "./yours.js";

const SPECIALISTS = {
  "use golden_die": () => gettext("Throw the golden die too"),
  "leave golden_die": () => gettext("Leave the golden die out"),
  "use weasel": () => gettext("Have the weasel throw these dice again"),
  "leave weasel": () => gettext("Do without the weasel"),
  "use canned_worm": () => gettext("Open the canned worm"),
  "leave canned_worm": () => gettext("Leave the can shut"),
};

export function label(action, view) {
  const [verb, what] = action.split(" ");
  if (verb === "keep") return fill(gettext("Keep the %(specialist)s"), { specialist: nameOf(what) });
  if (verb === "bratworm") return fill(gettext("Take the bratworm of seat %(letter)s"), { letter: "ABCDEFG"[what] });
  return SPECIALISTS[action]?.() ?? atTheGrill(action, view);
}

/** Return the selector of the pieces for an action: a specialist, or the bratworms of a player. */
export function spot(action) {
  const [verb, what] = action.split(" ");
  if (verb === "use" || verb === "keep") return `[data-specialist="${what}"]`;
  if (verb === "bratworm") return `.pk-players > :nth-child(${Number(what) + 1}) .hk-bratworms`;
  return spotAtTheGrill(action);
}

export const chip = (action, view) => (action.startsWith("leave ") ? { at: ".pk-dice", text: label(action, view) } : chipAtTheGrill(action, view));
