/** The scripts of every page. */

import "./copy.js";
import "../../web/local-time.js";
import "./menus.js";
import "./refused.js";
import "./search.js";
import "./shown-once.js";
import "./theme.js";
