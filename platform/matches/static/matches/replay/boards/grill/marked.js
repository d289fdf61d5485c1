/** Return the name of the piece that an action at the grill is about, as bots mark it, or undefined. */

export function marked(action) {
  const [verb, what] = action.split(" ");
  return verb === "take" ? `die ${what}` : undefined; // "tile 25" is both an action and a mark
}
