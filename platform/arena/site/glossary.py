"""The glossary: one source for the page on the site and for ``docs/reference/glossary.md``."""

import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils.text import slugify
from django.utils.translation import gettext, override

from arena.site.glossary_terms import TERMS
from tournaments.standings import TIE_BREAKS

GLOSSARY: Final = Path(settings.BASE_DIR) / "docs/reference/glossary.md"
HEADER: Final = """# Glossary

Every term that pages, API and documents use, in one sentence. The site shows the same list, translated, at
`/docs/glossary/`. Written by `manage.py write_glossary` from `platform/arena/site/glossary_terms.py`.

| term | meaning |
|---|---|
"""


@dataclass(frozen=True, slots=True)
class Term:
    """A term in the active language; ``anchor`` is the same in all languages."""

    anchor: str
    name: str
    sentence: str

    @property
    def initial(self) -> str:
        """The letter that it stands below."""
        return sort_key(self.name)[0].upper()


def terms() -> list[Term]:
    """List every term with its sentence, sorted by name in the active language."""
    with override("en"):
        anchors = [slugify(str(name)) for name, _sentence in TERMS]
    found = [Term(anchor, str(name), str(meaning)) for anchor, (name, meaning) in zip(anchors, TERMS, strict=True)]
    found += [
        Term(
            slugify(tie_break.name),
            gettext(tie_break.name),
            gettext("Tie-break: %(sentence)s") % {"sentence": gettext(tie_break.sentence)},
        )
        for tie_break in TIE_BREAKS.values()
    ]
    return sorted(found, key=lambda term: sort_key(term.name))


def sort_key(name: str) -> str:
    """Order names as a dictionary does: without case and accents."""
    return "".join(one for one in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(one))


def markdown() -> str:
    """Write the glossary in English as a Markdown document."""
    with override("en"):
        rows = [f'| <a id="{term.anchor}"></a>{term.name} | {term.sentence} |' for term in terms()]
    return HEADER + "\n".join(rows) + "\n"
