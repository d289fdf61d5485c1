/** Sentences about moves, with OpenSpiel's names of the actions. */

import { fill, gettext } from "../../i18n.js";

export const headline = ({ view, actor, action }, seats) =>
  actor < 0 ? fill(gettext("Chance: %(action)s"), { action }) : fill(gettext("%(name)s: %(action)s"), { name: seats[actor].name, action: view.last?.action ?? action });

export const sentence = (frame, before, seats) => (before ? headline(frame, seats) : "");
