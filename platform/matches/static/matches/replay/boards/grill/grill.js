/** The grill: every tile in its place, face up, face down or gone. */

import { el } from "../../dom.js";
import { tile } from "./pieces.js";
import { glow } from "./reach.js";

/**
 * Create the grill for tiles with these numbers. Return { element, places, show }; `places` maps a number to the
 * element below the tile.
 */
export function createGrill(numbers) {
  const places = new Map(numbers.map((number) => [number, el("span", { class: "pk-place" }, tile(number))]));
  const element = el("div", { class: "iron pk-grill", "aria-hidden": "true" }, ...places.values());

  /** Show a frame. `reached` is the result of reach() for it; changes of it wait for `wait`, { hold, pace }. */
  const show = ({ key, view }, reached, wait) => {
    const faceUp = new Set(view.grill);
    const faceDown = new Set(view.facedown);
    for (const [number, place] of places) {
      place.dataset.state = faceUp.has(number) ? "up" : faceDown.has(number) ? "down" : "taken";
      glow(place, faceUp.has(number) ? number : 0, reached, wait);
      place.toggleAttribute("data-returned", Boolean(key) && view.last.returned === number);
    }
  };
  return { element, places, show };
}
