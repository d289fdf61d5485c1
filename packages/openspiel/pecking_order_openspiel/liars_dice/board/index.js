/** Liar's Dice: everybody's dice, and the last bid. */

import { plainBoard } from "../table/plain.js";

export { headline, sentence } from "../tic_tac_toe/telling.js";

const parts = ({ board, players }) => {
  const all = board[0].split(" ");
  return { dice: all.slice(0, players), bids: all.slice(players).filter((one) => /^(\d+-\d+|Liar)$/.test(one)) };
};
// A die that is not rolled yet is -1.
const faces = (dice = "") => dice.match(/-1|\d/g) ?? [];
const face = (digit) => (digit === "-1" ? "–" : String.fromCodePoint(0x2680 + Number(digit) - 1));

export const { createBoard, scores, scoreTitle } = plainBoard({
  middle: (view) => parts(view).bids.join(" → ") || "–",
  place: (view, position, open) => faces(parts(view).dice[position]).map((one) => (open ? face(one) : "?")).join(" "),
});
