/** The players' places: name, worms, the stack, of which only the top can be stolen, and other belongings. */

import { chip, el, svg } from "../../dom.js";
import { fill, gettext, ngettext } from "../../i18n.js";
import { hold } from "../../motion.js";
import { tile, worm } from "./pieces.js";
import { glow } from "./reach.js";

const NOTHING = { now: null, near: [] };

/**
 * Create the places. Return { element, show, place, roller }. `createBelongings()`, if any, returns the part below a
 * stack: { element, show(view, position) }.
 */
export function createPlayers(seats, createBelongings) {
  const places = seats.map((seat) => createPlace(seat, createBelongings?.()));
  const element = el("ol", { class: "bd-places pk-players", "data-count": seats.length }, ...places.map((place) => place.element));

  const show = (frame, pov, reached, wait) => {
    const { key, view } = frame;
    const active = key ? view.last.seat : Math.max(view.actor, frame.actor);
    places.forEach((place, position) => {
      place.element.toggleAttribute("data-active", position === active);
      place.element.toggleAttribute("data-pov", seats[position].seat === pov);
      place.show(view.stacks[position], view.worms[position], position === active ? null : reached, wait);
      place.belongings?.show(view, position);
      place.lose(lostBy(frame, position), wait);
    });
  };
  const place = (position) => places[position]?.element;
  const roller = ({ key, view }) => place(key ? view.last.seat : Math.max(view.actor, 0));
  return { element, show, place, roller };
}

function createPlace(seat, belongings) {
  const stack = el("div", { class: "pk-stack", "aria-hidden": "true" });
  const number = el("span");
  const worms = el("span", { class: "bd-worms" }, number, svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, worm()));
  const name = el("span", { class: "bd-name" }, seat.named());
  const loss = el("span", { class: "pk-loss", "aria-hidden": "true" });
  const element = el("li", { class: "bd-place pk-player", "data-seat": seat.seat }, el("div", { class: "pk-who" }, chip(seat), name, worms), stack, belongings?.element, loss);
  let shown = null;
  let due = null;

  const show = (tiles, count, reached, wait) => {
    due = count;
    const write = () => due === count && (number.textContent = count); // unless the next turn has begun
    const until = wait?.hold ? hold(worms, { opacity: 1 }, { ms: wait.hold, pace: wait.pace }) : null;
    if (until) until.finished.then(write, write);
    else write();
    const owned = fill(ngettext("%(count)s worm", "%(count)s worms", count), { count });
    const under = fill(ngettext("%(count)s tile", "%(count)s tiles", tiles.length), { count: tiles.length });
    worms.title = fill(gettext("%(worms)s on %(tiles)s"), { worms: owned, tiles: under });
    if (String(tiles) !== shown) stack.replaceChildren(...tiles.map((number) => tile(number)));
    shown = String(tiles);
    if (tiles.length) glow(stack.lastElementChild, reached ? tiles.at(-1) : 0, reached ?? NOTHING, wait);
  };
  const lose = (tile, { hold: ms, pace } = {}) => {
    loss.textContent = tile ? fill(gettext("lost %(tile)s"), { tile }) : "";
    if (tile && ms) hold(loss, { opacity: 0 }, { ms, pace });
  };
  return { element, show, lose, belongings };
}

/** Return the tile that the seat at `position` lost at the end of a turn: stolen, or returned to the grill. */
function lostBy({ key, view }, position) {
  if (!key) return null;
  const { event, from, returned, seat, tile } = view.last;
  if (event === "steal" && from === position) return tile;
  return event === "bust" && seat === position ? returned : null;
}
