/** What the first sight of a match does without: it comes with the first move, so that the page is light. */

import { afterwards } from "./afterwards.js";
import { gettext } from "./i18n.js";
import { tableSeats } from "./seating.js";

/**
 * `ask()` loads the module at `data.later` once, see later.js, and that of the game, see docs/how-to/add-a-game.md, and puts what
 * they make into the player; it resolves to null where nothing comes. `track` and `stage` are parts of the player, `curve` is the
 * graph of points, `hero` the one over the scrubber, `go` what the end card leads to.
 */
export function createExtras(playhead, { player, data, rules, allSeats, track, stage, rail, curve, hero, luck, go }) {
  const seats = () => tableSeats(allSeats, playhead.game);
  let asked = null;
  let made = null;
  let cameByItself = false; // what is shown, which may be the end before its card is there
  let at = -1;

  const make = ([{ closing, createEnding, createGraph, createHelp, createMeanings, createNotes, createPeek, createSaw }, more]) => {
    made = {
      ending: createEnding(playhead, { rules, more, words: data.words, go }),
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
    luck?.show(); // the notes may have come after its analysis
    return made;
  };

  const failed = (error) => {
    console.warn("replay: no end card, no list of keys", error);
    return null;
  };

  const ask = () => (asked ??= Promise.all([afterwards(data.later), data.later.game && import(data.later.game).catch(() => null)]).then(make, failed));

  /** `played`: what is shown came by itself. */
  const show = (played) => {
    if (playhead.step !== at) cameByItself = played;
    at = playhead.step;
    if (playhead.step || playhead.game || playhead.playing) ask();
    made?.ending.show(seats(), played);
    made?.graph.show();
    made?.notes?.show();
    made?.saw?.show();
  };

  track.addEventListener("pointerenter", ask, { once: true });
  return { ask, show };
}
