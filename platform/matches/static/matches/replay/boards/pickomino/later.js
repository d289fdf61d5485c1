/** What is said of a game of Pickomino once it is over, and of its decisions. */

export { because } from "../grill/because.js";
export { marked } from "../grill/marked.js";
export { option } from "../grill/option.js";
