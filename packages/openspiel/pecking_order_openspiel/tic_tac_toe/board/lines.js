/** A table as OpenSpiel prints it, line by line in letters of one width. */

import { el } from "../../dom.js";
import { plainBoard } from "../table/plain.js";

export function linesBoard() {
  const words = plainBoard({ middle: () => "" });
  const createBoard = (seats) => {
    const plain = words.createBoard(seats);
    const lines = el("pre", { class: "lines-table mono" });
    plain.element.querySelector(".plain-table").replaceWith(lines);
    const show = (frame, options) => {
      lines.textContent = frame.view.board.join("\n").trimEnd();
      plain.show(frame, options);
    };
    return { element: plain.element, show };
  };
  return { ...words, createBoard };
}
