/** Translated text: the site's catalogue where it is loaded, the English source elsewhere. */

export const gettext = (text) => globalThis.gettext?.(text) ?? text;

export const ngettext = (one, many, count) => globalThis.ngettext?.(one, many, count) ?? (count === 1 ? one : many);

/**
 * From now on says to `name` what `texts`, [about anybody, to you] as choices.js of a game has them, say about them. As the
 * catalogue it is the page's, not the module's: each bundle has a copy of that.
 */
export const speakTo = (name, texts) => (globalThis.spokenTo = { name, texts: new Map(texts) });

/** Puts values into "%(name)s" places. */
export function fill(text, values) {
  const { name, texts } = globalThis.spokenTo ?? {};
  const said = (texts && (values.name ?? values.winner) === name && texts.get(text)) || text;
  return said.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
}
