/** Chess. */

import { gridBoard } from "../tic_tac_toe/grid.js";

export { headline, sentence } from "../tic_tac_toe/sentences.js";
export const { createBoard, scores, scoreTitle } = gridBoard({ marks: Object.fromEntries([..."pnbrqkPNBRQK"].map((one) => [one, Number(one < "a")])), round: true, letters: true });
