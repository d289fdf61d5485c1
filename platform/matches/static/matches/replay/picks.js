/**
 * The actions of a player as buttons over the pieces of the board. A game's choices.js exports:
 * - spot(action, view): the selector of the pieces that the action is done with, or undefined. Several actions with one
 *   spot, or pieces too close for a button each, share a button that opens a menu.
 * - chip(action, view): { at, text } for an action without a piece, which gets a button at the foot of the element
 *   `at`.
 */

import { el } from "./dom.js";
import { gettext } from "./i18n.js";

const LEAST = 44; // px, the size for fingers
const NARROWEST = 24; // px, the least size (WCAG 2.5.8): a narrower piece shares its neighbour's button
const EDGE = 8;

/**
 * Place buttons for `actions` over `stage`. Return { hint(action), close() }. `labels` is the game's choices.js;
 * label(action) returns a text; choose(action) is called once.
 */
export function createPicks(stage, { labels, actions, view, label, choose }) {
  const layer = el("div", { class: "rp-picks", role: "group", "aria-label": gettext("On the board") });
  const spots = new Map();
  const trays = new Map();
  for (const action of actions) {
    const spot = labels.spot?.(action, view);
    const chip = spot ? null : labels.chip?.(action, view);
    if (spot) spots.set(spot, [...(spots.get(spot) ?? []), action]);
    if (chip) trays.set(chip.at, [...(trays.get(chip.at) ?? []), { action, text: chip.text }]);
  }
  const buttons = []; // { button, selectors, first }
  let hinted = null;
  let closed = false;

  const light = (mine, on) => {
    for (const { button, selectors } of buttons) if (common(selectors, mine)) button.toggleAttribute("data-lit", on);
  };

  const createButton = (selectors, first) => {
    const mine = selectors.flatMap((selector) => spots.get(selector));
    const text = mine.map(label).join(" / ");
    const more = mine.length > 1;
    const button = el("button", {
      type: "button",
      class: "rp-pick",
      title: text,
      "aria-label": first && text,
      "aria-haspopup": first && more && "true",
      "aria-hidden": !first && "true",
      tabindex: !first && -1,
      "data-actions": mine.join("|"),
      click: () => (more ? offer(mine, button) : choose(mine[0])),
      pointerenter: () => light(selectors, true),
      pointerleave: () => light(selectors, false),
      focus: () => light(selectors, true),
      blur: () => light(selectors, false),
    });
    return button;
  };

  /** Open the menu of a button with several actions. */
  const offer = (mine, button) => {
    const close = () => menu.hidePopover();
    const menu = el(
      "div",
      { class: "rp-offer", popover: "auto", role: "group", "aria-label": gettext("What you may do"), toggle: ({ newState }) => newState === "closed" && menu.remove() },
      ...mine.map((action) => el("button", { type: "button", class: "button", "data-action": action, "data-hint": action === hinted, click: () => (close(), choose(action)) }, label(action))),
    );
    layer.append(menu);
    menu.showPopover();
    const [own, piece] = [menu.getBoundingClientRect(), button.getBoundingClientRect()];
    const within = (at, size, most) => Math.max(EDGE, Math.min(at, most - size - EDGE));
    const above = piece.top - own.height - EDGE;
    menu.style.left = `${within(piece.left + (piece.width - own.width) / 2, own.width, innerWidth)}px`;
    menu.style.top = `${within(above < EDGE ? piece.bottom + EDGE : above, own.height, innerHeight)}px`;
    menu.querySelector("button").focus();
  };

  const place = () => {
    if (closed) return;
    const home = stage.getBoundingClientRect();
    const pieces = [...spots.keys()].flatMap((selector) => joined([...stage.querySelectorAll(selector)].filter(isSeen)).map((box, at) => ({ selectors: [selector], box, first: at === 0 })));
    const found = wideEnough(pieces, home);
    const same = found.length === buttons.length && found.every(({ selectors, first }, at) => String(buttons[at].selectors) === String(selectors) && buttons[at].first === first);
    if (!same || !layer.hasChildNodes()) {
      buttons.splice(0, buttons.length, ...found.map(({ selectors, first }) => ({ selectors, first, button: createButton(selectors, first) })));
      layer.replaceChildren(...buttons.map(({ button }) => button), ...[...trays].map(([at, chips]) => tray(at, chips)));
    }
    found.forEach(({ target: { left, right, top, bottom } }, at) => {
      lay(buttons[at].button, { left: left - home.left, top: top - home.top, width: right - left, height: bottom - top });
    });
    for (const one of layer.querySelectorAll(".rp-tray")) {
      const at = stage.querySelector(one.dataset.at)?.getBoundingClientRect();
      if (at) lay(one, { left: at.left - home.left, top: at.top - home.top, width: at.width, height: at.height });
    }
    showHint();
  };

  const tray = (at, chips) =>
    el("div", { class: "rp-tray", "data-at": at }, ...chips.map(({ action, text }) => el("button", { type: "button", class: "rp-chip", "aria-label": label(action), title: label(action), "data-actions": action, click: () => choose(action) }, text)));

  const showHint = () => {
    for (const button of layer.querySelectorAll("[data-actions]")) button.toggleAttribute("data-hint", hinted !== null && button.dataset.actions.split("|").includes(hinted));
  };

  // Boards may lay themselves out again after they know their new size.
  const watch = new ResizeObserver(() => requestAnimationFrame(place));
  stage.append(layer);
  watch.observe(stage);
  place();
  // Wait for pieces that still travel.
  Promise.allSettled(stage.getAnimations({ subtree: true }).map(({ finished }) => finished)).then(place);

  const hint = (action) => {
    hinted = action;
    showHint();
  };
  const close = () => {
    closed = true;
    watch.disconnect();
    layer.remove();
  };
  return { hint, close };
}

