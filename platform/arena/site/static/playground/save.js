/** The page that saves a draft as a bot: fills the upload forms. */

import { draftsOf, formValues, lastGame, pendingUpload, setPendingUpload } from "./draft.js";
import { bundle } from "./zip.js";

const { games } = JSON.parse(document.getElementById("save-data").textContent);
const forms = document.getElementById("save-forms");
const requested = new URLSearchParams(location.search).get("game");
const chosen = pendingUpload();
const game = requested in games ? requested : (chosen?.game ?? lastGame());
const found = game in games ? ((chosen?.game === game ? chosen.files : draftsOf(game)[0]?.files) ?? null) : null;

if (found === null) document.getElementById("save-nothing").hidden = false;
else {
  const files = new DataTransfer();
  files.items.add(bundle(found));
  for (const form of forms.querySelectorAll("[data-file]")) form.querySelector("[name=file]").files = files.files;
  forms.querySelector("[name=game]").value = game;
  const typed = { ...(chosen?.game === game ? chosen.typed : {}), ...formValues(location.search) };
  for (const [name, text] of Object.entries(typed)) forms.querySelector(`[name=${name}]`).value = text;
  forms.addEventListener("submit", () => setPendingUpload(game, chosen?.version ?? "", found)); // a rejected form comes back to this page
  document.getElementById("save-game").textContent = `${forms.dataset.gameLabel}: ${games[game]}`;
  const version = document.getElementById("save-version");
  const bots = document.getElementById("save-bot");
  for (const option of [...bots.options]) if (option.dataset.game !== game) option.remove();
  version.hidden = !bots.options.length;
  const aim = () => (version.action = bots.value);
  bots.addEventListener("change", aim);
  // Preselect the bot whose version was opened from the site.
  const origin = chosen?.game === game && [...bots.options].find(({ value }) => chosen.version.startsWith(value.replace(/upload\/$/, "versions/")));
  if (origin) {
    origin.selected = true;
    forms.prepend(version);
    for (const button of forms.querySelectorAll("button.button")) button.classList.toggle("primary", version.contains(button));
  }
  if (bots.options.length) aim();
  forms.hidden = false;
}
