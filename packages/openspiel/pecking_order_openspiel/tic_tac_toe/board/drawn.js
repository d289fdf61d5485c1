/** Boards that consist of one SVG drawing above the seats; dice, cards and discs to draw them from. */

import { el, svg } from "../../dom.js";
import { plainBoard } from "../table/plain.js";

/**
 * Return { createBoard, scores, scoreTitle } for a board module to export. The board needs no style sheet, so games in
 * other folders can import it.
 * @param {object} game
 * @param {(view, {before, seats, open}) => SVGElement} game.picture draws a view. `before` is the view before the last
 * move, null at first; `open(position)` returns whether the secrets of that seat may be shown
 * @param {(view) => string} [game.note] a line below the drawing
 */
export function drawnBoard({ picture, note = () => "" }) {
  const board = plainBoard({ middle: note });
  const createBoard = (seats) => {
    const plain = board.createBoard(seats);
    const drawn = el("div");
    const line = plain.element.querySelector(".plain-table");
    line.before(drawn);
    let before = null;
    const show = (frame, options) => {
      const open = (position) => options.pov < 0 || seats[position].seat === options.pov;
      drawn.replaceChildren(picture(frame.view, { before, seats, open }));
      if (options.passed?.length !== 0) before = frame.view;
      plain.show(frame, options);
      line.hidden = line.textContent === "";
    };
    return { element: plain.element, show };
  };
  return { ...board, createBoard };
}

/** Return an <svg> of this size with the accessible name `label`, as wide as its container allows. */
export function drawing(wide, high, label, ...content) {
  const root = svg("svg", { viewBox: `0 0 ${wide} ${high}`, width: "100%", role: "img", "aria-label": label }, ...content);
  root.style.blockSize = "min(58cqh, 100cqw)";
  return root;
}

export function text(x, y, content, fill = "var(--ink)", size = 15) {
  const element = svg("text", { x, y: y + size / 3, "text-anchor": "middle", "font-size": size, "font-weight": 700, fill });
  element.textContent = content;
  return element;
}

/** Return a disc in the colour of a seat, with a short text on it. */
export const disc = (x, y, radius, seat, content = seat.letter) =>
  svg("g", { "data-seat": seat.seat }, svg("circle", { cx: x, cy: y, r: radius, fill: "var(--seat)", stroke: "var(--seat-line)" }), text(x, y, content, "var(--seat-ink)", radius));

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** Return a die with its centre at x, y; "?" hides the face, "" is a die not rolled yet. */
export function die(x, y, face, side = 30) {
  const [left, top] = [x - side / 2, y - side / 2];
  const pips = (PIPS[face] ?? []).map((at) => svg("circle", { cx: left + side * (0.25 + 0.25 * (at % 3)), cy: top + side * (0.25 + 0.25 * Math.floor(at / 3)), r: side / 10, fill: "var(--ink)" }));
  return svg("g", {}, back(left, top, side, side), ...(face === "?" ? [text(x, y, "?", "var(--ink-soft)")] : pips));
}

/** Return a card with its centre at x, y; "?" hides the rank, "" is a card not dealt yet. */
export const card = (x, y, rank, wide = 36) =>
  svg("g", { opacity: rank === "" ? 0.35 : 1 }, back(x - wide / 2, y - wide * 0.7, wide, wide * 1.4), text(x, y, rank, rank === "?" ? "var(--ink-soft)" : "var(--ink)", 18));

const back = (x, y, width, height) => svg("rect", { x, y, width, height, rx: 5, fill: "var(--surface)", stroke: "var(--line)", "stroke-width": 1.5 });
