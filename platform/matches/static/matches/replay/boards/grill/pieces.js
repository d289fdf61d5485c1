/** The pieces: worm, die, tile. */

import { el, svg } from "../../dom.js";

/** Return the number of worms on a tile: 11 and 13 one, 21-24 one, 25-28 two, 29-32 three, 33-36 four. */
export const wormsOn = (tile) => Math.max(1, Math.floor((tile - 17) / 4));

const PIPS = {
  1: [[12, 12]],
  2: [[7, 7], [17, 17]],
  3: [[7, 7], [12, 12], [17, 17]],
  4: [[7, 7], [17, 7], [7, 17], [17, 17]],
  5: [[7, 7], [17, 7], [12, 12], [7, 17], [17, 17]],
};

/** Return a roasted worm in a box of 24 by 24: a body of one stroke, its light side, grill marks and an eye. */
export function worm() {
  const body = "M3.6 16.2 C5.4 20.6 9.6 19.6 10.4 15.2 C11.2 10.6 14.6 9.4 16.2 12.4 C17.4 14.8 20.2 13.8 20.4 9.2";
  return svg(
    "g",
    { class: "worm" },
    svg("path", { class: "worm-body", d: body }),
    svg("path", { class: "worm-light", d: "M11.9 12.6 C12.8 10.6 14.2 10.6 15 11.8" }),
    svg("path", { class: "worm-mark", d: "M6.4 17.1 L8 19.2 M9.4 14.4 L11.6 15.4 M16.6 14.4 L18 12.6" }),
    svg("circle", { class: "worm-eye", cx: 20.1, cy: 8.6, r: 0.9 }),
  );
}

/**
 * Return a die that shows `face` ("1" to "5", "W"), or a blank one for "". `kind` is its class: rolled, kept, waiting,
 * golden.
 */
export function die(face, kind) {
  const pips = (PIPS[face] ?? []).map(([cx, cy]) => svg("circle", { class: "pip", cx, cy, r: 2.1 }));
  const content = face === "W" ? [svg("svg", { x: 2.5, y: 1.8, width: 19, height: 19, viewBox: "0 0 24 24" }, worm())] : pips;
  const side = svg("rect", { class: "die-side", x: 1, y: 1, width: 22, height: 22, rx: 5 });
  return svg("svg", { class: `die ${kind}`, viewBox: "0 0 24 24", "data-face": face }, side, ...content);
}

/** Return a tile: its number above, its worms below, and a hen's footprint on its back. */
export function tile(number) {
  const worms = wormsOn(number);
  const size = worms === 1 ? 17 : 15;
  const places = { 1: [[11.5, 33]], 2: [[3, 33], [21, 33]], 3: [[12.5, 26], [3, 36], [22, 36]], 4: [[3, 25.5], [22, 25.5], [3, 36], [22, 36]] };
  return el("span", { class: "tile", "data-tile": number }, svg(
    "svg",
    { viewBox: "0 0 40 56", "aria-hidden": "true" },
    svg("rect", { class: "tile-side", x: 1, y: 1, width: 38, height: 54, rx: 6 }),
    svg("path", { class: "tile-rule", d: "M6 25.5 H34" }),
    svg("path", { class: "tile-back", d: "M20 42 V22 M20 33 L12 23 M20 33 L28 23" }),
    svg("text", { class: "tile-number", x: 20, y: 20, "text-anchor": "middle" }, String(number)),
    ...places[worms].map(([x, y]) => svg("svg", { x, y, width: size, height: size, viewBox: "0 0 24 24" }, worm())),
  ));
}
