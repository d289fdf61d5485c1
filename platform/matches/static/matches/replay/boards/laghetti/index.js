/** In cammino tra i laghetti: hands of lakes, bids, tricks on the water, a score sheet. */

import { gettext } from "../../i18n.js";

export { createBoard } from "./board.js";
export { about, headline, sentence } from "./sentence.js";

export const scoreTitle = () => gettext("Points");

export const scores = (view) => view.scores;

/** Dealing flies by, a card is looked at, a finished trick and a finished round are read. */
export function dwell({ action, key, view }) {
  if (key) return 3600;
  if (action.startsWith("draw ")) return view.phase === "bid" ? 900 : 45;
  if (action.startsWith("bid ")) return 800;
  return view.trick ? 850 : 1700;
}
