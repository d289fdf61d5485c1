"""A group with a tournament and a league and what follows, words planted in each, and every address that names them."""

import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final

from django.core import mail
from django.core.cache import cache
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from arena.accounts.models import User
from assignments.models import PracticeRun
from assignments.services import assignments_tend
from bots.models import Bot
from groups.models import GroupMember
from groups.services.groups import group_member_left_notify
from leagues.models import LeagueMatch, Membership
from leagues.selectors.exports import SEASON_DATASET
from leagues.services import season_dataset_licence_set, season_end, season_refit, season_schedule
from matches.models import Match, MatchState
from tests.announcements.factories import question_of
from tests.arena.factories import UserFactory
from tests.arena.prepared import make_files
from tests.arena.test_every_address import NAMES
from tests.arena.visitors import Visitors
from tests.assignments.factories import whole_assignment
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.groups.factories import GroupFactory, member_in
from tests.hooks.factories import hook_of
from tests.leagues.factories import member_of, open_league, season_of, worker_up
from tests.matches.airing.on_air import play
from tests.matches.factories import BRISK
from tests.series.factories import series_of
from tests.teams.factories import team_of
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tournaments.models import Entry, Tournament, TournamentState, TournamentTemplate
from tournaments.selectors.pages.exports import DATASET, SOURCES
from tournaments.services import (
    tournament_advance,
    tournament_dataset_licence_set,
    tournament_sources_release,
    tournament_start,
)
from tournaments.template_settings import template_settings_of
from web.prepared.services import prepared_file_order

# The group, its tournament, league, assignment, why somebody has more time there, a question, and a series.
NAMES_PLANTED: Final = (
    *("Zobelkreis", "Quastenpokal", "Wiesenralle", "Zwergtaucher", "Federwechsel", "Strohhalm"),
    "Dohlenserie",
)
SLUGS_PLANTED: Final = ("zobel-7b", "quaste-cup", "ralle-league", "dohle-series")
VISIBLE: Final = (200, 302)
PAGES: Final = frozenset(
    (
        "tournaments:detail",
        "tournaments:live",
        "tournaments:screen",
        "tournaments:fairness",
        "tournaments:boards",
        "tournaments:pairings",
        "tournaments:ratings",
        "tournaments:rulings",
        "tournaments:report",
        "tournaments:export",
        "tournaments:preview",
        "tournaments:dataset",
        "tournaments:dataset-file",
        "api-tournaments:dataset.zip",
        "tournaments:sources",
        "tournaments:source",
        "tournaments:source-file",
        "tournaments:sources-archive",
        "api-tournaments:detail",
        "api-tournaments:entries",
        "api-tournaments:rounds",
        "api-tournaments:standings",
        "api-tournaments:matches",
        "api-tournaments:proof.zip",
        "api-tournaments:sources",
        "api-tournaments:source-file",
        "api-tournaments:sources.zip",
        "leagues:detail",
        "leagues:live",
        "leagues:screen",
        "leagues:season",
        "leagues:head-to-head",
        "leagues:compare",
        "leagues:bot",
        "leagues:badge",
        "leagues:match",
        "leagues:export",
        "leagues:dataset",
        "leagues:dataset-file",
        "api-leagues:dataset.zip",
        "leagues:preview",
        "leagues:embed",
        "cups:list",
        "api-leagues:detail",
        "api-leagues:ladder",
        "api-leagues:head-to-head",
        "api-leagues:compare",
        "api-leagues:matches",
        "api-leagues:proof.zip",
        "matches:detail",
        "matches:cells",
        "matches:embed",
        "matches:file",
        "matches:game-frames",
        "matches:game-notes",
        "matches:picture",
        "matches:record",
        "api-matches:detail",
        "api-matches:games",
        "api-matches:notes",
        "series:detail",
        "series:certificates",
        "api-series:detail",
        "api-series:standings",
        "api-series:events",
        "assignments:detail",
        "api-assignments:assignment",
        "api-assignments:marks",
    )
)


