/** Kuhn poker, in a line. */

import { linesBoard } from "../tic_tac_toe/lines.js";

export { headline, sentence } from "../tic_tac_toe/telling.js";
export const { createBoard, scores, scoreTitle } = linesBoard();
