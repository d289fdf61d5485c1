/** Texts of alternatives in the luck analysis, for the games at the grill. */

import { fill, gettext, percent } from "../../i18n.js";

const MILLION = 1e6;

/** Return { label, detail } of an alternative: its name, and its consequences. */
export const option = (kind, one) => ({ label: label(kind, one), detail: detail(kind, one) });

function label(kind, { action, left, tile, total }) {
  const rest = action.split(" ")[1];
  if (kind === "face") return rest === "W" ? gettext("keep the worms") : fill(gettext("keep the %(face)ss"), { face: rest });
  if (action === "roll") return fill(gettext("roll %(left)s dice"), { left });
  if (action === "stop" && tile === undefined) return fill(gettext("stop with %(total)s"), { total });
  if (action === "stop") return tile ? fill(gettext("stop with %(total)s: tile %(tile)s"), { total, tile }) : fill(gettext("stop with %(total)s: a failed turn"), { total });
  if (action === "decline" && !tile) return gettext("do not steal: a failed turn");
  if (action === "steal" && !tile) return gettext("steal the hen");
  if (action === "steal") return fill(gettext("steal tile %(tile)s"), { tile });
  return fill(gettext("take tile %(tile)s"), { tile });
}

function detail(kind, { action, bust, tile, total }) {
  const risk = bust === undefined ? "" : fill(gettext("%(bust)s bust if it rolls on"), { bust: risky(bust) });
  if (kind === "go_on") return action === "roll" ? risk : "";
  if (kind !== "face") return "";
  const now = tile ? fill(gettext("%(total)s now, enough for tile %(tile)s"), { total, tile }) : fill(gettext("%(total)s now"), { total });
  return risk ? `${now}; ${risk}` : now;
}

function risky(bust) {
  return bust > 0 && 100 * bust < MILLION ? `< ${percent(0.01)}` : percent(bust / MILLION);
}
