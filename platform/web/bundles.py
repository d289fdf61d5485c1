"""Bundles: static files that are served together with all their imports. This saves requests without a build step.

It also serves the translations for a page's scripts: ``?of=<bundle>`` for each bundle that the page loads.

``settings.STATIC_BUNDLES`` lists them as patterns. The sources are ordinary modules and style sheets, which a browser
could load as they are. In place of such a file, ``BundleFinder`` finds one that also contains all imported files. Each
is contained once, before the files that import it. Modules become functions that return their exports, so that their
names do not clash.

``settings.STATIC_BUNDLES_AFTER`` lists, for a bundle, the patterns of bundles that pages load after it. These later
bundles use its modules and contain no copies of them.
"""

import json
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.checks import CheckMessage
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import FileSystemStorage
from django.http import HttpResponse
from django.views.i18n import JavaScriptCatalog

from games.catalogue import GAMES

Messages: TypeAlias = list[CheckMessage]
Read: TypeAlias = Callable[[str], str]  # returns the text of a static file, given its path

_CSS_IMPORT: Final = re.compile(r'^@import url\("([^"]+)"\);\n', re.MULTILINE)
_IMPORT: Final = re.compile(r'^import (?:\{([^}]*)\} from )?"(\.[^"]+)";\n', re.MULTILINE)
_EXPORT_FROM: Final = re.compile(r'^export \{([^}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(
    r"^export ((?:async )?(?:function|class)\*? (\w+)|(?:const|let) (?:(\w+)|\{([^}]*)\}))", re.MULTILINE
)
_OTHER: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_COMMENT: Final = re.compile(r"^[ \t]*(?:/\*.*?\*/|//[^\n]*)[ \t]*\n", re.MULTILINE | re.DOTALL)
# After a statement and without quotes, so that it cannot be part of a string.
_COMMENT_BEHIND: Final = re.compile(r"(?<=[;,{}])[ \t]+//[^\n\"'`]*$", re.MULTILINE)
_INDENT: Final = re.compile(r"\n\s+")


def bundle(path: str, read: Read) -> str:
    """Return the file at ``path`` with all its imports, without comments and indentation.

    Raises:
        ImproperlyConfigured: modules import each other in a circle, or use an unsupported form of import or export.
    """
    return _styles(path, read, []) if path.endswith(".css") else _Modules(read, _loaded_before(path, read)).text(path)


def _loaded_before(path: str, read: Read) -> dict[str, str]:
    """Return the modules that a page has loaded before the bundle at ``path``. Each has the JavaScript expression for
    its exports.
    """
    found: dict[str, str] = {}
    for earlier, later in settings.STATIC_BUNDLES_AFTER.items():
        if any(fnmatch(path, pattern) for pattern in later):
            found |= {one: f'bundled["{earlier}"].{name}' for one, name in _Modules(read).names(earlier).items()}
    return found


def _styles(path: str, read: Read, known: list[str]) -> str:
    if path in known:
        return ""
    known.append(path)
    text = _INDENT.sub("\n", _COMMENT.sub("", read(path)))
    return _CSS_IMPORT.sub(lambda found: _styles(_beside(path, found[1]), read, known), text)


class _Modules:
    """The modules of one bundle, in the order in which they run."""

    def __init__(self, read: Read, loaded: Mapping[str, str] = MappingProxyType({})) -> None:
        self._read = read
        self._loaded = loaded
        self._names: dict[str, str] = {}  # the variable with the exports of each module; "" while it is being read
        self._texts: list[str] = []

    def text(self, entry: str) -> str:
        exported = self._add(entry)
        last = f"export const {{ {', '.join(exported)} }} = {self._names[entry]};\n" if exported else ""
        if entry in settings.STATIC_BUNDLES_AFTER:
            last += f'(globalThis.bundled ??= {{}})["{entry}"] = {{ {", ".join(self._names.values())} }};\n'
        return "".join(self._texts) + last

    def names(self, entry: str) -> Mapping[str, str]:
        self._add(entry)
        return self._names

    def _add(self, path: str) -> list[str]:
        """Add a module and its imports. Return the names of its exports."""
        self._names[path] = ""
        text = _COMMENT_BEHIND.sub("", _COMMENT.sub("", self._read(path)))
        exported: dict[str, str] = {}  # exported name -> name inside the module

        def taken(found: re.Match[str]) -> str:
            source = self._needed(path, found[2])
            return f"const {{ {_renamed(found[1])} }} = {source};\n" if found[1] else ""

        def passed_on(found: re.Match[str]) -> str:
            source = self._needed(path, found[2])
            for name in _listed(found[1]):
                inner, _, outer = name.partition(" as ")
                exported[outer or inner] = f"{source}.{inner}"
            return ""

        def declared(found: re.Match[str]) -> str:
            names = _listed(found[4]) if found[4] else [found[2] or found[3]]
            exported.update((name.rpartition(": ")[2], name.rpartition(": ")[2]) for name in names)
            return found[1]

        text = _EXPORT.sub(declared, _EXPORT_FROM.sub(passed_on, _IMPORT.sub(taken, text)))
        if other := _OTHER.search(text):
            raise ImproperlyConfigured(f"{path}: a bundle cannot hold {other[0]!r}.")
        text = _INDENT.sub("\n", text.strip())
        self._names[path] = f"m{len(self._texts)}"
        returned = ", ".join(name if name == inner else f"{name}: {inner}" for name, inner in exported.items())
        self._texts.append(f"const {self._names[path]} = (() => {{\n{text}\nreturn {{ {returned} }};\n}})();\n")
        return list(exported)

    def _needed(self, importer: str, relative: str) -> str:
        path = _beside(importer, relative)
        if path in self._loaded:
            return self._loaded[path]
        if path not in self._names:
            self._add(path)
        if not self._names[path]:
            raise ImproperlyConfigured(f"{importer} imports {path}, which imports it.")
        return self._names[path]


