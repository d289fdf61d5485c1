"""Search bots, tournaments, leagues, series, users, teams and games by a part of their name, and the sections of the
docs: how to write a bot, HTTP, the rules of the games, the glossary and the guides.
"""

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any, Final

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.site import views
from arena.site.guides import guide_of, guides_shown
from bots.selectors import bots_public
from contests.game_settings_form import game_settings_colour
from games.catalogue import GAMES
from leagues.selectors.permissions import leagues_listed
from matches.pages.labels import game_label
from series.selectors.visible import series_listed
from teams.models import Team
from tournaments.selectors.entering.visible import tournaments_listed
from web.database import database_is_outage
from web.name_keys import name_key, name_key_contains, name_key_rank
from web.optional import optional

SHOWN: Final = 6  # results of each kind, until the reader chooses a kind
PER_PAGE: Final = 20
PAGES_MOST: Final = 50


@dataclass(frozen=True, slots=True)
class Found:
    """A search result with a short description. ``bird`` is the slug of a bot, ``colour`` the slug of a game,
    ``excerpt`` the matching sentence as HTML."""

    name: str
    address: str
    about: str = ""
    bird: str = ""
    colour: str = ""
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class FoundKind:
    """The results of one kind: the first few of ``total``, or a page of them. ``is_missing`` tells that the search of
    this kind failed.
    """

    kind: str
    title: str
    total: int
    found: tuple[Found, ...]
    page: Page[Any] | None = None
    is_missing: bool = False

    @property
    def more(self) -> bool:
        return self.page is None and self.total > len(self.found)


@dataclass(frozen=True, slots=True)
class _Kind:
    """How to search a kind: ``seen`` returns the rows that a visitor may see, ``name`` is the column of the names,
    ``order`` sorts equal matches."""

    title: str
    seen: Callable[[AbstractBaseUser | AnonymousUser], QuerySet[Any]]
    say: Callable[[Any], Found]
    name: str = "name"
    order: tuple[str, ...] = ("-created_at", "-pk")

    def find(self, text: str, user: AbstractBaseUser | AnonymousUser) -> QuerySet[Any]:
        """Return the rows with ``text`` in their name. Names in which ``text`` begins a word come first."""
        found = self.seen(user).filter(name_key_contains(text, name=self.name))
        return found.order_by(name_key_rank(text, name=self.name), *self.order)


def search_site(
    text: str, user: AbstractBaseUser | AnonymousUser, *, kind: str = "", page: str | None = None
) -> list[FoundKind]:
    """Return the results with ``text`` in their name, ignoring case, by kind: the first few of each kind, or a page of
    one ``kind``. Names in which ``text`` begins a word come first. Only what ``user`` may see is found.
    """
    kinds = _kinds()
    games = _games(text)
    if kind in kinds:
        return [_paged(kind, kinds[kind], text, user, page)]
    shown = [FoundKind("games", _("Games"), len(games), games)] if games else []
    found = [_first(name, one, text, user) for name, one in kinds.items()]
    return [*shown, *(one for one in found if one.found or one.is_missing)]


def _missing(name: str, kind: _Kind, *_args: object) -> FoundKind:
    return FoundKind(name, kind.title, 0, (), is_missing=True)


@optional("search of a kind", _missing)
def _first(name: str, kind: _Kind, text: str, user: AbstractBaseUser | AnonymousUser) -> FoundKind:
    found = kind.find(text, user)
    rows = list(found[: SHOWN + 1])
    total = found.count() if len(rows) > SHOWN else len(rows)
    return FoundKind(name, kind.title, total, tuple(map(kind.say, rows[:SHOWN])))


@optional("search of one kind", _missing)
def _paged(name: str, kind: _Kind, text: str, user: AbstractBaseUser | AnonymousUser, number: str | None) -> FoundKind:
    page = Paginator(kind.find(text, user)[: PER_PAGE * PAGES_MOST], PER_PAGE).get_page(number)
    return FoundKind(name, kind.title, page.paginator.count, tuple(map(kind.say, page.object_list)), page)


