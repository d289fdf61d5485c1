/** The board: the grill with its specialists, dice, bratworms, and the players' places. */

import { el } from "../../dom.js";
import { fill, gettext } from "../../i18n.js";
import { createDice } from "../grill/dice.js";
import { createGrill } from "../grill/grill.js";
import { createPlayers } from "../grill/players.js";
import { reach } from "../grill/reach.js";
import { endTurn, hold } from "../grill/turn.js";
import { note, summary } from "../grill/texts.js";
import { bratworm, figure, nameOf, SPECIALISTS } from "./specialists.js";

const TILES = [11, 13, ...Array.from({ length: 16 }, (_, i) => 21 + i)];

export function createBoard(seats) {
  const grill = createGrill(TILES);
  const supply = el("span", { class: "hk-supply" });
  grill.element.append(supply);
  const dice = createDice(noteOf);
  const players = createPlayers(seats, createBelongings);
  const figures = new Map(SPECIALISTS.map((name) => [name, el("span", { class: "hk-stand" }, figure(name))]));
  const table = el("div", { class: "pk-table" }, grill.element, dice.element);
  const element = el("div", { class: "bd-board iron-board pk-board hk-board", role: "group" }, table, players.element);

  const show = (frame, { pov, ...motion }) => {
    const { view } = frame;
    const reached = reach(frame);
    element.setAttribute("aria-label", summary(view, seats, lying(view), reached));
    const wait = { hold: hold("", "", motion.passed), pace: motion.pace };
    grill.show(frame, reached, wait);
    for (const [name, stand] of figures) place(stand, view.specialists[name], grill.places);
    supply.replaceChildren(...Array.from({ length: view.supply }, bratworm));
    players.show(frame, pov, reached, wait);
    dice.show(frame, seats, { ...motion, from: players.roller });
    endTurn(motion, grill, players);
  };
  return { element, show, hold };
}

/** Move a figure to its tile. Remove it if it has an owner, or is out of the game. */
function place(stand, where, places) {
  if (stand.dataset.where === where) return;
  stand.dataset.where = where;
  const [kind, number] = where.split(" ");
  if (kind === "tile") places.get(Number(number)).append(stand);
  else stand.remove();
}

/** Create the part of a place that shows the player's specialist and bratworms. */
function createBelongings() {
  const specialist = el("span", { class: "hk-owned" });
  const bratworms = el("span", { class: "hk-bratworms", role: "img" });
  const element = el("div", { class: "hk-belongings" }, specialist, bratworms);
  let shown = null;

  const show = (view, position) => {
    const name = SPECIALISTS.find((one) => view.specialists[one] === `seat ${position}`) ?? "";
    const count = view.bratworms[position];
    if (shown === name + count) return;
    shown = name + count;
    specialist.replaceChildren(...(name ? [figure(name), el("span", {}, nameOf(name))] : []));
    bratworms.replaceChildren(...Array.from({ length: count }, bratworm));
    bratworms.setAttribute("aria-label", fill(gettext("bratworms: %(count)s"), { count }));
  };
  return { element, show };
}

/** Return the tiles on the grill with the specialists on them, as text. */
function lying({ grill, specialists }) {
  const standing = (tile) => SPECIALISTS.find((name) => specialists[name] === `tile ${tile}`);
  return grill.map((tile) => (standing(tile) ? `${tile} (${nameOf(standing(tile))})` : tile)).join(", ");
}

function noteOf({ key, view }, aside, seats) {
  if (!key) return aside.W || !view.sum ? "" : withoutWorm(view);
  const { event, tile, from } = view.last;
  if (event === "steal" && !tile) return fill(gettext("takes the hen from %(other)s"), { other: seats[from].name });
  return note(view.last, seats);
}

function withoutWorm(view) {
  const canned = view.actor >= 0 && view.specialists.canned_worm === `seat ${view.actor}`;
  return canned ? gettext("and 5 in the can") : gettext("no worm yet");
}
