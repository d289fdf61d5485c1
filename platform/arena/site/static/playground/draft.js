/** The text of a bot is kept in this browser until it is saved, over a sign-up too. */

const KEY = "pecking-order.playground";

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
  } catch {
    // Without it the text is lost with the page, which is no worse than in any other.
  }
}

export const draftOf = (game) => kept(`text.${game}`);
export const keepDraft = (game, text) => keep(`text.${game}`, text);
export const keptGame = () => kept("game");
export const keepGame = (game) => keep("game", game);
