"""The glossary: complete, sorted, one sentence for each term, and the same on the site as in the documents."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import override

from arena.site.glossary import GLOSSARY, glossary_markdown, glossary_sort_key, glossary_terms
from tournaments.standings import TIE_BREAKS

# Words of pages, API and documents that a reader may look up.
LOOKED_UP = re.findall(
    r"\S+",
    """
    alias deal series seat rotation stand-in fault forfeit void walkover bye float standings rating interval
    provisional season ladder chain head proof nonce luck cage verdict record frame stage round
    table match ruling arbiter organiser secret digest freeze withdrawn disqualified benched held
    worker queue attempt version view action rank points tie-break bracket heat knockout league tournament
    ruleset rematch draw entry
    """,
)
PHRASES = [
    "season entry",
    "too close to call",
    "seed of a game",
    "game of a match",
    "house bot",
    "round robin",
    "Swiss",
    "TRF",
]


def test_every_term_that_is_looked_up_is_there() -> None:
    with override("en"):
        names = {term.name for term in glossary_terms()}
    assert {*LOOKED_UP, *PHRASES, *(one.name for one in TIE_BREAKS.values())} <= names


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
def test_terms_are_sorted_and_have_one_sentence_each(language: str) -> None:
    with override(language):
        found = glossary_terms()
    assert [glossary_sort_key(term.name) for term in found] == sorted(glossary_sort_key(term.name) for term in found)
    assert len({term.anchor for term in found}) == len(found)
    for term in found:
        assert re.fullmatch(r"[^\n]+[^.\n]\.", term.sentence), term.name
        assert ". " not in term.sentence, term.name


def test_the_document_is_written_from_the_terms_of_the_site() -> None:
    assert GLOSSARY.read_text(encoding="utf-8") == glossary_markdown(), "run: manage.py write_glossary"


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
def test_the_page_shows_every_term_in_the_language_of_its_reader(client: Client, language: str) -> None:
    page = client.get(reverse("docs-glossary"), headers={"Accept-Language": language}).content.decode()
    with override(language):
        for term in glossary_terms():
            assert f'<div id="{term.anchor}"><dt>{escape(term.name)}</dt><dd>{escape(term.sentence)}</dd>' in page
    assert f'href="{reverse("docs-glossary")}"' in page.split("<footer", 1)[1]
