/** The site's replay player, filled by what was played in this page. */

import { el } from "../matches/replay/dom.js";

const styled = new Set();

/** Resolves once the style sheet at `address` is there: boards measure themselves. */
function styles(address) {
  if (!address || styled.has(address)) return Promise.resolve();
  styled.add(address);
  return new Promise((done) => document.head.append(el("link", { rel: "stylesheet", href: address, load: done, error: done })));
}

/** Shows in `place` games of `player`, what arena/playground/context.py says of a ruleset, between `names`, in the order of
 * the seats. `how` has `about`, what its tab of the match shows; what played.js makes of games, or follow(hear) and seat; and `local`, what the player finds in its address. */
export async function showReplay(place, player, names, how) {
  await styles(player.style);
  const { about, ...rest } = how;
  const replay = el("match-replay", { "aria-label": how.label, "data-played": how.seat !== undefined }, el("div", { class: "rp-about" }, ...about));
  replay.told = {
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
