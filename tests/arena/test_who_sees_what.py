"""What each role gets at every address with something private. New addresses have to be listed here.

One table says it for a tournament whose results are hidden, a match that is its organiser's, a version that was refused
and a league that is everyone's; another for a draft of both. Words are also planted in private texts,
and looked for in every response.
"""

import io
import re
import zipfile
from collections.abc import Mapping
from copy import deepcopy
from datetime import date
from typing import Any, Final
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.db.models import Model
from django.urls import reverse

from announcements.models import Announcement, Question
from assignments.models import Assignment, DueExtension, HandIn, Marking
from bots.models import Bot, BotVersion
from games.version import VERSION
from groups.models import Group, GroupInvitation, GroupMember, RosterRow
from hooks.models import Delivery, Hook
from leagues.models import League, Membership, Season
from leagues.services import season_schedule
from matches.models import Audience, Challenge, Fault, Game, Match
from notices.models import Notice
from series.models import SeriesEvent, TournamentSeries
from tests.announcements.factories import announcement_later, question_of
from tests.arena.answers import DRAFTS, GET, WHO, read_table
from tests.arena.factories import UserFactory
from tests.arena.test_every_address import NAMES
from tests.arena.visitors import Visitors
from tests.assignments.factories import whole_assignment
from tests.bots.factories import BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.groups.factories import whole_group
from tests.hooks.factories import delivery_of, hook_of
from tests.leagues.factories import LeagueFactory, member_of, open_league, season_of, worker_up
from tests.matches.factories import CRASHES, FinishedMatchFactory
from tests.puzzles.factories import puzzle_of
from tests.series.factories import series_of
from tests.teams.factories import team_of
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of, finish_matches
from tournaments.models import (
    Ceremony,
    Entry,
    EntryAnswers,
    ForbiddenPair,
    Invitation,
    Publication,
    RegistrationKind,
    RegistrationQuestion,
    Round,
    Ruling,
    Tournament,
)
from tournaments.services import forbidden_pair_create, tournament_start
from tournaments.template_settings import template_settings_save

pytestmark = pytest.mark.django_db

WORDS: Final[Mapping[str, tuple[str, ...]]] = {  # who may read them
    "SOURCE-OF-THE-AUTHOR": ("author",),
    "TOLD-THE-AUTHOR": ("author", "staff"),
    "PRINTED-BY-THE-AUTHOR": ("author", "staff"),
    "HOOK-OF-THE-AUTHOR": ("author",),
    "NOTICE-OF-THE-AUTHOR": ("author",),
    "FAULT-OF-THE-AUTHOR": (),  # while the match is its organiser's
    "GROUP-OF-THE-ORGANISER": ("author", "organiser", "staff"),
    "ON-THE-ROSTER": ("organiser", "staff"),
    "SERIES-OF-THE-GROUP": ("author", "organiser", "staff"),
    "ASSIGNMENT-OF-THE-GROUP": ("author", "organiser", "staff"),
    "WHY-THE-AUTHOR-HAS-MORE-TIME": ("author", "organiser", "staff"),  # to the author in their own export
    "TEMPLATE-OF-THE-ORGANISER": ("organiser",),
    "ANNOUNCED-LATER": ("organiser", "staff"),
    "ASKED-IN-PRIVATE": ("author", "organiser", "staff"),
    "ANSWERED-IN-PRIVATE": ("author", "organiser", "staff"),
    "ANSWER-OF-THE-AUTHOR": ("author", "organiser", "staff"),
    "DRAFT-TOURNAMENT": ("organiser", "staff"),
    "DRAFT-LEAGUE": ("organiser", "staff"),
    bytes(range(32)).hex(): (),  # the tournament's secret, before the end
}
PRINTS: Final = b"def act(view):\n    print('PRINTED-BY-THE-AUTHOR')\n    return view['actions'][-1]\n"
MAIL: Final = re.compile(r"[\w.+-]+@example\.org")
FILES: Final = {
    "tournaments:export": "tournament.json",
    "tournaments:ratings-export": "ratings.csv",
    "leagues:export": "season.json",
    "package": "pecking",
    "package-file": "pecking",
}
MODELS: Final[tuple[type[Model], ...]] = (
    *(Tournament, Entry, Invitation, ForbiddenPair, Round, Ruling, League, Membership, Season, Match, Bot, BotVersion),
    *(
        Announcement,
        Question,
        Group,
        GroupMember,
        GroupInvitation,
        RosterRow,
        Assignment,
        DueExtension,
        HandIn,
        Marking,
    ),
    *(TournamentSeries, SeriesEvent),
    *(Tournament.arbiters.through, Hook, Delivery, Ceremony),
)


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


