"""Who is answered what, at every address, where something is not for everyone: a new address has to be put down here.

One table says it for a tournament whose results are hidden, a match that is its organiser's, a version that was refused
and a league that is everyone's; another for a draft of both. Besides, words are planted in what only a few may read,
and looked for in all that comes back.
"""

import io
import re
import zipfile
from collections.abc import Mapping
from copy import deepcopy
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
from matches.models import Audience, Fault, Game, Match
from notices.models import Notice
from series.models import SeriesEvent, TournamentSeries
from tests.announcements.factories import announcement_later, asked
from tests.arena.factories import UserFactory
from tests.arena.test_every_address import NAMES
from tests.arena.visitors import Visitors
from tests.assignments.factories import whole_assignment
from tests.bots.factories import BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.groups.factories import whole_group
from tests.hooks.factories import hook_of, told
from tests.leagues.factories import LeagueFactory, member_of, open_league, season_of, worker_up
from tests.matches.factories import CRASHES, FinishedMatchFactory
from tests.series.factories import series_of
from tests.teams.factories import team_of
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of, finish_matches
from tournaments.models import Ceremony, Entry, ForbiddenPair, Invitation, Publication, Round, Ruling, Tournament
from tournaments.services import pair_keep_apart, tournament_start

pytestmark = pytest.mark.django_db

