/** Go. */

import { gridBoard } from "../tic_tac_toe/grid.js";

export { headline, sentence } from "../tic_tac_toe/telling.js";
export const { createBoard, scores, scoreTitle } = gridBoard({ cells: (view) => view.board.filter((line) => /^\s*\d/.test(line)).map((line) => [...line.trim().split(/\s+/)[1]]), marks: { X: 0, O: 1 }, round: true });
