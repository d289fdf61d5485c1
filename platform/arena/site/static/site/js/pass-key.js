/**
 * <pass-key data-options="ID">a form with a hidden field "credential"</pass-key>: asks the browser for a passkey before
 * the form is sent, and puts it into the field. If the JSON in the element ID contains creation options, the browser
 * creates a new passkey. Errors appear in the form's [data-told].
 */

class PassKey extends HTMLElement {
  #answered = false;

  connectedCallback() {
    this.addEventListener("submit", this.#onSubmit);
  }

  #onSubmit = async (event) => {
    const form = event.target;
    if (this.#answered) return;
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      form.elements.credential.value = JSON.stringify(await this.#answer());
      this.#answered = true;
      form.requestSubmit();
    } catch (error) {
      form.querySelector("[data-told]").replaceChildren(notice(error));
    } finally {
      this.#answered = button.disabled = false;
    }
  };

  async #answer() {
    const { creation_options: making, request_options: using } = JSON.parse(
      document.getElementById(this.dataset.options).textContent,
    );
    const found = making
      ? await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(making.publicKey),
        })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(using.publicKey) });
    return found.toJSON();
  }
}

function notice(error) {
  const text = document.createElement("p");
  text.textContent = reason(error);
  const box = document.createElement("div");
  box.className = "notice bad";
  box.append(text);
  return box;
}

function reason(error) {
  if (error.name === "NotAllowedError") return gettext("No passkey was received. Try again.");
  if (error.name === "InvalidStateError") return gettext("That device or key is one of your passkeys already.");
  if (error.name === "SecurityError") return gettext("Passkeys need this site to have a name in its address, not a number.");
  return gettext("Passkeys do not work here: they need https, and a browser of 2025 or later.");
}

customElements.define("pass-key", PassKey);
