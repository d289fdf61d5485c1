/** Taps: the left third of the board leads one move back, the right third one move on. */

const FAR_PX = 10; // a longer movement is not a tap
const LONG_MS = 500;

export function onTap(element, step) {
  let down = null;
  element.addEventListener("pointerdown", (event) => {
    down = event.pointerType !== "mouse" && event.isPrimary ? event : null;
  });
  element.addEventListener("pointerup", (event) => {
    if (!down || event.timeStamp - down.timeStamp > LONG_MS || event.target.closest("button, a")) return;
    if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > FAR_PX) return;
    const { left, width } = element.getBoundingClientRect();
    const at = (event.clientX - left) / width;
    if (at < 1 / 3) step(-1);
    else if (at > 2 / 3) step(1);
  });
}
