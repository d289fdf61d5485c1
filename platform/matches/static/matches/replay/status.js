/** The bar above the board: which game, which turn, and whether this is live. */

import { el } from "./dom.js";
import { fill, gettext } from "./i18n.js";

const STATES = {
  queued: () => gettext("The match waits for a worker. It begins here by itself."),
  held: () => gettext("The match is held back. It begins here once it is released."),
  cancelled: () => gettext("The match was called off."),
};

export function createStatus(playhead, { load }) {
  const games = el("select", { class: "rp-games", "aria-label": gettext("Game"), change: () => load(Number(games.value)) });
  const offer = (count) =>
    games.replaceChildren(
      ...Array.from({ length: count }, (_, game) =>
        el("option", { value: game }, fill(gettext("Game %(game)s of %(games)s"), { game: game + 1, games: count })),
      ),
    );
  offer(playhead.games);
  const turn = el("span", { class: "rp-turn muted" });
  const live = el("span", { class: "badge rp-live", "data-tone": "busy", hidden: true }, gettext("Live"));
  const jump = el("button", { type: "button", class: "button small", hidden: true, click: () => playhead.follow() }, gettext("Jump to live"));
  const lost = el("span", { class: "rp-lost", role: "status" });
  const note = el("p", { class: "rp-note", role: "status" });
  const element = el("div", { class: "rp-status" }, games, turn, el("span", { class: "rp-spring" }), lost, jump, live, note);

  const show = () => {
    if (games.options.length !== playhead.games) offer(playhead.games);
    games.value = playhead.game;
    for (const option of games.options) option.disabled = playhead.live && Number(option.value) > playhead.newest;
    turn.textContent = playhead.frame?.turn ? fill(gettext("Turn %(turn)s"), { turn: playhead.frame.turn }) : "";
    live.hidden = !(playhead.live && playhead.following);
    jump.hidden = !playhead.live || playhead.following || !playhead.filmOf(playhead.newest).frames.length;
    if (playhead.frame) note.textContent = "";
  };
  const say = (text) => {
    note.textContent = text;
  };
  const setState = (state) => {
    say(STATES[state]?.() ?? "");
    if (state === "cancelled") playhead.endLive();
  };
  const setLost = (is) => {
    lost.textContent = is ? gettext("Connection lost, trying again …") : "";
  };
  const setRefused = () => {
    lost.textContent = gettext("This page may no longer follow the match. Reload it to go on.");
  };
  return { element, show, say, setState, setLost, setRefused };
}
