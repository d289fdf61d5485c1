/**
 * The frames and beats of one game as values: nothing here is ever changed, only replaced by a longer film.
 * A frame is {n, actor, action, cause, key, turn, view}; seats in it are table positions.
 * A beat, what people call a move, is {first, last, kind, seat, ms, weight}, its frames by number; see games/beats.py.
 */

export const KEY = 2; // the weight of a beat from which on it ends a turn or a round

export const emptyFilm = (game) => Object.freeze({ game, frames: Object.freeze([]), beats: Object.freeze([]), end: null });

/** `film` with what `message` ({first, frames, beats, end}) has and it lacks; `film` itself if that would leave a gap. */
export function extended(film, { first, frames, beats = [], end = film.end }) {
  const known = film.frames.length;
  if (first > known || first + frames.length <= known) return film;
  const longer = [...film.frames];
  for (const packed of frames.slice(known - first)) longer.push(unpack(packed, longer.at(-1), longer.length));
  const more = [...film.beats];
  for (const [last, kind, seat, ms, weight] of beats) {
    const begins = more.length ? more.at(-1).last + 1 : 0;
    if (last >= begins) more.push(Object.freeze({ first: begins, last, kind, seat, ms, weight }));
  }
  return Object.freeze({ game: film.game, frames: Object.freeze(longer), beats: Object.freeze(more), end });
}

function unpack([actor, action, cause, key, turn, changes], before, n) {
  return Object.freeze({ n, actor, action, cause, key, turn, view: Object.freeze({ ...before?.view, ...changes }) });
}

export const lastStep = (film) => Math.max(film.frames.length - 1, 0);

export const isOver = (film) => film.frames.at(-1)?.key === "end";

/** The number of the beat that frame `step` is part of; that of the one after the last if it is yet to end. */
export function beatAt(film, step) {
  let [low, high] = [0, film.beats.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (film.beats[middle].last < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The beat that ends with frame `step`, if one does. */
export function beatEnding(film, step) {
  const beat = film.beats[beatAt(film, step)];
  return beat?.last === step ? beat : undefined;
}

/** The step at which the next beat ends, or with `direction` -1 the one before. */
export function beatStep(film, step, direction) {
  const at = beatAt(film, step);
  if (direction < 0) return at ? film.beats[at - 1].last : 0;
  const next = film.beats[at]?.last === step ? at + 1 : at;
  return film.beats[next]?.last ?? lastStep(film);
}

/** The step at which the next turn begins, or with `direction` -1 this turn or the one before. */
export function turnStep(film, step, direction) {
  const turn = (n) => film.frames[n]?.turn;
  const last = lastStep(film);
  let n = step + direction;
  if (direction > 0) {
    while (n < last && turn(n) === turn(step)) n += 1;
  } else {
    while (n > 0 && turn(n - 1) === turn(n)) n -= 1;
  }
  return Math.min(Math.max(n, 0), last);
}

/** The next step that something happens at (a tile is taken, a turn fails), or the end of the film. */
export function keyStep(film, step, direction) {
  const last = lastStep(film);
  let n = step + direction;
  while (n > 0 && n < last && !film.frames[n].key) n += direction;
  return Math.min(Math.max(n, 0), last);
}
