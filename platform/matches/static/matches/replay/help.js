/** The dialog with the list of keys. */

import { el } from "./dom.js";
import { gettext } from "./i18n.js";
import { KEYS, lettersAreOn, setLetters } from "./keys.js";

const TEXTS = {
  " ": () => gettext("play or pause"),
  ArrowLeft: () => gettext("one move back"),
  ArrowRight: () => gettext("one move forward"),
  "Shift+ArrowLeft": () => gettext("one turn back"),
  "Shift+ArrowRight": () => gettext("one turn forward"),
  ",": () => gettext("one step back"),
  ".": () => gettext("one step forward"),
  e: () => gettext("next event"),
  q: () => gettext("previous event"),
  Home: () => gettext("to the start of the game"),
  End: () => gettext("to the end"),
  "[": () => gettext("show less"),
  "]": () => gettext("show more"),
  f: () => gettext("next point of view"),
  1: () => gettext("point of view of that seat"),
  0: () => gettext("see everything"),
  x: () => gettext("full screen"),
  c: () => gettext("copy a link to this step"),
  "?": () => gettext("this help"),
};
const SIGNS = {
  " ": () => gettext("Space"),
  ArrowLeft: () => "←",
  ArrowRight: () => "→",
  "Shift+ArrowLeft": () => `${gettext("Shift")} ←`,
  "Shift+ArrowRight": () => `${gettext("Shift")} →`,
  Home: () => gettext("Home"),
  End: () => gettext("End"),
};

const signs = (keys) => (keys.length > 2 ? [`${keys[0]} – ${keys.at(-1)}`] : keys.map((key) => SIGNS[key]?.() ?? key));

export function createHelp() {
  const rows = KEYS.flatMap(({ keys }) => [
    el("dt", {}, ...signs(keys).map((key) => el("kbd", {}, key))),
    el("dd", {}, TEXTS[keys[0]]()),
  ]);
  const letters = el("input", { type: "checkbox", checked: lettersAreOn(), change: () => setLetters(letters.checked) });
  const choice = el("label", { class: "rp-letters" }, letters, gettext("Enable single-key shortcuts"));
  const close = el("button", { type: "button", class: "button small", click: () => element.close() }, gettext("Close"));
  const element = el("dialog", { class: "rp-help", "aria-label": gettext("Keys of the player") }, el("h3", {}, gettext("Keys of the player")), el("dl", {}, ...rows), choice, close);
  return element;
}
