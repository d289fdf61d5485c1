"""A match on air, read at every address by everyone, twice: as it was played, and as if it had gone otherwise.

Nothing that can be read may differ, so nothing that is read reveals its result. What a match says of its own end is
written when its broadcast is over; the games, records and faults, which are there already, are exchanged in between.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

import pytest
from django.core import mail
from django.core.cache import cache
from django.db.models import DateTimeField, Value
from django.test import Client
from django.urls import reverse

from arena.celery_app import app
from bots.models import Bot
from games.catalogue import find
from games.record import Record
from games.table import Table
from matches.airing.services import broadcasts_end
from matches.live.match_reader import MatchReader
from matches.models import Audience, Fault, Game, Match
from tests.arena.factories import UserFactory
from tests.arena.test_every_address import NAMES
from tests.bots.factories import BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.matches.airing.on_air import air, play
from tests.matches.factories import CRASHES
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of
from tournaments.models import ChainLink
from tournaments.services import tournament_advance, tournament_start, tournaments_tend

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600)]

WHO: Final = ("nobody", "author", "organiser", "staff")
# What differs from one answer to the next for reasons of its own: tokens, and times as people read them.
NOISE: Final = re.compile(
    r"csrfmiddlewaretoken\" value=\"\w+|nonce[-=]\"?[\w=/+-]+|\"now\":\s*\d+|\"ticket\": *\"[^\"]*\"|"
    r"[\d.,]+\s*(ms|s|seconds?)\b|>[^<]*\bago<|>\s*now\s*<"
)
# All but pages that read nothing of matches.
WITH_MATCHES: Final = re.compile(
    r"home|now|screen|watch|search|(api-)?(matches|tournaments):|(bots|api):(detail|results|failures|version)|house-bot"
)
WITHOUT_MATCHES: Final = re.compile(
    r"tournaments:(create|edit|apart|invit|rule|estimate|arbiters|act|withdraw|enter|add-luck|registration|answers|template)"
)


def crashing(bot: Bot) -> Bot:
    """Its current version fails at once."""
    Bot.objects.filter(pk=bot.pk).update(current=BotVersionFactory(source=CRASHES, bot=bot))
    return bot


class Sealed:
    """A tournament of which each match is broadcast, in its first round, with one match on air.

    Every move is shown: at the other tempos how fast a game is shown depends on how long it is. One of its
    bots crashes, or all do.
    """

    def __init__(self, elapsed: float, *, all_crash: bool = False) -> None:
        self.people = {who: UserFactory(username=who, is_organiser=True) for who in WHO[1:]}
        type(self.people["staff"]).objects.filter(username="staff").update(is_staff=True, is_superuser=True)
        self.cup = TournamentFactory(organiser=self.people["organiser"], tempo="every", format="swiss", rounds=2)
        crasher = crashing(bot_of(self.people["author"]))
        self.entry = EntryFactory(tournament=self.cup, bot=crasher)
        for _ in range(3):
            others = {"bot": crashing(bot_of(UserFactory()))} if all_crash else {}
            EntryFactory(tournament=self.cup, **others)
        self.cup.refresh_from_db()
        self.cup = tournament_start(tournament=self.cup)
        fixture = self.cup.fixtures.get(match__seats__version__bot=crasher)
        self.match = fixture.match
        assert self.match.tempo == "every"
        play(self.match)
        air(self.match, elapsed)
        self.elapsed = elapsed

    def exchange(self) -> None:
        """Everything that is known of the games becomes that of others, which begin alike as far as they were shown."""
        for game in Game.objects.filter(match=self.match):
            record = Record.decode(bytes(game.record))
            table = Table(find(record.ruleset), record.players, record.options, record.seed)
            shown = 0 if self.elapsed < 0 else 80
            while not table.over:
                at = len(table.record().actions)
                legal = table.state.actions()
                table.play(record.actions[at] if at < shown and game.index == 0 else legal[at % len(legal)])
            Game.objects.filter(pk=game.pk).update(
                record=table.record().encode(),
                points=[99, 98],
                places=[2, 1],
                reason="turn_cap",
                tie_break="highest_tile",
            )
        Fault.objects.filter(game__match=self.match).delete()

    def address(self, name: str) -> str | None:
        room = name.partition(":")[0].removeprefix("api-")
        arguments: Mapping[str, Any] = {
            "pk": self.match.pk, "index": 0, "seat": 0, "step": 1, "number": 1,
            "form": "json" if "record" in name else "svg",
            "match_number": 1, "version": 1,
            "entry_id": self.entry.pk, "bot_id": self.entry.bot_id, "user_id": 1, "kind": "void",
            "bot": self.entry.bot.slug, "username": "author", "name": "pickomino", "action": "pause", "pair_id": 1,
            "act": "start",
            "slug": self.cup.slug if room == "tournaments" else self.entry.bot.slug, "membership_id": 1,
            "key": "k", "token": "t", "uidb36": "1", "provider_id": "sso", "file": "fat-crow.py",
            "guide": "how-to/spar",
            "guides": "how-to",
        }  # fmt: skip
        if not set(NAMES[name]) <= set(arguments):
            return None
        files = {"tournaments:export": "tournament.json", "tournaments:ratings-export": "ratings.csv"}
        return reverse(
            name, kwargs={one: {**arguments, "name": files.get(name, "pickomino")}[one] for one in NAMES[name]}
        )

    def read(self, people: Sequence[str]) -> dict[tuple[str, str], str]:
        """Return the answers to these people at every address."""
        found = {}
        addresses = [
            (name, self.address(name)) for name in NAMES if WITH_MATCHES.match(name) and not WITHOUT_MATCHES.match(name)
        ]
        addresses += [("frames of game 2", f"/matches/{self.match.pk}/games/1/frames.json")]
        addresses += [("record of game 2", f"/matches/{self.match.pk}/games/1/record.bin")]
        addresses += [("its state", "/api/matches/?state=on_air"), ("finished", "/api/matches/?state=finished")]
        addresses += [("administration", f"/admin/matches/match/{self.match.pk}/change/")]
        for who in people:
            client = Client(raise_request_exception=False)
            if who == "author":
                client.cookies["results"] = "shown"  # for what is over
            token = {}
            if who != "nobody":
                client.force_login(self.people[who])
                token = {"authorization": f"Token {token_of(self.people[who])}"}
            for name, address in addresses:
                if address is None:
                    continue
                cache.clear()
                answer = client.get(address, headers=token if address.startswith("/api") else {})
                text = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
                assert answer.status_code < 500, (who, name)
                found[who, name] = f"{answer.status_code} {NOISE.sub('', text.decode('utf-8', 'replace'))}"
        return found


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


@pytest.mark.parametrize(
    ("elapsed", "people"),
    [
        (12.0, ("nobody",)),
        pytest.param(12.0, ("author", "organiser", "staff"), marks=pytest.mark.exhaustive),
        pytest.param(-600.0, WHO, marks=pytest.mark.exhaustive),
    ],
)
def test_no_response_depends_on_the_result_of_the_match(
    elapsed: float, people: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed = Sealed(elapsed)
    assert sealed.match.airs_at is not None
    now = Value(sealed.match.airs_at + timedelta(seconds=elapsed), output_field=DateTimeField())
    for place in ("selectors",):
        monkeypatch.setattr(f"matches.airing.{place}.database_now", lambda: now)
    before, frames = sealed.read(people), sent_frames(sealed.match)
    sealed.exchange()
    after, frames_after = sealed.read(people), sent_frames(sealed.match)
    assert {key: difference(before[key], after[key]) for key in before if before[key] != after[key]} == {}
    assert frames == frames_after
    assert bool(frames) == (elapsed > 0)
    if elapsed > 0:
        assert before[people[0], "matches:game-frames"].startswith("200")


def difference(before: str, after: str) -> list[str]:
    """Return both texts around their first difference."""
    at = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), 0)
    return [before[max(0, at - 100) : at + 60], after[max(0, at - 100) : at + 60]]


def sent_frames(match: Match) -> list[tuple[str, ...]]:
    """Return the frames that a socket would be sent."""
    look = MatchReader(match.pk, Audience.EVERYONE).look()
    assert look is not None
    return [batch.frames for batch in look.batches]


def test_results_chain_standings_and_emails_wait_for_the_end() -> None:
    sealed = Sealed(5.0)
    mail.outbox.clear()
    for other in Match.objects.filter(fixture__round__tournament=sealed.cup).exclude(pk=sealed.match.pk):
        play(other)
        air(other, 100_000)
    assert broadcasts_end() == 1
    tournaments_tend()
    assert tournament_advance(tournament_id=sealed.cup.pk) is False
    assert sealed.cup.rounds.count() == 1
    rows = ChainLink.objects.filter(tournament=sealed.cup, kind="result")
    assert sealed.match.pk not in rows.values_list("match_id", flat=True)
    assert not mail.outbox
    air(sealed.match, 100_000)
    assert broadcasts_end() == 1
    tournaments_tend()
    assert sealed.match.pk in rows.values_list("match_id", flat=True)
    assert sealed.cup.rounds.count() == 2


def test_no_email_reveals_a_match_before_its_end(
    django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """Each bot forfeits its match, for which its author gets an email. One match is on air, the other is over."""
    monkeypatch.setattr("tournaments.services.leaving.FORFEITS_ALLOWED", 0)
    sealed = Sealed(5.0, all_crash=True)
    [over] = Match.objects.filter(fixture__round__tournament=sealed.cup).exclude(pk=sealed.match.pk)
    play(over)
    air(over, 100_000)
    app.loader.import_default_modules()
    sweeps = [str(one["task"]) for one in settings.CELERY_BEAT_SCHEDULE.values()]

    def written() -> dict[str, bytes]:
        """Return all emails that the site writes now, by recipient."""
        mail.outbox.clear()
        for sweep in (*sweeps, *sweeps):
            with django_capture_on_commit_callbacks(execute=True):
                app.tasks[sweep].apply(throw=True)
        return {message.to[0]: message.message().as_bytes() for message in mail.outbox}

    def sparring_context(match: Match) -> dict[str, list[bytes]]:
        """Return what would name it in an email, by recipient."""
        return {
            seat.version.bot.owner.email: [
                seat.version.bot.name.encode(),
                seat.version.bot.slug.encode(),
                seat.version.bot.owner.username.encode(),
                f"/matches/{match.pk}/".encode(),
            ]
            for seat in match.seats.select_related("version__bot__owner")
        }

    first = written()
    assert set(first) == set(sparring_context(over))
    for words in sparring_context(sealed.match).values():
        assert not [word for word in words for email in first.values() if word in email]
    air(sealed.match, 100_000)
    assert set(written()) == set(sparring_context(sealed.match))
