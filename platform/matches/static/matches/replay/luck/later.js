/** Luck and skill come with the viewer's first move: at the start there is nothing to tell, and the page shall be light. */

import { afterwards } from "../afterwards.js";
import { el } from "../dom.js";

/** As `createLuck`, which comes as `luck_later` of the player's data says, see afterwards.js. */
export function createLuckLater(playhead, how) {
  const ribbon = el("div");
  const panel = el("div");
  let luck = null;
  let asked = false;
  let closed = false;

  const ask = () => {
    if (asked) return;
    asked = true;
    afterwards(how.data.luck_later).then(begin, (error) => console.warn("replay: no luck", error));
  };

  let tell = () => {};

  /** `say(words, values)` writes the legend of the graph over the scrubber. */
  const show = (say = tell) => {
    tell = say;
    luck?.show(say);
    if (playhead.game || playhead.step || !playhead.concealed) ask();
  };

  const looking = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && ask());
  looking.observe(panel);

  const begin = ({ createLuck }) => {
    if (closed) return;
    luck = createLuck(playhead, how);
    ribbon.replaceWith(luck.ribbon);
    panel.append(luck.panel);
    luck.show(tell);
  };

  const close = () => {
    closed = true;
    looking.disconnect();
    luck?.close();
  };
  return { ribbon, panel, show, close };
}
