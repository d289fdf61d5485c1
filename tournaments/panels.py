"""Panels about tournaments on the pages of other apps (see ``web.panels``): matches, bots, leagues, groups and people.

One panel shows an author the next step, from the first upload to the first results. This module also registers
tournaments as a subject of announcements.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, F, Q, QuerySet
from django.template import Context
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from announcements.selectors import announcement_panel_of
from announcements.subjects import Subject, announcement_contest_subject, announcement_subject_register
from bots.models import Bot, VersionState
from bots.selectors import bots_of
from contests.audience import audience_contest_count_panel_of, audience_shown_to
from contests.audience_form import OF_GROUP
from contests.permissions import may_organise
from groups.models import Group
from groups.selectors import may_manage_group
from leagues.models import League, LeagueState, Membership, MembershipState, SeasonState
from leagues.selectors.permissions import may_run_league
from matches.contest_kinds import ContestTitle, match_contest_titles_register
from matches.models import Match, MatchState, Seat
from teams.selectors import acts_for_owner
from tournaments.format_pages import format_match_at_stake
from tournaments.hook_events import tournament_event_people
from tournaments.models import ENTERING, PLAYING, Entry, Tournament, Withdrawal
from tournaments.models.tournament import TOURNAMENT
from tournaments.presets import tournament_preset_named
from tournaments.selectors.entering.version_history import PLAYS, entry_version_playing
from tournaments.selectors.entering.visible import (
    may_rule_tournament,
    may_see_tournament_results,
    tournaments_listed,
    tournaments_visible,
)
from tournaments.selectors.pages.cards import tournament_cards_order
from tournaments.selectors.pages.honours import honours_trophies
from tournaments.selectors.pages.ladder_cups import ladder_cups_of, ladder_cups_shown, weekly_cup_of
from tournaments.selectors.pages.screens_and_feeds import tournaments_feed_entries
from tournaments.selectors.rulings.ruling_log import Whereabouts, ruling_match_whereabouts
from web.feeds import FeedEntry, feed_register
from web.panels import panel_register

CUPS_SHOWN: Final = 6
EVENTS_SHOWN: Final = 20  # tournaments on the page of a bot
OF_A_GROUP: Final = 50  # tournaments on the page of a group
PLACE: Final = "tournaments.place"  # the key under which a page stores the tournament, round and table of its match


def match_context_panel(context: Context, match: Match) -> dict[str, Any]:
    """Return the tournament, round and table of a match, and what is at stake.

    If the match belongs to no tournament, these are None and "".
    """
    place = _place(context, match)
    return {"place": place, "stakes": format_match_at_stake(place.fixture) if place and place.fixture else ""}


def _place(context: Context, match: Match) -> Whereabouts | None:
    """Return the place of a match in its tournament. It is read once per page, because two panels show it."""
    cache = context.render_context
    if PLACE not in cache:
        cache[PLACE] = ruling_match_whereabouts(match) if TOURNAMENT.includes(match) else None
    found: Whereabouts | None = cache[PLACE]
    return found


def match_place_panel(context: Context, match: Match) -> dict[str, Any]:
    """Return the table of a match in its tournament; None if the match belongs to no tournament.

    The page links from it to the reasons of the pairing, and shows notices of rulings. Everybody who may see the match
    may see its table.
    """
    place = _place(context, match)
    if place is None:
        return {"place": None}
    user = context.get("user") or AnonymousUser()
    explained = place.fixture is not None and place.fixture.round.stage.kind.draws_one_by_one
    return {
        "place": place,
        "rules": may_rule_tournament(user, place.tournament),
        "told": explained and may_see_tournament_results(user, place.tournament),
    }


def league_cups_panel(context: Context, league: League) -> dict[str, Any]:
    """Return the weekly cup of the league, and the last cups of its ladders with their winners.

    Also return whether the reader may create a cup.
    """
    runs = may_run_league(context["user"], league) and context.get("season") is not None
    cups = ladder_cups_shown(ladder_cups_of(league, context["user"])[: CUPS_SHOWN + 1])
    weekly = weekly_cup_of(league)
    return {
        "league": league,
        "cups": cups[:CUPS_SHOWN],
        "more": len(cups) > CUPS_SHOWN,
        "weekly": weekly,
        "preset": tournament_preset_named(weekly.preset) if weekly else None,
        "runs": runs,
    }


def bot_tournaments_panel(context: Context, bot: Bot) -> dict[str, Any]:
    """Return tournaments of a bot for its author, the newest first.

    These are the tournaments from which its current version was withdrawn because of faults, and those in which the bot
    plays. For the latter, also return when a newer version will play.
    """
    if not acts_for_owner(context["user"], bot.owner_id):
        return {"bot": bot}
    out = Q(version=bot.current_id, withdrawn_because=Withdrawal.FORFEITS)
    plays = Q(is_withdrawn=False, version__isnull=False, tournament__state__in=PLAYS)
    found = Entry.objects.filter(out | plays, audience_shown_to(context["user"], "tournament__"), bot=bot)
    entries = found.select_related("tournament", "version", "bot__current").order_by("-tournament")[:EVENTS_SHOWN]
    playing = [entry_version_playing(entry) for entry in entries if not entry.is_withdrawn]
    return {"bot": bot, "withdrawals": [entry for entry in entries if entry.is_withdrawn], "playing": playing}


def bot_contests_panel(context: Context, bot: Bot) -> dict[str, Any]:
    """Return the leagues of a bot that has just passed its check, for its author."""
    joined = _leagues_joined([bot.pk]).filter(audience_shown_to(context["user"], "league__"))
    return {"bot": bot, "joined": joined.select_related("league").order_by("pk")}


def next_step_panel(context: Context, shown: Bot | Sequence[Bot]) -> dict[str, Any]:
    """Return the next step of the author of these bots, or of one bot; no step for other readers."""
    bots = [shown] if isinstance(shown, Bot) else list(shown)
    if not bots or not acts_for_owner(context["user"], bots[0].owner_id):
        return {"step": None}
    finished = context.get("finished") or 0
    step = panel_next_step_of_bot(shown, finished=finished) if isinstance(shown, Bot) else panel_next_step_of_bots(bots)
    return {"step": step} | (_first_match(context["user"], step.bot) if step and step.code == "first" else {})


def _first_match(user: Any, bot: Bot) -> dict[str, Any]:
    """Return the league that a bot joined last, if matches are played there, and the bot's first match in it.

    The match is one that is queued or being played. Takes two queries.
    """
    joined = _leagues_joined([bot.pk]).filter(audience_shown_to(user, "league__"), league__paused_at=None)
    active = Count("league__memberships", Q(league__memberships__state=MembershipState.ACTIVE))
    joined = joined.annotate(active=active).filter(active__gte=F("league__players_per_table"))
    joined = joined.filter(league__seasons__state=SeasonState.RUNNING)
    member = joined.select_related("league").order_by("-joined_at", "-pk").first()
    if member is None:
        return {}
    coming = Match.objects.filter(state__in=(MatchState.QUEUED, MatchState.RUNNING), seats__version__bot=bot)
    first = coming.filter(league_match__season__league=member.league_id).order_by("pk").first()
    return {"league": member.league, "match": first}


def new_contests_panel(context: Context, user: User) -> dict[str, Any]:
    """Return an empty context, because the links for organisers do not depend on anything."""
    return {}


def group_tournaments_panel(context: Context, group: Group) -> dict[str, Any]:
    """Return the first tournaments of a group, in the order of the list of all tournaments.

    If the reader may create a tournament, also return a link for this.
    """
    found = tournament_cards_order(tournaments_listed(context["user"]).filter(group=group))[:OF_A_GROUP]
    new = ""
    if group.closed_at is None and may_organise(context["user"]) and may_manage_group(context["user"], group):
        new = f"{reverse('tournaments:create')}?audience={OF_GROUP}{group.slug}"
    return {"title": _("Tournaments"), "contests": found, "address": "tournaments:detail", "new": new}


def _group_feed_entries(reader: Any, group: Group) -> list[FeedEntry]:
    return list(tournaments_feed_entries(list(tournaments_listed(reader).filter(group=group)[:OF_A_GROUP])))


def bot_trophies_panel(context: Context, bot: Bot) -> dict[str, Any]:
    """Return the trophies of a bot."""
    return {"trophies": honours_trophies([bot]), "names": False}


def person_trophies_panel(context: Context, bots: Collection[Bot]) -> dict[str, Any]:
    """Return the trophies of an author's bots."""
    return {"trophies": honours_trophies(bots), "names": True}


