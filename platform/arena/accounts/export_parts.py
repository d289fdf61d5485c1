"""The parts of an account's export: the name of each part, and the function that reads it.

The parts are read with the selectors of the user's own pages. So results of broadcasts and tournaments that are still
hidden are not in the export. Digests of secrets (the password, tokens, webhooks) are left out.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry
from django.db.models import Exists, OuterRef, Q, QuerySet

from announcements.models import Announcement, Question
from arena.accounts.models import AccessToken, User
from assignments.models import Assignment, DueExtension, HandIn, HandInPerson, Marking, PracticeRun, ReferenceMark
from bots.models import Bot, BotVersion, CheckTurn
from contests.models import OrganiserAllowance, OrganiserChange, OrganiserRequest
from groups.models import Group, GroupInvitation, GroupMember, MemberChange
from hooks.models import Delivery, Hook
from leagues.models import League, Membership
from matches.bot_history.logs import bot_logs_of, bot_logs_own_notes
from matches.bot_history.selectors import ListReader, bot_history_faults, bot_matches_of
from matches.models import Analysis, Challenge, Match, Sparring
from matches.queue.seat_logs import seat_logs_games
from notices.following import followed_by, follows_of
from notices.models import Notice, NoticeChoice, QuietHours
from notices.selectors import notices_readable
from notices.web_push import web_push_devices_of
from puzzles.models import PuzzleAnswer, PuzzleRating
from series.models import TournamentSeries
from teams.models import TeamChange, TeamInvitation, TeamMember
from tournaments.models import Entry, EntryAnswers, Nonce, Ruling, TeamPlayer, Tournament, TournamentTemplate
from tournaments.selectors.entering.registration import registration_questions_of
from web.models import KeptAnswer, PreparedFile

Rows = Iterable[Mapping[str, Any]]


def _values(*fields: str, **named: str) -> Callable[[QuerySet[Any]], Rows]:
    """Return a function that reads the columns ``fields`` under their own names, and the columns that are the values of
    ``named`` under its keys.
    """

    def read(rows: QuerySet[Any]) -> Rows:
        for row in rows.order_by("pk").values(*fields, *named.values()).iterator(1000):
            yield {name: row[name] for name in fields} | {name: row[field] for name, field in named.items()}

    return read


def _bots(person: User) -> QuerySet[Bot]:
    return Bot.objects.filter(owner=person)


def _markings(person: User) -> QuerySet[Marking]:
    share = HandInPerson.objects.filter(assignment=OuterRef("assignment"), account=OuterRef("student"), person=person)
    return Marking.objects.filter(Q(student=person) | Q(Exists(share)), published_at__isnull=False)


def _matches(person: User) -> Iterator[Mapping[str, Any]]:
    for bot in _bots(person):
        for seat in bot_matches_of(bot, ListReader(person.pk)).iterator(1000):
            yield {
                "match": seat.match_id,
                "bot": bot.slug,
                "version": seat.version.number,
                "seat": seat.index,
                "score": seat.score,
                "finished_at": seat.match.finished_at,
            }


def _registration(person: User) -> Iterator[Mapping[str, Any]]:
    """Yield the user's answers on entering tournaments, with the questions."""
    given = EntryAnswers.objects.filter(by=person).select_related("entry__tournament", "entry__bot").order_by("pk")
    for one in given:
        texts = {str(question.number): question.text for question in registration_questions_of(one.entry.tournament)}
        yield {
            "tournament": one.entry.tournament.slug,
            "bot": one.entry.bot.slug,
            "answers": {texts[number]: answer for number, answer in one.answers.items()},
            "answered_at": one.answered_at,
        }


def _faults(person: User) -> Iterator[Mapping[str, Any]]:
    fields = ("verdict", "action_index", "exception", "detail", "line", "view", "answer", "output")
    for bot in _bots(person):
        for fault in bot_history_faults(bot).iterator(1000):
            where = {"match": fault.seat.match_id, "game": fault.game.index, "version": fault.seat.version.number}
            yield {"bot": bot.slug, **where, **{name: getattr(fault, name) for name in fields}}


def _notes(person: User) -> Iterator[Mapping[str, Any]]:
    for bot in _bots(person):
        for match, game, played, explanation in bot_logs_own_notes(bot):
            yield {"bot": bot.slug, "match": match, "game": game, "action": played, **explanation._asdict()}


def _notices(person: User) -> Iterator[Mapping[str, Any]]:
    fields = ("event", "kind", "data", "created_at", "read_at", "emailed_at")
    rows = Notice.objects.filter(person=person).order_by("pk").iterator(1000)
    while batch := list(islice(rows, 1000)):
        for notice in notices_readable(person, batch):
            yield {name: getattr(notice, name) for name in fields}


def _printed(person: User) -> Iterator[Mapping[str, Any]]:
    for bot in _bots(person):
        for log in bot_logs_of(bot).select_related("seat").iterator(100):
            for game in seat_logs_games(bytes(log.content)):
                if text := "".join(text for _played, text in game.chunks):
                    yield {"bot": bot.slug, "match": log.seat.match_id, "game": game.index, "printed": text}


