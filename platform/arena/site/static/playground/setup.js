/** The form that sets up a table: the game, its ruleset and options, and the players. */

import { el } from "../matches/replay/dom.js";
import { fill, gettext } from "../matches/replay/i18n.js";

export const OWN = "own";

const field = (id, text, control) => el("div", { class: "field" }, el("label", { for: id }, text), control);

const offer = (select, choices) => select.replaceChildren(...choices.map(([value, text]) => el("option", { value }, text)));

/** Replace the options of `select` by `bots`, [{ value, title, group, disabled }], grouped if they have a `group`. */
const offerBots = (select, bots) => {
  const groups = new Map();
  for (const { value, title, group = "", disabled = false } of bots) groups.set(group, [...(groups.get(group) ?? []), el("option", { value, disabled }, title)]);
  select.replaceChildren(...[...groups].flatMap(([label, options]) => (label ? [el("optgroup", { label }, ...options)] : options)));
};

/**
 * Set up the form, and return its state as functions.
 * `games` are those of arena/playground/context.py; `parts` the elements {game, ruleset, players, options, seats}.
 * `own` is the name of the player in the first seat; with `offered`, the other seats offer it too, and the bots of
 * `rivals(game)`: [{ value, title, files, group }], where `files` and `group` are optional. `changed(game)` is called
 * after the game has changed. The initial game is the one in the page's query, or else `first`.
 */
export function createSetup(games, parts, { own, offered, rivals = () => [], changed, first }) {
  let players;
  let seats = [];

  const game = () => games.find(({ name }) => name === parts.game.value);
  const ruleset = () => game().rulesets.find(({ id }) => id === parts.ruleset.value);
  const count = () => Number(players.value);
  const options = () => ruleset().options.filter(({ fewest }) => fewest <= count());

  const choices = () => [...game().house.map(({ name, title }) => ({ value: name, title })), ...(offered ? [{ value: OWN, title: own }] : []), ...rivals(game())];

  /** Refresh the rivals in all seats. A seat whose rival is gone gets the player's own bot. */
  const offerRivals = () => {
    const found = choices();
    for (const select of seats) {
      if (String([...select.options].map(({ value }) => value)) === String(found.map(({ value }) => value))) continue;
      const { value } = select;
      offerBots(select, found);
      select.value = found.some((one) => one.value === value) ? value : OWN;
    }
  };

  const showSeats = () => {
    const before = seats.map((select) => select.value);
    const house = game().house;
    seats = Array.from({ length: count() - 1 }, (_, at) => {
      const select = el("select", { id: `pg-seat-${at + 1}`, "aria-label": fill(gettext("Seat %(letter)s"), { letter: "BCDEFG"[at] }) });
      const found = choices();
      offerBots(select, found);
      const value = before[at] ?? before.at(-1);
      select.value = found.some((one) => one.value === value) ? value : house[Math.min(1, house.length - 1)].name;
      return select;
    });
    const chip = (at) => el("span", { class: "seat", "data-seat": at }, "ABCDEFG"[at]);
    parts.seats.replaceChildren(el("li", {}, chip(0), el("span", {}, own)), ...seats.map((select, at) => el("li", {}, chip(at + 1), select)));
  };

  const showOptions = () => {
    const rows = options().map(({ name, label, choices }) => {
      const select = el("select", { id: `pg-option-${name}`, "data-option": name });
      offer(select, choices.map(({ text }, at) => [at, text]));
      return field(`pg-option-${name}`, label, select);
    });
    parts.players.replaceChildren(field("pg-count", gettext("Players"), players));
    parts.options.replaceChildren(...rows);
    parts.options.closest("details").hidden = !rows.length;
  };

  const showRuleset = () => {
    const before = players && count();
    players = el("select", { id: "pg-count", change: () => (showOptions(), showSeats()) });
    offer(players, ruleset().seats.map((seat) => [seat, seat]));
    if (ruleset().seats.includes(before)) players.value = before;
    showOptions();
    showSeats();
  };

  const showGame = () => {
    offer(parts.ruleset, game().rulesets.map(({ id }) => [id, id.split("/")[1]]));
    parts.ruleset.closest(".field").hidden = game().rulesets.length < 2;
    seats = [];
    players = undefined; // games differ in their usual number of players
    showRuleset();
    changed(game());
  };

  offer(parts.game, games.map(({ name, title }) => [name, title]));
  const requested = new URLSearchParams(location.search).get("game");
  const begun = games.find(({ name }) => name === requested) ?? games.find(({ name }) => name === first);
  if (begun) parts.game.value = begun.name;
  parts.game.addEventListener("change", showGame);
  parts.ruleset.addEventListener("change", showRuleset);
  showGame();

  const chosen = () =>
    Object.fromEntries(
      options().map(({ name, choices }) => [name, choices[parts.options.querySelector(`[data-option="${name}"]`).value].value]),
    );

  const rival = (value) => rivals(game()).find((one) => one.value === value);
  const title = (name) => game().house.find((bot) => bot.name === name)?.title ?? rival(name)?.title ?? own;
  const bot = (value, mine) => (rival(value) ? { files: rival(value).files } : value === OWN ? mine : { house: value });
  const choose = (name) => {
    if (parts.game.value === name || !games.some((one) => one.name === name)) return;
    parts.game.value = name;
    showGame();
  };
  return {
    game,
    ruleset,
    choose,
    offerRivals,
    /** Return the values of the other seats: names of house bots, OWN, or a rival's value. */
    others: () => seats.map(({ value }) => value),
    /** Return elements for the player's "Match" tab. */
    about: () => {
      const rows = [[parts.game.labels[0].textContent, parts.game.selectedOptions[0].textContent], [gettext("Version of the rules"), ruleset().id.split("/")[1]]];
      for (const { name, label, choices } of options()) rows.push([label, choices[parts.options.querySelector(`[data-option="${name}"]`).value].text]);
      return [el("dl", { class: "facts" }, ...rows.flatMap(([label, text]) => [el("dt", {}, label), el("dd", {}, text)]))];
    },
    names: () => [own, ...seats.map(({ value }) => (value === OWN ? own : title(value)))],
    /** Return the specification of a game for peck/browser.py, with `mine` in the first seat. */
    spec: (mine, seed) => ({
      ruleset: ruleset().id,
      options: chosen(),
      seed,
      bots: [mine, ...seats.map(({ value }) => bot(value, mine))],
    }),
  };
}

/** Return a random seed. Games accept any string. */
export const newSeed = () => crypto.getRandomValues(new Uint32Array(4)).join("-");
