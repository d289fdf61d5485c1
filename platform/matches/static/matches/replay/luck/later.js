/** Load luck and skill with the viewer's first move, so that the page loads fast. */

import { loadPart } from "../lazy.js";
import { el } from "../dom.js";

/**
 * Create placeholders with the interface of createLuck(). The module is `luck_later` of the player's data (see
 * lazy.js).
 */
export function createLuckLater(playhead, how) {
  const ribbon = el("div");
  const panel = el("div");
  let luck = null;
  let requested = false;
  let closed = false;

  const load = () => {
    if (requested) return;
    requested = true;
    loadPart(how.data.luck_later).then(begin, (error) => console.warn("replay: no luck", error));
  };

  let writeLegend = () => {};

  /** Update the parts. `say(title, values)` writes the legend of the graph over the scrubber. */
  const show = (say = writeLegend) => {
    writeLegend = say;
    luck?.show(say);
    if (playhead.game || playhead.step || !playhead.concealed) load();
  };

  const looking = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && load());
  looking.observe(panel);

  const begin = ({ createLuck }) => {
    if (closed) return;
    luck = createLuck(playhead, how);
    ribbon.replaceWith(luck.ribbon);
    panel.append(luck.panel);
    luck.show(writeLegend);
  };

  const close = () => {
    closed = true;
    looking.disconnect();
    luck?.close();
  };
  return { ribbon, panel, show, close };
}
