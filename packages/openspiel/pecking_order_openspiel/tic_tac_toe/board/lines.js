/** A table as OpenSpiel prints it, line by line in letters of one width. */

import { el } from "../../dom.js";
import { plainBoard } from "../table/plain.js";

export function linesBoard() {
  const words = plainBoard({ middle: () => "" });
  const createBoard = (seats) => {
    const plain = words.createBoard(seats);
    const lines = el("pre", { class: "plain-table mono" });
    Object.assign(lines.style, { margin: "0", overflow: "auto", textAlign: "start", lineHeight: "1.3" });
    plain.element.querySelector(".plain-table").replaceWith(lines);
    const show = (frame, options) => {
      plain.show(frame, options);
      lines.textContent = frame.view.board.join("\n").trimEnd();
    };
    return { element: plain.element, show };
  };
  return { ...words, createBoard };
}
