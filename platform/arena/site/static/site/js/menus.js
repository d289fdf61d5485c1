// Menus are <details class="menu">: they work without this module, which closes them on Escape and on a click elsewhere.

// On a narrow page the navigation scrolls: where one is must be in sight.
document.querySelector(".site-nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });

// So do tabs, which may be far down a page that must not move.
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
