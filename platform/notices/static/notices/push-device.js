/**
 * <push-device data-key="BASE64URL" data-worker="/path.js" data-scope="/path/">: enables push notices in this browser.
 * It shows one of its parts at a time: [data-state="off"] with a form, "refused", "home-screen", "never" or "failed".
 * In the list of devices, the row with this browser's [data-digest] shows [data-this-device], and its form also
 * unsubscribes the browser.
 */

class PushDevice extends HTMLElement {
  connectedCallback() {
    this.querySelector("form").addEventListener("submit", this.#turnOn);
    this.#look().catch(() => this.#show("never"));
  }

  async #look() {
    if (!("PushManager" in window && "serviceWorker" in navigator)) return this.#show(isApple() ? "home-screen" : "never");
    const subscription = await this.#subscription();
    const row = subscription && document.querySelector(`[data-digest="${await digest(subscription.endpoint)}"]`);
    if (row) return this.#mark(row, subscription);
    return this.#show(offOrRefused());
  }

  #turnOn = async (event) => {
    event.preventDefault();
    const form = event.target;
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      if ((await Notification.requestPermission()) !== "granted") return this.#show(offOrRefused());
      const { endpoint, keys } = (await this.#subscribed()).toJSON();
      for (const [name, value] of Object.entries({ endpoint, ...keys })) form.elements[name].value = value;
      form.submit();
    } catch {
      this.#show("failed");
    } finally {
      button.disabled = false;
    }
  };

  async #subscribed() {
    const { worker, scope, key } = this.dataset;
    await navigator.serviceWorker.register(worker, { scope });
    const registration = await navigator.serviceWorker.ready;
    await (await registration.pushManager.getSubscription())?.unsubscribe(); // its key may have been replaced
    return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  }

  async #subscription() {
    const registration = await navigator.serviceWorker.getRegistration(this.dataset.scope);
    return registration?.pushManager.getSubscription();
  }

  #mark(row, subscription) {
    row.querySelector("[data-this-device]").hidden = false;
    row.querySelector("form").addEventListener("submit", async (event) => {
      event.preventDefault();
      await subscription.unsubscribe().catch(() => false); // the site stops sending in any case
      event.target.submit();
    });
  }

  #show(state) {
    for (const part of this.querySelectorAll("[data-state]")) part.hidden = part.dataset.state !== state;
  }
}

function offOrRefused() {
  return Notification.permission === "denied" ? "refused" : "off";
}

function isApple() {
  return /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
}

async function digest(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

customElements.define("push-device", PushDevice);
