/** Boards of the cells that a view has, drawn as SVG: crosses, rings or discs in the colours of seats; the last move is marked. */

import { el, svg } from "../../dom.js";
import { plainBoard } from "../table/plain.js";

const CELL = 40;

/**
 * Parts of a board module, for it to export.
 * @param {object} game
 * @param {Record<string, number>} game.marks the table position whose piece a cell's text is; other texts are empty
 * @param {boolean} [game.round] discs in place of crosses and rings
 * @param {boolean} [game.slant] each row is half a cell further to the right than the one above
 * @param {string} [game.crowns] the texts of crowned pieces
 * @param {boolean} [game.letters] a piece has its own letter in place of its seat's
 */
export function gridBoard({ marks, round = false, slant = false, crowns = "", letters = false }) {
  const words = plainBoard({ middle: () => "" });
  const createBoard = (seats) => {
    const plain = words.createBoard(seats);
    const drawn = el("div", { class: "grid-table" });
    plain.element.querySelector(".plain-table").replaceWith(drawn);
    let before = [];
    const show = (frame, options) => {
      const now = frame.view.cells;
      drawn.replaceChildren(picture(now, before, { marks, round, slant, crowns, letters, seats }));
      if (options.passed?.length !== 0) before = now;
      plain.show(frame, options);
    };
    return { element: plain.element, show };
  };
  return { ...words, createBoard };
}

function picture(rows, before, game) {
  const wide = CELL * (rows[0].length + (game.slant ? (rows.length - 1) / 2 : 0));
  const high = CELL * rows.length;
  const root = svg("svg", { viewBox: `-2 -2 ${wide + 4} ${high + 4}`, role: "img", "aria-label": spoken(rows) });
  rows.forEach((row, down) => {
    [...row].forEach((text, across) => {
      const x = CELL * (across + (game.slant ? down / 2 : 0));
      const isNew = before.length > 0 && before[down]?.[across] !== text && text in game.marks;
      root.append(cell(x, CELL * down, isNew));
      if (text in game.marks) root.append(piece(x, CELL * down, text, game));
    });
  });
  return root;
}

const cell = (x, y, isNew) =>
  svg("rect", { x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 4, class: isNew ? "grid-cell grid-new" : "grid-cell" });

function piece(x, y, text, { marks, round, crowns, letters, seats }) {
  const position = marks[text];
  const group = svg("g", { "data-seat": seats[position].seat, class: "grid-piece" });
  const [left, top, middle] = [x + CELL / 2, y + CELL / 2, CELL * 0.36];
  if (round || position !== 0) group.append(svg("circle", { cx: left, cy: top, r: middle, class: round ? "grid-disc" : "grid-ring" }));
  else group.append(svg("path", { d: `M${x + 10} ${y + 10}l20 20m0-20l-20 20`, class: "grid-cross" }));
  if (crowns.includes(text)) group.append(svg("path", { d: `M${left - 8} ${top + 6}v-10l5 5 3-7 3 7 5-5v10z`, class: "grid-crown" }));
  else if (round) {
    const letter = svg("text", { x: left, y: top + 5, "text-anchor": "middle", class: "grid-letter" });
    letter.textContent = letters ? text.toUpperCase() : seats[position].letter;
    group.append(letter);
  }
  return group;
}

const spoken = (rows) => rows.map((row) => [...row].join(" ")).join(", ");
