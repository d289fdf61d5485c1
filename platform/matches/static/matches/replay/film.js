/**
 * The frames of one game as values: nothing here is ever changed, only replaced by a longer film.
 * A frame is {n, actor, action, cause, key, turn, view}; seats in it are table positions.
 */

export const emptyFilm = (game) => Object.freeze({ game, frames: Object.freeze([]) });

/** `film` with the frames of `message` ({first, frames}) that it lacks; `film` itself if they would leave a gap. */
export function extended(film, { first, frames }) {
  const known = film.frames.length;
  if (first > known || first + frames.length <= known) return film;
  const longer = [...film.frames];
  for (const packed of frames.slice(known - first)) longer.push(unpack(packed, longer.at(-1), longer.length));
  return Object.freeze({ game: film.game, frames: Object.freeze(longer) });
}

function unpack([actor, action, cause, key, turn, changes], before, n) {
  return Object.freeze({ n, actor, action, cause, key, turn, view: Object.freeze({ ...before?.view, ...changes }) });
}

export const lastStep = (film) => Math.max(film.frames.length - 1, 0);

export const isOver = (film) => film.frames.at(-1)?.key === "end";

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

export const keyFrames = (film) => film.frames.filter((frame) => frame.key);
