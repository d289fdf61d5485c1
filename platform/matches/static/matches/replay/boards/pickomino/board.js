/** The board: grill, dice and the players' stacks. */

import { el } from "../../dom.js";
import { gettext } from "../../i18n.js";
import { createDice } from "../grill/dice.js";
import { createGrill } from "../grill/grill.js";
import { createPlayers } from "../grill/players.js";
import { reach } from "../grill/reach.js";
import { endTurn, hold } from "../grill/turn.js";
import { note, summary } from "../grill/texts.js";

const TILES = Array.from({ length: 16 }, (_, i) => 21 + i);

export function createBoard(seats) {
  const grill = createGrill(TILES);
  const dice = createDice(noteOf);
  const players = createPlayers(seats);
  const table = el("div", { class: "pk-table" }, grill.element, dice.element);
  const element = el("div", { class: "bd-board iron-board pk-board", role: "group" }, table, players.element);

  const show = (frame, { pov, ...motion }) => {
    const reached = reach(frame);
    element.setAttribute("aria-label", summary(frame.view, seats, frame.view.grill.join(" "), reached));
    const wait = { hold: hold("", "", motion.passed), pace: motion.pace };
    grill.show(frame, reached, wait);
    players.show(frame, pov, reached, wait);
    dice.show(frame, seats, { ...motion, from: players.roller });
    endTurn(motion, grill, players);
  };
  return { element, show, hold };
}

function noteOf({ key, view }, aside, seats) {
  if (!key) return aside.W || !view.sum ? "" : gettext("no worm yet");
  return note(view.last, seats);
}
