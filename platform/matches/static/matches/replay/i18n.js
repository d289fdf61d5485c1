/** Translate texts with the site's catalogue, if it has loaded; otherwise return the English source. */

export const gettext = (text) => globalThis.gettext?.(text) ?? text;

export const ngettext = (one, many, count) => globalThis.ngettext?.(one, many, count) ?? (count === 1 ? one : many);

/** Insert values for "%(name)s". play.js may set `spokenTo` to replace sentences by ones in the second person. */
export const fill = (text, values) =>
  (globalThis.spokenTo?.(text, values) ?? text).replace(/%\((\w+)\)s/g, (_, name) => values[name]);

/** Format a share from 0 to 1 as a percentage that does not break. */
export const percent = (share) => `${Math.round(100 * share)}\u00a0%`;