class World:
    """A group with a tournament and a league, beside one of everything that is everyone's. ``called``: what people are
    called, if not as their parts here."""

    called: Mapping[str, str] = {}

    def __init__(self, **of_group: Any) -> None:
        self.visitors = Visitors()
        self.people = {name: self.person(name) for name in ("author", "member", "former")}
        self.people |= {name: self.person(name, is_organiser=True) for name in ("rival", "owner")}
        self.group = GroupFactory(name="Zobelkreis", slug="zobel-7b", created_by=self.people["owner"], **of_group)
        for name in ("member", "former"):
            self.join(name)
        self.team = team_of(self.people["member"], self.people["former"], name="Kauzbande")
        for person in self.people.values():
            hook_of(person, url=f"https://hooks.example.org/{person.username}")
        self.bots = [self.bot(name, number) for number, name in enumerate(("member", "former", "owner"), 1)]
        of_team = BotFactory(owner=self.team.account, name="Nachtkauz 4", slug="kauz-4", **self.known_as("team"))
        self.bots.append(BotVersionFactory(bot=of_team, source=BRISK).bot)
        self.cup = self.tournament(self.bots)
        self.league = self.season(self.bots)
        asker, season = self.people["owner"], self.league.seasons.get()
        for kind, subject, name in (
            (DATASET, self.cup.pk, "dataset.zip"),
            (SOURCES, self.cup.pk, "sources.zip"),
            (SEASON_DATASET, season.pk, "dataset.zip"),
        ):
            prepared_file_order(kind=kind, subject=subject, name=name, by=asker, ordered=lambda: None)
            make_files()
        self.assignment = whole_assignment(
            self.group, self.people["member"], "Zwergtaucher", "Federwechsel", **self.known_as("member")
        )
        self.question = question_of(self.cup, self.people["member"], text="Strohhalmfrage")
        assignments_tend()
        for run in PracticeRun.objects.select_related("match"):
            play(run.match)
        self.series = series_of(
            self.people["owner"], self.cup, name="Dohlenserie", slug="dohle-series", audience="group", group=self.group
        )
        self.template = TournamentTemplate.objects.create(
            name=self.cup.name, group=self.group, fields=template_settings_of(self.cup).fields
        )
        self.open_cup = TournamentFactory(organiser=self.people["rival"])
        EntryFactory(tournament=self.open_cup, owner=self.people["author"])
        self.open_league = open_league(bots=1, organiser=self.people["rival"])
        with transaction.atomic():
            GroupMember.objects.filter(person=self.people["former"]).delete()
            group_member_left_notify(self.group, self.people["former"].pk)
        mail.outbox.clear()

    def person(self, part: str, **fields: Any) -> Any:
        return UserFactory(username=self.called.get(part, part), **fields)

    def join(self, part: str) -> None:
        member_in(self.group, self.people[part])

    def known_as(self, part: str) -> dict[str, Any]:
        """What else their bots have."""
        return {}

    def before_start(self, cup: Tournament) -> None:
        """Do what is done while a tournament waits for its start."""

    def bot(self, owner: str, number: int) -> Bot:
        named = {"name": f"Nachtkauz {number}", "slug": f"kauz-{number}"}
        bot = BotFactory(owner=self.people[owner], **named, **self.known_as(owner))
        return BotVersionFactory(bot=bot, source=BRISK).bot

    def tournament(self, bots: Sequence[Bot]) -> Tournament:
        cup = TournamentFactory(
            name="Quastenpokal",
            slug="quaste-cup",
            organiser=self.people["owner"],
            audience="group",
            group=self.group,
            format="swiss",
            rounds=2,
            releases_sources=True,
        )
        for bot in bots:
            EntryFactory(tournament=cup, bot=bot, sources_agreed_at=timezone.now())
        cup.refresh_from_db()
        self.before_start(cup)
        tournament_start(tournament=cup)
        for _ in range(4):
            for match in Match.objects.filter(fixture__round__tournament=cup, state=MatchState.QUEUED):
                play(match)
            tournament_advance(tournament_id=cup.pk)
        cup.refresh_from_db()
        assert cup.state == TournamentState.FINISHED
        tournament_sources_release(tournament=cup)
        return tournament_dataset_licence_set(tournament=cup, licence="CC0-1.0")

    def season(self, bots: Sequence[Bot]) -> Any:
        league = open_league(
            name="Wiesenralle", slug="ralle-league", organiser=self.people["owner"], audience="group", group=self.group
        )
        for bot in bots:
            member_of(league, bot=bot)
        worker_up()
        season = season_of(league)
        season_schedule(season_id=season.pk)
        for one in LeagueMatch.objects.filter(season=season).select_related("match"):
            play(one.match)
        season_refit(season_id=season.pk)
        season_end(league=league)
        season_dataset_licence_set(season=season, licence="CC0-1.0")
        return league

    def get(self, who: str, address: str) -> Any:
        cache.clear()
        person = self.people.get(who)
        headers = {"authorization": f"Token {token_of(person)}"} if person and address.startswith("/api") else {}
        return self.visitors.client(person).get(address, headers=headers)

    def candidates(self) -> dict[str, list[Any]]:
        """All that there is to name in an address."""
        matches = list(Match.objects.order_by("pk").values_list("pk", flat=True))
        return {
            "pk": matches,
            "other_id": list(User.objects.values_list("pk", flat=True)),
            "reference_id": [self.assignment["reference_id"]],
            "subject": ["group", "league", "series", "tournament"],
            "question_id": [self.question.pk],
            "template_id": [self.template.pk],
            "tournament": [self.cup.slug, self.open_cup.slug],
            "index": [0],
            "seat": [0],
            "step": [1],
            "number": [1, 2],
            "stage_number": [1],
            "place": [1],
            "match_number": [1],
            "version": [1],
            "part": ["countdown", "podium", "standings"],
            "bot_id": [bot.pk for bot in self.bots],
            "entry_id": list(Entry.objects.values_list("pk", flat=True)),
            "membership_id": list(Membership.objects.values_list("pk", flat=True)),
            "username": list(User.objects.values_list("username", flat=True)),
            "bot": list(Bot.objects.values_list("slug", flat=True)),
            "other": [bot.slug for bot in self.bots],
            "form": ["json", "bin", "svg", "png"],
            "kind": ["void"],
            "user_id": list(User.objects.values_list("pk", flat=True)),
            **{one: [1] for one in ("pair_id", "group_id", "delivery", "link_id", "challenge_id")},
            "action": ["pause"],
            "act": ["start"],
            "stage": ["mirror"],
            "digest": ["0"],
            "file": ["fat-crow.py"],
            "guide": ["how-to/spar"],
            "guides": ["how-to"],
            "uidb36": ["1"],
            "provider_id": ["sso"],
            "batch": ["00000000-0000-0000-0000-000000000000"],
            "row_id": [1],
            **{one: ["forged"] for one in ("key", "token")},
        }

    def slugs(self, room: str) -> list[str]:
        if room in ("tournaments", "api-tournaments"):
            return [self.cup.slug, self.open_cup.slug]
        if room in ("leagues", "api-leagues", "cups", "api-cups"):
            return [self.league.slug, self.open_league.slug]
        if room in ("bots", "api"):
            return list(Bot.objects.values_list("slug", flat=True))
        if "announcements" in room:
            return [self.cup.slug, self.league.slug, self.series.slug, self.group.slug]
        if "series" in room:
            return [self.series.slug]
        if "teams" in room:
            return [self.team.slug]
        return [self.group.slug] if "group" in room or room == "assignments" else ["none"]

    def files(self, name: str) -> list[str]:
        if name == "tournaments:export":
            return ["tournament.json", "standings.csv", "fixtures.csv", "proof.zip"]
        if name in ("tournaments:dataset-file", "leagues:dataset-file"):
            return ["dataset.zip"]
        if name == "tournaments:ratings-export":
            return ["ratings.csv", "ratings.json"]
        if name == "leagues:export":
            return ["season.json", "ladder.csv", "matches.csv", "records.jsonl", "proof.zip"]
        return ["pickomino"]

    def addresses(self) -> Iterator[tuple[str, str]]:
        """Each address of the plan by its name, with all there is to name in it; and lists that are filtered."""
        every = self.candidates()
        for name, arguments in NAMES.items():
            room = name.partition(":")[0]
            values = every | {"slug": self.slugs(room), "name": self.files(name)}
            if room.endswith("assignments"):
                values["pk"] = [self.assignment["pk"]]
            if room.endswith("hooks"):
                values["pk"] = [1]
            for chosen in product(*(values.get(one, ["1"]) for one in arguments)):
                yield name, reverse(name, kwargs=dict(zip(arguments, chosen, strict=True)))
        for bot in Bot.objects.values_list("slug", flat=True):
            for other in Bot.objects.exclude(slug=bot).values_list("slug", flat=True):
                yield "bots:detail", f"{reverse('bots:detail', args=[bot])}?opponent={other}"
                compared = reverse("leagues:compare", args=[self.league.slug, 1])
                yield "leagues:compare", f"{compared}?one={bot}&other={other}"
            yield "matches:list", f"{reverse('matches:list')}?bot={bot}"
            yield "api-matches:list", f"{reverse('api-matches:list')}?bot={bot}"
        for text in ("zobelk", "quaste", "wiesen", "dohlen"):
            yield "search", f"{reverse('search')}?q={text}"
        for state in TournamentState:
            yield "tournaments:list", f"{reverse('tournaments:list')}?state={state}"
            yield "api-tournaments:list", f"{reverse('api-tournaments:list')}?state={state}"
        for listed in ("robots.txt", "sitemap.xml"):
            yield listed, f"/{listed}"

    def is_of_group(self, name: str, address: str) -> bool:
        """Whether an address names a contest of the group, or a match of one."""
        if any(f"/{slug}/" in address for slug in SLUGS_PLANTED):
            return True
        room = name.partition(":")[0].removeprefix("api-")
        path = address.partition("?")[0].rstrip("/")
        if room == "assignments":
            return path != "/api/assignments"
        return room == "matches" and "/matches/" in path and path not in ("/matches", "/api/matches")


def text_of(response: Any) -> str:
    """All of an answer: its bytes, those of the files in a zip, and its headers."""
    content = b"".join(response.streaming_content) if response.streaming else response.content
    if response.headers.get("Content-Type") == "application/zip" and content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            content = b"\n".join([*map(archive.read, archive.namelist()), *map(str.encode, archive.namelist())])
    return content.decode("utf-8", "replace") + str(response.headers)


def group_matches() -> list[int]:
    return list(Match.objects.exclude(group=None).values_list("pk", flat=True))