class World:
    """One of everything that is not for everyone."""

    def __init__(self) -> None:
        self.visitors = Visitors()
        self.people = {who: UserFactory(username=who, is_organiser=who in ("organiser", "rival")) for who in WHO[1:]}
        author, organiser, rival = (self.people[who] for who in ("author", "organiser", "rival"))
        type(author).objects.filter(pk=self.people["staff"].pk).update(is_staff=True, is_superuser=True)
        self.people["staff"].refresh_from_db()
        TournamentFactory(organiser=rival)
        bot_of(self.people["other"])
        self.hidden = self._tournament()
        entry = self.hidden.entries.get(bot__owner=author)
        bot = entry.bot
        self.refused = BotVersionFactory(
            bot=bot,
            refused=True,
            source=b"# SOURCE-OF-THE-AUTHOR",
            report={"verdict": "crashed", "detail": "TOLD-THE-AUTHOR"},
        )
        crasher = BotVersionFactory(bot=bot, source=CRASHES)
        self.match = FinishedMatchFactory(
            seats=[crasher, BotVersionFactory()], audience=Audience.ORGANISER, organiser=organiser
        )
        Fault.objects.update(detail="FAULT-OF-THE-AUTHOR")
        self.refused.check_games.create(
            attempt=0, stage="mirror", index=1, record=Game.objects.all()[0].record, places=[1, 2], reason="gone"
        )
        printer = BotVersionFactory(bot=bot, source=PRINTS)
        FinishedMatchFactory(seats=[printer, BotVersionFactory()])
        self.draft = TournamentFactory(state="draft", organiser=organiser, name="DRAFT-TOURNAMENT", slug="draft-cup")
        self.draft_league = LeagueFactory(organiser=organiser, name="DRAFT-LEAGUE", slug="draft-league", state="draft")
        self.league = open_league(bots=1, organiser=organiser)
        membership = member_of(self.league, bot=bot)
        worker_up()
        season_schedule(season_id=season_of(self.league).pk)
        pair = forbidden_pair_create(
            tournament=self.hidden, one=entry, other=self.hidden.entries.exclude(pk=entry.pk).order_by("pk")[0]
        )
        self.group = whole_group(organiser, author, name="GROUP-OF-THE-ORGANISER")
        self.assignment = whole_assignment(
            Group.objects.get(slug=self.group["slug"]),
            author,
            "ASSIGNMENT-OF-THE-GROUP",
            "WHY-THE-AUTHOR-HAS-MORE-TIME",
        )
        self.puzzle = puzzle_of()
        self.series = series_of(
            organiser,
            self.hidden,
            self.draft,
            name="SERIES-OF-THE-GROUP",
            audience="group",
            group=Group.objects.get(slug=self.group["slug"]),
        )
        self.listed_group = whole_group(organiser, name="Listed", is_listed=True)
        self.team = team_of(author, name="Team of the author")
        self.notice = Notice.objects.create(
            person=author,
            event=uuid4(),
            kind="tournament.finished",
            data={"name": "NOTICE-OF-THE-AUTHOR", "state": "x"},
        )
        self.delivery = delivery_of(hook_of(author, url="https://example.org/HOOK-OF-THE-AUTHOR"))
        self.announcement = announcement_later(self.hidden, title="ANNOUNCED-LATER")
        self.question = question_of(
            self.hidden, author, text="ASKED-IN-PRIVATE", answer="ANSWERED-IN-PRIVATE", answered_by=organiser
        )
        question = RegistrationQuestion(1, RegistrationKind.TEXT, "What is your name?")
        Tournament.objects.filter(pk=self.hidden.pk).update(registration=[question.stored])
        EntryAnswers.objects.create(entry=entry, by=author, answers={"1": "ANSWER-OF-THE-AUTHOR"})
        self.challenge = Challenge.objects.create(
            bot=self.refused.bot,
            opponent=BotVersionFactory().bot,
            author=self.refused.bot.owner,
            day=date(2026, 1, 1),
            turn=0,
        )
        self.template = template_settings_save(
            tournament=self.hidden, by=organiser, name="TEMPLATE-OF-THE-ORGANISER", group=None
        )
        self.arguments = {
            "subject": "tournament",
            "template_id": self.template.pk,
            "question_id": self.question.pk,
            "challenge_id": self.challenge.pk,
            "tournament": self.hidden.slug,
            "delivery": self.delivery.pk,
            "pk": self.match.pk,
            "index": 0,
            "seat": 0,
            "step": 1,
            "stage": "mirror",
            "form": "json",
            "digest": "0",
            "number": 1,
            "match_number": 1,
            "version": 1,
            "entry_id": entry.pk,
            "bot_id": entry.bot_id,
            "pair_id": pair.pk,
            "group_id": 1,
            "link_id": 1,
            "stage_number": 1,
            "place": 1,
            "user_id": author.pk,
            "other_id": author.pk,
            "membership_id": membership.pk,
            "kind": "void",
            "part": "standings",
            "act": "start",
            "bot": bot.slug,
            "other": self.league.memberships.exclude(bot=bot).get().bot.slug,
            "username": "author",
            "key": "forged",
            "token": "forged",
            "uidb36": "1",
            "provider_id": "sso",
            "file": "fat-crow.py",
            "guide": "how-to/spar",
            "guides": "how-to",
            "name": "pickomino",
        }

    def _tournament(self) -> Any:
        cup = TournamentFactory(
            entries=2, organiser=self.people["organiser"], publication=Publication.HIDDEN, format="swiss", rounds=2
        )
        EntryFactory(tournament=cup, bot=bot_of(self.people["author"]))
        cup = tournament_start(tournament=cup)
        finish_matches(cup, most=1)
        return cup

    def address(self, name: str, *, draft: bool) -> str:
        """Of what is not for everyone; where ``draft``, of the drafts."""
        room = name.partition(":")[0].removeprefix("api-")
        of_hooks = {"pk": self.delivery.hook_id} if room == "hooks" else {}
        of_hooks |= {"pk": self.notice.pk} if room == "notices" else {}
        of_hooks |= self.assignment if room == "assignments" else {}
        of_hooks |= {"pk": self.announcement.pk} if room == "announcements" else {}
        of_hooks |= {"pk": self.puzzle.pk} if room == "puzzles" else {}
        cup, league = (self.draft, self.draft_league) if draft else (self.hidden, self.league)
        group = self.listed_group if draft else self.group
        slugs = {
            "groups": group["slug"],
            "assignments": self.group["slug"],
            "teams": self.team.slug,
            "series": self.series.slug,
            "announcements": cup.slug,
            "notices": cup.slug,
            "tournaments": cup.slug,
            "leagues": league.slug,
            "cups": league.slug,
            "bots": self.refused.bot.slug,
        }
        arguments = {
            **self.arguments,
            **of_hooks,
            **group,
            "slug": slugs.get("bots" if room == "api" else room),
            "action": {"tournaments": "pause", "leagues": "end-season", "hooks": "pause"}.get(room),
            "number": self.refused.number if room in ("bots", "api") else 1,
            "name": FILES.get(name, "pickomino"),
            "form": "svg" if name == "matches:picture" else "json",
        }
        if name == "package-file":
            arguments["file"] = f"pecking-{VERSION}-py3-none-any.whl"
        return reverse(name, kwargs={argument: arguments[argument] for argument in NAMES[name]})

    def request(self, who: str, method: str, name: str, *, draft: bool = False) -> Any:
        person = self.people.get(who)
        by_token = person and name.startswith("api")
        headers = {"authorization": f"Token {token_of(person)}"} if by_token else {}
        client = self.visitors.client(None if by_token else person)
        return getattr(client, method)(self.address(name, draft=draft), headers=headers)


