/** Games played on this page, as data for the replay player. */

const ANALYSIS_MS = 60_000; // for a whole game on a slow machine

/**
 * Return the parts of the player's data that showReplay() expects. `games` are responses of `python`, `own` the seats
 * of the author's bots; `hasLuck` is true if this kind of game has an analysis.
 */
export function replayData(python, games, { own, hasLuck }) {
  const frames = new Map();
  const ask = (game, message, patience) => python.request({ record: games[game].record, ...message }, patience);
  const read = (game) => {
    if (!frames.has(game)) frames.set(game, ask(game, { do: "film", game, end: games[game].end }));
    return frames.get(game);
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
