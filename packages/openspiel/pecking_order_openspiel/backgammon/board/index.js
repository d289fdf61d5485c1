/** Backgammon: points with checkers, the dice and the bar; the checkers borne off are in the text below. */

import { svg } from "../../dom.js";
import { disc, die, drawing, drawnBoard } from "../tic_tac_toe/drawn.js";

export { headline, sentence } from "../tic_tac_toe/sentences.js";

const [POINT, HIGH, SHOWN] = [30, 340, 5]; // width of a point, height of the board, most checkers drawn on a point
const MARKS = { x: 0, o: 1 };

const lineOf = ({ board }, head) => (board.find((line) => line.startsWith(head)) ?? "").split(": ")[1] ?? "";
const note = ({ board }) => board.find((line) => /^Scores.*[1-9]/.test(line)) ?? "";

/** Return { position, count } of the checkers on the point in this column of the upper or lower half. */
function point(rows, column) {
  const found = rows.map((row) => row[column]).join("");
  const mark = /[xo]/.exec(found)?.[0];
  const number = /\d+/.exec(found)?.[0];
  return { position: MARKS[mark], count: mark ? Number(number ?? found.replace(/[^xo]/g, "").length) : 0 };
}

function triangle(x, isUpper, isDark) {
  const [base, top] = isUpper ? [0, HIGH * 0.42] : [HIGH, HIGH * 0.58];
  return svg("path", { d: `M${x} ${base}h${POINT}L${x + POINT / 2} ${top}z`, fill: isDark ? "var(--line)" : "var(--surface)", stroke: "var(--line)" });
}

function checkers(x, isUpper, { position, count }, seats) {
  const radius = POINT * 0.46;
  return Array.from({ length: Math.min(count, SHOWN) }, (_, at) => {
    const y = radius + 2 * radius * at;
    return disc(x + POINT / 2, isUpper ? y + 1 : HIGH - y - 1, radius, seats[position], at === SHOWN - 1 && count > SHOWN ? String(count) : undefined);
  });
}

function picture(view, { seats }) {
  const wide = 13 * POINT;
  const parts = [svg("rect", { width: wide, height: HIGH, rx: 6, fill: "var(--sunk)" })];
  for (const isUpper of [true, false]) {
    const rows = isUpper ? view.cells.slice(0, 5) : view.cells.slice(-5);
    for (let column = 0; column < 13; column++) {
      if (column === 6) continue; // the bar
      parts.push(triangle(column * POINT, isUpper, (column + (column > 6) + isUpper) % 2 === 0));
      parts.push(...checkers(column * POINT, isUpper, point(rows, column), seats));
    }
  }
  parts.push(svg("rect", { x: 6 * POINT, width: POINT, height: HIGH, fill: "var(--line)", opacity: 0.6 }));
  const dice = [...lineOf(view, "Dice").trim()];
  parts.push(...dice.map((face, at) => die(6.5 * POINT, HIGH / 2 + 32 * (at - (dice.length - 1) / 2), face, 28)));
  for (const [letter, position] of Object.entries(MARKS)) {
    const barred = lineOf(view, "Bar").split(letter).length - 1;
    if (barred) parts.push(disc(6.5 * POINT, HIGH * (position ? 0.75 : 0.25), POINT * 0.46, seats[position], String(barred)));
  }
  return drawing(wide, HIGH, view.board.join(", "), ...parts);
}

export const { createBoard, scores, scoreTitle } = drawnBoard({ picture, note });
