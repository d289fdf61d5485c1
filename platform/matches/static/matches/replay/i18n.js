/** Translated text: the site's catalogue where it is loaded, the English source elsewhere. */

export const gettext = (text) => globalThis.gettext?.(text) ?? text;

export const ngettext = (one, many, count) => globalThis.ngettext?.(one, many, count) ?? (count === 1 ? one : many);

let spoken = null;

/** From now on says to `name` what `texts`, [about anybody, to you] as choices.js of a game has them, say about them. */
export const speakTo = (name, texts) => (spoken = { name, texts: new Map(texts) });

/** Puts values into "%(name)s" places. */
export function fill(text, values) {
  const said = spoken && (values.name ?? values.winner) === spoken.name ? (spoken.texts.get(text) ?? text) : text;
  return said.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
}
