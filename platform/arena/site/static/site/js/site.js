/** What every page runs. */

import "./copy.js";
import "./local-time.js";
import "./menus.js";
import "./search.js";
import "./theme.js";
