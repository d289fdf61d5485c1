/** Show the meaning of a piece for a moment when it is pointed at or tapped. */

import { el } from "./dom.js";

const SHOWN_MS = 4000;

/** Create the element. `meaning(piece)`, from the game's module, returns a text or null. */
export function createMeanings(stage, meaning) {
  const element = el("p", { class: "rp-meaning", role: "status", hidden: true });
  let timer = 0;
  const hide = () => {
    clearTimeout(timer);
    element.hidden = true;
  };
  const show = (piece) => {
    const text = meaning(piece);
    if (!text) return false;
    element.textContent = text;
    element.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(hide, SHOWN_MS);
    return true;
  };
  const onPointer = (event) => {
    const shown = show(event.target);
    if (!shown && event.type === "pointerover") hide();
    if (shown && event.type === "pointerup") event.stopPropagation(); // the tap does not also lead to the next move
  };
  stage.addEventListener("pointerover", onPointer);
  stage.addEventListener("pointerup", onPointer, { capture: true });
  const pointed = [...stage.querySelectorAll(":hover")].at(-1);
  if (pointed) show(pointed); // the pointer may already be over a piece
  return element;
}
