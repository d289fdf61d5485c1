/** The author's versions on the site as opponents. The list loads when the seats are used, the files before a game. */

import { fill, gettext } from "../matches/replay/i18n.js";
import { fetchFile, fetchVersion } from "./bot-files.js";

const placeholder = (value, title) => [{ value, title, group: gettext("Your versions on this site"), disabled: true }];

/**
 * Return { of, open, bring }. `address` is the template of a list, with {game}, or "" for a visitor without bots;
 * `python` unpacks versions. `changed()` is called when a list has loaded. of(game) returns opponents for
 * createSetup().
 */
export function createUploads(address, { python, changed }) {
  const known = new Map(); // game -> its versions, or a placeholder
  const requested = new Set();
  const loading = placeholder("asked", gettext("Loading …"));

  const of = (game) => (address ? (known.get(game) ?? loading) : []);

  const open = async (game) => {
    if (!address || requested.has(game)) return;
    requested.add(game);
    try {
      known.set(game, versions(await (await fetchFile(address.replace("{game}", game))).json()));
    } catch (error) {
      console.warn("playground: no versions", error);
      requested.delete(game);
      known.set(game, placeholder("failed", gettext("Your versions could not be loaded. Are you signed in?")));
    }
    changed();
  };

  /** Load the files of those of `values` that have none. Throw an error that names the version that failed. */
  const bring = async (game, values) => {
    for (const one of of(game)) {
      if (!one.source || one.files || !values.includes(one.value)) continue;
      try {
        one.files = await fetchVersion(one.source, python);
      } catch (error) {
        if (error.kind && error.kind !== "refused") throw error; // Python itself failed
        throw new Error(fill(gettext("%(name)s could not be loaded: its file is no longer kept, or you are not signed in."), { name: one.title }));
      }
    }
  };

  return { of, open, bring };
}

function versions({ bots, more }) {
  const found = bots.flatMap(({ name, team, source, versions }) =>
    versions.map((number) => ({ value: `version ${number} ${source}`, title: `${name} v${number}`, group: team ? `${name} · ${team}` : name, source: source.replace("{number}", number) })),
  );
  return more ? [...found, ...placeholder("more", gettext("Older versions are left out"))] : found;
}
