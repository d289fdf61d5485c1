/** Pig: the points of all players, and of this turn. */

import { fill, gettext } from "../../i18n.js";
import { plainBoard } from "../table/plain.js";

export const { createBoard, scores, scoreTitle } = plainBoard({
  middle: ({ won }) => fill(gettext("In this turn: %(won)s"), { won }),
});

const about = ({ turn, view }) => (turn - 1) % view.players;

export const headline = (frame, seats) =>
  fill(gettext("%(name)s: %(action)s"), { name: seats[about(frame)].name, action: frame.action });

export const sentence = (frame, before, seats) => (before ? headline(frame, seats) : "");
