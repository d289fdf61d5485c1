/** Checkers. */

import { gridBoard } from "../tic_tac_toe/grid.js";

export { headline, sentence } from "../tic_tac_toe/sentences.js";
export const { createBoard, scores, scoreTitle } = gridBoard({ marks: { o: 0, 8: 0, "+": 1, "*": 1 }, crowns: "8*", round: true });
