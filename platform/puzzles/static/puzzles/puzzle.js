/**
 * Draw a puzzle on its game's board and label its actions. Without scripts, the page has a picture and the action
 * strings.
 */

import { matchSeats } from "../matches/replay/seating.js";

const { board, choices, table, view, ...data } = JSON.parse(document.getElementById("puzzle-data").textContent);
const [{ createBoard }, labels] = await Promise.all([import(board), choices ? import(choices) : {}]);
const { element, show } = createBoard(matchSeats(data));
document.querySelector(".puzzle-board").replaceChildren(element);
show({ n: 0, actor: view.actor, view: table }, { pov: -1, passed: [], pace: 1 });
for (const one of document.querySelectorAll("[data-action]")) one.textContent = labels.label?.(one.dataset.action, view) ?? one.dataset.action;
for (const one of document.querySelectorAll("[data-meaning]")) one.hidden = Boolean(labels.label?.(one.dataset.meaning, view));
