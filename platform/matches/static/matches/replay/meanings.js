/** What a piece on the board means, for a moment, where somebody points at it or taps it. */

import { el } from "./dom.js";

const SHOWN_MS = 4000;

/** `meaning(piece)` is the game's: a text, or null where nothing is to be said. */
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
  const tell = (event) => {
    const shown = show(event.target);
    if (!shown && event.type === "pointerover") hide();
    if (shown && event.type === "pointerup") event.stopPropagation(); // a tap on it is not one for the next move
  };
  stage.addEventListener("pointerover", tell);
  stage.addEventListener("pointerup", tell, { capture: true });
  const pointed = [...stage.querySelectorAll(":hover")].at(-1);
  if (pointed) show(pointed); // the pointer may lie there before this file has come
  return element;
}
