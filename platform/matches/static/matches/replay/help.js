/** The list of keys, in a dialog. */

import { el } from "./dom.js";
import { gettext } from "./i18n.js";
import { KEYS, lettersAreOn, setLetters } from "./keys.js";

export function createHelp() {
  const rows = KEYS.flatMap(({ shown, text }) => [
    el("dt", {}, ...shown.map((key) => el("kbd", {}, key))),
    el("dd", {}, text()),
  ]);
  const letters = el("input", { type: "checkbox", checked: lettersAreOn(), change: () => setLetters(letters.checked) });
  const choice = el("label", { class: "rp-letters" }, letters, gettext("Enable single-key shortcuts"));
  const close = el("button", { type: "button", class: "button small", click: () => element.close() }, gettext("Close"));
  const element = el("dialog", { class: "rp-help", "aria-label": gettext("Keys of the player") }, el("h3", {}, gettext("Keys of the player")), el("dl", {}, ...rows), choice, close);
  return element;
}
