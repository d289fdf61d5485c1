/** Show games that were played on this page in the site's replay player. */

import { el } from "../matches/replay/dom.js";

const styled = new Set();

/** Resolve when the style sheet has loaded: boards measure themselves. */
function styles(address) {
  if (!address || styled.has(address)) return Promise.resolve();
  styled.add(address);
  return new Promise((done) => document.head.append(el("link", { rel: "stylesheet", href: address, load: done, error: done })));
}

/**
 * Replace the content of `place` by a player, and return it. `player` is the ruleset's entry in
 * arena/playground/context.py; `names` are in seat order. `how` has `about` (elements for the "Match" tab), `label`,
 * and either the result of replayData() or `follow(listener)` and `seat`; optionally `local`, the query that the player
 * starts from.
 */
export async function showReplay(place, player, names, how) {
  await styles(player.style);
  const { about, ...rest } = how;
  const replay = el("match-replay", { "aria-label": how.label, "data-played": how.seat !== undefined }, el("div", { class: "rp-about" }, ...about));
  replay.playerData = {
    ...player,
    state: "finished",
    attempt: 1,
    now: Date.now(),
    games: 1,
    seats: names.map((name) => ({ name, version: 1 })),
    edition: "",
    page: "",
    embedded: true,
    local: "?",
    conceal: false,
    ...rest,
  };
  place.replaceChildren(replay);
  return replay;
}
