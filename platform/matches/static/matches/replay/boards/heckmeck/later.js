/** Texts for finished games: the explanation of a win, decisions, and the meanings of specialists. */

import { fill, gettext } from "../../i18n.js";
import { marked as markedAtTheGrill } from "../grill/marked.js";
import { option as atTheGrill } from "../grill/option.js";
import { nameOf } from "./specialists.js";

export { because } from "../grill/because.js";

const MEANINGS = {
  canned_worm: () => gettext("counts as a worm where a turn ends without one"),
  hen: () => gettext("guards the top tile: a thief gets only the hen"),
  raven: () => gettext("brings a bratworm to the player who takes its tile"),
  weasel: () => gettext("lets its owner throw again once a turn"),
  golden_die: () => gettext("a ninth die, with more worms"),
  apple: () => gettext("three worms at the end"),
};

/** Return the meaning of a piece of the board, or null. */
export function meaning(piece) {
  const specialist = piece.closest(".hk-owned, .hk-stand")?.querySelector("[data-specialist]")?.dataset.specialist;
  return specialist ? `${nameOf(specialist)}: ${MEANINGS[specialist]()}` : null;
}

const OPTIONS = {
  "use golden_die": () => gettext("roll the golden die too"),
  "leave golden_die": () => gettext("leave the golden die out"),
  "use weasel": () => gettext("throw these dice again"),
  "leave weasel": () => gettext("do not throw again: a failed turn"),
  "use canned_worm": () => gettext("open the canned worm"),
  "leave canned_worm": () => gettext("leave the canned worm shut: a failed turn"),
  "keep canned_worm": () => gettext("keep the canned worm"),
  "keep hen": () => gettext("keep the hen"),
  "keep weasel": () => gettext("keep the weasel"),
  "keep golden_die": () => gettext("keep the golden die"),
  "keep apple": () => gettext("keep the apple"),
};

/** Return { label, detail } of an alternative in the analysis; `seats` are in table order. */
export function option(kind, one, seats) {
  const usual = atTheGrill(kind, one);
  if (kind === "bratworm") return { ...usual, label: fill(gettext("a bratworm of %(name)s"), { name: seats[Number(one.action.split(" ")[1])].name }) };
  return OPTIONS[one.action] ? { ...usual, label: OPTIONS[one.action]() } : usual;
}

/** Return the name of the piece that an action is about, as bots mark it, or undefined. */
export function marked(action) {
  const [verb, what] = action.split(" ");
  return ["use", "leave", "keep"].includes(verb) ? `specialist ${what}` : markedAtTheGrill(action);
}
