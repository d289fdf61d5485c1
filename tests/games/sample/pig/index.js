/** Pig: what everybody has, and what the turn has brought. */

import { fill, gettext } from "../../i18n.js";
import { plainBoard } from "../table/plain.js";

export const { createBoard, dwell, scores, scoreTitle } = plainBoard({
  middle: ({ won }) => fill(gettext("In this turn: %(won)s"), { won }),
});

export const about = ({ turn, view }) => (turn - 1) % view.players;

export function headline(frame, seats) {
  const { name } = seats[about(frame)];
  if (frame.action === "hold") return fill(gettext("%(name)s holds."), { name });
  return fill(gettext("%(name)s rolls %(die)s."), { name, die: frame.action.slice(5) });
}

export const sentence = (frame, before, seats) => (!before || frame.action === "roll" ? "" : headline(frame, seats));
