/** After a form was rejected, show the first error unless one is already in view. */

const errors = [...document.querySelectorAll("main .errorlist, main .notice.bad[role=alert]")];

// The navigation bar of phones may cover an element.
function inView(element) {
  const { left, top, bottom, width, height } = element.getBoundingClientRect();
  return height > 0 && top >= 0 && element.contains(document.elementFromPoint(left + width / 2, bottom - 1));
}

if (errors.length && !errors.some(inView)) {
  errors[0].closest("details")?.setAttribute("open", "");
  errors[0].closest(".field")?.querySelector("[aria-invalid]")?.focus({ preventScroll: true });
  errors[0].scrollIntoView({ block: "center" });
}
