/** Parts of the player that load with the first move, so that the page loads fast. */

import { loadPart } from "./lazy.js";
import { gettext } from "./i18n.js";
import { tableSeats } from "./seating.js";

/**
 * Create the loader. Return { load, show }.
 * load() loads the module at `data.later` (later.js) and the game's own (docs/how-to/add-a-game.md), adds their parts
 * to the player, and resolves to them, or to null on failure. `track`, `stage` and `rail` are parts of the player;
 * `curve` is the container of the points graph, `hero` the graph over the scrubber; `go` are the end card's actions.
 */
export function createExtras(playhead, { player, data, rules, allSeats, track, stage, rail, curve, hero, luck, go }) {
  const seats = () => tableSeats(allSeats, playhead.game);
  let loading = null;
  let made = null;
  let cameByItself = false; // whether playback, not the viewer, led to the current step
  let at = -1;

  const make = ([{ closing, createEnding, createGraph, createHelp, createMeanings, createNotes, createPeek, createSaw }, more]) => {
    made = {
      ending: createEnding(playhead, { rules, more, texts: data.words, go }),
      graph: createGraph(playhead, { title: rules.scoreTitle(), scores: rules.scores, seats }),
      help: createHelp(),
      notes: data.notes && createNotes(playhead, { source: data.notes, seats, own: (data.decisions ?? []).map(({ seat }) => seat), stage, hero, marked: more?.marked }),
      saw: data.decisions && createSaw(playhead, { own: data.decisions, playground: data.playground, seats }),
    };
    createPeek(playhead, { track, createBoard: rules.createBoard, seats });
    if (made.saw) rail.add(["saw", gettext("View"), made.saw.panel, made.saw.show]);
    player.append(made.help);
    rail.element.append(closing({ popovertarget: rail.element.id }));
    curve.append(made.graph.element);
    made.graph.show();
    stage.after(made.ending.element);
    if (more?.meaning) stage.after(createMeanings(stage, more.meaning));
    made.ending.show(seats(), cameByItself);
    luck?.show(); // the notes may have loaded after the analysis
    return made;
  };

  const failed = (error) => {
    console.warn("replay: no end card, no list of keys", error);
    return null;
  };

  const load = () => (loading ??= Promise.all([loadPart(data.later), data.later.game && import(data.later.game).catch(() => null)]).then(make, failed));

  /** Update the parts. `played` is true if playback led to this step. */
  const show = (played) => {
    if (playhead.step !== at) cameByItself = played;
    at = playhead.step;
    if (playhead.step || playhead.game || playhead.playing) load();
    made?.ending.show(seats(), played);
    made?.graph.show();
    made?.notes?.show();
    made?.saw?.show();
  };

  track.addEventListener("pointerenter", load, { once: true });
  return { load, show };
}
