// <output data-shown-once="address">: a secret in the response to a form. Reloading requests that address instead of
// sending the form again, which would create another secret.

const shown = document.querySelector("[data-shown-once]");
if (shown) history.replaceState(null, "", shown.dataset.shownOnce);
