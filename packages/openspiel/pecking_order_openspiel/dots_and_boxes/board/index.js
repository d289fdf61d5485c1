/** Dots and Boxes, as text. */

import { linesBoard } from "../tic_tac_toe/lines.js";

export { headline, sentence } from "../tic_tac_toe/sentences.js";
export const { createBoard, scores, scoreTitle } = linesBoard();
