/** The answer to a form that was refused begins where it says why, if nothing that is in view says so. */

const told = [...document.querySelectorAll("main .errorlist, main .notice.bad[role=alert]")];

function inView(element) {
  const { top, bottom, height } = element.getBoundingClientRect();
  return height > 0 && top >= 0 && bottom <= innerHeight;
}

if (told.length && !told.some(inView)) {
  told[0].closest("details")?.setAttribute("open", "");
  told[0].closest(".field")?.querySelector("[aria-invalid]")?.focus({ preventScroll: true });
  told[0].scrollIntoView({ block: "center" });
}
