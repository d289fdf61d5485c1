/** What each key does. Their descriptions are in help.js, which loads later. */

import { loadSetting, saveSetting } from "./settings.js";

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
// A focused list keeps its arrow keys, a focused button its Space. The slider leaves all keys to the player, so that
// every key works after scrubbing.
const OWN_KEYS = "input:not(.rp-slider), select, textarea, [contenteditable=''], [contenteditable=true], dialog[open]";

/** Return whether printable keys are enabled. Users of speech input may need them off (WCAG 2.1.4). */
export const lettersAreOn = () => loadSetting("letters") !== "off";

export const setLetters = (on) => saveSetting("letters", on ? "on" : "off");

/**
 * Run the action of `event`, if the focus is in the player or nowhere, nobody is typing, and the browser does not use
 * the key.
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
