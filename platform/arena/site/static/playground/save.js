/** What was written in this browser, put into the forms of an upload. */

import { chooseToSave, chosenToSave, draftsOf, keptGame, typedIn } from "./draft.js";
import { bundle } from "./zip.js";

const { games } = JSON.parse(document.getElementById("save-data").textContent);
const forms = document.getElementById("save-forms");
const asked = new URLSearchParams(location.search).get("game");
const chosen = chosenToSave();
const game = asked in games ? asked : (chosen?.game ?? keptGame());
const found = game in games ? ((chosen?.game === game ? chosen.files : draftsOf(game)[0]?.files) ?? null) : null;

if (found === null) document.getElementById("save-nothing").hidden = false;
else {
  const files = new DataTransfer();
  files.items.add(bundle(found));
  for (const form of forms.querySelectorAll("[data-file]")) form.querySelector("[name=file]").files = files.files;
  forms.querySelector("[name=game]").value = game;
  const typed = { ...(chosen?.game === game ? chosen.typed : {}), ...typedIn(location.search) };
  for (const [name, text] of Object.entries(typed)) forms.querySelector(`[name=${name}]`).value = text;
  forms.addEventListener("submit", () => chooseToSave(game, chosen?.version ?? "", found)); // a form that is refused leads back with it
  document.getElementById("save-game").textContent = `${forms.dataset.gameLabel}: ${games[game]}`;
  const version = document.getElementById("save-version");
  const bots = document.getElementById("save-bot");
  for (const option of [...bots.options]) if (option.dataset.game !== game) option.remove();
  version.hidden = !bots.options.length;
  const aim = () => (version.action = bots.value);
  bots.addEventListener("change", aim);
  // A version that was opened from the site goes back to its own bot.
  const origin = chosen?.game === game && [...bots.options].find(({ value }) => chosen.version.startsWith(value.replace(/upload\/$/, "versions/")));
  if (origin) {
    origin.selected = true;
    forms.prepend(version);
    for (const button of forms.querySelectorAll("button.button")) button.classList.toggle("primary", version.contains(button));
  }
  if (bots.options.length) aim();
  forms.hidden = false;
}
