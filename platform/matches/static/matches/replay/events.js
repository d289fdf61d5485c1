/** The list of moves so far, each a button that leads to it. It is one Tab stop; the arrow keys move inside. */

import { chip, el } from "./dom.js";
import { gettext } from "./i18n.js";

/**
 * Create the list. Return { element, show }. `describe(beat, recording)` returns the text of a beat, `seatOf(beat,
 * recording)` its seat, if any.
 */
export function createEvents(playhead, { describe, seatOf }) {
  const list = el("ol", { class: "rp-events", "aria-label": gettext("Moves"), keydown: (event) => walk(event) });
  let shown = { recording: null, beats: 0 };
  let current = null;
  let door = null; // the button that Tab focuses

  const walk = (event) => {
    const beside = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    const button = beside && event.target.closest("li")?.[beside]?.firstElementChild;
    if (!button) return;
    event.preventDefault();
    button.focus();
  };

  const row = (recording, beat) => {
    const { key } = recording.frames.slice(beat.first, beat.last + 1).findLast((frame) => frame.key) ?? {};
    const seat = seatOf(beat, recording);
    const step = el("span", { class: "rp-step number" }, String(beat.last));
    const click = () => playhead.toStep(beat.last);
    return el("li", {}, el("button", { type: "button", tabindex: -1, "data-event": key, "data-step": beat.last, click }, seat ? chip(seat) : el("span", { class: "rp-nobody" }), el("span", {}, describe(beat, recording)), step));
  };

  const follow = () => {
    const panel = list.closest(".rp-panel");
    if (current && panel) panel.scrollTop = current.parentElement.offsetTop - panel.clientHeight / 2;
  };

  const show = () => {
    const { recording, step, horizon } = playhead;
    if (recording.game !== shown.recording?.game || recording.beats.length < shown.beats) {
      list.replaceChildren();
      shown = { recording, beats: 0 };
      current = door = null;
    }
    const fresh = [];
    while (recording.beats[shown.beats]?.last <= horizon) fresh.push(row(recording, recording.beats[shown.beats++]));
    list.append(...fresh);
    shown.recording = recording;
    const at = recording.beats.findLastIndex(({ last }) => last <= step);
    const latest = list.children[at]?.firstElementChild ?? null;
    door?.setAttribute("tabindex", -1);
    door = latest ?? list.querySelector("button");
    door?.setAttribute("tabindex", 0);
    if (latest === current) return;
    current?.removeAttribute("aria-current");
    latest?.setAttribute("aria-current", "step");
    current = latest;
    if (!list.matches(":hover, :focus-within")) follow();
  };

  // A hidden list cannot be scrolled.
  let height = 0;
  new ResizeObserver(() => {
    if (!height) follow();
    height = list.offsetHeight;
  }).observe(list);
  return { element: list, show };
}
