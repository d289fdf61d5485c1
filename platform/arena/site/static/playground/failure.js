/** Replay a failure that the site recorded. The messages are those of `peck replay` (peck/rerun.py). */

import { ENTRY, isSame } from "./draft.js";
import { el } from "../matches/replay/dom.js";
import { fill, gettext } from "../matches/replay/i18n.js";
import { base64, fetchFile, fetchVersion } from "./bot-files.js";
import { faultBox, lateParts } from "./results.js";

const TOO_SLOW = ["cpu_time", "wall_time", "slept"];
const BUNDLES = /^\/bots\/[^/]+\/[^?#]*$/; // addresses accepted from the query: files of the reader's own bots on this site

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
 * Show failures in `place`. Return { open(file), played() }; call played() when a game starts, because a result shown
 * here applies to the code at that time.
 * `python` replays them; `files()` returns the bot in the editor, `put(files)` replaces it; `opened(ruleset)` is called
 * with the failure's ruleset; `go` and `verdicts` are those of faultBox() in results.js.
 */
export function createFailures(place, { python, files, opened, put, go, verdicts }) {
  let tried = null; // { code, status }: the files of the last replay, and the element with its result

  const refuse = (text) => place.replaceChildren(el("div", { class: "notice bad" }, el("p", {}, text)));

  /** Open a zip: a bot, or a failure. */
  const open = async (file, version) => {
    const bundle = await base64(file);
    const sources = version ? {} : await python.request({ do: "sources", data: bundle }).catch(() => ({}));
    if (ENTRY in sources) {
      place.replaceChildren();
      return put(sources);
    }
    const found = await python.request({ do: "failure", bundle }).catch((error) => ({ refused: String(error.message) }));
    if (found.refused !== undefined) return refuse(fill(gettext("This is not a failure from this site: %(why)s"), { why: found.refused }));
    opened(found.ruleset);
    const isFailure = Boolean(found.verdict);
    const loaded = version ? await load(version) : "";
    const status = el("div", { class: "stack tight", role: "status" });
    const play = el("button", { type: "button", class: "button", click: () => replay(bundle, found, status) }, isFailure ? gettext("Play up to the fault") : gettext("Play up to this decision"));
    const verdict = verdicts[found.verdict] ?? found.verdict;
    const happened = !isFailure ? gettext("match %(match)s, game %(game)s, seat %(seat)s, on the site: it answered %(told)s") : found.match
      ? gettext("match %(match)s, game %(game)s, seat %(seat)s, on the site: %(verdict)s")
      : gettext("the check, game %(game)s, seat %(seat)s, on the site: %(verdict)s");
    const where = fill(happened, { ...found, verdict });
    const view = found.view && el("details", {}, el("summary", {}, isFailure ? gettext("The view that it failed on") : gettext("What it saw")), el("pre", { tabindex: 0 }, JSON.stringify(found.view, null, 1)));
    const next = loaded || gettext("Put the bot as it was then into the editor, or your corrected version.");
    place.replaceChildren(el("div", { class: "notice stack tight" }, el("p", {}, where), el("p", { class: "small muted" }, next), ...(view ? [view] : []), el("div", {}, play), status));
    return undefined;
  };

  /** Load the version at `address` into the editor, and return the message to show. */
  const load = async (address, message = gettext("The version that played is in the editor: play it as it was, or fix it first.")) => {
    try {
      put(await fetchVersion(address, python));
      return message;
    } catch {
      return gettext("The version that played could not be loaded: its file is no longer kept, or you are not signed in.");
    }
  };

  const replay = async (bundle, { verdict }, status) => {
    status.replaceChildren(gettext("Playing …"));
    tried = { code: files(), status };
    try {
      const found = await python.request({ do: "again", bundle, files: files() });
      const fault = found.fault && faultBox(found.fault, gettext("Your bot"), verdicts, go);
      status.replaceChildren(el("b", {}, sentence(found)), ...(found.deviation ? [note(found.deviation)] : []), ...(fault ? [fault] : []));
    } catch (error) {
      if (error.kind !== "hang") return status.replaceChildren(String(error.message || error.kind));
      // The first request starts the bot; each later one is a decision.
      const word = TOO_SLOW.includes(verdict) ? "again" : "otherwise";
      status.replaceChildren(el("b", {}, sentence({ word, decision: error.count - 1 })), el("p", {}, gettext("It gave no answer within 5 seconds, and was stopped.")), ...(error.late ? lateParts(error.late, go) : []));
    }
    return undefined;
  };

  const openVersion = async () => {
    const message = await load(version, gettext("This version is in the editor. Your drafts are under “Start from”, and can sit at the table."));
    place.replaceChildren(el("div", { class: "notice", role: "status" }, el("p", {}, message)));
  };

  const query = new URLSearchParams(location.search);
  const [address, version] = ["failure", "version"].map((name) => (BUNDLES.test(query.get(name) ?? "") ? query.get(name) : ""));
  if (version && !address) openVersion();
  if (address) {
    fetchFile(address)
      .then((answer) => answer.blob())
      .then((file) => open(file, version))
      .catch((error) => {
        console.warn("playground: no failure", error);
        refuse(gettext("The game could not be loaded: is it one of your own bots, and are you signed in?"));
      });
  }
  const played = () => {
    if (!tried || isSame(tried.code, files())) return;
    tried.status.replaceChildren(gettext("Your code has changed since then. Play up to the fault again to see whether it still happens."));
    tried = null;
  };

  return { open, played };
}
