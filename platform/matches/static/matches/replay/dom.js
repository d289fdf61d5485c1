/**
 * Create elements: el(tag, attributes, ...children) and svg(...). Functions in `attributes` become event listeners;
 * attributes that are undefined or false are left out.
 */

const SVG = "http://www.w3.org/2000/svg";

export const el = (tag, attributes = {}, ...children) => build(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) => build(document.createElementNS(SVG, tag), attributes, children);

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Return the coloured chip with a seat's letter. */
export const chip = (seat) => el("span", { class: "seat", "data-seat": seat.seat }, seat.letter);

/**
 * Return the path data of a step line through `points`, with corners only where the value changes. `x` and `y` map an
 * index and a value to coordinates.
 */
export function stepPath(points, x, y) {
  if (!points.length) return "";
  let d = `M${x(0).toFixed(1)} ${y(points[0]).toFixed(1)}`;
  for (let n = 1; n < points.length; n += 1) {
    if (points[n] !== points[n - 1]) d += `H${x(n).toFixed(1)}V${y(points[n]).toFixed(1)}`;
  }
  return `${d}H${x(points.length - 1).toFixed(1)}`;
}