@pytest.fixture(scope="module")
def module_world(module_rows: None) -> World:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
        return World()


@pytest.fixture
def world(module_world: World) -> World:
    return deepcopy(module_world)


def answer_of(response: Any) -> str:
    to_login = response.status_code == 302 and "/accounts/login" in response["Location"]
    return "login" if to_login else str(response.status_code)


def leaks(who: str, response: Any) -> list[str]:
    """What ``who`` reads in it and should not."""
    content = b"".join(response.streaming_content) if response.streaming else response.content
    if response.headers.get("Content-Type") == "application/zip":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            content = b"\n".join(map(archive.read, archive.namelist()))
    page = content.decode("utf-8", "replace") + str(response.headers)
    words = [word for word, readers in WORDS.items() if word in page and who not in readers]
    return words + sorted(set(MAIL.findall(page)) - {f"{who}@example.org", "you@example.org"})


def test_the_table_names_every_address() -> None:
    assert set(read_table(GET)) == set(NAMES)
    of_drafts = {name for name, arguments in NAMES.items() if "slug" in arguments and not has_no_drafts(name)}
    assert set(read_table(DRAFTS)) == of_drafts


OF_NOTICES: Final = ("notices", "api-notices")


def has_no_drafts(name: str) -> bool:
    return name.partition(":")[0] in ("bots", "api", "teams", "api-teams", "series", "api-series", *OF_NOTICES)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("draft", [False, True])
@pytest.mark.parametrize(
    "who", [pytest.param(who, marks=() if who == "nobody" else pytest.mark.exhaustive) for who in WHO]
)
def test_each_address_answers_as_in_the_table_and_reveals_nothing_hidden(who: str, draft: bool, world: World) -> None:
    found, data = {}, {}
    table = {name: answers[who] for name, answers in read_table(DRAFTS if draft else GET).items()}
    for name in table:
        response = world.request(who, "get", name, draft=draft)
        found[name] = answer_of(response)
        if much := leaks(who, response):
            data[name] = much
    assert {name: answer for name, answer in found.items() if answer != table[name]} == {}
    assert data == {}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("who", ["nobody", pytest.param("rival", marks=pytest.mark.exhaustive)])
def test_nobody_changes_data_of_others(who: str, world: World) -> None:
    drafts = read_table(DRAFTS)
    before, changed, writes = snapshot(), [], []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        if not sql.startswith("SELECT"):
            writes.append(sql)
        return execute(sql, *rest)

    for name in NAMES:
        for draft in (False, True) if name in drafts else (False,):
            writes.clear()
            with connection.execute_wrapper(note):
                world.request(who, "post", name, draft=draft)
            if writes and (after := snapshot()) != before:
                changed.append(name)
                before = after
    assert changed == []


def snapshot() -> list[Any]:
    return [list(model._default_manager.order_by("pk").values()) for model in MODELS]
