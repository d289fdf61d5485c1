/** The grill: every tile in its place, face up, face down or gone. */

import { el } from "../../dom.js";
import { tile } from "./pieces.js";

/** For the tiles with these numbers; `places` maps a number to the element that the tile lies on. */
export function createGrill(numbers) {
  const places = new Map(numbers.map((number) => [number, el("span", { class: "pk-place" }, tile(number))]));
  const element = el("div", { class: "iron pk-grill", "aria-hidden": "true" }, ...places.values());

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
  return { element, places, show };
}
