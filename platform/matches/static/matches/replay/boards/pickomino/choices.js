/** What a player may do in Pickomino, in words. */

export { label } from "../grill/choices.js";
