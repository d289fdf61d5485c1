/** Serve the player's requests in a match saved as one HTML file, from compressed data in the page. */

const saved = JSON.parse(document.getElementById("kept").textContent);

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
}

window.fetch = async (address) => {
  const game = saved.games[String(address).split("?")[0]];
  return game ? new Response(await unpacked(game)) : new Response(null, { status: 404 });
};

if (saved.first && !location.search) history.replaceState(null, "", `?game=${saved.first + 1}`);

// The player imports modules by address.
const addressOf = (module) => URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
const data = document.getElementById("replay-data");
const modules = { board: addressOf(saved.board), later: { module: addressOf(saved.later), game: saved.later_game && addressOf(saved.later_game) } };
data.textContent = JSON.stringify({ ...JSON.parse(data.textContent), ...modules });
