/** Clobber. */

import { gridBoard } from "../tic_tac_toe/grid.js";

export { headline, sentence } from "../tic_tac_toe/telling.js";
export const { createBoard, scores, scoreTitle } = gridBoard({ cells: (view) => view.board.filter((line) => /^\d/.test(line)).map((line) => [...line.slice(1)]), marks: { o: 0, x: 1 }, round: true });
