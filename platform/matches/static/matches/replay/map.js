/** Marks along the scrubber: one for each turn that ended, coloured by seat, shaped by kind. */

import { svg } from "./dom.js";
import { KEY, lastStep } from "./recording.js";

const SHAPES = {
  take: "M0 -4 L4 3 H-4 Z",
  steal: "M0 -5 L4 0 L0 5 L-4 0 Z",
  bust: "M-3.5 -3.5 H3.5 V3.5 H-3.5 Z",
  round: "M-1.5 -5 H1.5 V5 H-1.5 Z",
  menu: "M-3 -5 H3 V5 H-3 Z",
  end: "M-1.5 -6 H1.5 V6 H-1.5 Z",
};

/** Create the marks. Return { element, show }. `seatOf(beat, recording)` returns the seat that a beat is about. */
export function createMap(playhead, { seatOf }) {
  const element = svg("svg", { class: "rp-map", "aria-hidden": "true" });
  let drawn = { recording: null, horizon: -1 };

  const show = () => {
    const { recording, horizon } = playhead;
    if (recording === drawn.recording && horizon === drawn.horizon) return;
    drawn = { recording, horizon };
    const last = Math.max(lastStep(recording), 1);
    const marks = recording.beats.filter((beat) => beat.weight >= KEY && beat.last <= horizon);
    element.replaceChildren(
      ...marks.map((beat) =>
        svg("svg", { x: `${(100 * beat.last) / last}%`, y: "50%", overflow: "visible" }, svg("path", { class: "rp-tick", "data-seat": seatOf(beat, recording)?.seat, d: SHAPES[beat.kind] ?? SHAPES.round })),
      ),
    );
  };
  return { element, show };
}