def _kinds() -> Mapping[str, _Kind]:
    return {
        "bots": _Kind(
            _("Bots"),
            lambda _user: bots_public().filter(deleted_at__isnull=True).defer("current__report"),
            lambda bot: Found(
                bot.name,
                reverse("bots:detail", args=[bot.slug]),
                f"{game_label(bot.game)} · {_('house bot') if bot.is_house else bot.author_name}",
                bird=bot.slug,
            ),
            order=("name", "pk"),
        ),
        "tournaments": _Kind(
            _("Tournaments"),
            tournaments_listed,
            lambda one: Found(
                one.name,
                reverse("tournaments:detail", args=[one.slug]),
                f"{game_label(one.game)} · {one.get_state_display()}",
                colour=game_settings_colour(one.game),
            ),
        ),
        "leagues": _Kind(
            _("Leagues"),
            leagues_listed,
            lambda one: Found(
                one.name,
                reverse("leagues:detail", args=[one.slug]),
                f"{game_label(one.ruleset)} · {one.get_state_display()}",
                colour=game_settings_colour(one.game),
            ),
        ),
        "series": _Kind(
            _("Series"),
            series_listed,
            lambda one: Found(
                one.name,
                reverse("series:detail", args=[one.slug]),
                game_label(one.game),
                colour=game_settings_colour(one.game),
            ),
        ),
        "authors": _Kind(
            _("Authors"),
            lambda _user: User.objects.filter(
                Q(bots__author_alias="") | Q(is_organiser=True), is_active=True
            ).distinct(),
            lambda user: Found(
                user.username,
                reverse("accounts:profile", args=[user.username]),
                _("Organiser") if user.is_organiser else _("Author"),
            ),
            name="username",
            order=("username",),
        ),
        "teams": _Kind(
            _("Teams"),
            lambda _user: Team.objects.select_related("account"),
            lambda team: Found(team.name, reverse("teams:detail", args=[team.slug]), _("Team")),
            name="account__username",
            order=("account__username",),
        ),
    }


def _games(text: str) -> tuple[Found, ...]:
    low = name_key(text)
    titles = {name: (_(game.title), _(game.tagline)) for name, game in GAMES.items()}
    return tuple(
        Found(title, reverse("watch:channel", args=[name]), tagline, colour=game_settings_colour(name))
        for name, (title, tagline) in titles.items()
        if low in name or low in name_key(title)
    )


logger = logging.getLogger(__name__)

