/** Scores in the games at the grill. */

import { gettext } from "../../i18n.js";

export const scoreTitle = () => gettext("Worms");

export const scores = (view) => view.worms;
