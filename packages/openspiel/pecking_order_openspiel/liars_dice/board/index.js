/** Liar's Dice: each player's dice, and the bids. */

import { die, disc, drawing, drawnBoard } from "../tic_tac_toe/drawn.js";

export { headline, sentence } from "../tic_tac_toe/sentences.js";

const SIDE = 36;

const parts = ({ board, players }) => {
  const all = board[0].split(" ");
  return { dice: all.slice(0, players), bids: all.slice(players).filter((one) => /^(\d+-\d+|Liar)$/.test(one)) };
};
// -1 is a die that has not been rolled yet.
const faces = (dice = "") => dice.match(/-1|\d/g) ?? [];

function picture(view, { seats, open }) {
  const rows = parts(view).dice.map(faces);
  const most = Math.max(1, ...rows.map((row) => row.length));
  const drawn = rows.flatMap((row, position) => {
    const y = SIDE * (position + 0.5);
    const rolled = (one) => (one === "-1" ? "" : open(position) ? one : "?");
    return [disc(SIDE / 2, y, 13, seats[position]), ...row.map((one, at) => die(SIDE * (at + 1.6), y, rolled(one)))];
  });
  return drawing(SIDE * (most + 1.2), SIDE * rows.length, rows.map((row, position) => row.map((one) => (open(position) ? one : "?")).join(" ")).join(", "), ...drawn);
}

export const { createBoard, scores, scoreTitle } = drawnBoard({ picture, note: (view) => parts(view).bids.join(" → ") });
