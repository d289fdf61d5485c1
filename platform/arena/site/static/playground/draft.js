/** The bots that are written are kept in this browser, over a sign-up too: the last of each game, the newest first. */

const KEY = "pecking-order.playground";
const MOST = 10;

export const ENTRY = "bot.py"; // the file that every bot has

export function kept(name) {
  try {
    return localStorage.getItem(`${KEY}.${name}`);
  } catch {
    return null; // a browser may refuse
  }
}

export function keep(name, text) {
  try {
    localStorage.setItem(`${KEY}.${name}`, text);
    return true;
  } catch {
    return false; // without it the text is lost with the page, which is no worse than in any other
  }
}

export function parsed(name) {
  try {
    return JSON.parse(kept(name));
  } catch {
    return null;
  }
}

/** Files by name, each a text or { data }, base64 of what is none; as they are kept, what is beside bot.py apart. */
const packed = ({ [ENTRY]: text, ...beside }) => (Object.keys(beside).length ? { text, beside } : { text });
const filesOf = ({ text, beside }) => ({ [ENTRY]: text, ...beside });

const sorted = (files) => JSON.stringify(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1)));

export const isSame = (one, other) => one === other || (one !== null && other !== null && sorted(one) === sorted(other));

/** Whether there is anything in `files`. */
export const isWritten = (files) => Object.values(files).some((one) => typeof one !== "string" || one.trim());

/** What was written for a game: [{ files, at }], `at` in milliseconds, null where it is not known. */
export function draftsOf(game) {
  const drafts = parsed(`texts.${game}`);
  if (Array.isArray(drafts)) return drafts.map((one) => ({ files: filesOf(one), at: one.at }));
  const only = kept(`text.${game}`); // of an earlier release
  return only === null ? [] : [{ files: { [ENTRY]: only }, at: null }];
}

/**
 * Keeps `files` as the last of their game: in the place of `before`, which they are a change of, or beside the others. What was
 * kept already comes first again. Another tab's drafts stay: they are no longer `before`. Returns whether the browser had room.
 */
export function keepDraft(game, files, before) {
  const drafts = draftsOf(game);
  const again = drafts.some((one) => isSame(one.files, files));
  const others = drafts.filter((one) => !isSame(one.files, files) && (again || !isSame(one.files, before)));
  const all = [{ ...packed(files), at: Date.now() }, ...others.map((one) => ({ ...packed(one.files), at: one.at }))].slice(0, MOST);
  for (;;) {
    if (keep(`texts.${game}`, JSON.stringify(all))) return true;
    if (all.length === 1) return false;
    all.pop();
  }
}

export const keptGame = () => kept("game");
export const keepGame = (game) => keep("game", game);

/** What is to be saved as a bot: { game, version, typed, files }, or null. It may be an example; `version` is the address it was opened
 * from, `typed` what was written into the form, by the names of its fields. */
export function chosenToSave() {
  const chosen = parsed("save");
  return chosen && { game: chosen.game, version: chosen.version ?? "", typed: chosen.typed ?? {}, files: filesOf(chosen) };
}
export const chooseToSave = (game, version, files, typed = {}) => keep("save", JSON.stringify({ game, version, typed, ...packed(files) }));

/** What a form that was refused leads back with: see in_playground.html. */
export const typedIn = (query) => Object.fromEntries([...new URLSearchParams(query)].filter(([name]) => ["name", "message"].includes(name)));
