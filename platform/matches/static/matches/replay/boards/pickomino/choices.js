/** Labels and places of a player's actions in Pickomino. */

export { chip, label, spot } from "../grill/choices.js";
export { yours } from "../grill/yours.js";
