/** What a move was, in sentences: those of its frames that a listener would miss. */

import { gettext } from "./i18n.js";

const MOST_REVEALED = 6;

/** The text of `beat`; `rules` is the game's board module, `pov` the match seat looking or -1. */
export function beatText(beat, film, rules, seats, pov) {
  const say = (frame) => rules.sentence(frame, film.frames[frame.n - 1], seats, pov);
  const frames = film.frames.slice(beat.first, beat.last + 1);
  if (frames.length === 1) return say(frames[0]);
  const telling = frames.filter(({ action, actor, key }) => key || (actor >= 0 && action !== "roll") || action.startsWith("roll "));
  if (telling.length) return telling.map(say).filter(Boolean).join(" ");
  const revealed = frames.filter(({ action }) => !action.startsWith("draw ") && action);
  if (beat.first && revealed.length && revealed.length <= MOST_REVEALED) return revealed.map(say).filter(Boolean).join(" ");
  return beat.first ? gettext("The cards are dealt.") : say(frames.at(-1));
}