# The author has a bot in the tournament and in the match; the rival organises another tournament.
WHO: Final = ("nobody", "author", "other", "organiser", "rival", "staff")
# By who asks, in that order, and then the addresses; "login": sent to sign in.
GET: Final = """
200 200 200 200 200 200:
    series:list api-series:list
    groups:list groups:join api-groups:list announcements:list api-announcements:list
    announcements:questions api-announcements:questions
    teams:detail api-teams:team
    home now screen search operations:status watch:all watch:all-cells watch:channel watch:channel-cells watch:timetable
    playground play-yourself playground-worker playground-kit
    docs-bots docs-http docs-glossary peck house-bot docs-rules-index docs-rules docs-rules-version
    api-index api-games api-game api-game-version api-schema api-docs packages package package-file
    account_inactive account_email_verification_sent account_reset_password account_confirm_email
    account_reset_password_from_key_done account_reset_password_done account_reset_password_from_key
    accounts:profile bots:detail bots:version bots:verdict matches:list tournaments:list tournaments:detail
    tournaments:live tournaments:screen tournaments:fairness tournaments:apart cups:list api-cups:list leagues:list
    tournaments:preview leagues:preview leagues:screen bots:preview
    leagues:detail leagues:live leagues:embed leagues:bot leagues:season leagues:match leagues:export api:bot
    api:results api:versions api:version api-matches:list api-tournaments:list
    api-tournaments:detail api-tournaments:entries api-tournaments:entry
    api-leagues:list api-leagues:detail api-leagues:seasons
    api-leagues:ladder api-leagues:matches api-leagues:members api-leagues:member api-tournaments:forbidden-pairs
    api-tournaments:kept-groups
    api-leagues:season.json api-leagues:ladder.csv api-leagues:matches.csv
404 200 404 200 404 200:
    groups:detail api-groups:group series:detail api-series:detail api-series:standings api-series:events
login 403 404 200 404 200:
    series:edit
404 404 404 200 404 200:
    api-announcements:detail
login 403 403 200 403 200:
    announcements:create announcements:edit
404 200 404 200 404 200:
    api-announcements:question
login 403 404 200 404 200:
    announcements:answer
    groups:members groups:export groups:member groups:roster groups:invitations groups:edit
login 200 404 200 404 200:
    assignments:detail
login 403 404 200 404 200:
    assignments:create assignments:edit assignments:marks assignments:student assignments:marks-file
    assignments:sources assignments:similar assignments:beside
login 405 405 405 405 405:
    assignments:delete assignments:hand-in assignments:publish
401 200 200 200 200 200:
    api-assignments:list
401 200 404 200 404 200:
    api-assignments:assignment api-assignments:marks
401 405 405 405 405 405:
    api-assignments:hand-in api-assignments:extensions api-assignments:publish api-assignments:renew
    api-assignments:decide
401 200 404 200 404 200:
    api-groups:members
401 403 404 200 404 200:
    api-groups:member api-groups:roster api-groups:invitations
login 405 405 405 405 405:
    series:delete series:add series:remove
405 405 405 405 405 405:
    api-series:event
    theme tournaments:estimate tournaments:round-start tournaments:let-meet tournaments:let-group-meet
    tournaments:dismiss tournaments:publish tournaments:ceremony-act
    tournaments:enter tournaments:add-luck tournaments:withdraw tournaments:act leagues:join leagues:leave leagues:act
    tournaments:invitation-withdraw matches:broadcast matches:results cups:end-weekly
302 302 302 302 302 302:
    set_language mfa_list_webauthn
200 302 302 302 302 302:
    account_login account_signup
302 200 200 200 200 200:
    account_logout
login 302 302 302 302 302:
    mfa_authenticate mfa_reauthenticate mfa_activate_totp mfa_generate_recovery_codes
    mfa_add_webauthn mfa_reauthenticate_webauthn mfa_edit_webauthn mfa_remove_webauthn
login 404 404 404 404 404:
    mfa_deactivate_totp mfa_view_recovery_codes mfa_download_recovery_codes
login 200 200 200 200 200:
    mfa_index account_reauthenticate account_email account_change_password accounts:tokens bots:list bots:create
    organisers:ask playground-save hooks:list notices:inbox notices:settings teams:list teams:create
login 403 403 403 403 200:
    operations:page
404 404 404 404 404 404:
    operations:metrics notices:unsubscribe
login 403 403 200 200 200:
    series:create tournaments:create leagues:create groups:create
login 302 302 302 302 302:
    account_set_password account_confirm_login_code accounts:delete accounts:export
login 405 405 405 405 405:
    accounts:token-revoke bots:spar-stop bots:make-current bots:version-delete
    hooks:rotate hooks:act hooks:send-again notices:read-all
    groups:leave groups:remove groups:roster-apply groups:row-remove groups:renew groups:revoke groups:slips
    groups:accept announcements:delete announcements:question-delete
    teams:accept teams:leave teams:links teams:revoke teams:remove teams:captain
login 404 404 404 404 404:
    bots:failure-file bots:check-frames
login 302 404 404 404 404:
    notices:follow
login 200 404 404 404 200:
    bots:output bots:check
login 200 200 403 200 403:
    announcements:ask
login 200 404 404 404 404:
    bots:edit bots:upload bots:spar bots:failures bots:check-failure bots:source bots:delete hooks:detail hooks:delete
401 404 404 404 404 404:
    api-organisers:request
401 200 403 403 403 200:
    api-teams:links
404 404 404 404 404 404:
    groups:follow teams:follow teams:join
    tournaments:invited api-leagues:proof.zip api-cups:weekly api-tournaments:ceremony
404 404 404 200 404 200:
    tournaments:ceremony tournaments:ceremony-live matches:detail matches:cells matches:embed matches:file
    matches:game-frames matches:picture matches:record
    api-matches:detail
    api-matches:games api-matches:record api-matches:record-bytes
404 404 404 202 404 202:
    matches:game-luck
403 403 403 200 403 200:
    tournaments:boards tournaments:boards-cells tournaments:embed tournaments:certificates tournaments:certificate
    tournaments:tie-breaks tournaments:calculation tournaments:pairings tournaments:rulings tournaments:rulings-export
    tournaments:ratings tournaments:ratings-export tournaments:report tournaments:export api-tournaments:rounds
    api-tournaments:round api-tournaments:rulings
    api-tournaments:standings api-tournaments:ratings api-tournaments:matches api-leagues:pairs
    api-leagues:near-copies
    api-tournaments:tournament.json api-tournaments:standings.csv api-tournaments:fixtures.csv
    api-tournaments:rulings.csv api-tournaments:ratings.csv api-tournaments:ratings.json api-tournaments:report
login 403 403 200 403 200:
    tournaments:copy
    tournaments:arrange tournaments:arbiters tournaments:rule tournaments:invitation leagues:pairs tournaments:premiere
    tournaments:plan tournaments:plan-round tournaments:edit leagues:edit cups:create
401 404 404 200 404 200:
    api-matches:broadcast
401 403 403 200 403 200:
    api-tournaments:invitation api-tournaments:premiere api-tournaments:settings api-tournaments:arbiters
    api-tournaments:plan api-tournaments:plan-round api-leagues:settings api-cups:field
403 403 403 404 403 404:
    tournaments:bracket api-tournaments:proof.zip
401 200 200 200 200 200:
    api:bots api:sparrings api-me api-me-export api-hooks:hooks api-notices:notices api-notices:channels
    api-teams:list
401 200 404 404 404 200:
    api:output api:timings
401 200 404 404 404 404:
    api:failures api:check-failure api:source api-hooks:hook api-hooks:deliveries
401 404 404 404 404 404:
    api:sparring api:failure-file
401 405 405 405 405 405:
    api:make-current api-tournaments:estimate api-hooks:rotate api-hooks:pause api-hooks:resume api-hooks:test
    api-hooks:send-again api-notices:read api-notices:read-all
    api-tournaments:copy
    api-tournaments:open api-tournaments:lock api-tournaments:reopen api-tournaments:start api-tournaments:cancel
    api-tournaments:pause api-tournaments:resume api-tournaments:release api-tournaments:publication
    api-tournaments:luck api-tournaments:arbiter api-tournaments:forbidden-pair api-tournaments:kept-group
    api-tournaments:round-start api-tournaments:ceremony-start api-tournaments:ceremony-advance
    api-tournaments:ceremony-pace api-tournaments:ceremony-accept
    api-tournaments:swap api-tournaments:ruling-preview
    api-leagues:open api-leagues:end-season api-leagues:next-season api-leagues:close
    api-leagues:pause api-leagues:resume
    api-groups:join api-groups:leave api-groups:roster-preview api-groups:roster-row api-groups:invitation
    api-groups:renew api-groups:slips
    api-teams:join api-teams:leave api-teams:link api-teams:member api-teams:captain
"""
DRAFTS: Final = """
404 404 404 200 404 200:
    announcements:list api-announcements:list announcements:questions api-announcements:questions
    tournaments:ceremony tournaments:ceremony-live
    tournaments:detail tournaments:live tournaments:screen tournaments:embed leagues:embed
    tournaments:preview leagues:preview leagues:screen
    tournaments:fairness tournaments:tie-breaks tournaments:apart tournaments:certificates
    tournaments:rulings tournaments:rulings-export tournaments:ratings tournaments:ratings-export tournaments:export
    leagues:detail
    leagues:live api-tournaments:detail api-tournaments:entries api-tournaments:rounds api-tournaments:rulings
    api-tournaments:standings
    api-tournaments:ratings api-tournaments:matches api-leagues:detail api-leagues:seasons api-leagues:members
    api-tournaments:forbidden-pairs api-tournaments:kept-groups api-tournaments:tournament.json
    api-tournaments:standings.csv
    api-tournaments:fixtures.csv api-tournaments:rulings.csv api-tournaments:ratings.csv api-tournaments:ratings.json
    cups:list api-cups:list
404 404 404 404 404 404:
    tournaments:invited api-tournaments:ceremony
    tournaments:boards tournaments:boards-cells
    tournaments:certificate
    tournaments:calculation tournaments:pairings tournaments:bracket tournaments:report leagues:bot leagues:season
    leagues:match leagues:export api-tournaments:round api-leagues:ladder api-leagues:matches api-leagues:pairs
    api-leagues:near-copies api-leagues:season.json api-leagues:ladder.csv api-leagues:matches.csv api-leagues:proof.zip
    api-leagues:member api-tournaments:entry api-tournaments:proof.zip api-tournaments:report api-cups:weekly
login 404 404 404 404 404:
    tournaments:arrange leagues:pairs tournaments:premiere cups:create
401 404 404 404 404 404:
    api-tournaments:premiere api-cups:field
405 405 405 405 405 405:
    tournaments:round-start tournaments:let-meet tournaments:let-group-meet tournaments:dismiss tournaments:publish
    tournaments:enter tournaments:ceremony-act
    tournaments:add-luck tournaments:withdraw tournaments:act leagues:join leagues:leave leagues:act
    tournaments:invitation-withdraw cups:end-weekly
401 404 404 200 404 200:
    api-tournaments:invitation api-tournaments:settings api-tournaments:arbiters
    api-tournaments:plan api-leagues:settings
401 404 404 404 404 404:
    api-tournaments:plan-round
401 405 405 405 405 405:
    api-tournaments:copy
    api-tournaments:open api-tournaments:lock api-tournaments:reopen api-tournaments:start api-tournaments:cancel
    api-tournaments:pause api-tournaments:resume api-tournaments:release api-tournaments:publication
    api-tournaments:luck api-tournaments:arbiter api-tournaments:forbidden-pair api-tournaments:kept-group
    api-tournaments:round-start api-tournaments:ceremony-start api-tournaments:ceremony-advance
    api-tournaments:ceremony-pace api-tournaments:ceremony-accept
    api-tournaments:swap api-tournaments:ruling-preview
    api-leagues:open api-leagues:end-season api-leagues:next-season api-leagues:close
    api-leagues:pause api-leagues:resume
login 404 404 200 404 200:
    tournaments:copy
    tournaments:invitation tournaments:arbiters tournaments:rule tournaments:edit leagues:edit tournaments:plan
    announcements:create
login 404 404 403 404 403:
    announcements:ask
login 404 404 404 404 404:
    tournaments:plan-round groups:member
200 200 200 200 200 200:
    groups:detail api-groups:group
login 200 404 200 404 200:
    assignments:detail
login 403 404 200 404 200:
    assignments:create assignments:edit assignments:marks assignments:student assignments:marks-file
    assignments:sources assignments:similar assignments:beside
login 405 405 405 405 405:
    assignments:delete assignments:hand-in assignments:publish
login 404 404 200 404 200:
    groups:members groups:export groups:roster groups:invitations groups:edit
login 405 405 405 405 405:
    groups:leave groups:remove groups:roster-apply groups:row-remove groups:renew groups:revoke groups:slips
401 404 404 200 404 200:
    api-groups:members api-groups:roster api-groups:invitations
401 404 404 404 404 404:
    api-groups:member
401 405 405 405 405 405:
    api-groups:leave api-groups:roster-preview api-groups:roster-row api-groups:invitation api-groups:renew
    api-groups:slips
"""
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
    "ANNOUNCED-LATER": ("organiser", "staff"),
    "ASKED-IN-PRIVATE": ("author", "organiser", "staff"),
    "ANSWERED-IN-PRIVATE": ("author", "organiser", "staff"),
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
    "package-file": f"pecking-{VERSION}-py3-none-any.whl",
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


