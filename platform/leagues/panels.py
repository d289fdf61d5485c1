"""Panels about leagues on pages of other apps (see ``web.panels``), and the registration of league announcements."""

from collections.abc import Collection
from operator import attrgetter
from typing import Any, Final

from django.db.models import Q
from django.template import Context
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from announcements.selectors import announcement_entries, announcement_panel_of
from announcements.subjects import Subject, announcement_contest_subject, announcement_subject_register
from bots.models import Bot
from contests.audience import audience_contest_count_panel_of, people_who_may_see_contest
from groups.models import Group
from leagues.models import League, LeagueMatch, Membership, MembershipState, Season, SeasonEntry
from leagues.models.season import SEASON
from leagues.selectors.bots import Point, league_bot_graph, league_bot_history, league_bot_points_now
from leagues.selectors.permissions import (
    league_memberships_visible,
    leagues_listed,
    leagues_ordered,
    leagues_visible,
    may_run_league,
)
from leagues.selectors.seasons import (
    season_copies_left_out,
    season_entries_shown,
    season_feed_entries,
    season_standing_among,
)
from matches.contest_kinds import ContestTitle, match_contest_titles_register
from matches.models import Match
from teams.selectors import acts_for_owner, team_people_behind
from web.feeds import FeedEntry, feed_register
from web.panels import panel_register

OF_A_GROUP: Final = 50  # leagues on the page of a group
ENTRIES: Final = "leagues.panels.entries"
LEAGUES: Final = "leagues of the bot"
STANDINGS: Final = "leagues.panels.standings"
HISTORY: Final = "leagues.panels.history"
CHOSEN: Final = "leagues.panels.chosen"


def bot_leagues_panel(context: Context, bot: Bot) -> dict[str, Any]:
    """Return the leagues in which a bot plays. For its author, add the leagues that it may join, with the buttons."""
    return {"bot": bot, "found": _leagues(context, bot), "user": context["user"]}


def bot_ladder_history_panel(context: Context, bot: Bot) -> dict[str, Any]:
    """Return the rating history of the bot in its last season. If the bot is on no ladder, there is no graph."""
    entries = _entries(context, bot)
    if not entries:
        return {"graph": None}
    last = max(entries, key=attrgetter("pk"))
    graph = league_bot_graph(_history(context, bot))
    versions = [one for one in entries if (one.season, one.membership) == (last.season, last.membership)]
    season = last.season
    return {"bot": bot, "league": season.league, "number": season.number, "graph": graph, "versions": versions}


def bot_ladder_stats_panel(context: Context, bot: Bot) -> dict[str, Any]:
    """Return the rating and rank of the bot in its last season; None if it is on no ladder."""
    history = _history(context, bot)
    if not history:
        return {"row": None}
    last = max(_entries(context, bot), key=attrgetter("pk"))
    return {"league": last.season.league, "row": history[-1]}


def bot_ladder_place_panel(context: Context, bot: Bot) -> dict[str, Any]:
    """Return the league, rating and rank of one of the page's ``bots``; None if it is on no ladder."""
    cache = context.render_context
    if STANDINGS not in cache:
        cache[STANDINGS] = league_bot_points_now(context["bots"], context["user"])
    league, row = cache[STANDINGS].get(bot.pk, (None, None))
    return {"league": league, "row": row}


def bot_league_notices_panel(context: Context, bot: Bot) -> dict[str, Any]:
    """Return what the author should know about the bot's versions in running seasons before switching versions.

    Other users get nothing.
    """
    mine = acts_for_owner(context["user"], bot.owner_id)
    if not mine:
        return {"bot": bot}
    standing = season_standing_among(_entries(context, bot)).values()
    absent = [one["league"] for one in _leagues(context, bot) if one["membership"] and one["standing"] is None]
    return {"bot": bot, "standing": standing, "left_out": season_copies_left_out(bot, absent)}


def _entries(context: Context, bot: Bot) -> list[SeasonEntry]:
    """Read the bot's entries once per page, for three panels."""
    cache = context.render_context
    if ENTRIES not in cache:
        cache[ENTRIES] = season_entries_shown(bot, context["user"])
    found: list[SeasonEntry] = cache[ENTRIES]
    return found


