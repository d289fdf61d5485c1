/** The story so far: every move in words, to jump from. One stop for the Tab key, with arrows up and down inside. */

import { chip, el } from "./dom.js";
import { gettext } from "./i18n.js";

/** `tell(beat, film)` gives a beat's sentences, `seatOf(beat)` the seat it is about, if any. */
export function createEvents(playhead, { tell, seatOf }) {
  const list = el("ol", { class: "rp-events", "aria-label": gettext("Moves"), keydown: (event) => walk(event) });
  let shown = { film: null, beats: 0 };
  let current = null;
  let door = null; // the button that Tab leads to

  const walk = (event) => {
    const beside = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    const button = beside && event.target.closest("li")?.[beside]?.firstElementChild;
    if (!button) return;
    event.preventDefault();
    button.focus();
  };

  const row = (film, beat) => {
    const { key } = film.frames.slice(beat.first, beat.last + 1).findLast((frame) => frame.key) ?? {};
    const seat = seatOf(beat, film);
    const step = el("span", { class: "rp-step number" }, String(beat.last));
    const click = () => playhead.toStep(beat.last);
    return el("li", {}, el("button", { type: "button", tabindex: -1, "data-event": key, "data-step": beat.last, click }, seat ? chip(seat) : el("span", { class: "rp-nobody" }), el("span", {}, tell(beat, film)), step));
  };

  const follow = () => {
    const panel = list.closest(".rp-panel");
    if (current && panel) panel.scrollTop = current.parentElement.offsetTop - panel.clientHeight / 2;
  };

  const show = () => {
    const { film, step, horizon } = playhead;
    if (film.game !== shown.film?.game || film.beats.length < shown.beats) {
      list.replaceChildren();
      shown = { film, beats: 0 };
      current = door = null;
    }
    const fresh = [];
    while (film.beats[shown.beats]?.last <= horizon) fresh.push(row(film, film.beats[shown.beats++]));
    list.append(...fresh);
    shown.film = film;
    const at = film.beats.findLastIndex(({ last }) => last <= step);
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

  // While the list is not shown it cannot be scrolled.
  let height = 0;
  new ResizeObserver(() => {
    if (!height) follow();
    height = list.offsetHeight;
  }).observe(list);
  return { element: list, show };
}
