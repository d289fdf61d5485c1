/** The line above the board: seats with points, the turn, the choice of a game, and the live state. */

import { labelled } from "./controls.js";
import { chip, el } from "./dom.js";
import { fill, gettext } from "./i18n.js";
import { createPremiere } from "./schedule.js";

const STATES = {
  queued: () => gettext("The match waits for a worker. It starts here automatically."),
  running: () => gettext("The first game is being played. It begins here in a moment."),
  held: () => gettext("The match is on hold. It starts here once it is released."),
  cancelled: () => gettext("The match was cancelled."),
};

/**
 * Create the line. `seats` are in match order, `table()` returns them in table order, `scores(view)` points in table
 * order.
 */
export function createLine(playhead, { load, seats, table, scores, clock }) {
  const games = el("select", { class: "rp-games", "aria-label": gettext("Game"), change: () => load(Number(games.value)) });
  const offer = (count) =>
    games.replaceChildren(
      ...Array.from({ length: count }, (_, game) =>
        el("option", { value: game }, `${game + 1} / ${count}`),
      ),
    );
  offer(playhead.games);
  const points = seats.map(() => el("span", { class: "rp-score" }));
  const who = seats.map((seat, at) =>
    el("li", { "data-seat": seat.seat, title: seat.name }, chip(seat), seat.named(), points[at]),
  );
  const which = labelled(games);
  const turn = el("span", { class: "rp-turn muted" });
  const live = el("span", { class: "badge rp-live", "data-tone": "busy", hidden: true }, gettext("Live"));
  const jump = el("button", { type: "button", class: "button small", hidden: true, click: () => playhead.follow() }, gettext("Jump to live"));
  const lost = el("span", { class: "rp-lost", role: "status" });
  const note = el("p", { class: "rp-note", role: "status" });
  const premiere = createPremiere(clock, () => {
    show();
    element.dispatchEvent(new CustomEvent("live:refresh", { bubbles: true })); // the page announces the premiere
  });
  const element = el("div", { class: "rp-line" }, el("ol", { class: "rp-seats", "aria-label": gettext("Seats") }, ...who), turn, lost, jump, live, which);

  const show = () => {
    if (games.options.length !== playhead.games) offer(playhead.games);
    which.hidden = playhead.games < 2;
    games.value = playhead.game;
    for (const option of games.options) option.disabled = playhead.live && Number(option.value) > playhead.newest;
    live.hidden = !(playhead.live && playhead.following && premiere.element.hidden);
    jump.hidden = !playhead.live || playhead.following || !playhead.recordingOf(playhead.newest).frames.length;
    if (playhead.frame) note.textContent = "";
  };
  /**
   * Show the turn and the points; call this once the board shows them. Boards of games with rounds show the round
   * themselves.
   */
  const showTurn = () => {
    const { frame } = playhead;
    turn.textContent = frame.turn && !frame.view.round ? fill(gettext("Turn %(turn)s"), { turn: frame.turn }) : "";
    scores(frame.view).forEach((count, position) => (points[table()[position].seat].textContent = String(count).replace("-", "−")));
  };
  const say = (text) => {
    note.textContent = text;
  };
  const setState = (state, airs) => {
    premiere.wait(state === "on_air" && airs);
    say(STATES[state]?.() ?? "");
    if (state === "cancelled") playhead.endLive();
    show();
  };
  const setLost = (is) => {
    lost.textContent = is ? gettext("Connection lost, trying again …") : "";
  };
  const setRefused = () => {
    lost.textContent = gettext("This page can no longer follow the match. Reload it to continue.");
  };
  return { element, note, premiere: premiere.element, show, showTurn, say, setState, setLost, setRefused };
}
