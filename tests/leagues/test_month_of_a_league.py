"""A month of a league in compressed time: seasons of a week with two divisions and a cup each, notices by inbox, email
and Discord, while workers die, and the broker, the database, the mail server and Discord fail."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from typing import Any, Final

import pytest
from celery import current_app
from django.conf import settings as site
from django.core.mail import EmailMessage
from django.db import OperationalError, connections
from django.db.models.functions import Now
from kombu.exceptions import OperationalError as BrokerAway

from hooks.models import Delivery, DeliveryState, Hook, MessageFormat
from leagues.models import League, Season, SeasonEntry, SeasonState
from leagues.models.season import SEASON
from leagues.selectors.ladder import ladder_of
from notices.following import follow_create, followed_of
from notices.models import EmailRate, Notice
from notices.quiet_hours import Quiet, quiet_hours_set
from notices.selectors import Channels, notice_line_of
from notices.services import notice_channels_set
from tests.arena.factories import UserFactory
from tests.hooks.factories import hook_of
from tests.hooks.receivers import Receiver, receiving
from tests.leagues.factories import member_of, open_league, play, worker_up
from tests.tournaments.factories import finish_matches
from tournaments.models import Entry, LadderCup, Tournament, TournamentState, WeeklyCup, WeeklyEnd
from tournaments.models.tournament import TOURNAMENT
from tournaments.presets import tournament_preset_named
from tournaments.services import weekly_cup_create

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.simulation]

SEED: Final = 20270301
BEGIN: Final = datetime(2027, 3, 1, 9, 0, tzinfo=UTC)  # a Monday; clocks go forward on the 28th
SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
STEP, AGAIN, MONTH = 8 * HOUR, 31 * SECOND, 31 * DAY
BEST: Final = 4
SWEEPS: Final = (
    "leagues.tend",
    "leagues.refit",
    "tournaments.sweep",
    "matches.sweep",
    "notices.email",
    "hooks.deliver",
)
PLAYED_BY_THE_TEST: Final = ("matches.play", "matches.analyse")
MOVED, SEASON_EVENT, FINISHED, PLACED = "league.moved", "league.season", "tournament.finished", "bot.placed"
# What is away, and from when until when, in days: over the ends of seasons and the openings of cups.
MAIL_AWAY, BROKER_AWAY, DISCORD_AWAY = ((10.4, 11.4), (13.4, 14.4)), ((6.5, 7.5), (18.5, 19.5)), ((20.9, 21.3),)


class Killed(BaseException):
    """The process is gone: no handler of errors sees it."""


class Month:
    """The clock of the site, its servers, and what failed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, discord: Receiver) -> None:
        self.now, self.rng, self.discord = BEGIN, random.Random(SEED), discord
        self.queue: list[tuple[Any, ...]] = []
        self.mails: list[tuple[datetime, EmailMessage]] = []
        self.faults: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.statements: dict[str, int] = {}
        self.exposed: set[Any] = set()  # deliveries and emails that were under way when a fault came
        self.ladders: dict[int, list[int]] = {}  # the best bots when a cup was made
        monkeypatch.setattr("django.utils.timezone.now", lambda: self.now)
        monkeypatch.setattr(Now, "as_sqlite", lambda *_, **__: ("%s", [str(self.now.replace(tzinfo=None))]))
        monkeypatch.setattr("secrets.token_bytes", lambda size=32: self.rng.randbytes(size))
        monkeypatch.setattr("celery.Celery.send_task", self._sent)
        monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", self._mailed)

    def is_within(self, spans: tuple[tuple[float, float], ...]) -> bool:
        return any(BEGIN + start * DAY <= self.now < BEGIN + end * DAY for start, end in spans)

    def _sent(self, name: str, args: tuple[Any, ...] = (), **_: Any) -> None:
        if self.is_within(BROKER_AWAY):
            self.refused["broker"] += 1
            raise BrokerAway
        if name not in PLAYED_BY_THE_TEST:
            self.queue.append((name, *args))

    def _mailed(self, messages: list[EmailMessage]) -> int:
        if self.is_within(MAIL_AWAY):
            self.refused["mail"] += 1
            raise ConnectionRefusedError
        self.mails += [(self.now, one) for one in messages]
        return len(messages)

    def run(self, name: str, *args: Any, chance: float = 0.0) -> bool:
        """Run a task, perhaps with a fault; return whether one came."""
        if name == "tournaments.sweep":
            best, known = self._best(), set(LadderCup.objects.values_list("pk", flat=True))
        fault = self.rng.choice(self.kinds) if self.rng.random() < chance else ""
        came: list[str] = []
        with ExitStack() as stack:
            count = stack.enter_context(self._failing(fault, self.statements.get(name, 20), came))
            try:
                current_app.tasks[name](*args)
            except (Killed, OperationalError, BrokerAway):
                assert came or self.is_within(BROKER_AWAY)
        self.statements[name] = max(count(), self.statements.get(name, 0) // 2)
        if came:
            self.faults[f"{fault}: {name}"] += 1
            self.exposed |= set(Delivery.objects.exclude(claimed_until_at=None).values_list("event", flat=True))
            self.exposed |= set(Notice.objects.exclude(email_claimed_until=None).values_list("email_batch", flat=True))
        if name == "tournaments.sweep":
            self.ladders |= {one.pk: best for one in LadderCup.objects.exclude(pk__in=known)}
        return bool(came)

    kinds = ("killed at a statement", "killed after a commit", "database at a statement", "database at a commit")

    @contextmanager
    def _failing(self, fault: str, about: int, came: list[str]) -> Iterator[Callable[[], int]]:
        counted = Counter[str]()
        connection: Any = connections["default"]
        at = self.rng.randint(1, about if "statement" in fault else 3)
        error = Killed if "killed" in fault else OperationalError
        commit = connection._commit

        def statement(execute: Any, *given: Any) -> Any:
            counted["statement"] += 1
            if "statement" in fault and counted["statement"] == at:
                came.append(fault)
                raise error
            return execute(*given)

        def committed() -> None:
            counted["commit"] += 1
            comes = "commit" in fault and counted["commit"] == at
            if comes:
                came.append(fault)
            if comes and error is OperationalError:
                raise error
            commit()
            if comes:
                raise error

        connection._commit = committed
        try:
            with connection.execute_wrapper(statement):
                yield lambda: counted["statement"]
        finally:
            del connection._commit
            if came:  # what a process that is gone would have done after its commit
                connection.run_on_commit, connection.run_commit_hooks_on_set_autocommit_on = [], False
        assert not connection.in_atomic_block

    def _best(self) -> list[int]:
        season = Season.objects.get(state=SeasonState.RUNNING) if _is_running() else None
        return [row.entry.version.bot_id for row in ladder_of(season).rows[:BEST]] if season else []

    def beat(self, chance: float) -> None:
        """Sweep as the site does; after a fault again once all claims are over, as it does too."""
        self.discord.status = 503 if self.is_within(DISCORD_AWAY) else 204
        worker_up(slots=6)
        again = True
        while again:
            again = False
            for name in self.rng.sample(SWEEPS, len(SWEEPS)):
                again |= self.run(name, chance=chance)
            messages, self.queue = [one for one in self.queue if self.rng.random() < 0.4], []  # some are lost
            for name, *args in [*messages, *messages[:1]]:  # and one comes twice
                again |= self.run(name, *args, chance=chance / 4)
            self.now += AGAIN if again else 0 * SECOND
            chance /= 2


def _is_running() -> bool:
    return Season.objects.filter(state=SeasonState.RUNNING).exists()


def _next(now: datetime) -> datetime:
    """The next step of the clock, or what is due before it, and a second before that."""
    due: list[Any] = [*Season.objects.filter(state=SeasonState.RUNNING).values_list("ends_at", flat=True)]
    due += [one.next_at - DAY for one in WeeklyCup.objects.filter(ended_at=None)]
    due += Tournament.objects.filter(state=TournamentState.OPEN).values_list("first_round_at", flat=True)
    found: datetime = min([now + STEP, *(one for at in due for one in (at - SECOND, at) if one > now)])
    return found


def _played(month: Month, league: League, strengths: dict[int, float]) -> None:
    ended = [(SEASON.finished_task, one.pk) for one in _season_matches(month, league, strengths)]
    for cup in Tournament.objects.filter(state=TournamentState.RUNNING):
        ended += [(TOURNAMENT.finished_task, pk) for pk in finish_matches(cup)]
    month.queue += ended if not month.is_within(BROKER_AWAY) else []


def _season_matches(month: Month, league: League, strengths: dict[int, float]) -> list[Any]:
    season = Season.objects.filter(league=league, state=SeasonState.RUNNING).first()
    return play(season, strengths, month.rng) if season else []


def _follow(person: Any, kind: str, what: Any) -> Any:
    followed = followed_of(person, kind, what.slug)
    assert followed is not None
    follow_create(person=person, followed=followed)
    return person


@pytest.fixture
def month(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Month]:
    settings.HOOKS_ANYWHERE = True
    current_app.loader.import_default_modules()
    assert {*SWEEPS} <= {one["task"] for one in site.CELERY_BEAT_SCHEDULE.values()}
    with receiving() as discord:
        yield Month(monkeypatch, discord)


def test_every_notice_arrives_once_in_time_despite_failures(month: Month) -> None:
    worker_up(slots=6)
    league = open_league(
        bots=9, divisions=2, division_size=4, division_moves=1, season_days=7, enters_cups=True, blocks=8
    )
    owners = [one.bot.owner for one in league.memberships.select_related("bot__owner").order_by("pk")]
    bots = list(league.memberships.order_by("pk").values_list("bot", flat=True))
    strengths = {bot: -2.5 * number for number, bot in enumerate(bots)}
    fans = [_follow(UserFactory.create(), "league", league) for _ in range(2)]
    _follow(league.organiser, "league", league)
    fan_of_best = _follow(UserFactory.create(), "bot", league.memberships.get(bot=bots[0]).bot)
    rates = (EmailRate.NOW, EmailRate.DAILY, EmailRate.WEEKLY)
    for number, person in enumerate([*owners, *fans, fan_of_best]):
        rate = rates[number % 3]
        notice_channels_set(
            person=person, channels={one: Channels(True, rate) for one in (MOVED, SEASON_EVENT, FINISHED)}
        )
        notice_channels_set(person=person, channels={PLACED: Channels(True, EmailRate.NOW)})
    sleeper, quiet = owners[3], Quiet(time(22, 0), time(7, 0), "Europe/Zurich")
    quiet_hours_set(person=sleeper, quiet=quiet)
    hooks = [
        hook_of(person, url=month.discord.url, format=MessageFormat.DISCORD)
        for person in (league.organiser, owners[3], owners[4], fans[0])
    ]
    while month.now < BEGIN + MONTH:
        season = Season.objects.filter(state=SeasonState.RUNNING).first()
        if season and not WeeklyCup.objects.filter(season=season).exists():
            weekly_cup_create(
                season=season,
                name=f"Final of week {season.number}",
                preset=tournament_preset_named("quick"),  # type: ignore[arg-type]
                best=BEST,
                first_round_at=season.starts_at.replace(second=0) + 5 * DAY,
                time_zone="Europe/Zurich",
            )
        if month.now > BEGIN + 10 * DAY and len(strengths) == len(bots):
            strengths[member_of(league).bot_id] = -11.0
        at_its_time = _next(month.now) - month.now < STEP
        month.now = _next(month.now)
        month.beat(0.5 if at_its_time else 0.06)
        _played(month, league, strengths)
    for _ in range(9):  # the digests of the week that follows; nobody plays
        month.now += DAY
        month.run("notices.email")
        month.run("hooks.deliver")

    assert {one.split(":")[0] for one in month.faults} == set(month.kinds)
    assert month.refused["broker"]
    assert month.refused["mail"]
    _seasons_follow_each_other(league)
    _moves_were_notified(league)
    _cups_were_made_and_notified(month, league, fan_of_best)
    _seasons_were_notified([league.organiser, *fans])
    _emails_went_out(month, sleeper, quiet)
    _discord_received_all(month, hooks)


def _seasons_follow_each_other(league: League) -> None:
    seasons: list[Any] = list(Season.objects.filter(league=league).order_by("number"))
    assert [one.number for one in seasons] == [1, 2, 3, 4, 5]
    assert [one.state for one in seasons] == [*4 * [SeasonState.FINISHED], SeasonState.RUNNING]
    for last, following in pairwise(seasons):
        assert last.ends_at == last.starts_at + 7 * DAY
        assert last.ends_at <= last.finished_at <= following.starts_at <= last.ends_at + 5 * MINUTE


def _moves_were_notified(league: League) -> None:
    expected = Counter[tuple[Any, ...]]()
    began = dict(Season.objects.values_list("number", "starts_at"))
    for number in (3, 4, 5):
        before, after = (
            {one.membership_id: one for one in SeasonEntry.objects.filter(season__number=which)}
            for which in (number - 1, number)
        )
        for membership in before.keys() & after.keys():
            was, now = before[membership].division, after[membership].division
            if was != now:
                bot = after[membership].version.bot
                expected[bot.owner_id, bot.slug, number, was, now] += 1
        assert {now - was for *_, which, was, now in expected if which == number} == {1, -1}, "somebody moved"
    counts = Counter[tuple[Any, ...]]()
    for one in Notice.objects.filter(kind=MOVED):
        data = one.data
        counts[one.person_id, data["bot"], data["season"], data["division_before"], data["division"]] += 1
        assert began[data["season"]] <= one.created_at < began[data["season"]] + MINUTE
    assert counts == expected


def _cups_were_made_and_notified(month: Month, league: League, fan: Any) -> None:
    weeks = list(WeeklyCup.objects.order_by("season__number"))
    assert [one.made for one in weeks] == [1, 1, 1, 1, 0], "the month ends before the fifth"
    assert [one.ended_because for one in weeks] == [*4 * [WeeklyEnd.SEASON], ""]
    cups = list(LadderCup.objects.select_related("tournament").order_by("pk"))
    assert [(one.weekly, one.number) for one in cups] == [(one, 1) for one in weeks[:4]]
    best = month.ladders
    for cup, weekly in zip(cups, weeks, strict=False):
        entries = Entry.objects.filter(tournament=cup.tournament).order_by("ladder_place")
        assert list(entries.values_list("bot", flat=True)) == best[cup.pk]
        tournament: Any = cup.tournament
        assert weekly.first_at - DAY <= tournament.created_at < weekly.first_at - DAY + 5 * MINUTE
        assert tournament.first_round_at == weekly.first_at <= tournament.started_at < weekly.first_at + 5 * MINUTE
        assert tournament.state == TournamentState.FINISHED
        notices = Notice.objects.filter(kind=FINISHED, data__tournament=tournament.slug)
        people = sorted({league.organiser_id, *entries.values_list("bot__owner", flat=True)})
        assert sorted(notices.values_list("person", flat=True)) == people
        assert all(tournament.finished_at <= one.created_at < tournament.finished_at + MINUTE for one in notices)
        assert Notice.objects.filter(kind=PLACED, person=fan, data__tournament=tournament.slug).count() == 1
        text = f" in {tournament.name}.\n{site.SITE_URL}/tournaments/{tournament.slug}/\nYou may withdraw it there."
        emails = {one.extra_headers["Message-ID"]: one for _at, one in month.mails if text in str(one.body)}
        entered = list(entries.values_list("bot__owner__email", flat=True))
        assert sorted(one.to[0] for one in emails.values()) == sorted(entered), "each once"


def _seasons_were_notified(followers: list[Any]) -> None:
    began = dict(Season.objects.values_list("number", "starts_at"))
    for person in followers:
        notices = list(Notice.objects.filter(kind=SEASON_EVENT, person=person).order_by("created_at"))
        assert [(one.data["season"], one.data["state"]) for one in notices] == [
            (number, "running") for number in range(2, 6)
        ]
        assert all(began[one.data["season"]] <= one.created_at < began[one.data["season"]] + MINUTE for one in notices)


def _emails_went_out(month: Month, sleeper: Any, quiet: Quiet) -> None:
    assert not Notice.objects.exclude(email_at=None).filter(emailed_at=None).exists(), "none is lost"
    batches: dict[str, list[Any]] = {}
    one: Any
    for one in Notice.objects.exclude(email_batch=None).select_related("person"):
        batches.setdefault(one.email_batch.hex, []).append(one)
    sent: dict[str, list[tuple[datetime, EmailMessage]]] = {}
    for at, message in month.mails:
        name = message.extra_headers.get("Message-ID", "")
        if name.startswith("<notices."):
            sent.setdefault(name.removeprefix("<notices.").partition("@")[0], []).append((at, message))
    assert sent.keys() == batches.keys()
    assert len(batches) >= 30
    exposed = {one.hex for one in month.exposed if one}
    for batch, copies in sent.items():
        assert len(copies) == 1 or batch in exposed, "twice, though nothing failed while it was sent"
        for at, message in copies:
            for one in batches[batch]:
                assert message.to == [one.person.email]
                assert notice_line_of(one).text in f"{message.subject} {message.body}"
                assert at >= one.email_at, "early"
                assert one.person != sleeper or quiet.end_after(at) <= at


def _discord_received_all(month: Month, hooks: list[Hook]) -> None:
    assert not Delivery.objects.exclude(state=DeliveryState.DELIVERED).exists(), "none is lost"
    assert not Hook.objects.exclude(paused_because="").exists()
    copies = Counter[str]()
    earliest: dict[str, int] = {}
    for _path, headers, _body in month.discord.received:
        copies[headers["webhook-id"]] += 1
        earliest.setdefault(headers["webhook-id"], int(headers["webhook-timestamp"]))
    assert copies.keys() == {str(one) for one in Delivery.objects.all()}
    for hook in hooks:
        notified = Notice.objects.filter(person=hook.owner).values_list("event", flat=True)
        delivered = hook.deliveries.values_list("event", flat=True)
        assert set(notified) <= set(delivered), "whatever is in the inbox was sent"
        assert len(delivered) == len(set(delivered))
    for one in Delivery.objects.all():
        assert earliest[str(one)] >= int(one.created_at.timestamp()), "early"
