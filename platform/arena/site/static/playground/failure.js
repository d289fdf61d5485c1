/** A failure of the site, played again in this page: the words are those of `peck replay`, see peck/rerun.py. */

import { ENTRY, isSame } from "./draft.js";
import { el } from "../matches/replay/dom.js";
import { fill, gettext } from "../matches/replay/i18n.js";
import { base64, fetched, versionAt } from "./fetched.js";
import { faultBox, lateParts } from "./told.js";

const TOO_SLOW = ["cpu_time", "wall_time", "slept"];
const BUNDLES = /^\/bots\/[^/]+\/[^?#]*$/; // what an address may name: a file of the reader's own bots on this site

const whenOf = (number) => (number ? fill(gettext("decision %(number)s"), { number }) : gettext("at the start"));

function sentence({ word, decision, answer }) {
  const text = {
    again: gettext("it happens again, %(when)s"),
    same: gettext("the bot answers %(answer)s again"),
    other: gettext("the bot now answers %(answer)s"),
    fails: gettext("the bot fails, %(when)s"),
    otherwise: gettext("it fails, but differently, %(when)s"),
    answers: gettext("it does not happen again: the bot answers %(answer)s"),
    starts: gettext("it does not happen again: the bot starts"),
  }[word];
  return fill(text, { when: whenOf(decision), answer: `'${answer}'` });
}

function note({ decision, told, answer }) {
  const text = gettext("%(when)s: on the site it answered %(told)s, here %(answer)s; then it was asked as on the site");
  return el("p", {}, fill(text, { when: whenOf(decision), told: `'${told}'`, answer: `'${answer}'` }));
}

/**
 * Failures in `place`. `python` plays them, `files()` is the bot that is written, `opened(ruleset)` is told of which game one is,
 * `put(files)` takes the bot of that time, or one that is opened; `go` and `verdicts` as in told.js. Returns { open(file), played() },
 * the second for when a game is played: what is said of a failure is of the code as it was.
 */
export function createFailures(place, { python, files, opened, put, go, verdicts }) {
  let tried = null; // { code, told }: with which the failure was played again, and where it says what came of it

  const refuse = (text) => place.replaceChildren(el("div", { class: "notice bad" }, el("p", {}, text)));

  /** A zip is a bot, or a failure of the site. */
  const open = async (file, version) => {
    const bundle = await base64(file);
    const sources = version ? {} : await python.ask({ do: "sources", data: bundle }).catch(() => ({}));
    if (ENTRY in sources) {
      place.replaceChildren();
      return put(sources);
    }
    const found = await python.ask({ do: "failure", bundle }).catch((error) => ({ refused: String(error.message) }));
    if (found.refused !== undefined) return refuse(fill(gettext("This is not a failure from this site: %(why)s"), { why: found.refused }));
    opened(found.ruleset);
    const isFailure = Boolean(found.verdict);
    const loaded = version ? await load(version) : "";
    const told = el("div", { class: "stack tight", role: "status" });
    const play = el("button", { type: "button", class: "button", click: () => again(bundle, found, told) }, isFailure ? gettext("Play up to the fault") : gettext("Play up to this decision"));
    const verdict = verdicts[found.verdict] ?? found.verdict;
    const happened = !isFailure ? gettext("match %(match)s, game %(game)s, seat %(seat)s, on the site: it answered %(told)s") : found.match
      ? gettext("match %(match)s, game %(game)s, seat %(seat)s, on the site: %(verdict)s")
      : gettext("the check, game %(game)s, seat %(seat)s, on the site: %(verdict)s");
    const where = fill(happened, { ...found, verdict });
    const view = found.view && el("details", {}, el("summary", {}, isFailure ? gettext("The view that it failed on") : gettext("What it saw")), el("pre", { tabindex: 0 }, JSON.stringify(found.view, null, 1)));
    const next = loaded || gettext("Put the bot as it was then into the editor, or your corrected version.");
    place.replaceChildren(el("div", { class: "notice stack tight" }, el("p", {}, where), el("p", { class: "small muted" }, next), ...(view ? [view] : []), el("div", {}, play), told));
    return undefined;
  };

  /** Puts the version of that time into the field, and says so. */
  const load = async (address, said = gettext("The version that played is in the editor: play it as it was, or fix it first.")) => {
    try {
      put(await versionAt(address, python));
      return said;
    } catch {
      return gettext("The version that played could not be loaded: its file is no longer kept, or you are not signed in.");
    }
  };

  const again = async (bundle, { verdict }, told) => {
    told.replaceChildren(gettext("Playing …"));
    tried = { code: files(), told };
    try {
      const found = await python.ask({ do: "again", bundle, files: files() });
      const fault = found.fault && faultBox(found.fault, gettext("Your bot"), verdicts, go);
      told.replaceChildren(el("b", {}, sentence(found)), ...(found.deviation ? [note(found.deviation)] : []), ...(fault ? [fault] : []));
    } catch (error) {
      if (error.kind !== "hang") return told.replaceChildren(String(error.message || error.kind));
      // It was asked once to start, and then once a decision.
      const word = TOO_SLOW.includes(verdict) ? "again" : "otherwise";
      told.replaceChildren(el("b", {}, sentence({ word, decision: error.count - 1 })), el("p", {}, gettext("It gave no answer within 5 seconds, and was stopped.")), ...(error.late ? lateParts(error.late, go) : []));
    }
    return undefined;
  };

  const begin = async () => {
    const said = await load(version, gettext("This version is in the editor. Your drafts are under “Start from”, and can sit at the table."));
    place.replaceChildren(el("div", { class: "notice", role: "status" }, el("p", {}, said)));
  };

  const query = new URLSearchParams(location.search);
  const [asked, version] = ["failure", "version"].map((name) => (BUNDLES.test(query.get(name) ?? "") ? query.get(name) : ""));
  if (version && !asked) begin();
  if (asked) {
    fetched(asked)
      .then((answer) => answer.blob())
      .then((file) => open(file, version))
      .catch((error) => {
        console.warn("playground: no failure", error);
        refuse(gettext("The game could not be loaded: is it one of your own bots, and are you signed in?"));
      });
  }
  const played = () => {
    if (!tried || isSame(tried.code, files())) return;
    tried.told.replaceChildren(gettext("Your code has changed since then. Play up to the fault again to see whether it still happens."));
    tried = null;
  };

  return { open, played };
}
