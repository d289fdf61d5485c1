// Menus are <details class="menu">. This module closes them on Escape and on a click elsewhere; they also work without
// it.

// In narrow windows the navigation scrolls: bring the current item into view.
document.querySelector(".site-nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });

// Tabs scroll in the same way. scrollIntoView() would also scroll the page to them.
for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
  const tabs = tab.closest(".tabs");
  tabs.scrollLeft = tab.offsetLeft - tabs.offsetLeft;
}

const open = () => document.querySelectorAll("details.menu[open]");

document.addEventListener("click", (event) => {
  for (const menu of open()) if (!menu.contains(event.target)) menu.removeAttribute("open");
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of open()) {
    menu.removeAttribute("open");
    if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
  }
});
