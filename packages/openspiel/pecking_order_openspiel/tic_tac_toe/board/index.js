/** Tic-tac-toe. */

import { gridBoard } from "../tic_tac_toe/grid.js";

export { headline, sentence } from "../tic_tac_toe/telling.js";
export const { createBoard, scores, scoreTitle } = gridBoard({ cells: (view) => view.board.slice(0, 3).map((line) => [...line]), marks: { x: 0, o: 1 } });
