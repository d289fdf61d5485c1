/** Settings of the viewer in localStorage; without storage, they last as long as the page. */

const PREFIX = "replay.";

export function loadSetting(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null; // storage is disabled
  }
}

export function saveSetting(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Storage is disabled or full: the setting lasts as long as the page.
  }
}
