/** The result below the player, hidden until the viewer reveals it here or shows the whole game. */

const RESULT = "[data-result]"; // contains the result; has `data-concealed` while hidden

/** Create the veil. Return { show, close }. `isOver()` returns whether the match is over; there is no result before. */
export function createVeil(playhead, { isOver }, signal) {
  const result = document.querySelector(RESULT);

  const show = () => {
    if (!result || !isOver()) return;
    const { concealed, frame, game, games } = playhead;
    if (frame?.key === "end" && game + 1 >= games) result.setAttribute("data-watched", "");
    if (!concealed) result.removeAttribute("data-concealed");
  };

  /** Call this when the match has ended: viewers who are behind see the rest before the result. */
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
