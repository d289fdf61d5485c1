/** Games that were played in this page, as the replay player asks for them: frames, what bots say, what they saw. */

const ANALYSIS_MS = 60_000; // of a whole game, on a slow machine

/**
 * `games` are answers of `python`; `own` are the seats whose bots are the author's, `hasLuck` says whether games of this kind have an
 * analysis. What it returns is the player's data, see theatre.js.
 */
export function playedGames(python, games, { own, hasLuck }) {
  const films = new Map();
  const ask = (game, message, patience) => python.ask({ record: games[game].record, ...message }, patience);
  const read = (game) => {
    if (!films.has(game)) films.set(game, ask(game, { do: "film", game, end: games[game].end }));
    return films.get(game);
  };
  const explains = games.some(({ logs }) => logs.some(({ notes }) => notes.length));
  return {
    games: games.length,
    read,
    notes: explains ? (game) => ask(game, { do: "notes", logs: games[game].logs }) : null,
    decisions: own.map((seat) => ({
      seat,
      read: (game, step) => ask(game, { do: "decision", step, position: games[game].order.indexOf(seat), log: games[game].logs[seat] }),
    })),
    luck: hasLuck ? (game) => ask(game, { do: "luck" }, ANALYSIS_MS) : null,
  };
}
