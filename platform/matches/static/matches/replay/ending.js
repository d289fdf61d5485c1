/** The end card of a game: the ranking, why it was won, the turning point, and links to go on. */

import { chip, el } from "./dom.js";
import { beatAt, lastStep } from "./recording.js";
import { fill, gettext } from "./i18n.js";
import { animate } from "./motion.js";

const NEXT_AFTER_S = 8;
const ENTER_MS = 900; // after the last move
const RISE_MS = 350;
const narrow = () => matchMedia("(max-width: 56rem)").matches; // there the three buttons share one row

/**
 * Create the end card. Return { element, show }.
 * `rules` is the game's board module; `more` its module for finished games, if any, with `because` and `round` (see
 * extras.js); `texts` the game's {reasons, tie_breaks}; `go` has next(), again() and share().
 */
export function createEnding(playhead, { rules, more, texts, go }) {
  const { because, round } = more ?? {};
  const element = el("section", { class: "rp-end", "aria-label": gettext("The end of the game"), hidden: true });
  let shown = null;
  let timer = 0;
  let listening = new AbortController();

  const dismiss = () => {
    clearInterval(timer);
    listening.abort();
    element.hidden = true;
  };

  const hide = () => {
    dismiss();
    shown = null;
  };

  const show = (seats, played) => {
    const { recording, frame, game, games, step } = playhead;
    if (frame?.key !== "end" || step !== lastStep(recording)) return hide();
    if (shown === recording) return undefined;
    dismiss();
    shown = recording;
    const scores = rules.scores(frame.view);
    const places = recording.end?.places ?? scores.map((one) => 1 + scores.filter((other) => other > one).length);
    const order = seats.map((_, position) => position).sort((one, other) => places[one] - places[other]);
    const more = game + 1 < games && !playhead.live;
    const buttons = [
      more && button((game + 1) % seats.length && !narrow() ? gettext("Next game: same luck, new seats") : gettext("Next game"), () => go.next(), "primary"),
      button(gettext("Watch again"), () => go.again()),
      go.share && button(gettext("Share"), () => go.share()),
    ].filter(Boolean);
    const next = el("p", { class: "rp-next small", role: "status" });
    element.replaceChildren(
      closing({ click: () => dismiss() }),
      el("h3", {}, headline(order, places, seats, games > 1 && game + 1)),
      el("p", { class: "rp-of small muted" }, el("span", {}, games > 1 && !playhead.live ? whichGame(game, games) : ""), el("span", {}, rules.scoreTitle())),
      standing(order, places, seats, scores),
      ...[decisive(recording, order, scores, seats), why(recording.end, texts), turning(recording, order, seats)].filter(Boolean),
      el("div", { class: "cluster" }, ...buttons),
      next,
    );
    element.hidden = false;
    listening = new AbortController();
    document.addEventListener("keydown", ({ key }) => key === "Escape" && dismiss(), { signal: listening.signal });
    animate(element, [{ opacity: 0, transform: "translateY(12px)" }, { opacity: 1, transform: "none" }], { ms: RISE_MS, delay: played ? ENTER_MS : 0 });
    if (played && more) count(next);
    return undefined;
  };

  /** Start a countdown to the next game, which "Stay" stops. */
  const count = (next) => {
    let left = NEXT_AFTER_S;
    const say = () => (next.textContent = fill(gettext("Next game in %(seconds)s s"), { seconds: left }));
    const stay = el("button", { type: "button", class: "button small", click: () => stop() }, gettext("Stay"));
    const stop = () => {
      clearInterval(timer);
      next.textContent = "";
      stay.remove();
    };
    say();
    next.after(stay);
    timer = setInterval(() => {
      left -= 1;
      say();
      if (left) return;
      clearInterval(timer);
      go.next();
    }, 1000);
  };

  /** The game's explanation of the win; without a difference in score, the tie-break explains it. */
  const decisive = (recording, [winner, second], scores, seats) =>
    because && scores[winner] > scores[second] ? el("p", { class: "rp-because" }, because(recording, { winner, second }, seats)) : null;

  /** A button that leads to the move that gave the winner the lead for good; null if there is none. */
  const turning = (recording, [winner], seats) => {
    const leads = recording.beats.map(({ last }) => {
      const scores = rules.scores(recording.frames[last].view);
      return scores.every((score, position) => position === winner || score < scores[winner]);
    });
    const at = leads.lastIndexOf(false) + 1;
    if (at < 1 || at >= recording.beats.length) return null;
    const { first, last } = recording.beats[at];
    const { turn } = recording.frames[last];
    const { name } = seats[winner];
    const during = round?.(recording.frames[Math.max(0, first - 1)].view); // the move may have ended the round
    const text = during ? fill(gettext("%(name)s took the lead for good in round %(round)s ▸"), { name, round: during }) : turn ? fill(gettext("%(name)s took the lead for good in turn %(turn)s ▸"), { name, turn }) : fill(gettext("%(name)s took the lead for good here ▸"), { name });
    return el("p", {}, el("button", { type: "button", class: "button quiet small", click: () => playhead.toStep(recording.beats[beatAt(recording, last)].last) }, text));
  };

  return { element, show };
}

/** Return a button that closes its container. */
export const closing = (attributes) => el("button", { type: "button", class: "rp-button rp-close", "aria-label": gettext("Close"), ...attributes }, "×");

const button = (text, click, kind = "") => el("button", { type: "button", class: `button small ${kind}`, click }, text);

/** Name the game: without its number, its winner could be taken for the winner of the match. */
const whichGame = (game, games) => fill(gettext("Game %(number)s of %(games)s"), { number: game + 1, games });

function headline(order, places, seats, number) {
  const [name, ...others] = order.filter((position) => places[position] === 1).map((position) => seats[position].name);
  if (others.length) return fill(gettext("Shared first place: %(names)s"), { names: [name, ...others].join(", ") });
  return number ? fill(gettext("%(name)s wins game %(number)s"), { name, number }) : fill(gettext("%(name)s wins"), { name });
}

function standing(order, places, seats, scores) {
  const rows = order.map((position) =>
    el(
      "li",
      { "data-seat": seats[position].seat, "data-place": places[position] },
      el("span", { class: "number" }, `${places[position]}.`),
      chip(seats[position]),
      seats[position].named(),
      el("b", { class: "number" }, String(scores[position]).replace("-", "−")),
    ),
  );
  return el("ol", { class: "rp-standing" }, ...rows);
}

function why(end, texts) {
  const text = end && [texts?.reasons[end.reason], texts?.tie_breaks[end.tie_break]].filter(Boolean).join("; ");
  return text ? el("p", { class: "rp-why small muted" }, text) : null;
}
