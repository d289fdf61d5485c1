/** Liar's Dice: everybody's dice, and the last bid. */

import { plainBoard } from "../table/plain.js";

export { headline, sentence } from "../tic_tac_toe/telling.js";

const parts = ({ board, players }) => {
  const all = board[0].split(" ");
  return { dice: all.slice(0, players), bids: all.slice(players).filter((one) => /^(\d+-\d+|Liar)$/.test(one)) };
};
const face = (digit) => String.fromCodePoint(0x2680 + Number(digit) - 1);

export const { createBoard, scores, scoreTitle } = plainBoard({
  middle: (view) => parts(view).bids.join(" → ") || "–",
  place: (view, position, open) => [...(parts(view).dice[position] ?? "")].map((one) => (open ? face(one) : "?")).join(" "),
});
