/** The pieces: cards, their backs, portions. */

import { el, svg } from "../../dom.js";
import { fill, gettext } from "../../i18n.js";
import { worm } from "../grill/pieces.js";

const place = (x, y, size) => svg("svg", { x, y, width: size, height: size, viewBox: "0 0 24 24" }, worm());

const text = (kind, x, y, content) => svg("text", { class: kind, x, y, "text-anchor": "middle" }, content);

/** Text that starts at the corner, so that large digits are not cut off. */
const corner = (kind, content) => svg("text", { class: kind, x: 4, y: 3, dy: "0.76em" }, content);

/** Return a card, "3" or "W7". Its corner, visible when other cards cover it, has its number or its worm number. */
export function card(name, kind = "") {
  const isWorm = name[0] === "W";
  const drawn = isWorm
    ? [corner("kk-tag", name.slice(1)), place(6, 20, 29)]
    : [corner("kk-corner", name), text("kk-face", 21, 44, name)];
  return el("span", { class: `kk-card ${kind}`, "data-type": name[0], "data-card": name }, svg(
    "svg",
    { viewBox: "0 0 40 56", "aria-hidden": "true" },
    svg("rect", { class: "kk-side", x: 1, y: 1, width: 38, height: 54, rx: 5 }),
    svg("path", { class: "kk-band", d: "M1 17 V6 A5 5 0 0 1 6 1 H34 A5 5 0 0 1 39 6 V17 Z" }),
    ...drawn,
  ));
}

/** Return the back of a card, with a hen's footprint. */
export const back = () =>
  el("span", { class: "kk-card kk-back" }, svg(
    "svg",
    { viewBox: "0 0 40 56", "aria-hidden": "true" },
    svg("rect", { class: "kk-side", x: 1, y: 1, width: 38, height: 54, rx: 5 }),
    svg("path", { class: "kk-foot", d: "M20 42 V18 M20 32 L11 21 M20 32 L29 21" }),
  ));

/** Return the number of worms on a portion in this game. */
export const wormsOn = (view, value) => view.options.worms[value ? value - 15 : 0];

/** Return a portion: its value above, its worms below. */
export function portion(value, worms) {
  return el("span", { class: "kk-portion tile", "data-portion": value, title: fill(gettext("Portion %(value)s, worms: %(worms)s"), { value, worms }) }, svg(
    "svg",
    { viewBox: "0 0 40 48", "aria-hidden": "true" },
    svg("rect", { class: "tile-side", x: 1, y: 1, width: 38, height: 46, rx: 7 }),
    text("tile-number", 20, 19, String(value)),
    ...wormPlaces(worms),
  ));
}

/** Return up to six worms in rows of three, or a count. */
function wormPlaces(worms) {
  if (worms > 6) return [text("kk-count", 13, 40, `${worms}×`), place(21, 28, 15)];
  return Array.from({ length: worms }, (_, at) => {
    const row = Math.floor(at / 3);
    const inRow = Math.min(worms - 3 * row, 3);
    const x = 20 - 6 * inRow + 12 * (at % 3) - 0.5;
    return place(x, (worms > 3 ? 21.5 : 27) + 12 * row, 13);
  });
}
