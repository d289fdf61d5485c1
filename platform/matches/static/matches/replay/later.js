/** What a viewer needs only after the first move: the end of a game, a look along the scrubber, the list of keys, what a piece means. */

export { createEnding } from "./ending.js";
export { createHelp } from "./help.js";
export { createMeanings } from "./meanings.js";
export { createPeek } from "./peek.js";