def read_table(text: str) -> dict[str, dict[str, str]]:
    """The answer to each of ``WHO``, by address."""
    table: dict[str, dict[str, str]] = {}
    for line in text.strip().splitlines():
        if line.endswith(":"):
            answers = line.removesuffix(":").split()
        else:
            table |= {name: dict(zip(WHO, answers, strict=True)) for name in line.split()}
    return table


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
        pair = pair_keep_apart(
            tournament=self.hidden, one=entry, other=self.hidden.entries.exclude(pk=entry.pk).order_by("pk")[0]
        )
        self.group = whole_group(organiser, author, name="GROUP-OF-THE-ORGANISER")
        self.assignment = whole_assignment(
            Group.objects.get(slug=self.group["slug"]),
            author,
            "ASSIGNMENT-OF-THE-GROUP",
            "WHY-THE-AUTHOR-HAS-MORE-TIME",
        )
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
        self.delivery = told(hook_of(author, url="https://example.org/HOOK-OF-THE-AUTHOR"))
        self.announcement = announcement_later(self.hidden, title="ANNOUNCED-LATER")
        self.question = asked(
            self.hidden, author, text="ASKED-IN-PRIVATE", answer="ANSWERED-IN-PRIVATE", answered_by=organiser
        )
        self.arguments = {
            "subject": "tournament",
            "question_id": self.question.pk,
            "tournament": self.hidden.slug,
            "delivery": self.delivery.pk,
            "pk": self.match.pk,
            "index": 0,
            "stage": "mirror",
            "form": "json",
            "digest": "0",
            "number": 1,
            "match_number": 1,
            "version": 1,
            "entry_id": entry.pk,
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
            "username": "author",
            "key": "forged",
            "token": "forged",
            "uidb36": "1",
            "file": "fat-crow.py",
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
        cup, league = (self.draft, self.draft_league) if draft else (self.hidden, self.league)
        group = self.listed_group if draft else self.group
        slugs = {
            "groups": group["slug"],
            "assignments": self.group["slug"],
            "teams": self.team.slug,
            "series": self.series.slug,
            "announcements": cup.slug,
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
        return reverse(name, kwargs={argument: arguments[argument] for argument in NAMES[name]})

    def ask(self, who: str, method: str, name: str, *, draft: bool = False) -> Any:
        person = self.people.get(who)
        by_token = person and name.startswith("api")
        headers = {"authorization": f"Token {token_of(person)}"} if by_token else {}
        client = self.visitors.client(None if by_token else person)
        return getattr(client, method)(self.address(name, draft=draft), headers=headers)


@pytest.fixture(scope="module")
def kept_world(kept_rows: None) -> World:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
        return World()


@pytest.fixture
def world(kept_world: World) -> World:
    return deepcopy(kept_world)


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


def has_no_drafts(name: str) -> bool:
    return name.partition(":")[0] in ("bots", "api", "teams", "api-teams", "series", "api-series")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("draft", [False, True])
@pytest.mark.parametrize(
    "who", [pytest.param(who, marks=() if who == "nobody" else pytest.mark.exhaustive) for who in WHO]
)
def test_each_address_answers_as_the_table_says_and_tells_nobody_too_much(who: str, draft: bool, world: World) -> None:
    found, told = {}, {}
    table = {name: answers[who] for name, answers in read_table(DRAFTS if draft else GET).items()}
    for name in table:
        response = world.ask(who, "get", name, draft=draft)
        found[name] = answer_of(response)
        if much := leaks(who, response):
            told[name] = much
    assert {name: answer for name, answer in found.items() if answer != table[name]} == {}
    assert told == {}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("who", ["nobody", pytest.param("rival", marks=pytest.mark.exhaustive)])
def test_nobody_changes_what_is_anothers(who: str, world: World) -> None:
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
                world.ask(who, "post", name, draft=draft)
            if writes and (after := snapshot()) != before:
                changed.append(name)
                before = after
    assert changed == []


def snapshot() -> list[Any]:
    return [list(model._default_manager.order_by("pk").values()) for model in MODELS]
