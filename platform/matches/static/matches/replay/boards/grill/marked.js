/** The piece that an action at the grill is about, by the name that bots mark it by; undefined where there is none. */

export function marked(action) {
  const [verb, what] = action.split(" ");
  return verb === "take" ? `die ${what}` : undefined; // "tile 25" is both
}
