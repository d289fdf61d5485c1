/** The table: grill, dice and everyone's stack. Built once per game, then told what to show. */

import { el } from "../../dom.js";
import { fill, gettext } from "../../i18n.js";
import { createDice } from "./dice.js";
import { tile } from "./pieces.js";
import { createPlayers } from "./players.js";

const TILES = Array.from({ length: 16 }, (_, i) => 21 + i);

export function createBoard(seats) {
  const grill = createGrill();
  const dice = createDice();
  const players = createPlayers(seats);
  const table = el("div", { class: "pk-table" }, grill.element, dice.element);
  const element = el("div", { class: "pk-board", role: "group" }, table, players.element);

  const show = (frame, { pov, moved }) => {
    element.setAttribute("aria-label", summary(frame.view, seats));
    grill.show(frame);
    dice.show(frame, seats, moved);
    players.show(frame, pov);
  };
  return { element, show };
}

function createGrill() {
  const places = new Map(TILES.map((number) => [number, el("span", { class: "pk-place" }, tile(number))]));
  const element = el("div", { class: "pk-grill", "aria-hidden": "true" }, ...places.values());

  const show = ({ key, view }) => {
    const faceUp = new Set(view.grill);
    const faceDown = new Set(view.facedown);
    const wanted = key ? 0 : view.sum;
    for (const [number, place] of places) {
      place.dataset.state = faceUp.has(number) ? "up" : faceDown.has(number) ? "down" : "taken";
      place.toggleAttribute("data-wanted", number === wanted && faceUp.has(number));
      place.toggleAttribute("data-returned", Boolean(key) && view.last.returned === number);
    }
  };
  return { element, show };
}

/** The position in words, for those who do not see it. */
function summary(view, seats) {
  const worms = seats.map((seat, position) => `${seat.name} ${view.worms[position]}`).join(", ");
  return fill(gettext("On the grill: %(grill)s. Worms: %(worms)s."), { grill: view.grill.join(" ") || "–", worms });
}
