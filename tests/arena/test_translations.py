"""Every text can be translated, what is compiled is what is written, and no translation loses what is filled in."""

import re
from pathlib import Path

import polib
import pytest
from django.conf import settings

from arena.site.engine_texts import MARKED, engine_texts_source

CATALOGUES = [
    pytest.param(path, id=f"{path.parts[-3]}-{path.stem}")
    for path in sorted(Path(settings.LOCALE_DIR).glob("*/LC_MESSAGES/*.po"))
]
PLACEHOLDER = re.compile(r"%\(\w+\)(?:\.\d)?[a-z]|%[sd]")
TAG = re.compile(r"</?\w+")


def texts(entry: polib.POEntry) -> dict[int | str, str]:
    """The translations of an entry, by plural form."""
    return dict(entry.msgstr_plural) if entry.msgid_plural else {"": entry.msgstr}


def test_texts_of_the_engine_are_marked_for_translation() -> None:
    assert MARKED.read_text() == engine_texts_source(), "run: manage.py mark_engine_texts"


@pytest.mark.parametrize("path", CATALOGUES)
def test_compiled_catalogues_match_their_sources(path: Path) -> None:
    written = {(entry.msgctxt, entry.msgid): texts(entry) for entry in polib.pofile(str(path)).translated_entries()}
    compiled = {(entry.msgctxt, entry.msgid): texts(entry) for entry in polib.mofile(str(path.with_suffix(".mo")))}
    assert compiled == written, "run: make messages"


@pytest.mark.parametrize("path", CATALOGUES)
def test_every_text_is_translated_and_no_translation_is_a_guess(path: Path) -> None:
    catalogue = polib.pofile(str(path))
    assert [one.msgid for one in (*catalogue.untranslated_entries(), *catalogue.fuzzy_entries())] == []


@pytest.mark.parametrize("path", CATALOGUES)
def test_a_translation_keeps_placeholders_and_tags(path: Path) -> None:
    for entry in polib.pofile(str(path)).translated_entries():
        source = f"{entry.msgid} {entry.msgid_plural}"
        for text in texts(entry).values():
            assert set(PLACEHOLDER.findall(text)) <= set(PLACEHOLDER.findall(source)), entry.msgid
            assert set(TAG.findall(text)) == set(TAG.findall(source)), entry.msgid
