/** What the browser remembers of the viewer's choices; nothing where it may not. */

const PREFIX = "replay.";

export function kept(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null; // storage is refused
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Refused, or full: the choice holds for this page.
  }
}
