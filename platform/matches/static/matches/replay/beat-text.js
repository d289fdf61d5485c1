/** The text of a move: the sentences of its important frames. */

import { gettext } from "./i18n.js";

const MOST_REVEALED = 6;

/** Return the text of `beat`. `rules` is the game's board module; `pov` is a match seat, or -1 for all. */
export function beatText(beat, recording, rules, seats, pov) {
  const say = (frame) => rules.sentence(frame, recording.frames[frame.n - 1], seats, pov);
  const frames = recording.frames.slice(beat.first, beat.last + 1);
  if (frames.length === 1) return say(frames[0]);
  const important = frames.filter(({ action, actor, key }) => key || (actor >= 0 && action !== "roll") || action.startsWith("roll "));
  if (important.length) return important.map(say).filter(Boolean).join(" ");
  const revealed = frames.filter(({ action }) => !action.startsWith("draw ") && action);
  if (beat.first && revealed.length && revealed.length <= MOST_REVEALED) return revealed.map(say).filter(Boolean).join(" ");
  return beat.first ? gettext("The cards are dealt.") : say(frames.at(-1));
}
