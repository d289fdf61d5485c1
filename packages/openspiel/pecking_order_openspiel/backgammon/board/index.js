/** Backgammon: the points with their checkers, and below them dice, bar and what is borne off. */

import { gridBoard } from "../tic_tac_toe/grid.js";

export { headline, sentence } from "../tic_tac_toe/telling.js";

const told = ({ board }) => board.filter((line) => /^(Dice|Bar|Scores)/.test(line) && !/: *$/.test(line)).join(" · ");

export const { createBoard, scores, scoreTitle } = gridBoard({ marks: { x: 0, o: 1 }, round: true, note: told });
