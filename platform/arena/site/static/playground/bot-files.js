/** Fetch the reader's own bots from the site. */

import { ENTRY } from "./draft.js";

/** Return the response from `address`. Throw an error on an HTTP error, or a redirect to the sign-in page. */
export async function fetchFile(address) {
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

/** Return the files of the version at `address`, in the form of draft.js. `python` unpacks them. */
export async function fetchVersion(address, python) {
  const file = await (await fetchFile(address)).blob();
  const files = await python.request({ do: "sources", data: await base64(file) });
  if (!(ENTRY in files)) throw new Error(ENTRY);
  return files;
}
