/** The result below the player: behind a curtain until the viewer asks for it, here or by showing the whole game. */

import { el } from "./dom.js";

const RESULT = "[data-result]"; // around what is told of the result; `data-concealed` while it is not, `data-face` the style of its headings

/** `isOver()` says whether the match is: before that there is no result. */
export function createVeil(playhead, { isOver }, signal) {
  const result = document.querySelector(RESULT);

  const unveil = () => {
    const { face } = result.dataset;
    if (face) document.head.append(el("link", { rel: "stylesheet", href: face }));
    for (const name of ["data-face", "data-concealed"]) result.removeAttribute(name);
  };

  const show = () => {
    if (!result || !isOver()) return;
    const { concealed, frame, game, games } = playhead;
    if (frame?.key === "end" && game + 1 >= games) result.setAttribute("data-watched", "");
    if (!concealed) unveil();
  };

  /** The match has just ended, and its result is about to come: who is behind sees the rest first. */
  const close = () => {
    result?.toggleAttribute("data-concealed", playhead.concealed);
    show();
  };

  const onClick = (event) => {
    if (!event.target.closest?.("[data-reveal]")) return;
    playhead.reveal();
    unveil();
    result.focus({ preventScroll: true }); // the button is gone
  };
  result?.addEventListener("click", onClick, { signal });
  return { show, close };
}
