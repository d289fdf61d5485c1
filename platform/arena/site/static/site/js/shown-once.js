// <output data-shown-once="address">: a secret in the answer to a form. Loading the page again asks for that address, and
// does not send the form again, which would make another secret.

const shown = document.querySelector("[data-shown-once]");
if (shown) history.replaceState(null, "", shown.dataset.shownOnce);
