/** What a page with the replay of a match runs. */

import "../web/live-cells.js";
import "./replay/match-replay.js";
