/** The page around an embedded player: what it is told, what it may ask for, and the loop that its address asks for. */

const SHOWN_MS = 6000; // the end of a match, before a loop begins again

const isCount = (value) => Number.isInteger(value) && value >= 0;

/** `data` is the player's; `open(game, step)` and `playFrom(game)` are the player's, too. See docs/reference/embed.md. */
export function createOutside(playhead, data, { open, playFrom }) {
  let again = 0;

  // Whatever is embedded may be read by the page that embeds it: what is posted is no secret.
  const post = (type, said) => {
    if (data.embedded && window.parent !== window) window.parent.postMessage({ type: `pecking-order:${type}`, match: data.match, ...said }, "*");
  };

  /** A game was played to its end. */
  const ended = () => {
    const { game, games, live } = playhead;
    if (live || game + 1 < games || !data.embedded) return;
    post("end", {});
    if (data.embed?.loop) again = setTimeout(() => playFrom(0), SHOWN_MS);
  };

  /** Nobody who does anything meanwhile wants to be thrown back. */
  const stay = () => clearTimeout(again);

  /** Does what `message` asks for; anything that is none of this changes nothing. */
  const obey = ({ type, game, step }) => {
    if (type === "pecking-order:play") playhead.play();
    if (type === "pecking-order:pause") playhead.pause();
    if (type !== "pecking-order:seek" || !isCount(step)) return;
    const there = isCount(game) ? game - 1 : playhead.game;
    if (there === playhead.game) playhead.toStep(step);
    else if (there >= 0 && there < playhead.games) open(there, step);
  };

  return { told: (game, step, text) => post("step", { game: game + 1, step, text }), ended, stay, obey };
}
