/**
 * Luck and skill beside a finished game: a ribbon over the scrubber, and a panel that tells of the step that is shown.
 * Nothing beyond what the viewer has watched is drawn or told.
 */

import { afterwards } from "../afterwards.js";
import { el } from "../dom.js";
import { isOver, lastStep } from "../film.js";
import { gettext } from "../i18n.js";
import { isStill } from "../motion.js";
import { cards } from "./cards.js";
import { createRibbon } from "./ribbon.js";
import { Analyses } from "./source.js";
import { summed } from "./sum.js";
import { addTap } from "./tap.js";
import { why } from "./why.js";
import { chanceTitle, missing, percent } from "./words.js";

/**
 * `data` are the player's; `seats()` are the seats in table order, `over()` whether the match is. What is known of a game is the
 * `detail` of an event "analysis" of the ribbon, which bubbles.
 */
export function createLuck(playhead, { data, seats, over }) {
  const panel = el("div", { class: "lk-panel" });
  const analyses = new Analyses(data.luck, () => show());
  const analysis = () => (over() && isOver(playhead.film) ? analyses.of(playhead.game) : undefined);
  const ribbon = createRibbon(playhead, { analysis, seats });
  let told = {};
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
    const whole = (playhead.horizon ?? step) >= lastStep(playhead.film);
    if (told.found === found && told.game === game && told.step === step && told.whole === whole) return;
    told = { found, game, step, whole };
    panel.replaceChildren(...tell(found, step, whole));
  };

  const tell = (found, step, whole) => {
    if (found === undefined) return [el("p", { class: "lk-note" }, gettext("Luck and skill are shown once the match is over."))];
    if (found === null) return [el("p", { class: "lk-note" }, gettext("This game is being analysed …"))];
    if (found.state === "dealt") return cards(found, step, whole, seats());
    if (found.state !== "ready") return [el("p", { class: "lk-note" }, missing(found))];
    const turn = (at) => playhead.film.frames[at]?.turn;
    return [...why(found, step, seats(), option), ...(whole ? [summed(found, seats(), { go, turn, option })] : [])];
  };

  /** Shows a step, and what is told of it: that is above the list it was chosen from, which is drawn again. */
  const go = (step) => {
    playhead.toStep(step);
    const box = panel.closest(".rp-panel");
    box.focus({ preventScroll: true });
    box.scrollTo({ top: 0, behavior: isStill() ? "instant" : "smooth" });
  };

  const worded = (more) => {
    option = more.option;
    told = {};
    show();
  };
  const { game: module, texts } = data.later;
  if (module) afterwards({ module, texts }).then(worded, (error) => console.warn("replay: decisions in the words of actions", error));

  return { ribbon: ribbon.element, panel, show, close: () => analyses.close() };
}
