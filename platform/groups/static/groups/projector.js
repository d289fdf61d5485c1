// <button data-projector>: shows its notice with the code in full screen, until Escape or another press.

const button = document.querySelector("[data-projector]");
if (button && document.fullscreenEnabled) {
  button.hidden = false;
  button.addEventListener("click", () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else button.closest(".notice").requestFullscreen().catch(() => {}); // a policy may forbid it
  });
}
