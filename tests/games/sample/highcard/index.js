/** High Card: hands, and the cards of the round. */

import { fill, gettext } from "../../i18n.js";
import { plainBoard } from "../table/plain.js";

export const { createBoard, scores, scoreTitle } = plainBoard({
  middle: ({ table }) => table.join(" ") || "–",
  place: ({ hands }, position, open) => (open ? hands[position].join(" ") : "? ".repeat(hands[position].length)),
});

export const headline = ({ actor, action }, seats) =>
  fill(gettext("%(name)s: %(action)s"), { name: seats[actor].name, action });

export function sentence(frame, before, seats) {
  if (frame.actor >= 0) return headline(frame, seats);
  return before ? fill(gettext("%(name)s is dealt a card."), seats[before.view.hands.flat().length % seats.length]) : "";
}