const isSeen = (piece) => piece.checkVisibility({ visibilityProperty: true }) && piece.getBoundingClientRect().width > 0;

/** Return the boxes of pieces; neighbours in one row share a box. */
function joined(pieces) {
  const boxes = [];
  for (const piece of pieces) {
    const { left, right, top, bottom } = ((piece instanceof HTMLElement && piece.querySelector(":scope > svg")) || piece).getBoundingClientRect();
    const last = boxes.at(-1);
    const beside = last && Math.abs(last.top - top) < EDGE && left - last.right < LEAST / 2 && left >= last.left;
    if (beside) Object.assign(last, { right: Math.max(last.right, right), bottom: Math.max(last.bottom, bottom) });
    else boxes.push({ left, right, top, bottom });
  }
  return boxes;
}

const common = (selectors, others) => selectors.some((selector) => others.includes(selector));

const level = (one, other) => other.top < one.bottom && other.bottom > one.top;

/** Add to each piece the `target` of its button. Pieces that are too close for a button each are merged. */
function wideEnough(pieces, home) {
  const others = (one) => pieces.filter((other) => !common(one.selectors, other.selectors));
  const found = pieces.map((one) => ({ ...one, target: grown(one.box, others(one).map(({ box }) => box), home) }));
  const narrow = found.find(({ target }) => target.right - target.left < NARROWEST);
  if (!narrow) return found;
  const away = ({ box }) => Math.abs(box.left + box.right - narrow.box.left - narrow.box.right);
  const beside = others(narrow).filter(({ box }) => level(box, narrow.box)).sort((one, other) => away(one) - away(other))[0];
  if (!beside) return found;
  const both = pieces.filter(({ box }) => box === narrow.box || box === beside.box).sort((one, other) => one.box.left - other.box.left);
  return wideEnough(pieces.flatMap((one) => (one === both[0] ? together(both) : one === both[1] ? [] : one)), home);
}

/** Merge two pieces. */
function together([one, other]) {
  const [a, b] = [one.box, other.box];
  const box = { left: Math.min(a.left, b.left), right: Math.max(a.right, b.right), top: Math.min(a.top, b.top), bottom: Math.max(a.bottom, b.bottom) };
  return { selectors: [...one.selectors, ...other.selectors], box, first: one.first || other.first };
}

/**
 * Return the box enlarged for fingers, as far as the `others` and the edges of `home` allow. A piece that overlaps
 * from the right covers this one. If one side has no room, the box grows to the other side.
 */
function grown({ left, right, top, bottom }, others, home) {
  const near = others.filter((other) => level({ top, bottom }, other));
  const before = Math.max(home.left, ...near.filter((other) => other.left < left).map((other) => Math.min(left, (other.right + left) / 2)));
  const after = Math.min(home.right, ...near.filter((other) => other.left >= right - 1).map((other) => (other.left + right) / 2));
  const covered = Math.min(Infinity, ...near.filter((other) => other.left > left && other.left < right - 1).map((other) => other.left));
  const [from, to] = along(left, Math.min(right, covered), Math.min(before, left), Math.min(after, covered));
  const [over, under] = along(top, bottom, Math.min(home.top, top), Math.max(home.bottom, bottom));
  return { left: from, right: to, top: over, bottom: under };
}

/** Return an interval around `low` to `high` of the size LEAST, within `least` and `most`, centred if possible. */
function along(low, high, least, most) {
  const size = Math.max(high - low, Math.min(LEAST, most - least));
  const begin = Math.max(least, Math.min((low + high - size) / 2, most - size));
  return [begin, begin + size];
}

function lay(element, box) {
  for (const [side, value] of Object.entries(box)) element.style.setProperty(side, `${value}px`);
}
