/** The board as it was, or will be, where the pointer is over the scrubber; nothing that the viewer has yet to see. */

import { el } from "./dom.js";
import { lastStep } from "./film.js";
import { fill, gettext } from "./i18n.js";

const EDGE_PX = 8; // of the track on either side, beyond the first and the last step

/**
 * Shows it over `track`, which is positioned. `createBoard` is that of the game, `seats()` are those of the table. A finger
 * that moves the slider sees the board itself follow, and keys lead through the list of moves: both need no more.
 */
export function createPeek(playhead, { track, createBoard, seats }) {
  const stage = el("div", { class: "rp-peek-stage" });
  const words = el("p", { class: "number" });
  const element = el("div", { class: "rp-peek", "aria-hidden": "true", hidden: true }, stage, words);
  let board = { game: -1 };
  let shown = {};

  const draw = (frame) => {
    const { film, pov } = playhead;
    if (board.game !== film.game) {
      board = { game: film.game, ...createBoard(seats()) };
      stage.replaceChildren(board.element);
    }
    if (shown.frame !== frame || shown.pov !== pov) board.show(frame, { pov: pov - 1, passed: [], pace: 1 });
    shown = { frame, pov };
  };

  const look = ({ clientX, pointerType }) => {
    const { film, horizon } = playhead;
    const last = lastStep(film);
    element.hidden = pointerType === "touch" || !last;
    if (element.hidden) return;
    const { left, width } = track.getBoundingClientRect();
    const share = Math.min(Math.max((clientX - left - EDGE_PX) / (width - 2 * EDGE_PX), 0), 1);
    const step = Math.round(share * last);
    element.style.transform = `translateX(${share * (width - element.offsetWidth)}px)`; // inside the track wherever it points
    words.textContent = fill(step > horizon ? gettext("Step %(step)s: not watched yet") : gettext("Step %(step)s"), { step });
    stage.hidden = step > horizon;
    if (!stage.hidden) draw(film.frames[step]);
  };
  const away = () => (element.hidden = true);

  track.append(element);
  // Not "pointerenter": it also comes to a pointer that rests where the end card was, and would cover what the card uncovers.
  track.addEventListener("pointermove", look);
  track.addEventListener("pointerleave", away);
}
