/** Heckmeck am Karteneck: hands, displays that grow type by type, portions on a grill, a menu for each round. */

import { gettext } from "../../i18n.js";

export { createBoard } from "./board.js";
export { headline, sentence } from "./sentence.js";

export const scoreTitle = () => gettext("Worms");

export const scores = (view) => view.worms;

/** Dealing flies by, a draw is noticed, a play looked at, the menu read. */
export function dwell(frame) {
  if (frame.view.last?.menu.length && frame.key) return 3200;
  if (frame.key) return 1800;
  if (frame.action.startsWith("draw ")) return frame.turn ? 420 : 60;
  if (frame.action.startsWith("reveal ")) return 350;
  return frame.action === "done" ? 250 : 1000;
}