def _tournament_titles(numbers: Collection[int]) -> dict[int, ContestTitle]:
    """Return the titles of tournaments by primary key."""
    rows = Tournament.objects.filter(pk__in=numbers).values_list("pk", "name", "slug")
    return {pk: ContestTitle(name, reverse("tournaments:detail", args=[slug])) for pk, name, slug in rows}


def tournament_panels_register() -> None:
    """Register the panels of tournaments, and tournaments as a subject of announcements."""
    _announcements_register()
    match_contest_titles_register(TOURNAMENT, _tournament_titles)
    panel_register("match.context", "tournaments/parts/match_context.html", match_context_panel)
    panel_register("match.contest", "tournaments/parts/match_place.html", match_place_panel)
    panel_register("bot.current", "tournaments/parts/let_it_play.html", bot_contests_panel)
    panel_register("author.next", "tournaments/parts/next_step.html", next_step_panel)
    panel_register("group.contests", "contests/of_group.html", group_tournaments_panel)
    counted = ngettext_lazy("%(count)s tournament", "%(count)s tournaments", "count")
    panel_register(
        "group.counts",
        "contests/group_count.html",
        audience_contest_count_panel_of("tournament", tournaments_listed, counted),
    )
    feed_register("group", _group_feed_entries)
    panel_register("league.contests", "tournaments/parts/league_cups.html", league_cups_panel)
    panel_register("organiser.contests", "tournaments/parts/new_contests.html", new_contests_panel)
    panel_register("bot.contests", "tournaments/parts/trophies.html", bot_trophies_panel)
    panel_register("person.lead", "tournaments/parts/trophies.html", person_trophies_panel)
    panel_register("bot.notices", "tournaments/parts/bot_events.html", bot_tournaments_panel)


