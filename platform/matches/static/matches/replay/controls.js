/** The bar below the board: the scrubber and a button for each key. */

import { el } from "./dom.js";
import { lastStep } from "./recording.js";
import { fill, gettext } from "./i18n.js";
import { icon } from "./icons.js";
import { createMap } from "./map.js";
import { TEMPOS } from "./tempo.js";

/**
 * Create the bar. Return { element, options, track, show, showMap, sayCopied }.
 * `seatOf(beat, recording)` returns the seat that a beat is about; the "More" button opens `rail` on phones; `hero` is
 * the graph over the scrubber. `local` hides the link, because the replay has no address; without `hands` there is no
 * point of view to choose.
 */
export function createControls(playhead, seats, page, { seatOf, rail, hero, local = false, hands = true }) {
  const button = (sign, text, key, run, extra = "") =>
    el("button", { type: "button", class: `rp-button ${extra}`, "aria-label": text, title: key ? `${text} (${key})` : text, click: run }, icon(sign));
  const play = button("play", gettext("Play"), "k", () => playhead.toggle(), "rp-play");
  const slider = el("input", {
    type: "range", class: "rp-slider", min: 0, max: 0, step: 1, "aria-label": gettext("Step"),
    input: () => playhead.toStep(slider.valueAsNumber),
  });
  const map = createMap(playhead, { seatOf });
  const count = el("span", { class: "rp-count number" });
  const tempo = select(gettext("Tempo"), TEMPOS.map(([name, text]) => [name, text()]), (value) => playhead.setTempo(value));
  const pov = select(
    gettext("Point of view"),
    [[0, gettext("All hands visible")], ...seats.map((seat) => [seat.seat + 1, `${seat.letter} ${seat.name}`])],
    (value) => playhead.setPov(Number(value)),
  );
  const copied = el("span", { class: "rp-copied", role: "status" });
  const link = button("link", gettext("Copy a link to this step"), "c", () => page.copyLink());
  const full = button("full", gettext("Full screen"), "x", () => page.fullScreen());
  const help = el("button", { type: "button", class: "rp-button", "aria-label": gettext("Keys"), title: `${gettext("Keys")} (?)`, click: () => page.help() }, "?");
  const more = button("more", gettext("Story, graph and choices"), "", () => rail.togglePopover?.(), "rp-more");
  const options = el("div", { class: "rp-options" }, tempo.label, hands ? pov.label : null, local ? null : link, full, help);

  const track = el("div", { class: "rp-track" }, hero.element, map.element, slider);
  const element = el(
    "div",
    { class: "rp-controls" },
    el("div", { class: "rp-scrub" }, hero.legend, count, track),
    el(
      "div",
      { class: "rp-buttons", role: "group", "aria-label": gettext("Player") },
      button("start", gettext("Start of the game"), "Home", () => playhead.toStart(), "rp-far"),
      button("turnBack", gettext("Previous turn"), "Shift ←", () => playhead.byTurn(-1)),
      button("back", gettext("Previous move"), "←", () => playhead.byBeat(-1)),
      play,
      button("on", gettext("Next move"), "→", () => playhead.byBeat(1)),
      button("turnOn", gettext("Next turn"), "Shift →", () => playhead.byTurn(1)),
      button("end", gettext("End of the game"), "End", () => playhead.toEnd(), "rp-far"),
      more,
    ),
    options,
    copied,
  );

  const show = () => {
    const last = lastStep(playhead.recording);
    const text = playhead.playing ? gettext("Pause") : gettext("Play");
    if (play.getAttribute("aria-label") !== text) {
      play.setAttribute("aria-label", text);
      play.title = `${text} (k)`;
      play.replaceChildren(icon(playhead.playing ? "pause" : "play"));
    }
    slider.max = last;
    slider.value = playhead.step;
    slider.setAttribute("aria-valuetext", fill(gettext("step %(step)s of %(last)s"), { step: playhead.step, last }));
    count.textContent = `${playhead.step} / ${last}`;
    tempo.field.value = playhead.tempo;
    pov.field.value = playhead.pov;
    pov.label.hidden = playhead.held;
  };
  const sayCopied = (text) => {
    copied.textContent = text;
    setTimeout(() => (copied.textContent = ""), 2500);
  };
  return { element, options, track, show, showMap: map.show, sayCopied };
}

/** Wrap a field with its label below it. */
export const labelled = (field) => el("span", { class: "rp-select" }, el("span", { "aria-hidden": "true" }, field.ariaLabel), field);

/** Create a <select> from `choices`, [[value, text]]. Return { field, label }. */
export function select(text, choices, choose) {
  const options = choices.map(([value, shown]) => el("option", { value }, shown));
  // Without focus, the arrow keys control the player again.
  const field = el("select", { "aria-label": text, change: () => (choose(field.value), field.blur()) }, ...options);
  return { field, label: labelled(field) };
}
