/** Elements over the board: announcements, and the button that starts the replay. */

import { el } from "./dom.js";
import { gettext } from "./i18n.js";
import { icon } from "./icons.js";
import { animate } from "./motion.js";

const SHOWN_MS = 1500;

/**
 * Create the start button. Return { element, show }. `isOver()` returns whether the match is over: a live match needs
 * no button.
 */
export function createPoster(playhead, { isOver }) {
  const element = el("button", { type: "button", class: "rp-poster", hidden: true, click: () => playhead.play() }, icon("play"), gettext("Watch the game"));
  const show = () => (element.hidden = !isOver() || playhead.playing || playhead.step > 0 || !playhead.frame);
  return { element, show };
}

/**
 * Create the announcements. Return { element, say }. With reduced motion, nothing appears; the sentence below the board
 * has the same content.
 */
export function createToast() {
  const element = el("p", { class: "rp-toast", "aria-hidden": "true" });
  const say = ({ text, kind }, pace) => {
    element.textContent = text;
    element.dataset.kind = kind;
    const [away, there] = [{ opacity: 0, transform: "scale(0.7)" }, { opacity: 1, transform: "none" }];
    animate(element, [away, { ...there, offset: 0.12 }, { ...there, offset: 0.8 }, { opacity: 0, transform: "none" }], { ms: SHOWN_MS, pace, easing: "linear" });
  };
  return { element, say };
}
