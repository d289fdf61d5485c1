"""The translated texts of a page's scripts, and of no others: ``?of=<bundle>`` for each bundle that the page loads."""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.views.i18n import JavaScriptCatalog

from games.catalogue import GAMES
from web.bundles import is_bundle

BUNDLES_MOST: Final = 4 + 2 * len(GAMES)  # in one address: the page's own, and of each game its board and its choices
# Messages by their text in English, all forms of those with a plural; which form is that of a number. A page may load
# several: what a part brings that comes later is added to what is there.
SCRIPT: Final = r"""{
const said=Object.assign(globalThis.gettext?.said??{},%s),form=n=>Number(%s);
globalThis.gettext=Object.assign(text=>[said[text]??text].flat()[0],{said});
globalThis.ngettext=(one,many,n)=>said[one]?.[form(n)]??(n===1?one:many);
globalThis.interpolate=(text,values)=>text.replace(/%%\((\w+)\)s/g,(_,name)=>values[name]);
}
"""


class BundleCatalog(JavaScriptCatalog):
    """Django's catalogue with ``gettext``, ``ngettext`` and ``interpolate`` by name: our scripts ask for nothing else.

    Without ``of``, or where it names something that is no bundle, it has the texts of all scripts.
    """

    def get_catalog(self) -> dict[str, Any]:
        """Return the messages by their text in English."""
        catalog: dict[str, Any] = super().get_catalog()
        names = self.request.GET.getlist("of")[:BUNDLES_MOST]
        if not names or not all(map(is_bundle, names)):
            return catalog
        texts = [_text(name) for name in names]
        return {text: found for text, found in catalog.items() if any(_quoted(text) in one for one in texts)}

    def render_to_response(self, context: Mapping[str, Any], **_response: Any) -> HttpResponse:
        """Return the script."""
        texts = json.dumps(context["catalog"], ensure_ascii=False, separators=(",", ":"))
        script = SCRIPT % (texts, context["plural"] or "n!=1")
        return HttpResponse(script, 'text/javascript; charset="utf-8"')


def _quoted(text: str) -> str:
    """Return ``text`` as scripts write it."""
    return json.dumps(text, ensure_ascii=False)


@lru_cache(maxsize=64)  # a bundle is read from the disk and searched in every language
def _text(name: str) -> str:
    found: Any = finders.find(name)
    return Path(found).read_text(encoding="utf-8") if found else ""
