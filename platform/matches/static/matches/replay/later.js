/** What a viewer needs only after the first move: the end of a game, the graph of points, a look along the scrubber, the list of keys, what a piece means, what the bots say and saw. */

export { closing, createEnding } from "./ending.js";
export { createGraph } from "./graph.js";
export { createHelp } from "./help.js";
export { createMeanings } from "./meanings.js";
export { createNotes } from "./notes.js";
export { createPeek } from "./peek.js";
export { createSaw } from "./saw.js";

// Headings below the board get the display face; the browser loads it when one is seen.
document.querySelector("link[disabled]")?.removeAttribute("disabled");