def _history(context: Context, bot: Bot) -> list[Point]:
    """Read the rating history of the bot in its last season once per page, for two panels."""
    cache = context.render_context
    if HISTORY not in cache:
        last = max(_entries(context, bot), key=attrgetter("pk"), default=None)
        cache[HISTORY] = league_bot_history(last.season, last.membership) if last else []
    found: list[Point] = cache[HISTORY]
    return found


def _leagues(context: Context, bot: Bot) -> list[dict[str, Any]]:
    """Read the bot's leagues once per page, for two panels."""
    cache = context.render_context
    if LEAGUES not in cache:
        cache[LEAGUES] = league_memberships_visible(bot, context["user"], season_standing_among(_entries(context, bot)))
    found: list[dict[str, Any]] = cache[LEAGUES]
    return found


def match_league_panel(context: Context, match: Match) -> dict[str, Any]:
    """Return the league that chose the match. It is read once per page, for two panels."""
    if not SEASON.includes(match):
        return {"chosen": None}
    cache = context.render_context
    if CHOSEN not in cache:
        cache[CHOSEN] = LeagueMatch.objects.filter(match=match).select_related("season__league").first()
    return {"chosen": cache[CHOSEN]}


def group_leagues_panel(context: Context, group: Group) -> dict[str, Any]:
    """Return the first leagues of a group in the order of the list of all leagues."""
    found = leagues_ordered(leagues_listed(context["user"]).filter(group=group))[:OF_A_GROUP]
    return {"title": _("Leagues"), "contests": found, "address": "leagues:detail"}


def league_group_entries(reader: Any, group: Group) -> list[FeedEntry]:
    """Return the feed entries of a group's leagues."""
    leagues = leagues_listed(reader).filter(group=group)[:OF_A_GROUP]
    return [*announcement_entries("league", leagues, names=True), *season_feed_entries(leagues, names=True)]


def season_titles(numbers: Collection[int]) -> dict[int, ContestTitle]:
    """Return the title of the league for each season. ``numbers`` are the primary keys of the seasons."""
    rows = Season.objects.filter(pk__in=numbers).values_list("pk", "league__name", "league__slug")
    return {pk: ContestTitle(name, reverse("leagues:detail", args=[slug])) for pk, name, slug in rows}


def league_panels_register() -> None:
    match_contest_titles_register(SEASON, season_titles)
    panel_register("group.contests", "contests/of_group.html", group_leagues_panel)
    counted = ngettext_lazy("%(count)s league", "%(count)s leagues", "count")
    panel_register(
        "group.counts", "contests/group_count.html", audience_contest_count_panel_of("league", leagues_listed, counted)
    )
    feed_register("group", league_group_entries)
    panel_register("bot.notices", "leagues/parts/notes.html", bot_league_notices_panel)
    panel_register("bot.lead", "leagues/parts/lead.html", bot_ladder_history_panel)
    panel_register("bot.stats", "leagues/parts/bot_stats.html", bot_ladder_stats_panel)
    panel_register("bots.row", "leagues/parts/of_listed_bot.html", bot_ladder_place_panel)
    panel_register("bot.contests", "leagues/parts/of_bot.html", bot_leagues_panel)
    panel_register("match.context", "leagues/parts/match_context.html", match_league_panel)
    panel_register("match.facts", "leagues/parts/of_match.html", match_league_panel)


def league_announcements_register() -> None:
    """Register leagues as a subject of announcements."""
    announcement_subject_register("league", _league_subject, _league_readers, _league_announcers)
    panel_register("league.announcements", "announcements/panel.html", announcement_panel_of("league"))


def _league_subject(user: Any, which: Q) -> Subject | None:
    league = (League.objects.all() if user is None else leagues_visible(user)).filter(which).first()
    if league is None:
        return None
    page = reverse("leagues:detail", args=[league.slug])
    may_write = user is not None and may_run_league(user, league)
    return announcement_contest_subject(
        "league", league, page, user, is_everyones=league.is_everyones, may_write=may_write
    )


def _league_readers(pk: int) -> set[int]:
    league = League.objects.get(pk=pk)
    active = Membership.objects.filter(league=league, state=MembershipState.ACTIVE)
    people = {league.organiser_id, *team_people_behind(active.values_list("bot__owner", flat=True))}
    return people_who_may_see_contest(people, league)


def _league_announcers(pk: int) -> set[int]:
    return {League.objects.values_list("organiser", flat=True).get(pk=pk)}
