/** Pickomino: eight dice, sixteen tiles on a grill, a stack for everyone. */

import { gettext } from "../../i18n.js";

export { createBoard } from "./board.js";
export { headline, sentence } from "./sentence.js";

export const scoreTitle = () => gettext("Worms");

export const scores = (view) => view.worms;
