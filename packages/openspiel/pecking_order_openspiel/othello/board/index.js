/** Othello. */

import { gridBoard } from "../tic_tac_toe/grid.js";

export { headline, sentence } from "../tic_tac_toe/telling.js";
export const { createBoard, scores, scoreTitle } = gridBoard({ cells: (view) => view.board.filter((line) => /^\d/.test(line)).map((line) => line.split(/\s+/).slice(1, 9)), marks: { x: 0, o: 1 }, round: true });
