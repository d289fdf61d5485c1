/** The author's versions on the site as opponents: they are asked for before a list of opponents opens, and their files before they play. */

import { fill, gettext } from "../matches/replay/i18n.js";
import { fetched, versionAt } from "./fetched.js";

const word = (value, title) => [{ value, title, group: gettext("Your versions on this site"), disabled: true }];

/**
 * `address` has the versions of a {game}, and is "" for who has none; `python` unpacks them. `changed()` is called once there are
 * more. Each of `of(game)` is an opponent, see setup.js.
 */
export function createUploads(address, { python, changed }) {
  const known = new Map(); // game -> its versions, or what is said in their place
  const asked = new Set();
  const asking = word("asked", gettext("Loading …"));

  const of = (game) => (address ? (known.get(game) ?? asking) : []);

  const open = async (game) => {
    if (!address || asked.has(game)) return;
    asked.add(game);
    try {
      known.set(game, versions(await (await fetched(address.replace("{game}", game))).json()));
    } catch (error) {
      console.warn("playground: no versions", error);
      asked.delete(game);
      known.set(game, word("failed", gettext("Your versions could not be loaded. Are you signed in?")));
    }
    changed();
  };

  /** Brings the files of those of `values` that have none yet. Rejects with an error whose message names what is missing. */
  const bring = async (game, values) => {
    for (const one of of(game)) {
      if (!one.source || one.files || !values.includes(one.value)) continue;
      try {
        one.files = await versionAt(one.source, python);
      } catch (error) {
        if (error.kind && error.kind !== "refused") throw error; // Python itself
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
  return more ? [...found, ...word("more", gettext("Older versions are left out"))] : found;
}
