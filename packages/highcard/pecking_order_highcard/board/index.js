/** High Card: hands, and the cards of the round. */
import { fill, gettext } from "../../i18n.js";
import { plainBoard } from "../table/plain.js";

export const { createBoard, scores, scoreTitle } = plainBoard({
  middle: ({ table }) => table.join(" ") || "–",
  place: ({ hands }, position, open) => (open ? hands[position].join(" ") : "? ".repeat(hands[position].length)),
});
const named = (text, seat, action) => fill(gettext(text), { name: seat.name, action });
const dealt = ({ view }, seats) => named("%(name)s is dealt a card.", seats[view.hands.flat().length % seats.length]);
export const headline = ({ actor, action }, seats) => named("%(name)s: %(action)s", seats[actor], action);
export const sentence = (frame, last, seats) => (frame.actor >= 0 ? headline(frame, seats) : last ? dealt(last, seats) : "");
