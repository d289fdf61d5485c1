/** What happened in the game, as a list to jump from: one stop for the Tab key, with arrows up and down inside. */

import { chip, el } from "./dom.js";
import { keyFrames } from "./film.js";
import { gettext } from "./i18n.js";

/** `tell(frame)` gives a frame's sentence, `seatOf(frame)` the seat it is about. */
export function createEvents(playhead, { tell, seatOf }) {
  const list = el("ol", { class: "rp-events", keydown: (event) => walk(event) });
  const element = el("section", { class: "rp-side" }, el("h3", {}, gettext("Events")), list);
  let shown = null;
  let current = null;
  let door = null; // the button that Tab leads to

  const walk = (event) => {
    const beside = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    const button = beside && event.target.closest("li")?.[beside]?.firstElementChild;
    if (!button) return;
    event.preventDefault();
    button.focus();
  };

  const row = (frame) => {
    const step = el("span", { class: "rp-step number" }, String(frame.n));
    const click = () => playhead.toStep(frame.n);
    return el("li", {}, el("button", { type: "button", tabindex: -1, "data-event": frame.key, "data-step": frame.n, click }, chip(seatOf(frame)), el("span", {}, tell(frame)), step));
  };

  const show = () => {
    const { film, step } = playhead;
    if (film !== shown) {
      const frames = keyFrames(film);
      const known = shown?.game === film.game ? list.children.length : 0; // a film only ever grows
      if (!known) list.replaceChildren();
      list.append(...frames.slice(known).map(row));
      shown = film;
    }
    const latest = [...list.querySelectorAll("button")].findLast((button) => Number(button.dataset.step) <= step) ?? null;
    door?.setAttribute("tabindex", -1);
    door = latest ?? list.querySelector("button");
    door?.setAttribute("tabindex", 0);
    if (latest === current) return;
    current?.removeAttribute("aria-current");
    latest?.setAttribute("aria-current", "step");
    current = latest;
    if (latest && !list.matches(":hover, :focus-within")) list.scrollTop = latest.parentElement.offsetTop - list.clientHeight / 2;
  };
  return { element, show };
}
