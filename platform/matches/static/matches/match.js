/** The script of pages with a replay. live-cells.js is added until the match has finished. */

import "./replay/match-replay.js";
