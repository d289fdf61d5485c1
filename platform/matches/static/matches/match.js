/** What a page with the replay of a match runs; live-cells.js goes with it as long as the match is not finished. */

import "./replay/match-replay.js";