def _announcements_register() -> None:
    """Register tournaments as a subject of announcements."""
    announcement_subject_register("tournament", _tournament_subject, _tournament_readers, _tournament_announcers)
    panel_register("tournament.announcements", "announcements/panel.html", announcement_panel_of("tournament"))


def _tournament_subject(user: Any, which: Q) -> Subject | None:
    cup = (Tournament.objects.all() if user is None else tournaments_visible(user)).filter(which).first()
    if cup is None:
        return None
    page = reverse("tournaments:detail", args=[cup.slug])
    may_write = user is not None and may_rule_tournament(user, cup)
    open_to = {"is_everyones": cup.is_everyones, "may_write": may_write}
    return announcement_contest_subject("tournament", cup, page, user, **open_to, time_zone=cup.time_zone)


def _tournament_readers(pk: int) -> set[int]:
    return tournament_event_people(Tournament.objects.get(pk=pk), with_authors=True)


def _tournament_announcers(pk: int) -> set[int]:
    return tournament_event_people(Tournament.objects.get(pk=pk), with_authors=False)


FEW: Final = 5  # finished matches; a bot with more has no next step


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next step of an author with a ``bot``.

    ``code`` is "upload" (a first version), "wait" (for the verdict), "mend" (a refused version), "join" (a contest),
    "first" (wait for the first result) or "results" (look at the results).
    """

    bot: Bot
    code: str


def panel_next_step_of_bots(bots: Sequence[Bot]) -> NextStep | None:
    """Return the next step of the first of ``bots`` that has one. Takes three queries.

    Bots without an accepted version must be read with ``bots_of``, which adds the state of their latest version.
    """
    ready = [bot.pk for bot in bots if bot.current_id]
    members = _leagues_joined(ready)
    entries = Entry.objects.filter(bot__in=ready, is_withdrawn=False, tournament__state__in=ENTERING | PLAYING)
    busy = {*members.values_list("bot", flat=True), *entries.values_list("bot", flat=True)}
    finished = _finished(ready)
    for bot in bots:
        if code := _code(bot, plays=bot.pk in busy, finished=finished.get(bot.pk, 0)):
            return NextStep(bot, code)
    return None


def _leagues_joined(bots: Sequence[int]) -> QuerySet[Membership]:
    """Return the active memberships of these bots in open leagues. The bots are given by primary key.

    In open leagues, each new version plays automatically.
    """
    return Membership.objects.filter(bot__in=bots, state=MembershipState.ACTIVE, league__state=LeagueState.OPEN)


def panel_next_step_of_bot(bot: Bot, *, finished: int = 0) -> NextStep | None:
    """Return the next step of one bot, if it has one.

    ``finished`` is a lower limit of the number of matches that the bot has finished in contests, as far as the caller
    knows. If it is more than ``FEW``, the bot has no next step, and no query is needed.
    """
    if bot.current_id is None:
        return panel_next_step_of_bots(list(bots_of(bot.owner_id).filter(pk=bot.pk)))
    return None if finished > FEW else panel_next_step_of_bots([bot])


def _finished(bots: Sequence[int]) -> dict[int, int]:
    """Return how many finished matches in contests each bot has.

    Only the newest seats of all these bots together are counted: ``FEW`` + 1 for each bot on average.
    """
    seats = Seat.objects.filter(version__bot__in=bots, match__state=MatchState.FINISHED, match__sparring=None)
    found: dict[int, int] = {}
    for bot in seats.order_by("-match").values_list("version__bot", flat=True)[: (FEW + 1) * max(1, len(bots))]:
        found[bot] = found.get(bot, 0) + 1
    return found


def _code(bot: Bot, *, plays: bool, finished: int) -> str:
    latest, waits = getattr(bot, "latest_state", None), getattr(bot, "waiting_count", 0)
    if bot.current_id is None:
        return "wait" if waits else "mend" if latest == VersionState.REFUSED else "upload"
    if finished:
        return "results" if finished <= FEW else ""
    return "first" if plays else "join"
