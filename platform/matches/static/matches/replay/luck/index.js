/**
 * Luck and skill of a finished game: a ribbon over the scrubber, and a panel about the step shown. Both show only what
 * the viewer has watched.
 */

import { loadPart } from "../lazy.js";
import { el } from "../dom.js";
import { isOver, lastStep } from "../recording.js";
import { gettext } from "../i18n.js";
import { isStill } from "../motion.js";
import { cards } from "./cards.js";
import { createRibbon } from "./ribbon.js";
import { Analyses } from "./source.js";
import { summed } from "./sum.js";
import { addTap } from "./tap.js";
import { why } from "./why.js";
import { chanceTitle, missing, percent } from "./format.js";

/**
 * Create both. Return { ribbon, panel, show, close }. `data` is the player's; `seats()` are in table order; `over()`
 * returns whether the match is over. The ribbon emits "analysis" (bubbling) with the analysis of the current game as
 * its `detail`.
 */
export function createLuck(playhead, { data, seats, over }) {
  const panel = el("div", { class: "lk-panel" });
  const analyses = new Analyses(data.luck, () => show());
  const analysis = () => (over() && isOver(playhead.recording) ? analyses.of(playhead.game) : undefined);
  const ribbon = createRibbon(playhead, { analysis, seats });
  let shown = {};
  let sayHero = () => {};
  let option;

  let player = null;

  const show = (say = sayHero) => {
    sayHero = say;
    ribbon.show();
    if (!player && (player = ribbon.element.closest("match-replay"))) addTap(player);
    const found = analysis();
    ribbon.element.dispatchEvent(new CustomEvent("analysis", { bubbles: true, detail: found }));
    const { game, step } = playhead;
    if (found?.state === "ready") say(chanceTitle(seats()), found.shares[Math.min(step, found.shares.length - 1)].map(percent));
    const whole = (playhead.horizon ?? step) >= lastStep(playhead.recording);
    if (shown.found === found && shown.game === game && shown.step === step && shown.whole === whole) return;
    shown = { found, game, step, whole };
    panel.replaceChildren(...describe(found, step, whole));
  };

  const describe = (found, step, whole) => {
    if (found === undefined) return [el("p", { class: "lk-note" }, gettext("Luck and skill are shown once the match is over."))];
    if (found === null) return [el("p", { class: "lk-note" }, gettext("This game is being analysed …"))];
    if (found.state === "dealt") return cards(found, step, whole, seats());
    if (found.state !== "ready") return [el("p", { class: "lk-note" }, missing(found))];
    const turn = (at) => playhead.recording.frames[at]?.turn;
    return [...why(found, step, seats(), option), ...(whole ? [summed(found, seats(), { go, turn, option })] : [])];
  };

  /** Show a step and scroll to its description, above the list of turning points. */
  const go = (step) => {
    playhead.toStep(step);
    const box = panel.closest(".rp-panel");
    box.focus({ preventScroll: true });
    box.scrollTo({ top: 0, behavior: isStill() ? "instant" : "smooth" });
  };

  const worded = (more) => {
    option = more.option;
    shown = {};
    show();
  };
  const { game: module, texts } = data.later;
  if (module) loadPart({ module, texts }).then(worded, (error) => console.warn("replay: decisions in the words of actions", error));

  return { ribbon: ribbon.element, panel, show, close: () => analyses.close() };
}
