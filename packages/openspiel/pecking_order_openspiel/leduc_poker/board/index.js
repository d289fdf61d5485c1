/** Leduc poker: everybody's card and chips, the card for all, and the pot. */

import { fill, gettext } from "../../i18n.js";
import { plainBoard } from "../table/plain.js";

export { headline, sentence } from "../tic_tac_toe/telling.js";

const RANKS = ["J", "Q", "K", "A", "10", "9"];
const numbers = ({ board }, head) => (board.find((line) => line.startsWith(head)) ?? ": ").split(":").at(-1).trim().split(/\s+/).map(Number);
const card = (number) => (number >= 0 ? RANKS[Math.floor(number / 2)] : "–");

export const { createBoard, scores, scoreTitle } = plainBoard({
  middle: (view) => fill(gettext("Card for all: %(card)s · Pot: %(pot)s"), { card: card(numbers(view, "Cards")[0]), pot: numbers(view, "Pot")[0] }),
  place: (view, position, open) => `${open ? card(numbers(view, "Cards")[1 + position]) : "?"} · ${numbers(view, "Money")[position] ?? ""}`,
});
