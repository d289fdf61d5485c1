/** What is said of a game of Pickomino once it is over. */

export { because } from "../grill/because.js";
