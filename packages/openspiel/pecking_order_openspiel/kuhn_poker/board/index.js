/** Kuhn poker: everybody's card, passes and bets. */

import { plainBoard } from "../table/plain.js";

export { headline, sentence } from "../tic_tac_toe/telling.js";

const cards = ({ board, players }) => board[0].split(" ").slice(0, players);
const bets = ({ board, players }) => board[0].split(" ")[players] ?? "";

export const { createBoard, scores, scoreTitle } = plainBoard({
  middle: (view) => [...bets(view)].join(" ") || "–",
  place: (view, position, open) => (open ? (cards(view)[position] ?? "") : "?"),
});
