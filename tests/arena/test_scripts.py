"""The modules of the pages, read as text: none imports a name that another does not export."""

import re
from pathlib import Path
from posixpath import dirname, join, normpath

from django.conf import settings

IMPORTS = re.compile(r"^(?:import|export) \{([^}]*)\} from \"(\.[^\"]+)\"", re.MULTILINE)
EXPORTED = re.compile(r"^export (?:async )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE)
LISTED = re.compile(r"^export \{([^}]*)\}", re.MULTILINE)


def scripts() -> dict[str, str]:
    """Every module by its name below /static/."""
    found = {}
    for place in Path(settings.BASE_DIR).rglob("static/**/*.js"):
        if ".venv" not in place.parts and "node_modules" not in place.parts:
            path = place.as_posix()
            found[path[path.index("/static/") + 8 :]] = place.read_text()
    return found


def names(listed: str, *, outside: bool) -> set[str]:
    """The names of a list as others see them, or as the module itself calls them."""
    pairs = [one.split(" as ") for one in (part.strip() for part in listed.split(",")) if one]
    return {pair[-1 if outside else 0].strip() for pair in pairs}


def test_every_name_that_a_module_imports_is_exported_where_it_is_sought() -> None:
    texts = scripts()
    exported = {
        name: {
            *EXPORTED.findall(text),
            *(one for listed in LISTED.findall(text) for one in names(listed, outside=True)),
        }
        for name, text in texts.items()
    }
    sought = [
        (name, source, one)
        for name, text in texts.items()
        for listed, address in IMPORTS.findall(text)
        if (source := normpath(join(dirname(name), address))) in texts
        for one in names(listed, outside=False)
    ]
    assert len(sought) > 100
    assert [missing for missing in sought if missing[2] not in exported[missing[1]]] == []
