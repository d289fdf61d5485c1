/** The parts of the player that load with the first move (extras.js). */

export { closing, createEnding } from "./ending.js";
export { createGraph } from "./graph.js";
export { createHelp } from "./help.js";
export { createMeanings } from "./meanings.js";
export { createNotes } from "./notes.js";
export { createPeek } from "./peek.js";
export { createSaw } from "./saw.js";

// Enable the display face: the browser loads it once a heading that uses it is visible.
document.querySelector("link[disabled]")?.removeAttribute("disabled");
