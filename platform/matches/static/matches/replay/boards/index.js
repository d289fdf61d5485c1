/**
 * The boards by game. A board module has
 *  - createBoard(seats): { element, show(frame, {seats, pov, moved}) }, seats in table order, pov a match seat or -1;
 *  - sentence(frame, before, seats, pov): what happened, for people who read or hear it, as far as pov may know it;
 *  - headline(frame, seats): the same in short, for frames with a key;
 *  - scores(view): points by table position, and scoreTitle() their name;
 *  - about(frame), where that is not in its view's `last`: the table position that a frame with a key is about;
 *  - dwell(frame): milliseconds a frame deserves at speed 1.
 */

import * as heckmeck from "./heckmeck/index.js";
import * as karteneck from "./karteneck/index.js";
import * as laghetti from "./laghetti/index.js";
import * as pickomino from "./pickomino/index.js";

const BOARDS = { heckmeck, karteneck, laghetti, pickomino };

/** The board of a ruleset id such as "pickomino/1". */
export function boardOf(ruleset) {
  const board = BOARDS[ruleset.split("/")[0]];
  if (!board) throw new Error(`No board draws the game ${ruleset}`);
  return board;
}
