/** The answer to a form that was refused begins where it says why, if nothing that is in view says so. */

const told = [...document.querySelectorAll("main .errorlist, main .notice.bad[role=alert]")];

// What lies behind the bar of a phone is not in view.
function inView(element) {
  const { left, top, bottom, width, height } = element.getBoundingClientRect();
  return height > 0 && top >= 0 && element.contains(document.elementFromPoint(left + width / 2, bottom - 1));
}

if (told.length && !told.some(inView)) {
  told[0].closest("details")?.setAttribute("open", "");
  told[0].closest(".field")?.querySelector("[aria-invalid]")?.focus({ preventScroll: true });
  told[0].scrollIntoView({ block: "center" });
}
