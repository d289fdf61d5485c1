/** What is said of a game once it is over, and of a specialist that somebody asks about. */

import { gettext } from "../../i18n.js";
import { nameOf } from "./specialists.js";

export { because } from "../grill/because.js";

const MEANINGS = {
  canned_worm: () => gettext("counts as a worm where a turn ends without one"),
  hen: () => gettext("guards the top tile: a thief gets only the hen"),
  raven: () => gettext("brings a bratworm to whoever takes its tile"),
  weasel: () => gettext("lets its owner throw again once a turn"),
  golden_die: () => gettext("a ninth die, with more worms"),
  apple: () => gettext("three worms at the end"),
};

/** What a piece of the board means, or null. */
export function meaning(piece) {
  const specialist = piece.closest(".hk-owned, .hk-stand")?.querySelector("[data-specialist]")?.dataset.specialist;
  return specialist ? `${nameOf(specialist)}: ${MEANINGS[specialist]()}` : null;
}
