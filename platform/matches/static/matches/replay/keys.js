/** The keyboard: what each key does. What the help says of it comes later, see help.js. */

import { keep, kept } from "./memory.js";

export const KEYS = [
  { keys: [" ", "k"], run: (p) => p.toggle() },
  { keys: ["ArrowLeft"], run: (p) => p.byBeat(-1) },
  { keys: ["ArrowRight"], run: (p) => p.byBeat(1) },
  { keys: ["Shift+ArrowLeft"], run: (p) => p.byTurn(-1) },
  { keys: ["Shift+ArrowRight"], run: (p) => p.byTurn(1) },
  { keys: [","], run: (p) => p.byStep(-1) },
  { keys: ["."], run: (p) => p.byStep(1) },
  { keys: ["e"], run: (p) => p.byKey(1) },
  { keys: ["q"], run: (p) => p.byKey(-1) },
  { keys: ["Home"], run: (p) => p.toStart() },
  { keys: ["End"], run: (p) => p.toEnd() },
  { keys: ["[", "-"], run: (p) => p.byTempo(-1) },
  { keys: ["]", "+"], run: (p) => p.byTempo(1) },
  { keys: ["f"], run: (p) => p.nextPov() },
  { keys: ["1", "2", "3", "4", "5", "6", "7"], run: (p, _, key) => p.setPov(Number(key)) },
  { keys: ["0"], run: (p) => p.setPov(0) },
  { keys: ["x"], run: (_, page) => page.fullScreen() },
  { keys: ["c"], run: (_, page) => page.copyLink() },
  { keys: ["?"], run: (_, page) => page.help() },
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
