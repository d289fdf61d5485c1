/**
 * Immutable recordings of games: frames and beats. A longer recording replaces a shorter one.
 * A recording is {game, frames, beats, end}. A frame is {n, actor, action, cause, key, turn, view}, with seats as table
 * positions. A beat, a move in the interface, is {first, last, kind, seat, ms, weight}, where `first` and `last` number
 * its frames (see games/beats.py).
 */

export const KEY = 2; // the least weight of a beat that ends a turn or a round

export const emptyRecording = (game) => Object.freeze({ game, frames: Object.freeze([]), beats: Object.freeze([]), end: null });

/**
 * Return `recording` extended by `message`, {first, frames, beats, end}. Return `recording` itself if nothing is new or
 * frames between them are missing.
 */
export function extended(recording, { first, frames, beats = [], end = recording.end }) {
  const known = recording.frames.length;
  if (first > known || first + frames.length <= known) return recording;
  const longer = [...recording.frames];
  for (const packed of frames.slice(known - first)) longer.push(unpack(packed, longer.at(-1), longer.length));
  const more = [...recording.beats];
  for (const [last, kind, seat, ms, weight] of beats) {
    const begins = more.length ? more.at(-1).last + 1 : 0;
    if (last >= begins) more.push(Object.freeze({ first: begins, last, kind, seat, ms, weight }));
  }
  return Object.freeze({ game: recording.game, frames: Object.freeze(longer), beats: Object.freeze(more), end });
}

function unpack([actor, action, cause, key, turn, changes], before, n) {
  return Object.freeze({ n, actor, action, cause, key, turn, view: Object.freeze({ ...before?.view, ...changes }) });
}

export const lastStep = (recording) => Math.max(recording.frames.length - 1, 0);

export const isOver = (recording) => recording.frames.at(-1)?.key === "end";

/** Return the index of the beat that contains frame `step`, or the number of beats if that beat has not ended. */
export function beatAt(recording, step) {
  let [low, high] = [0, recording.beats.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (recording.beats[middle].last < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Return the beat that ends with frame `step`, or undefined. */
export function beatEnding(recording, step) {
  const beat = recording.beats[beatAt(recording, step)];
  return beat?.last === step ? beat : undefined;
}

/** Return the step at which the next beat ends; with `direction` -1, the previous one. */
export function beatStep(recording, step, direction) {
  const at = beatAt(recording, step);
  if (direction < 0) return at ? recording.beats[at - 1].last : 0;
  const next = recording.beats[at]?.last === step ? at + 1 : at;
  return recording.beats[next]?.last ?? lastStep(recording);
}

/**
 * Return the step at which the next turn begins; with `direction` -1, this turn or, from its first step, the previous
 * one.
 */
export function turnStep(recording, step, direction) {
  const turn = (n) => recording.frames[n]?.turn;
  const last = lastStep(recording);
  let n = step + direction;
  if (direction > 0) {
    while (n < last && turn(n) === turn(step)) n += 1;
  } else {
    while (n > 0 && turn(n - 1) === turn(n)) n -= 1;
  }
  return Math.min(Math.max(n, 0), last);
}

/**
 * Return the next step with a key, such as a taken tile or a failed turn, or the last step; with `direction` -1, the
 * previous one.
 */
export function keyStep(recording, step, direction) {
  const last = lastStep(recording);
  let n = step + direction;
  while (n > 0 && n < last && !recording.frames[n].key) n += direction;
  return Math.min(Math.max(n, 0), last);
}
