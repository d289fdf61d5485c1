/** Heckmeck, the anniversary edition: Pickomino with two low tiles, bratworms and six specialists. */

export { scores, scoreTitle } from "../grill/scores.js";
export { drama, situation, suspense, toast } from "../grill/turn.js";
export { createBoard } from "./board.js";
export { headline, sentence } from "./sentence.js";

export const hands = false;
