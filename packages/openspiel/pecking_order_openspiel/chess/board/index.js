/** Chess. */

import { gridBoard } from "../tic_tac_toe/grid.js";

export { headline, sentence } from "../tic_tac_toe/telling.js";
export const { createBoard, scores, scoreTitle } = gridBoard({ cells: (view) => view.board[0].split(" ")[0].split("/").map((rank) => [...rank].flatMap((one) => (/\d/.test(one) ? Array(Number(one)).fill(".") : [one]))), marks: Object.fromEntries([..."pnbrqk"].flatMap((one) => [[one, 0], [one.toUpperCase(), 1]])), round: true, letters: true });
