/** The interface between an embedded player and the page around it: messages in both directions, and the loop. */

const SHOWN_MS = 6000; // the end of a match is shown before the loop restarts

const isCount = (value) => Number.isInteger(value) && value >= 0;

/**
 * Create the interface (docs/reference/embed.md). `data` is the player's; open(game, step) and playFrom(game) are the
 * player's methods.
 */
export function createOutside(playhead, data, { open, playFrom }) {
  let loopTimer = 0;

  // Any page may read these messages: they contain nothing beyond the page that it embeds.
  const post = (type, content) => {
    if (data.embedded && window.parent !== window) window.parent.postMessage({ type: `pecking-order:${type}`, match: data.match, ...content }, "*");
  };

  /** Call this when a game has been played to its end. */
  const ended = () => {
    const { game, games, live } = playhead;
    if (live || game + 1 < games || !data.embedded) return;
    post("end", {});
    if (data.embed?.loop) loopTimer = setTimeout(() => playFrom(0), SHOWN_MS);
  };

  /** Stop the loop, because the viewer has acted. */
  const stay = () => clearTimeout(loopTimer);

  /** Carry out `message`; ignore unknown ones. */
  const obey = ({ type, game, step }) => {
    if (type === "pecking-order:play") playhead.play();
    if (type === "pecking-order:pause") playhead.pause();
    if (type !== "pecking-order:seek" || !isCount(step)) return;
    const there = isCount(game) ? game - 1 : playhead.game;
    if (there === playhead.game) playhead.toStep(step);
    else if (there >= 0 && there < playhead.games) open(there, step);
  };

  return { stepped: (game, step, text) => post("step", { game: game + 1, step, text }), ended, stay, obey };
}
