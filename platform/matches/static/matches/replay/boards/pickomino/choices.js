/** What a player may do in Pickomino, in words and on the board. */

export { chip, label, spot } from "../grill/choices.js";
export { yours } from "../grill/yours.js";
