/** Files of the reader's own bots, as the site keeps them. */

import { ENTRY } from "./draft.js";

/** What stands at `address`; a reader without a session is sent to the sign-in page, which is none. */
export async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok || answer.redirected) throw new Error(answer.status);
  return answer;
}

export const base64 = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = reject;
    reader.readAsDataURL(file);
  });

/** The files, as draft.js has them, of the version at `address`; `python` unpacks it. */
export async function versionAt(address, python) {
  const file = await (await fetched(address)).blob();
  const files = await python.ask({ do: "sources", data: await base64(file) });
  if (!(ENTRY in files)) throw new Error(ENTRY);
  return files;
}
