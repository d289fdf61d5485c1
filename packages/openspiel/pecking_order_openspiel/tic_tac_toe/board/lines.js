/** Boards as the text that OpenSpiel prints, in a monospaced font. */

import { el } from "../../dom.js";
import { plainBoard } from "../table/plain.js";

export function linesBoard() {
  const board = plainBoard({ middle: () => "" });
  const createBoard = (seats) => {
    const plain = board.createBoard(seats);
    const lines = el("pre", { class: "plain-table mono" });
    Object.assign(lines.style, { margin: "0", overflow: "auto", textAlign: "start", lineHeight: "1.3" });
    plain.element.querySelector(".plain-table").replaceWith(lines);
    const show = (frame, options) => {
      plain.show(frame, options);
      lines.textContent = frame.view.board.join("\n").trimEnd();
    };
    return { element: plain.element, show };
  };
  return { ...board, createBoard };
}
