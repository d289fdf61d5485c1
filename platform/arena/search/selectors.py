"""Find bots, tournaments, leagues, series, authors, teams and games by a part of their name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from arena.accounts.models import User
from bots.selectors import bots_public
from contests.game_settings_form import game_colour
from games.catalogue import GAMES
from leagues.selectors.visible import leagues_listed
from matches.pages.labels import game_label
from series.selectors.visible import series_listed
from teams.models import Team
from tournaments.selectors.entering.visible import tournaments_listed
from web.name_keys import name_holds, name_key
from web.optional import optional

SHOWN: Final = 6  # of each kind, as long as none is chosen
PER_PAGE: Final = 20
PAGES_MOST: Final = 50


@dataclass(frozen=True, slots=True)
class Found:
    """Something that was found, with what it is in a few words; ``bird`` is the slug of a bot, ``colour`` that of a
    game, ``excerpt`` the sentence that has the words, as HTML."""

    name: str
    address: str
    about: str = ""
    bird: str = ""
    colour: str = ""
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class FoundKind:
    """What was found of one kind: some of ``total``, or a page of it. ``is_missing``: it cannot be searched."""

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
    title: str
    find: Callable[[str, AbstractBaseUser | AnonymousUser], QuerySet[Any]]
    say: Callable[[Any], Found]


def search(
    text: str, user: AbstractBaseUser | AnonymousUser, *, kind: str = "", page: str | None = None
) -> list[FoundKind]:
    """Return what has ``text`` in its name, whatever the case, by kind: the first few of each, or a page of one
    ``kind``. Nobody finds what they may not see."""
    kinds = _kinds()
    games = _games(text)
    if kind in kinds:
        return [_paged(kind, kinds[kind], text, user, page)]
    shown = [FoundKind("games", _("Games"), len(games), games)] if games else []
    found = [_first(name, one, text, user) for name, one in kinds.items()]
    return [*shown, *(one for one in found if one.found or one.is_missing)]


def _missing(name: str, kind: _Kind, *_asked: object) -> FoundKind:
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
            lambda text, _user: (
                bots_public()
                .filter(name_holds(text), deleted_at__isnull=True)
                .defer("current__report")
                .order_by("name", "pk")
            ),
            lambda bot: Found(
                bot.name,
                reverse("bots:detail", args=[bot.slug]),
                f"{game_label(bot.game)} · {_('house bot') if bot.is_house else bot.author_name}",
                bird=bot.slug,
            ),
        ),
        "tournaments": _Kind(
            _("Tournaments"),
            lambda text, user: tournaments_listed(user).filter(name_holds(text)),
            lambda one: Found(
                one.name,
                reverse("tournaments:detail", args=[one.slug]),
                f"{game_label(one.game)} · {one.get_state_display()}",
                colour=game_colour(one.game),
            ),
        ),
        "leagues": _Kind(
            _("Leagues"),
            lambda text, user: leagues_listed(user).filter(name_holds(text)),
            lambda one: Found(
                one.name,
                reverse("leagues:detail", args=[one.slug]),
                f"{game_label(one.ruleset)} · {one.get_state_display()}",
                colour=game_colour(one.game),
            ),
        ),
        "series": _Kind(
            _("Series"),
            lambda text, user: series_listed(user).filter(name_holds(text)),
            lambda one: Found(
                one.name,
                reverse("series:detail", args=[one.slug]),
                game_label(one.game),
                colour=game_colour(one.game),
            ),
        ),
        "authors": _Kind(
            _("Authors"),
            lambda text, _user: (
                User.objects.filter(
                    Q(bots__author_alias="") | Q(is_organiser=True), name_holds(text, name="username"), is_active=True
                )
                .distinct()
                .order_by("username")
            ),
            lambda user: Found(
                user.username,
                reverse("accounts:profile", args=[user.username]),
                _("Organiser") if user.is_organiser else _("Author"),
            ),
        ),
        "teams": _Kind(
            _("Teams"),
            lambda text, _user: (
                Team.objects.filter(name_holds(text, name="account__username"))
                .select_related("account")
                .order_by("account__username")
            ),
            lambda team: Found(team.name, reverse("teams:detail", args=[team.slug]), _("Team")),
        ),
    }


def _games(text: str) -> tuple[Found, ...]:
    low = name_key(text)
    titles = {name: (_(game.title), _(game.tagline)) for name, game in GAMES.items()}
    return tuple(
        Found(title, reverse("watch:channel", args=[name]), tagline, colour=game_colour(name))
        for name, (title, tagline) in titles.items()
        if low in name or low in name_key(title)
    )
