/** What happened, in words: who did what by the name that OpenSpiel gives it, or what chance did. */

import { fill, gettext } from "../../i18n.js";

export const headline = ({ view, actor, action }, seats) =>
  actor < 0 ? fill(gettext("Chance: %(action)s"), { action }) : fill(gettext("%(name)s: %(action)s"), { name: seats[actor].name, action: view.last?.action ?? action });

export const sentence = (frame, before, seats) => (before ? headline(frame, seats) : "");
