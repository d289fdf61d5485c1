/** In a match that was kept as one file: what the player would ask the site for is in the page, compressed. */

const kept = JSON.parse(document.getElementById("kept").textContent);

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
}

window.fetch = async (address) => {
  const game = kept.games[String(address).split("?")[0]];
  return game ? new Response(await unpacked(game)) : new Response(null, { status: 404 });
};

if (kept.first && !location.search) history.replaceState(null, "", `?game=${kept.first + 1}`);

// The player imports modules by their addresses.
const addressOf = (module) => URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
const data = document.getElementById("replay-data");
const modules = { board: addressOf(kept.board), later: { module: addressOf(kept.later), game: kept.later_game && addressOf(kept.later_game) } };
data.textContent = JSON.stringify({ ...JSON.parse(data.textContent), ...modules });
