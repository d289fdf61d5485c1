/** The tabs beside the board: story, graph, match. On phones they are a sheet that opens from below. */

import { el } from "./dom.js";
import { gettext } from "./i18n.js";

const NARROW = "(max-width: 56rem)"; // as in the style sheets

/**
 * Create the tabs. Return { element, add }. `panels` are [name, title, element, opened], where `opened` is an optional
 * callback; the first is shown. add(panel) appends another.
 */
export function createRail(panels) {
  const [tabs, boxes, opened] = [[], [], []];
  const select = (at, focus) => {
    tabs.forEach((tab, n) => {
      tab.setAttribute("aria-selected", n === at);
      tab.tabIndex = n === at ? 0 : -1;
      boxes[n].hidden = n !== at;
    });
    if (focus) tabs[at].focus();
    opened[at]?.();
  };
  const walk = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = tabs.indexOf(event.target);
    if (!by || at < 0) return;
    event.preventDefault();
    select((at + by + tabs.length) % tabs.length, true);
  };
  const list = el("div", { class: "rp-tabs", role: "tablist", "aria-label": gettext("Beside the board"), keydown: walk });
  const element = el("section", { class: "rp-rail", id: "rp-rail", "aria-label": gettext("Beside the board") }, list);
  const add = ([name, title, content, open]) => {
    const at = tabs.length;
    const controls = `rp-panel-${name}`;
    tabs.push(el("button", { type: "button", role: "tab", id: `rp-tab-${name}`, "aria-controls": controls, "aria-selected": "false", tabindex: -1, click: () => select(at) }, title));
    boxes.push(el("div", { class: "rp-panel", role: "tabpanel", id: controls, "aria-labelledby": `rp-tab-${name}`, tabindex: 0, hidden: true }, content));
    opened.push(open);
    list.append(tabs[at]);
    element.append(boxes[at]);
  };
  panels.forEach(add);
  select(0);
  return { element, add };
}

/** Call `change(narrow)` now, and whenever the window's width crosses the limit, until `signal` aborts. */
export function onWidth(change, signal) {
  const query = matchMedia(NARROW);
  query.addEventListener("change", () => change(query.matches), { signal });
  change(query.matches);
}
