/** The end of a game: order with what broke ties, the turning point, and where to go from here. */

import { chip, el } from "./dom.js";
import { beatAt, lastStep } from "./film.js";
import { fill, gettext } from "./i18n.js";
import { animate } from "./motion.js";

const NEXT_AFTER_S = 8;
const ENTER_MS = 900; // after the last move
const RISE_MS = 350;
const narrow = () => matchMedia("(max-width: 56rem)").matches; // the three buttons are one row there

/** `rules` is the game's board module, `more` what it has for later, if anything (extras.js): `because` and `round`; `words` the
 * game's {reasons, tie_breaks}; `go` has next(), again(), share(). */
export function createEnding(playhead, { rules, more, words, go }) {
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
    const { film, frame, game, games, step } = playhead;
    if (frame?.key !== "end" || step !== lastStep(film)) return hide();
    if (shown === film) return undefined;
    dismiss();
    shown = film;
    const scores = rules.scores(frame.view);
    const places = film.end?.places ?? scores.map((one) => 1 + scores.filter((other) => other > one).length);
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
      ...[decisive(film, order, scores, seats), why(film.end, words), turning(film, order, seats)].filter(Boolean),
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

  /** The next game follows by itself, unless somebody does anything meanwhile. */
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

  /** The game's own word on it; where a tie had to be broken that says it. */
  const decisive = (film, [winner, second], scores, seats) =>
    because && scores[winner] > scores[second] ? el("p", { class: "rp-because" }, because(film, { winner, second }, seats)) : null;

  /** The last move after which nobody caught up with the winner again; nothing where a tie had to be broken. */
  const turning = (film, [winner], seats) => {
    const leads = film.beats.map(({ last }) => {
      const scores = rules.scores(film.frames[last].view);
      return scores.every((score, position) => position === winner || score < scores[winner]);
    });
    const at = leads.lastIndexOf(false) + 1;
    if (at < 1 || at >= film.beats.length) return null;
    const { first, last } = film.beats[at];
    const { turn } = film.frames[last];
    const { name } = seats[winner];
    const during = round?.(film.frames[Math.max(0, first - 1)].view); // after it the next one may have begun
    const text = during ? fill(gettext("%(name)s took the lead for good in round %(round)s ▸"), { name, round: during }) : turn ? fill(gettext("%(name)s took the lead for good in turn %(turn)s ▸"), { name, turn }) : fill(gettext("%(name)s took the lead for good here ▸"), { name });
    return el("p", {}, el("button", { type: "button", class: "button quiet small", click: () => playhead.toStep(film.beats[beatAt(film, last)].last) }, text));
  };

  return { element, show };
}

/** The button that closes what it stands on. */
export const closing = (attributes) => el("button", { type: "button", class: "rp-button rp-close", "aria-label": gettext("Close"), ...attributes }, "×");

const button = (text, click, kind = "") => el("button", { type: "button", class: `button small ${kind}`, click }, text);

/** A match is mostly more than one game: a winner of a game alone may be taken for that of the match. */
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

function why(end, words) {
  const said = end && [words?.reasons[end.reason], words?.tie_breaks[end.tie_break]].filter(Boolean).join("; ");
  return said ? el("p", { class: "rp-why small muted" }, said) : null;
}
