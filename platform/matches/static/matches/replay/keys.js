/** The keyboard: what each key does, and the same list as the help shows it. */

import { gettext } from "./i18n.js";
import { keep, kept } from "./memory.js";

export const KEYS = [
  { keys: [" ", "k"], shown: ["Space", "k"], text: () => gettext("play or pause"), run: (p) => p.toggle() },
  { keys: ["ArrowLeft"], shown: ["←"], text: () => gettext("one move back"), run: (p) => p.byBeat(-1) },
  { keys: ["ArrowRight"], shown: ["→"], text: () => gettext("one move on"), run: (p) => p.byBeat(1) },
  { keys: ["Shift+ArrowLeft"], shown: ["Shift ←"], text: () => gettext("one turn back"), run: (p) => p.byTurn(-1) },
  { keys: ["Shift+ArrowRight"], shown: ["Shift →"], text: () => gettext("one turn on"), run: (p) => p.byTurn(1) },
  { keys: [","], shown: [","], text: () => gettext("one step back"), run: (p) => p.byStep(-1) },
  { keys: ["."], shown: ["."], text: () => gettext("one step on"), run: (p) => p.byStep(1) },
  { keys: ["e"], shown: ["e"], text: () => gettext("next event"), run: (p) => p.byKey(1) },
  { keys: ["q"], shown: ["q"], text: () => gettext("previous event"), run: (p) => p.byKey(-1) },
  { keys: ["Home"], shown: ["Home"], text: () => gettext("to the start of the game"), run: (p) => p.toStart() },
  { keys: ["End"], shown: ["End"], text: () => gettext("to the end"), run: (p) => p.toEnd() },
  { keys: ["[", "-"], shown: ["[", "-"], text: () => gettext("show less"), run: (p) => p.byTempo(-1) },
  { keys: ["]", "+"], shown: ["]", "+"], text: () => gettext("show more"), run: (p) => p.byTempo(1) },
  { keys: ["f"], shown: ["f"], text: () => gettext("next point of view"), run: (p) => p.nextPov() },
  {
    keys: ["1", "2", "3", "4", "5", "6", "7"],
    shown: ["1 – 7"],
    text: () => gettext("point of view of that seat"),
    run: (p, _, key) => p.setPov(Number(key)),
  },
  { keys: ["0"], shown: ["0"], text: () => gettext("see everything"), run: (p) => p.setPov(0) },
  { keys: ["x"], shown: ["x"], text: () => gettext("full screen"), run: (_, page) => page.fullScreen() },
  { keys: ["c"], shown: ["c"], text: () => gettext("copy a link to this step"), run: (_, page) => page.copyLink() },
  { keys: ["?"], shown: ["?"], text: () => gettext("this help"), run: (_, page) => page.help() },
];

const BY_KEY = new Map(KEYS.flatMap((entry) => entry.keys.map((key) => [key, entry])));
// Arrows belong to the list that has the focus, Space to the button. The slider leaves its keys to the player, who does
// the same by them: a viewer who has just scrubbed may go on with any key.
const OWN_KEYS = "input:not(.rp-slider), select, textarea, [contenteditable=''], [contenteditable=true], dialog[open]";

/** Whether keys that write something are taken: who speaks to the computer, or types by mistake, may want them off. */
export const lettersAreOn = () => kept("letters") !== "off";

export const setLetters = (on) => keep("letters", on ? "on" : "off");

/**
 * Runs what `event` asks for, if the player has the focus or nothing has, unless someone is typing or the key belongs to
 * the browser.
 */
export function onKey(event, playhead, page) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target instanceof Element ? event.target : document.body;
  if (target !== document.body && target !== document.documentElement && !page.contains(target)) return;
  if (target.closest(OWN_KEYS)) return;
  if (event.key === " " && target.closest("button, a, summary")) return;
  const name = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
  const entry = BY_KEY.get(name.length === 1 ? name.toLowerCase() : name);
  if (!entry || (name.length === 1 && name !== " " && !lettersAreOn())) return;
  event.preventDefault();
  entry.run(playhead, page, event.key);
}