KIND: Final = "docs"
SECTIONS_MOST: Final = 100  # sections that are listed
EXCERPT_MOST: Final = 180  # characters
EXCERPT_BEFORE: Final = 60  # characters of an excerpt before the first word that was found
_HEADINGS: Final = ("h1", "h2", "h3", "dt")
_LEFT_OUT: Final = "nav, form, script, style, template, .page-head .cluster, .tabs"
_cached: dict[str, tuple["Section", ...]] = {}  # by language; the docs change only with a release
_lock: Final = Lock()


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a page of the docs under its own heading. ``text`` is normalised for the search; ``sentences`` are
    the original ones, without the heading."""

    title: str
    address: str
    page: str
    text: str
    sentences: tuple[str, ...]


def search_handbook(request: HttpRequest, text: str, *, whole: bool = False) -> FoundKind:
    """Return the sections that contain, for each word of ``text``, a word that begins with it. Sections whose title
    matches come first. Return the first few, or all with ``whole``.
    """
    words = name_key(text).split()
    found = [one for one in _sections(request) if _begun(words, one.text) == len(words)]
    found.sort(key=lambda one: _begun(words, name_key(one.title)) < len(words))
    shown = found[: SECTIONS_MOST if whole else SHOWN]
    total = min(len(found), SECTIONS_MOST)
    return FoundKind(KIND, _("Handbook"), total, tuple(_shown(one, words) for one in shown))


def _shown(section: Section, words: Sequence[str]) -> Found:
    """Return a section as a result. Its excerpt is the first of the sentences that match most of the ``words``."""
    best = max(section.sentences, key=lambda one: _begun(words, name_key(one)), default="")
    return Found(section.title, section.address, section.page, excerpt=search_sentence_marked(best, words))


def _begun(words: Sequence[str], text: str) -> int:
    """Return how many of the ``words`` begin a word of ``text``."""
    return sum(word in text and re.search(_at_beginning(word), text) is not None for word in words)


def _at_beginning(word: str) -> str:
    """Return a pattern for ``word`` at the beginning of a word. Punctuation matches anywhere."""
    return (r"(?<![^\W_])" if word[0].isalnum() else "") + re.escape(word)


def search_sentence_marked(sentence: str, words: Sequence[str]) -> SafeString:
    """Return a sentence as escaped HTML with ``<mark>`` around ``words`` that begin a word. A long sentence is cut to
    the surroundings of the first match. Without a match it is cut to its beginning.

    >>> search_sentence_marked("An owl rolls slowly & keeps.", ["owl", "keep"])
    'An <mark>owl</mark> rolls slowly &amp; <mark>keep</mark>s.'
    """
    pattern = "|".join(map(_at_beginning, sorted(words, key=len, reverse=True)))
    found = re.search(pattern, sentence, re.IGNORECASE)
    first, last = found.span() if found else (0, 0)
    start = 0 if last <= EXCERPT_MOST else sentence.rfind(" ", 0, max(first - EXCERPT_BEFORE, 1)) + 1
    cut = sentence[start : start + EXCERPT_MOST]
    end = len(cut) if start + EXCERPT_MOST >= len(sentence) else max(cut.rfind(" "), last - start)
    shown = re.split(f"({pattern})", cut[:end], flags=re.IGNORECASE)
    text = format_html_join(
        "", "{}", ((format_html("<mark>{}</mark>", one) if at % 2 else one,) for at, one in enumerate(shown))
    )
    return format_html("{}{}{}", "… " if start else "", text, " …" if start + end < len(sentence) else "")


def _sections(request: HttpRequest) -> tuple[Section, ...]:
    language = get_language() or ""
    if language not in _cached:
        with _lock:
            if language not in _cached:
                _cached[language] = tuple(_sections_built(_anonymous(request)))
    return _cached[language]


def _anonymous(request: HttpRequest) -> HttpRequest:
    """Return a request of an anonymous visitor to the same host."""
    anonymous = HttpRequest()
    anonymous.method = "GET"
    anonymous.META = {name: value for name, value in request.META.items() if name != "HTTP_COOKIE"}
    anonymous.user = AnonymousUser()
    return anonymous


def _sections_built(request: HttpRequest) -> Iterator[Section]:
    pages: list[tuple[str, Callable[..., HttpResponse], dict[str, str]]] = [
        ("docs-bots", views.docs_bots_view, {}),
        ("docs-http", views.docs_http_view, {}),
        *(("docs-rules", views.docs_rules_view, {"name": name}) for name in GAMES),
        ("docs-glossary", views.docs_glossary_view, {}),
    ]
    for name, view, arguments in pages:
        request.path = reverse(name, kwargs=arguments)
        try:
            html = view(request, **arguments).content.decode()
        except Exception as error:  # any error may occur: a game package brings its own template of its rules page
            if database_is_outage(error):
                raise
            logger.exception("the search cannot read the sections of %s", request.path)
        else:
            yield from search_sections_of(html, request.path)
    yield from _sections_of_guides()


@cache
def _sections_of_guides() -> tuple[Section, ...]:
    """Return the sections of the guides, which are the same in all languages."""
    return tuple(
        _section(heading, f"{listed.address}#{anchor}" if anchor else listed.address, listed.title, [heading, *texts])
        for listed in guides_shown()
        for anchor, heading, texts in guide_of(listed.path).parts
    )


def search_sections_of(html: str, address: str) -> Iterator[Section]:
    """Yield the sections of the HTML page ``html`` of this site with the given ``address``.

    >>> [one] = search_sections_of("<main><h1>Rules</h1><p>Roll <b>dice</b>.</p></main>", "/rules/")
    >>> one.title, one.address, one.text
    ('Rules', '/rules/', 'rules roll dice .')
    """
    soup = BeautifulSoup(html, "html.parser")
    main = soup.select_one("main")
    if main is None:
        return
    for one in main.select(_LEFT_OUT):
        one.decompose()
    heading, place, page = "", address, ""
    texts: list[str] = []
    for node in main.descendants:
        if isinstance(node, Tag) and node.name in _HEADINGS:
            if heading:
                yield _section(heading, place, page, texts)
            heading, texts = node.get_text(" ", strip=True), []
            page = page or heading
            anchor = node.get("id") or (node.parent.get("id") if node.name == "dt" and node.parent else None)
            place = f"{address}#{anchor}" if anchor else address
        elif isinstance(node, NavigableString) and (text := node.strip()):
            texts.append(text)
    if heading:
        yield _section(heading, place, page, texts)


def _section(heading: str, place: str, page: str, texts: Sequence[str]) -> Section:
    whole = re.sub(r"\s+", " ", " ".join(texts))
    read = re.sub(r" (?=[.,;:!?)](?!\d))", "", whole.removeprefix(re.sub(r"\s+", " ", heading)).strip())
    return Section(heading, place, page, name_key(whole), tuple(re.split(r"(?<=[.!?]) (?=[A-ZÀ-Ý])", read)))
