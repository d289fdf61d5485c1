/**
 * Drafts in localStorage, which outlive a sign-up: up to MOST for each game, newest first.
 * A draft's files are an object: file name -> text, or { data } with base64 for a binary file.
 */

const KEY = "pecking-order.playground";
const MOST = 10;

export const ENTRY = "bot.py"; // every bot has this file

function load(name) {
  try {
    return localStorage.getItem(`${KEY}.${name}`);
  } catch {
    return null; // storage may be disabled
  }
}

export function store(name, text) {
  try {
    localStorage.setItem(`${KEY}.${name}`, text);
    return true;
  } catch {
    return false; // storage is full or disabled
  }
}

export function loadJson(name) {
  try {
    return JSON.parse(load(name));
  } catch {
    return null;
  }
}

/** The stored form keeps bot.py apart from the other files. */
const packed = ({ [ENTRY]: text, ...beside }) => (Object.keys(beside).length ? { text, beside } : { text });
const filesOf = ({ text, beside }) => ({ [ENTRY]: text, ...beside });

const sorted = (files) => JSON.stringify(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1)));

export const isSame = (one, other) => one === other || (one !== null && other !== null && sorted(one) === sorted(other));

/** Return whether any of `files` has content. */
export const hasContent = (files) => Object.values(files).some((one) => typeof one !== "string" || one.trim());

/** Return the drafts of a game, newest first, as [{ files, at }]. `at` is in milliseconds, or null if unknown. */
export function draftsOf(game) {
  const drafts = loadJson(`texts.${game}`);
  if (Array.isArray(drafts)) return drafts.map((one) => ({ files: filesOf(one), at: one.at }));
  const only = load(`text.${game}`); // written by an earlier release
  return only === null ? [] : [{ files: { [ENTRY]: only }, at: null }];
}

/**
 * Store `files` as the game's newest draft, replacing the draft `before` that they were edited from. Files that equal a
 * stored draft move to the front and replace nothing. Drafts that another tab has changed differ from `before`, and
 * remain. Return whether the browser had room.
 */
export function saveDraft(game, files, before) {
  const drafts = draftsOf(game);
  const again = drafts.some((one) => isSame(one.files, files));
  const others = drafts.filter((one) => !isSame(one.files, files) && (again || !isSame(one.files, before)));
  const all = [{ ...packed(files), at: Date.now() }, ...others.map((one) => ({ ...packed(one.files), at: one.at }))].slice(0, MOST);
  for (;;) {
    if (store(`texts.${game}`, JSON.stringify(all))) return true;
    if (all.length === 1) return false;
    all.pop();
  }
}

export const lastGame = () => load("game");
export const saveLastGame = (game) => store("game", game);

/**
 * Return the bot to upload, { game, version, typed, files }, or null. It may be an example. `version` is the address it
 * was opened from; `typed` maps names of form fields to their values.
 */
export function pendingUpload() {
  const chosen = loadJson("save");
  return chosen && { game: chosen.game, version: chosen.version ?? "", typed: chosen.typed ?? {}, files: filesOf(chosen) };
}
export const setPendingUpload = (game, version, files, typed = {}) => store("save", JSON.stringify({ game, version, typed, ...packed(files) }));

/** Return the form values that a rejected form passes back in its query (see in_playground.html). */
export const formValues = (query) => Object.fromEntries([...new URLSearchParams(query)].filter(([name]) => ["name", "message"].includes(name)));
