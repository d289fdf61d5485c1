/** Parts of the player that come when they are first needed: a module with its style sheet and its texts. */

import { el } from "./dom.js";

/**
 * Resolves to the module at `module`, once the sheet at `style` and the catalogue at `texts` are there or have failed: what
 * comes works without its texts, in English, and without its looks.
 */
export async function afterwards({ module, style, texts }) {
  await Promise.all([style && added("link", { rel: "stylesheet", href: style }), texts && added("script", { src: texts })]);
  return import(module);
}

const added = (tag, attributes) => new Promise((done) => document.head.append(el(tag, { ...attributes, load: done, error: done })));
