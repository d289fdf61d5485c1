/** In cammino tra i laghetti: hands of lakes, bids, tricks on the water, a score sheet. */

import { gettext } from "../../i18n.js";

export { createBoard, situation } from "./board.js";
export { headline, sentence } from "./sentence.js";

export const scoreTitle = () => gettext("Points");

export const scores = (view) => view.scores;
