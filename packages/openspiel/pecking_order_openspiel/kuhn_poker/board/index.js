/** Kuhn poker: everybody's card, passes and bets. */

import { plainBoard } from "../table/plain.js";

export { headline, sentence } from "../tic_tac_toe/telling.js";

// Before the first card there is no line.
const words = ({ board }) => (board[0] ?? "").split(" ");
const cards = (view) => words(view).slice(0, view.players);
const bets = (view) => words(view)[view.players] ?? "";

export const { createBoard, scores, scoreTitle } = plainBoard({
  middle: (view) => [...bets(view)].join(" ") || "–",
  place: (view, position, open) => (open ? (cards(view)[position] ?? "") : "?"),
});
