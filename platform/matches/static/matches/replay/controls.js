/** The bar below the board: everything that a key does, for the hand. */

import { el } from "./dom.js";
import { lastStep } from "./film.js";
import { fill, gettext } from "./i18n.js";
import { icon } from "./icons.js";
import { SPEEDS } from "./playhead.js";

export function createControls(playhead, seats, page) {
  const button = (sign, text, key, run) =>
    el("button", { type: "button", class: "rp-button", "aria-label": text, title: `${text} (${key})`, click: run }, icon(sign));
  const play = button("play", gettext("Play"), "k", () => playhead.toggle());
  const slider = el("input", {
    type: "range", class: "rp-slider", min: 0, max: 0, step: 1, "aria-label": gettext("Step"),
    input: () => playhead.toStep(slider.valueAsNumber),
  });
  const count = el("span", { class: "rp-count number" });
  const speed = select(gettext("Speed"), SPEEDS.map((value) => [value, `${value}×`]), (value) => playhead.setSpeed(Number(value)));
  const pov = select(
    gettext("Point of view"),
    [[0, gettext("everything")], ...seats.map((seat) => [seat.seat + 1, `${seat.letter} ${seat.name}`])],
    (value) => playhead.setPov(Number(value)),
  );
  const copied = el("span", { class: "rp-copied", role: "status" });
  const link = button("link", gettext("Copy a link to this step"), "c", () => page.copyLink());
  const help = el("button", { type: "button", class: "rp-button", "aria-label": gettext("Keys"), title: `${gettext("Keys")} (?)`, click: () => page.help() }, "?");

  const element = el(
    "div",
    { class: "rp-controls" },
    el("div", { class: "rp-scrub" }, slider, count),
    el(
      "div",
      { class: "rp-buttons", role: "group", "aria-label": gettext("Player") },
      button("start", gettext("Start of the game"), "Home", () => playhead.toStart()),
      button("turnBack", gettext("Turn back"), "Shift ←", () => playhead.byTurn(-1)),
      button("back", gettext("Step back"), "←", () => playhead.byStep(-1)),
      play,
      button("on", gettext("Step on"), "→", () => playhead.byStep(1)),
      button("turnOn", gettext("Turn on"), "Shift →", () => playhead.byTurn(1)),
      button("end", gettext("End of the game"), "End", () => playhead.toEnd()),
    ),
    el("div", { class: "rp-options" }, speed.label, pov.label, link, help, copied),
  );

  const show = () => {
    const last = lastStep(playhead.film);
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
    speed.field.value = playhead.speed;
    pov.field.value = playhead.pov;
  };
  const sayCopied = (text) => {
    copied.textContent = text;
    setTimeout(() => (copied.textContent = ""), 2500);
  };
  return { element, show, sayCopied };
}

function select(text, choices, choose) {
  const options = choices.map(([value, shown]) => el("option", { value }, shown));
  const field = el("select", { change: () => choose(field.value) }, ...options);
  return { field, label: el("label", { class: "rp-select" }, el("span", {}, text), field) };
}
