/** Pickomino: eight dice, sixteen tiles on a grill, a stack for everyone. */

import { gettext } from "../../i18n.js";

export { createBoard } from "./board.js";
export { headline, sentence } from "./sentence.js";

export const scoreTitle = () => gettext("Worms");

export const scores = (view) => view.worms;

/** A roll is looked at, a decision only noticed, the end of a turn read. */
export function dwell(frame) {
  if (frame.key) return 1600;
  if (frame.action === "roll") return 250;
  return frame.action.startsWith("roll ") ? 950 : 750;
}
