/** Texts for finished games of Pickomino. */

export { because } from "../grill/because.js";
export { marked } from "../grill/marked.js";
export { option } from "../grill/option.js";
