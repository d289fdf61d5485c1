/** High Card: hands, and the cards of the round. */

import { fill, gettext } from "../../i18n.js";
import { plainBoard } from "../table/plain.js";

export const { createBoard, dwell, scores, scoreTitle } = plainBoard({
  middle: ({ table }) => table.join(" ") || "–",
  place: ({ hands }, position, open) => (open ? hands[position].join(" ") : "? ".repeat(hands[position].length)),
});

export function headline({ actor, action }, seats) {
  return fill(gettext("%(name)s lays %(card)s."), { name: seats[actor]?.name, card: action.slice(4) });
}

export const sentence = (frame, before, seats) => (frame.actor < 0 ? "" : headline(frame, seats));
