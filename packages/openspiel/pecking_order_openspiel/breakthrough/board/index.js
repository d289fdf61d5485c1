/** Breakthrough. */

import { gridBoard } from "../tic_tac_toe/grid.js";

export { headline, sentence } from "../tic_tac_toe/sentences.js";
export const { createBoard, scores, scoreTitle } = gridBoard({ marks: { b: 0, w: 1 }, round: true });
