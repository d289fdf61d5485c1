/** Pickomino: eight dice, sixteen tiles on a grill, a stack for each player. */

export { scores, scoreTitle } from "../grill/scores.js";
export { drama, situation, suspense, toast } from "../grill/turn.js";
export { createBoard } from "./board.js";
export { headline, sentence } from "./sentence.js";

export const hands = false;
