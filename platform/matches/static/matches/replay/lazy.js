/** Load parts of the player when they are first needed. */

import { el } from "./dom.js";

/**
 * Resolve to the module at `module` after its style sheet and its catalogue of `texts` have loaded or failed: the
 * module also works without styles, and in English.
 */
export async function loadPart({ module, style, texts }) {
  await Promise.all([style && added("link", { rel: "stylesheet", href: style }), texts && added("script", { src: texts })]);
  return import(module);
}

const added = (tag, attributes) => new Promise((done) => document.head.append(el(tag, { ...attributes, load: done, error: done })));
