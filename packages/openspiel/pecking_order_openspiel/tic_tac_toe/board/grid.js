/** Boards made of cells, drawn as SVG: crosses, rings or discs in the colours of the seats. The last move is marked. */

import { svg } from "../../dom.js";
import { drawnBoard } from "./drawn.js";

const CELL = 40;

/**
 * Return the exports of a board module for a game whose views have `cells`. It needs no style sheet, so games in other
 * folders can import it.
 * @param {object} game
 * @param {Record<string, number>} game.marks maps the text of a cell to the table position of its piece; a space is no
 * cell, any other text an empty one
 * @param {boolean} [game.round] draws discs instead of crosses and rings
 * @param {boolean} [game.slant] shifts each row half a cell to the right of the row above
 * @param {string} [game.crowns] the texts of crowned pieces
 * @param {boolean} [game.letters] writes the piece's letter on it instead of the seat's
 */
export function gridBoard({ marks, round = false, slant = false, crowns = "", letters = false }) {
  return drawnBoard({ picture: (view, { before, seats }) => picture(view.cells, before?.cells ?? [], { marks, round, slant, crowns, letters, seats }) });
}

function picture(rows, before, game) {
  const wide = CELL * (rows[0].length + (game.slant ? (rows.length - 1) / 2 : 0));
  const high = CELL * rows.length;
  const root = svg("svg", { viewBox: `-2 -2 ${wide + 4} ${high + 4}`, width: "100%", role: "img", "aria-label": spoken(rows) });
  root.style.blockSize = "min(58cqh, 100cqw)";
  rows.forEach((row, down) => {
    [...row].forEach((text, across) => {
      if (text === " ") return;
      const x = CELL * (across + (game.slant ? down / 2 : 0));
      const isNew = before.length > 0 && before[down]?.[across] !== text && text in game.marks;
      root.append(cell(x, CELL * down, isNew));
      if (text in game.marks) root.append(piece(x, CELL * down, text, game));
      else if (/\d/.test(text)) root.append(letter(x, CELL * down, text, "var(--ink)"));
    });
  });
  return root;
}

const cell = (x, y, isNew) =>
  svg("rect", { x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 4, fill: "var(--sunk)", stroke: isNew ? "var(--ink)" : "var(--line)", "stroke-width": isNew ? 3 : 1 });

function piece(x, y, text, { marks, round, crowns, letters, seats }) {
  const position = marks[text];
  const group = svg("g", { "data-seat": seats[position].seat });
  const [left, top, radius] = [x + CELL / 2, y + CELL / 2, CELL * 0.36];
  const line = { fill: "none", stroke: "var(--seat)", "stroke-width": 5, "stroke-linecap": "round" };
  if (round) group.append(svg("circle", { cx: left, cy: top, r: radius, fill: "var(--seat)", stroke: "var(--seat-line)" }));
  else if (position === 0) group.append(svg("path", { d: `M${x + 10} ${y + 10}l20 20m0-20l-20 20`, ...line }));
  else group.append(svg("circle", { cx: left, cy: top, r: radius, ...line }));
  if (crowns.includes(text)) group.append(svg("path", { d: `M${left - 8} ${top + 6}v-10l5 5 3-7 3 7 5-5v10z`, fill: "var(--seat-ink)" }));
  else if (round) group.append(letter(x, y, letters ? text.toUpperCase() : seats[position].letter, "var(--seat-ink)"));
  return group;
}

function letter(x, y, text, fill) {
  const element = svg("text", { x: x + CELL / 2, y: y + CELL / 2 + 5, "text-anchor": "middle", "font-size": 15, "font-weight": 700, fill });
  element.textContent = text;
  return element;
}

const spoken = (rows) => rows.map((row) => [...row].join(" ")).join(", ");
