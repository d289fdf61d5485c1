/** Translated text: the site's catalogue where it is loaded, the English source elsewhere. */

export const gettext = (text) => globalThis.gettext?.(text) ?? text;

export const ngettext = (one, many, count) => globalThis.ngettext?.(one, many, count) ?? (count === 1 ? one : many);

/** Puts values into "%(name)s" places. `spokenTo`, where play.js has set it, may say a text otherwise. */
export const fill = (text, values) =>
  (globalThis.spokenTo?.(text, values) ?? text).replace(/%\((\w+)\)s/g, (_, name) => values[name]);

/** A share from 0 to 1 as a percentage that stays on one line. */
export const percent = (share) => `${Math.round(100 * share)}\u00a0%`;