def _listed(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def _renamed(names: str) -> str:
    return ", ".join(name.replace(" as ", ": ") for name in _listed(names))


def _beside(path: str, relative: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), relative))


class BundleFinder(finders.BaseFinder):
    """Finds the bundles, and rewrites those whose sources have changed. It must precede the other finders."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any) -> None:
        self.storage = FileSystemStorage(location=settings.VAR_DIR / "bundles")

    def find(self, path: str, find_all: bool = False, **_older: Any) -> Any:
        """Return the path of the bundle; [] if ``path`` is not a bundle."""
        path = path.replace("\\", "/")
        if not is_static_bundle(path) or _source(path) is None:
            return []
        self._write(path)
        return [self.storage.path(path)] if find_all else self.storage.path(path)

    def list(self, ignore_patterns: Any) -> Iterator[Any]:
        """Yield every bundle with its storage."""
        for finder in _others():
            for path, storage in finder.list(ignore_patterns):
                name = posixpath.join(getattr(storage, "prefix", None) or "", path.replace("\\", "/"))
                if is_static_bundle(name):
                    self._write(name)
                    yield name, self.storage

    def check(self, **kwargs: Any) -> Messages:
        """Return no messages, because there is nothing to configure."""
        return []

    def _write(self, path: str) -> None:
        text = bundle(path, _read)
        file = Path(self.storage.path(path))
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            fresh = file.with_name(f"{file.name}.{id(text)}")
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(file)


def is_static_bundle(path: str) -> bool:
    """Return whether the static file at ``path`` is a bundle."""
    return any(fnmatch(path, pattern) for pattern in settings.STATIC_BUNDLES)


def _others() -> Sequence[Any]:
    return [finder for finder in finders.get_finders() if not isinstance(finder, BundleFinder)]


def _source(path: str) -> str | None:
    return next((found for finder in _others() if (found := finder.find(path))), None)


def _read(path: str) -> str:
    source = _source(path)
    if source is None:
        raise ImproperlyConfigured(f"There is no static file {path}, which a bundle imports.")
    return Path(source).read_text(encoding="utf-8")


# Bundles in one URL: those of the page, and two of each game, its board and its choices.
BUNDLES_MOST: Final = 4 + 2 * len(GAMES)
# Messages by their English text, with all plural forms, and the function that selects the form for a number. A page may
# load several catalogues. Each adds its messages to those of the catalogues before it.
SCRIPT: Final = r"""{
const said=Object.assign(globalThis.gettext?.said??{},%s),form=n=>Number(%s);
globalThis.gettext=Object.assign(text=>[said[text]??text].flat()[0],{said});
globalThis.ngettext=(one,many,n)=>said[one]?.[form(n)]??(n===1?one:many);
globalThis.interpolate=(text,values)=>text.replace(/%%\((\w+)\)s/g,(_,name)=>values[name]);
}
"""


class BundleCatalog(JavaScriptCatalog):
    """Django's catalogue, reduced to ``gettext``, ``ngettext`` and ``interpolate``, which are all that our scripts use.

    Without ``of``, or if ``of`` names something that is not a bundle, the catalogue has the messages of all scripts.
    """

    def get_catalog(self) -> dict[str, Any]:
        """Return the messages by their English text."""
        catalog: dict[str, Any] = super().get_catalog()
        names = self.request.GET.getlist("of")[:BUNDLES_MOST]
        if not names or not all(map(is_static_bundle, names)):
            return catalog
        texts = [_text(name) for name in names]
        return {text: found for text, found in catalog.items() if any(_quoted(text) in one for one in texts)}

    def render_to_response(self, context: Mapping[str, Any], **_response: Any) -> HttpResponse:
        """Return the catalogue as a script."""
        texts = json.dumps(context["catalog"], ensure_ascii=False, separators=(",", ":"))
        script = SCRIPT % (texts, context["plural"] or "n!=1")
        return HttpResponse(script, 'text/javascript; charset="utf-8"')


def _quoted(text: str) -> str:
    """Return ``text`` as a string literal of JavaScript."""
    return json.dumps(text, ensure_ascii=False)


@lru_cache(maxsize=64)  # cached, because a bundle would otherwise be read again for every language
def _text(name: str) -> str:
    found: Any = finders.find(name)
    return Path(found).read_text(encoding="utf-8") if found else ""
