/** Kuhn poker: cards, passes and bets. */

import { plainBoard } from "../table/plain.js";

export { headline, sentence } from "../tic_tac_toe/sentences.js";

// The board has no line before the first card.
const parts = ({ board }) => (board[0] ?? "").split(" ");
const cards = (view) => parts(view).slice(0, view.players);
const bets = (view) => parts(view)[view.players] ?? "";

export const { createBoard, scores, scoreTitle } = plainBoard({
  middle: (view) => [...bets(view)].join(" ") || "–",
  place: (view, position, open) => (open ? (cards(view)[position] ?? "") : "?"),
});