PARTS: Final[Mapping[str, Callable[[User], Rows]]] = {
    "account": lambda person: _values(
        *("username", "email", "first_name", "last_name", "date_joined", "last_login"),
        *("is_organiser", "is_staff", "is_superuser", "language"),
    )(User.objects.filter(pk=person.pk)),
    "email-addresses": lambda person: _values("email", "verified", "primary")(EmailAddress.objects.filter(user=person)),
    "second-factors": lambda person: _values("type", "created_at", "last_used_at")(
        Authenticator.objects.filter(user=person)
    ),
    "access-tokens": lambda person: _values(
        "name", "created", "expiry", "last_used_at", "has_upload", "has_organise", "has_hooks", begins_with="token_key"
    )(AccessToken.objects.filter(user=person)),
    "bots": lambda person: _values(
        "name",
        "slug",
        "game",
        "blurb",
        "organisers_may_enter",
        "challenged_by",
        "notes_shown",
        "author_alias",
        "created_at",
    )(_bots(person)),
    "versions": lambda person: _values(
        *(
            "number",
            "sha256",
            "filename",
            "size",
            "state",
            "message",
            "authorship",
            "model",
            "report",
            "created_at",
            "checked_at",
        ),
        bot="bot__slug",
    )(BotVersion.objects.filter(bot__owner=person)),
    "check-turns": lambda person: _values("served_at")(CheckTurn.objects.filter(author=person)),
    "matches": _matches,
    "failures": _faults,
    "printed": _printed,
    "notes": _notes,
    "sparring": lambda person: _values("match", "created_at")(Sparring.objects.filter(author=person)),
    "challenges": lambda person: _values(
        "state", "match", "created_at", "answered_at", bot="bot__slug", opponent="opponent__slug"
    )(Challenge.objects.filter(author=person)),
    "analyses": lambda person: _values("game", "requested_at")(Analysis.objects.filter(requested_by=person)),
    "entries": lambda person: _values(
        "created_at", "is_withdrawn", "withdrawn_at", "category", bot="bot__slug", tournament="tournament__slug"
    )(Entry.objects.filter(bot__owner=person)),
    "sources-agreed": lambda person: _values("sources_agreed_at", bot="bot__slug", tournament="tournament__slug")(
        Entry.objects.filter(sources_agreed_by=person)
    ),
    "registration-answers": _registration,
    "league-memberships": lambda person: _values("state", "joined_at", bot="bot__slug", league="league__slug")(
        Membership.objects.filter(bot__owner=person)
    ),
    "tournaments": lambda person: _values("name", "slug", "description", "state", "created_at")(
        Tournament.objects.filter(organiser=person)
    ),
    "tournament-templates": lambda person: _values("name", "fields", "registration", "plans", "created_at")(
        TournamentTemplate.objects.filter(organiser=person)
    ),
    "arbiter-of": lambda person: _values("name", "slug")(Tournament.objects.filter(arbiters=person)),
    "leagues": lambda person: _values("name", "slug", "description", "state", "created_at")(
        League.objects.filter(organiser=person)
    ),
    "matches-organised": lambda person: _values("id", "created_at")(Match.objects.filter(organiser=person)),
    "rulings": lambda person: _values("number", "kind", "reason", "created_at", tournament="tournament__slug")(
        Ruling.objects.filter(by=person)
    ),
    "luck-added": lambda person: _values("text", "created_at", tournament="luck__tournament__slug")(
        Nonce.objects.filter(by=person)
    ),
    "announcements": lambda person: _values(
        "subject", "subject_id", "title", "text", "created_at", "published_at", "edited_at"
    )(Announcement.objects.filter(author=person)),
    "questions": lambda person: _values(
        "subject", "subject_id", "text", "created_at", "answer", "answered_at", "published_at"
    )(Question.objects.filter(asker=person)),
    "questions-answered": lambda person: _values("subject", "subject_id", "answer", "answered_at", "published_at")(
        Question.objects.filter(answered_by=person)
    ),
    "notices": _notices,
    "follows": lambda person: [
        {"kind": one.kind.name, "slug": one.slug, "name": one.name} for one in followed_by(person, follows_of(person))
    ],
    "quiet-hours": lambda person: _values("start", "end", "time_zone")(QuietHours.objects.filter(person=person)),
    "devices": lambda person: _values("browser", "endpoint", "created_at")(web_push_devices_of(person)),
    "notice-channels": lambda person: _values("kind", "in_inbox", "email", "push")(
        NoticeChoice.objects.filter(person=person)
    ),
    "groups-created": lambda person: _values("name", "slug", "kind", "created_at")(
        Group.objects.filter(created_by=person)
    ),
    "groups": lambda person: _values(
        *("role", "name", "roster_id", "alias", "cohort", "joined_at"), group="group__slug"
    )(GroupMember.objects.filter(person=person)),
    "group-changes": lambda person: _values("act", "role", "created_at", group="group__slug")(
        MemberChange.objects.filter(person=person)
    ),
    "group-changes-made": lambda person: _values("act", "role", "created_at", group="group__slug")(
        MemberChange.objects.filter(by=person).exclude(person=person)
    ),
    "group-invitations-made": lambda person: _values(
        "kind", "uses_most", "created_at", "expires_at", group="group__slug"
    )(GroupInvitation.objects.filter(created_by=person)),
    "teams": lambda person: _values("is_captain", "joined_at", team="team__slug", name="team__account__username")(
        TeamMember.objects.filter(person=person)
    ),
    "uploads-for-teams": lambda person: _values(
        "number", "sha256", "message", "authorship", "model", "created_at", bot="bot__slug"
    )(BotVersion.objects.filter(uploaded_by=person).exclude(bot__owner=person)),
    "played-for-teams": lambda person: _values(tournament="tournament__slug", team="team__slug")(
        TeamPlayer.objects.filter(person=person)
    ),
    "team-changes": lambda person: _values("act", "created_at", team="team__slug")(
        TeamChange.objects.filter(person=person)
    ),
    "team-changes-made": lambda person: _values("act", "created_at", team="team__slug")(
        TeamChange.objects.filter(by=person).exclude(person=person)
    ),
    "team-invitations-made": lambda person: _values("uses_most", "created_at", "expires_at", team="team__slug")(
        TeamInvitation.objects.filter(created_by=person)
    ),
    "assignments-organised": lambda person: _values("title", "text", "created_at", group="group__slug")(
        Assignment.objects.filter(organiser=person)
    ),
    "hand-ins": lambda person: _values("handed_in_at", assignment="assignment__title", bot="bot__slug")(
        HandIn.objects.filter(student=person)
    ),
    "hand-ins-shared": lambda person: _values(assignment="assignment__title", account="account__username")(
        HandInPerson.objects.filter(person=person)
    ),
    "due-extensions": lambda person: _values("due_at", "reason", "created_at", assignment="assignment__title")(
        DueExtension.objects.filter(student=person)
    ),
    "due-extensions-given": lambda person: _values("due_at", "reason", "created_at", assignment="assignment__title")(
        DueExtension.objects.filter(by=person)
    ),
    "practice-runs": lambda person: _values("match", "created_at", assignment="reference__assignment__title")(
        PracticeRun.objects.filter(student=person)
    ),
    "markings": lambda person: _values(
        *("number", "days_late", "reason", "created_at", "published_at"), assignment="assignment__title"
    )(_markings(person)),
    "markings-ordered": lambda person: _values("reason", "created_at", assignment="assignment__title")(
        Marking.objects.filter(by=person)
    ),
    "marks-decided": lambda person: _values(
        "ruling", "ruling_reason", "ruled_at", assignment="marking__assignment__title"
    )(ReferenceMark.objects.filter(ruled_by=person)),
    "puzzle-answers": lambda person: _values("puzzle", "action", "lost", "change", "created_at")(
        PuzzleAnswer.objects.filter(person=person)
    ),
    "puzzle-ratings": lambda person: _values("game", "rating", "answers", "solved")(
        PuzzleRating.objects.filter(person=person)
    ),
    "prepared-files": lambda person: _values("kind", "subject", "name", "asked_at")(
        PreparedFile.objects.filter(asked_by=person)
    ),
    "series": lambda person: _values("name", "slug", "description", "created_at")(
        TournamentSeries.objects.filter(organiser=person)
    ),
    "webhooks": lambda person: _values("id", "url", "kinds", "format", "about", "paused_because", "created_at")(
        Hook.objects.filter(owner=person)
    ),
    "webhook-deliveries": lambda person: _values(
        "hook", "event", "kind", "body", "state", "tries", "status_code", "problem", "created_at", "ended_at"
    )(Delivery.objects.filter(hook__owner=person)),
    "single-sign-on": lambda person: _values("provider", "uid", "extra_data", "date_joined", "last_login")(
        SocialAccount.objects.filter(user=person)
    ),
    "organiser-requests": lambda person: _values("reason", "created_at", "is_granted", "decided_at")(
        OrganiserRequest.objects.filter(person=person)
    ),
    "organiser-changes": lambda person: _values("is_granted", "created_at")(
        OrganiserChange.objects.filter(person=person)
    ),
    "organiser-decisions": lambda person: _values("is_granted", "decided_at")(
        OrganiserRequest.objects.filter(decided_by=person)
    ),
    "organiser-changes-made": lambda person: _values("is_granted", "created_at")(
        OrganiserChange.objects.filter(by=person)
    ),
    "organiser-allowance": lambda person: _values("worker_hours")(OrganiserAllowance.objects.filter(person=person)),
    "acts-in-admin": lambda person: _values("action_time", "object_repr", "action_flag", "change_message")(
        LogEntry.objects.filter(user=person)
    ),
    "answers-of-the-api": lambda person: _values("key", "status", "created_at")(KeptAnswer.objects.filter(user=person)),
}
