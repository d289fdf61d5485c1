// <button data-next-row>: hides the empty rows of the form except the first, and shows the next one when pressed.

const button = document.querySelector("[data-next-row]");
if (button) {
  const rows = [...document.querySelectorAll(".fields.reference")];
  const hidden = () => rows.filter((row) => row.hidden);
  rows.forEach((row, place) => {
    row.hidden = place > 0 && !row.querySelector("select").value && !row.querySelector(".errorlist");
  });
  button.hidden = !hidden().length;
  button.addEventListener("click", () => {
    const [next] = hidden();
    next.hidden = false;
    next.querySelector("select").focus();
    button.hidden = !hidden().length;
  });
}
