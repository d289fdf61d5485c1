/** The texts of bots are kept in this browser, over a sign-up too: the last of each game, the newest first. */

const KEY = "pecking-order.playground";
const MOST = 10;

function kept(name) {
  try {
    return localStorage.getItem(`${KEY}.${name}`);
  } catch {
    return null; // a browser may refuse
  }
}

function keep(name, text) {
  try {
    localStorage.setItem(`${KEY}.${name}`, text);
    return true;
  } catch {
    return false; // without it the text is lost with the page, which is no worse than in any other
  }
}

function parsed(name) {
  try {
    return JSON.parse(kept(name));
  } catch {
    return null;
  }
}

/** What was written for a game: [{ text, at }], `at` in milliseconds, null where it is not known. */
export function textsOf(game) {
  const texts = parsed(`texts.${game}`);
  if (Array.isArray(texts)) return texts;
  const only = kept(`text.${game}`); // of an earlier release
  return only === null ? [] : [{ text: only, at: null }];
}

/**
 * Keeps `text` as the last of its game: in the place of `before`, which it is a change of, or beside the others. A text that was
 * kept already comes first again. Another tab's texts stay: they are no longer `before`.
 */
export function keepText(game, text, before) {
  const texts = textsOf(game);
  const again = texts.some((one) => one.text === text);
  const others = texts.filter((one) => one.text !== text && (again || one.text !== before));
  const all = [{ text, at: Date.now() }, ...others].slice(0, MOST);
  while (!keep(`texts.${game}`, JSON.stringify(all)) && all.length > 1) all.pop(); // what a browser has room for
}

export const keptGame = () => kept("game");
export const keepGame = (game) => keep("game", game);

/** What is to be saved as a bot: { game, text }, or null. It may be an example. */
export const chosenToSave = () => parsed("save");
export const chooseToSave = (game, text) => keep("save", JSON.stringify({ game, text }));
