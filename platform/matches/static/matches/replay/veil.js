/** The result below the player: behind a curtain until the viewer asks for it, here or by showing the whole game. */

const RESULT = "[data-result]"; // around what is told of the result; `data-concealed` while it is not

/** `isOver()` says whether the match is: before that there is no result. */
export function createVeil(playhead, { isOver }, signal) {
  const result = document.querySelector(RESULT);

  const show = () => {
    if (!result || !isOver()) return;
    const { concealed, frame, game, games } = playhead;
    if (frame?.key === "end" && game + 1 >= games) result.setAttribute("data-watched", "");
    if (!concealed) result.removeAttribute("data-concealed");
  };

  /** The match has just ended, and its result is about to come: who is behind sees the rest first. */
  const close = () => {
    result?.toggleAttribute("data-concealed", playhead.concealed);
    show();
  };

  const onClick = (event) => {
    if (!event.target.closest?.("[data-reveal]")) return;
    playhead.reveal();
    result.removeAttribute("data-concealed");
    result.focus({ preventScroll: true }); // the button is gone
  };
  result?.addEventListener("click", onClick, { signal });
  return { show, close };
}
