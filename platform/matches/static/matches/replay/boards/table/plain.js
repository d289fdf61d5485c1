/**
 * A board of texts, for games without a drawing: each player's place with name, points and one line, and a line in the
 * middle of the table. The game provides the texts, and hides what a point of view may not see.
 */

import { chip, el } from "../../dom.js";
import { gettext } from "../../i18n.js";

/**
 * Return the exports of a board module.
 * @param {object} game
 * @param {(view) => string} game.middle the text in the middle of the table
 * @param {(view, position, open) => string} [game.place] the line of a seat; `open` is true if its secrets may be shown
 * @param {(view) => number[]} [game.scores] points by table position
 */
export function plainBoard({ middle, place = () => "", scores = (view) => view.points }) {
  const createBoard = (seats) => {
    const table = el("p", { class: "plain-table" });
    const places = seats.map((seat) => createPlace(seat));
    const list = el("ol", { class: "bd-places plain-places" }, ...places.map(({ element }) => element));
    const show = ({ view }, { pov }) => {
      table.textContent = middle(view);
      places.forEach(({ element, points, line }, position) => {
        const own = seats[position].seat === pov;
        element.toggleAttribute("data-active", position === view.actor);
        element.toggleAttribute("data-pov", own);
        points.textContent = scores(view)[position];
        line.textContent = place(view, position, pov < 0 || own);
      });
    };
    return { element: el("div", { class: "plain-board" }, table, list), show };
  };
  return { createBoard, scores, scoreTitle: () => gettext("Points") };
}

function createPlace(seat) {
  const points = el("output", { class: "plain-points" });
  const line = el("p", { class: "plain-line mono" });
  const who = el("div", { class: "plain-who" }, chip(seat), el("span", { class: "bd-name" }, seat.named()), points);
  return { element: el("li", { class: "bd-place", "data-seat": seat.seat }, who, line), points, line };
}
