/** A preview of the board at the pointer's step over the scrubber, up to the furthest step watched. */

import { el } from "./dom.js";
import { lastStep } from "./recording.js";
import { fill, gettext } from "./i18n.js";

const EDGE_PX = 8; // at both ends of the track, outside the first and the last step

/**
 * Show the preview over `track`, a positioned element. `createBoard` is the game's; `seats()` are in table order. Touch
 * and keys need no preview: the board itself follows them.
 */
export function createPeek(playhead, { track, createBoard, seats }) {
  const stage = el("div", { class: "rp-peek-stage" });
  const text = el("p", { class: "number" });
  const element = el("div", { class: "rp-peek", "aria-hidden": "true", hidden: true }, stage, text);
  let board = { game: -1 };
  let shown = {};

  const draw = (frame) => {
    const { recording, pov } = playhead;
    if (board.game !== recording.game) {
      board = { game: recording.game, ...createBoard(seats()) };
      stage.replaceChildren(board.element);
    }
    if (shown.frame !== frame || shown.pov !== pov) board.show(frame, { pov: pov - 1, passed: [], pace: 1 });
    shown = { frame, pov };
  };

  const look = ({ clientX, pointerType }) => {
    const { recording, horizon } = playhead;
    const last = lastStep(recording);
    element.hidden = pointerType === "touch" || !last;
    if (element.hidden) return;
    const { left, width } = track.getBoundingClientRect();
    const share = Math.min(Math.max((clientX - left - EDGE_PX) / (width - 2 * EDGE_PX), 0), 1);
    const step = Math.round(share * last);
    element.style.transform = `translateX(${share * (width - element.offsetWidth)}px)`; // stays inside the track
    text.textContent = fill(step > horizon ? gettext("Step %(step)s: not watched yet") : gettext("Step %(step)s"), { step });
    stage.hidden = step > horizon;
    if (!stage.hidden) draw(recording.frames[step]);
  };
  const away = () => (element.hidden = true);

  track.append(element);
  // Not "pointerenter": it also fires when the end card closes under a resting pointer, and the preview would cover the
  // board.
  track.addEventListener("pointermove", look);
  track.addEventListener("pointerleave", away);
}
