/** Heckmeck am Karteneck: hands, displays that grow type by type, portions on a grill, a menu for each round. */

import { gettext } from "../../i18n.js";

export { createBoard, situation, suspense, toast } from "./board.js";
export { headline, sentence } from "./sentence.js";

export const scoreTitle = () => gettext("Worms");

export const scores = (view) => view.worms;
