/** Leduc poker: each player's card and chips, the common card and the pot. */

import { fill, gettext } from "../../i18n.js";
import { card, disc, drawing, drawnBoard, text } from "../tic_tac_toe/drawn.js";

export { headline, sentence } from "../tic_tac_toe/sentences.js";

const RANKS = ["J", "Q", "K", "A", "10", "9"];
const WIDE = 64;

const numbers = ({ board }, head) => (board.find((line) => line.startsWith(head)) ?? ": ").split(":").at(-1).trim().split(/\s+/).map(Number);
const rank = (number) => (number >= 0 ? RANKS[Math.floor(number / 2)] : "");

function picture(view, { seats, open }) {
  const [common, ...own] = numbers(view, "Cards").map(rank);
  const money = numbers(view, "Money");
  const drawn = seats.flatMap((seat, position) => {
    const x = WIDE * (position + 0.5);
    const shown = own[position] && !open(position) ? "?" : (own[position] ?? "");
    return [disc(x, 16, 12, seat), card(x, 62, shown), text(x, 100, String(money[position] ?? ""), "var(--ink-soft)", 13)];
  });
  const wide = WIDE * seats.length;
  return drawing(wide, 172, shownWords(common, view), ...drawn, card(wide / 2, 142, common ?? ""));
}

const shownWords = (common, view) => fill(gettext("Card for all: %(card)s · Pot: %(pot)s"), { card: common || "–", pot: numbers(view, "Pot")[0] });

export const { createBoard, scores, scoreTitle } = drawnBoard({ picture, note: (view) => shownWords(rank(numbers(view, "Cards")[0]), view) });
