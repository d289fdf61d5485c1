"""Where a tournament says so, the newest accepted version of a bot plays on from the next round or stage."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from bots.deletion import version_delete
from bots.models import BotVersion, VersionState
from bots.services import version_make_current
from matches.models import Seat
from tests.arena.factories import OrganiserFactory
from tests.bots.factories import BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.tournaments.factories import EntryFactory, TournamentFactory, finish_matches
from tests.tournaments.proof.events import FIRST, LAST, MIDDLE, cup_of, play, play_round, with_stage
from tests.tournaments.proof.test_verify import proof_file
from tests.tournaments.rulings.rule import fixture_at, rule, take_back
from tournaments.models import Entry, NewVersions, Tournament, TournamentState
from tournaments.proof.verify import proof_verify
from tournaments.selectors.entering.version_history import VersionSpan, entry_version_playing, entry_version_spans
from tournaments.selectors.pages.exports import tournament_fixture_rows
from tournaments.selectors.pages.sources import tournament_source_versions_of, tournament_sources_of
from tournaments.selectors.pages.tournament_page import tournament_entries_of
from tournaments.selectors.rounds.fixtures import fixture_pairings_of
from tournaments.selectors.rulings.ruling_log import ruling_log_of
from tournaments.selectors.standings.ranking import standings_of
from tournaments.services import (
    rounds,
    tournament_advance,
    tournament_open,
    tournament_sources_release,
    tournament_start,
    tournaments_tend,
    waiting_round_start,
)
from tournaments.services.leaving import entries_withdraw_deleted
from tournaments.services.waiting_rounds import RoundStarted
from tournaments.standings import RulingCode

pytestmark = pytest.mark.django_db
SOURCES = [FIRST, LAST, MIDDLE, FIRST]
ROUNDS, STAGES = NewVersions.BETWEEN_ROUNDS, NewVersions.BETWEEN_STAGES


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def updated(entry: Entry, state: VersionState = VersionState.ACCEPTED) -> BotVersion:
    """A further version of its bot; the current one if it is accepted."""
    count = entry.bot.versions.count()
    version = BotVersionFactory(bot=entry.bot, source=LAST + b"# %d %d" % (entry.pk, count), state=state)
    version_make_current(version=version)
    return version


def played_by(entry: Entry) -> dict[int, int]:
    """By round the number of the version that sat there."""
    seats = Seat.objects.filter(match__fixture__round__tournament=entry.tournament, version__bot=entry.bot)
    return dict(seats.order_by("pk").values_list("match__fixture__round__number", "version__number"))


def play_on(cup: Tournament, each: Callable[[], None]) -> None:
    """Play it to its end; ``each`` is called after each round, before the next begins."""
    tournament_start(tournament=cup)
    cup.refresh_from_db()
    while cup.state == TournamentState.RUNNING:
        if (waiting := cup.rounds.filter(started_at__isnull=True).first()) is not None:
            waiting_round_start(played=waiting)
        each()
        assert play_round(cup)


CUPS: dict[str, dict[str, Any]] = {
    "swiss": {"format": "swiss", "rounds": 3},
    "reviewed swiss": {"format": "swiss", "rounds": 3, "has_round_review": True},
    "knockout": {"format": "single_elimination"},
    "double elimination": {"format": "double_elimination"},
    "heats": {"format": "heats", "players_per_table": 3, "smallest_table": 2},
    "reviewed round robin": {"format": "round_robin", "has_round_review": True},
}


class Packages:
    """Notes with which package each entry played in each round of a proof."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, int, str]] = set()

    def look(self, label: str, seating: Any, packages: Any, index: int, record: Any) -> None:
        self.seen |= {(label.split(",")[0], entry, packages[entry]) for entry in seating}


@pytest.mark.parametrize("terms", CUPS.values(), ids=list(CUPS))
def test_the_newest_accepted_version_plays_from_the_next_round_on(terms: dict[str, Any], tmp_path: Path) -> None:
    cup = cup_of(SOURCES, new_versions=ROUNDS, **terms)
    one, other, steady, _last = cup.entries.order_by("pk")
    rounds = 0

    def each() -> None:
        nonlocal rounds
        rounds += 1
        updated(one)
        updated(other, VersionState.ACCEPTED if rounds == 2 else VersionState.REFUSED)

    play_on(cup, each)
    assert all(version == number for number, version in played_by(one).items())
    assert all(version == (1 if number < 3 else 3) for number, version in played_by(other).items())
    assert set(played_by(steady).values()) == {1}
    watcher = Packages()
    proof_verify(proof_file(cup, tmp_path / "proof.zip"), witness=watcher)
    seats = Seat.objects.filter(match__fixture__round__tournament=cup).values_list(
        "match__fixture__round__number", "version__bot__entries", "version__sha256"
    )
    assert watcher.seen == {(f"round {number}", entry, package) for number, entry, package in seats}


def test_between_stages_the_version_stays_within_a_stage(tmp_path: Path) -> None:
    cup = cup_of(SOURCES, new_versions=STAGES, format="swiss", rounds=2)
    with_stage(cup, format="single_elimination", entrants=4)
    entries = list(cup.entries.all())
    play_on(cup, lambda: [updated(entry) for entry in entries])
    found = {number: version for entry in entries for number, version in played_by(entry).items()}
    assert found == {1: 1, 2: 1, 3: 3, 4: 3}
    assert proof_verify(proof_file(cup, tmp_path / "proof.zip")).ended


def test_never_is_usual() -> None:
    cup = cup_of(SOURCES, format="swiss", rounds=2)
    entries = list(cup.entries.all())
    play_on(cup, lambda: [updated(entry) for entry in entries])
    assert {version for entry in entries for version in played_by(entry).values()} == {1}


def test_every_version_that_played_is_released_and_named_in_exports() -> None:
    cup = cup_of(SOURCES, new_versions=ROUNDS, format="swiss", rounds=2, releases_sources=True)
    entry = cup.entries.order_by("pk").first()
    assert entry is not None
    Entry.objects.update(sources_agreed_at=cup.created_at)
    play_on(cup, lambda: [updated(entry)])
    updated(entry)  # which never plays
    tournament_sources_release(tournament=cup)
    assert [
        (one.entry.pk == entry.pk, one.version.number)
        for one in tournament_sources_of(cup, tournament_source_versions_of(cup))
    ] == [
        *((True, 1), (True, 2)),
        *[(False, 1)] * 3,
    ]
    for number, query in ((1, {"version": "1"}), (2, {"version": "2"}), (2, {})):
        sent = Client().get(reverse("tournaments:source-file", args=[cup.slug, entry.pk]), query)
        assert hashlib.sha256(sent.content).hexdigest() == entry.bot.versions.get(number=number).sha256
    assert Client().get(reverse("tournaments:source", args=[cup.slug, entry.pk]), {"version": "3"}).status_code == 404
    (stage,) = cup.stages.all()
    rows = [row for row in tournament_fixture_rows(stage, tournament_entries_of(cup)) if row["bot"] == entry.bot.name]
    assert [(row["round"], row["version"]) for row in rows] == [(1, 1), (2, 2)]


def test_what_is_killed_on_the_way_changes_nothing_and_is_done_once_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = tournament_start(tournament=cup_of(SOURCES, new_versions=ROUNDS, format="swiss", rounds=3))
    for _round in range(2):
        finish_matches(cup)
        newest = [updated(entry).pk for entry in cup.entries.order_by("pk")]

        def state() -> tuple[list[int | None], int]:
            return list(cup.entries.order_by("pk").values_list("version", flat=True)), cup.chain.count()

        before = state()
        for step in ("tournament_chain_links_append", "tournament_announce_later", "round_entry_versions_update"):
            after = getattr(rounds, step)

            def killed(*given: Any, after: Any = after, **named: Any) -> None:
                after(*given, **named)
                raise KeyboardInterrupt

            with monkeypatch.context() as patch:
                patch.setattr(rounds, step, killed)
                with pytest.raises(KeyboardInterrupt):
                    tournament_advance(tournament_id=cup.pk)
            assert state() == before
        assert tournament_advance(tournament_id=cup.pk)
        assert not tournament_advance(tournament_id=cup.pk)
        assert state()[0] == newest
    assert cup.chain.filter(kind="versions").count() == 2


def test_a_round_robin_by_the_clock_takes_the_versions_of_when_each_round_begins() -> None:
    cup = TournamentFactory(entries=4, new_versions=ROUNDS, round_minutes=60)
    tournament_start(tournament=cup)
    entries = list(cup.entries.order_by("pk"))
    for entry in entries[:2]:
        updated(entry)
    second = cup.rounds.get(number=2)
    waiting_round_start(played=second)  # while the first is still being played
    with pytest.raises(RoundStarted):
        waiting_round_start(played=second)
    assert played_by(entries[0]) == {1: 1, 2: 2, 3: 2}
    assert played_by(entries[3]) == {1: 1, 2: 1, 3: 1}
    first = entries[0].bot.versions.get(number=1)
    assert version_delete(version=first)
    assert entries_withdraw_deleted() == 1  # it has a match left to play
    assert Seat.objects.filter(version__bot=entries[0].bot, has_forfeited=True).count() == 3
    updated(entries[0])
    updated(entries[1])
    waiting_round_start(played=cup.rounds.get(number=3))
    assert (played_by(entries[0])[3], played_by(entries[1])[3]) == (2, 3)  # a bot that is out is not updated


def test_a_match_that_is_played_again_keeps_its_versions_and_rulings_find_both() -> None:
    cup = tournament_start(tournament=cup_of(SOURCES, new_versions=ROUNDS, format="swiss", rounds=3))
    finish_matches(cup)
    entries = list(cup.entries.order_by("pk"))
    for entry in entries:
        updated(entry)
    tournament_advance(tournament_id=cup.pk)
    before = list(fixture_at(cup, 1, 1).match.seats.values_list("version", flat=True))
    rule(cup, RulingCode.REPLAY, fixture=fixture_at(cup, 1, 1))
    assert list(fixture_at(cup, 1, 1).match.seats.values_list("version", flat=True)) == before
    rule(cup, RulingCode.VOID, fixture=fixture_at(cup, 1, 2))
    finish_matches(cup)
    tournament_advance(tournament_id=cup.pk)
    rule(cup, RulingCode.DISQUALIFY, entry=entries[0], annul=True)
    assert [line.about for line in ruling_log_of(cup)][1] != ()
    (stage,) = cup.stages.all()
    assert len(standings_of(stage)) == 4
    assert [sitting.version for sitting in fixture_pairings_of(stage, rounds=[1])[0].sittings] == [1, 1]


def test_pages_and_the_api_say_which_version_plays_when() -> None:
    cup = cup_of(SOURCES, new_versions=ROUNDS, format="swiss", rounds=3)
    entry, other = cup.entries.order_by("pk")[:2]
    fixed = EntryFactory(tournament=TournamentFactory(entries=3), bot=entry.bot).tournament
    tournament_start(tournament=fixed)
    tournament_start(tournament=cup)

    def page(name: str, *args: Any, reader: Any = None) -> str:
        client = Client()
        if reader is not None:
            client.force_login(reader)
        return " ".join(client.get(reverse(name, args=args)).content.decode().split())

    cup_page, bot_page = ("tournaments:detail", cup.slug), ("bots:version", entry.bot.slug, 1)
    assert "current at the start of a round plays in it" in page(*cup_page)
    assert "current at the start" not in page("tournaments:detail", fixed.slug)
    assert "could already predict draws" in page("tournaments:fairness", cup.slug)
    assert "could already predict draws" not in page("tournaments:fairness", fixed.slug)
    finish_matches(cup)
    updated(entry)
    text = page(*bot_page, reader=entry.bot.owner)
    assert "v2 plays from the start of its next round, v1 until then" in text
    assert f"{fixed.name}</a>: v1 plays to the end" in text
    verdict = page(
        "bots:verdict", entry.bot.slug, 2, reader=entry.bot.owner
    )  # which an open page asks for once it is accepted
    assert "v2 plays from the start of its next round, v1 until then" in verdict
    for reader in (None, other.bot.owner, cup.organiser):
        assert "plays to the end" not in page(*bot_page, reader=reader)
    for sentence in ("v2 plays, a newer version from the start of its next round", "v2 plays to the end"):
        tournament_advance(tournament_id=cup.pk)
        finish_matches(cup)
        assert "v1 in round 1, v2 since round 2" in page(*cup_page)
        assert sentence in page(*bot_page, reader=entry.bot.owner)
        updated(other, VersionState.REFUSED)
    tournament_advance(tournament_id=cup.pk)
    assert "v1 in round 1, v2 in rounds 2\N{EN DASH}3" in page(*cup_page)
    data = Client().get(reverse("api-tournaments:entry", args=[cup.slug, entry.bot.slug])).json()
    assert data["versions"] == [
        {"version": 1, "first_round": 1, "last_round": 1},
        {"version": 2, "first_round": 2, "last_round": 3},
    ]
    assert Client().get(reverse("api-tournaments:entry", args=[cup.slug, other.bot.slug])).json()["versions"] == []
    assert Client().get(reverse("api-tournaments:detail", args=[cup.slug])).json()["new_versions"] == ROUNDS


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ({"format": "swiss", "rounds": 1}, [""]),
        ({"format": "swiss", "rounds": 2}, ["round", ""]),
        ({"format": "single_elimination"}, ["round", ""]),
        ({"format": "double_elimination"}, ["round"] * 4),  # the winner of the losers may ask for a second final
    ],
    ids=["one round", "a Swiss", "a knockout", "a double one"],
)
def test_in_the_last_round_no_newer_version_is_promised(terms: dict[str, Any], expected: list[str]) -> None:
    cup = tournament_start(tournament=cup_of(SOURCES, new_versions=ROUNDS, **terms))
    entry = cup.entries.order_by("pk")[0]
    found = []
    for _round in expected:
        found.append(entry_version_playing(Entry.objects.get(pk=entry.pk)).takes)
        play_round(cup)
    assert found == expected


def test_a_version_that_plays_again_after_another_has_two_spans() -> None:
    cup = cup_of(SOURCES, new_versions=ROUNDS, format="swiss", rounds=3)
    one, other = cup.entries.order_by("pk")[:2]

    def each() -> None:
        if one.bot.versions.count() == 1:
            updated(one)
            updated(other)
        else:
            version_make_current(version=one.bot.versions.get(number=1))

    play_on(cup, each)
    assert played_by(one) == {1: 1, 2: 2, 3: 1}
    assert entry_version_spans(cup) == {
        one.pk: (VersionSpan(1, 1, 1), VersionSpan(2, 2, 2), VersionSpan(1, 3, 3)),
        other.pk: (VersionSpan(1, 1, 1), VersionSpan(2, 2, 3)),
    }


def test_a_play_off_is_a_stage_that_takes_new_versions_and_authors_are_notified() -> None:
    cup = tournament_start(tournament=cup_of([LAST, LAST], new_versions=STAGES, tie_breaks=["play_off", "lot"]))
    entry = cup.entries.order_by("pk")[0]
    updated(entry)
    client = Client()
    client.force_login(entry.bot.owner)
    page = client.get(reverse("bots:version", args=[entry.bot.slug, 1])).content.decode()
    assert "v2 plays from the start of its next stage, v1 until then" in " ".join(page.split())
    play_round(cup)
    assert played_by(entry) == {1: 1, 2: 2}


@pytest.mark.parametrize("has_begun", [False, True], ids=["waiting", "begun"])
@pytest.mark.parametrize("new_versions", [ROUNDS, NewVersions.NEVER])
def test_a_restored_final_is_played_by_the_versions_in_its_proof(
    new_versions: NewVersions, has_begun: bool, tmp_path: Path
) -> None:
    cup = cup_of(SOURCES, new_versions=new_versions, format="single_elimination", has_round_review=True)
    tournament_start(tournament=cup)
    waiting_round_start(played=cup.rounds.get(number=1))
    play_round(cup)
    semi_final, final = fixture_at(cup, 1, 1), fixture_at(cup, 2, 1)
    finalists = set(final.match.seats.values_list("version__bot", flat=True))
    there = cup.entries.filter(bot__versions__in=semi_final.match.seats.values("version"))
    if has_begun:
        waiting_round_start(played=final.round)
        play(final.match)
    rule(
        cup, RulingCode.REPLACE, fixture=semi_final, scores={one.pk: 2 * (one.bot_id not in finalists) for one in there}
    )
    tournaments_tend()
    another = cup.rounds.get(number=2)
    for entry in cup.entries.all():
        updated(entry)
    if not has_begun:
        waiting_round_start(played=another)
    take_back(cup)
    tournaments_tend()
    if not has_begun:
        waiting_round_start(played=cup.rounds.get(number=2))
        play_round(cup)
    cup.refresh_from_db()
    assert cup.state == TournamentState.FINISHED
    watcher = Packages()
    proof_verify(proof_file(cup, tmp_path / "proof.zip"), witness=watcher)
    rows = Seat.objects.filter(match=final.match).values_list("version__bot__entries", "version__sha256")
    assert {seen[1:] for seen in watcher.seen if seen[0] == "round 2"} == set(rows)


def test_it_is_announced_and_fixed_once_a_bot_has_entered() -> None:
    organiser = OrganiserFactory()
    client = Client(headers={"authorization": f"Token {token_of(organiser)}"})
    pages = Client()
    pages.force_login(organiser)
    terms = {"name": "Autumn Cup", "game": "pickomino", "new_versions": "between_rounds"}
    made = client.post(reverse("api-tournaments:list"), terms, content_type="application/json")
    assert (made.status_code, made.json()["new_versions"]) == (201, ROUNDS)
    cup = tournament_open(tournament=Tournament.objects.get(slug=made.json()["slug"]))
    settings = reverse("api-tournaments:settings", args=[cup.slug])

    def changed(value: str) -> tuple[int, Any]:
        headers = {"if-match": client.get(settings)["ETag"]}
        answer = client.patch(settings, {"new_versions": value}, "application/json", headers=headers)
        return answer.status_code, answer.json().get("new_versions") or answer.json().get("field")

    assert changed("whenever") == (400, "new_versions")
    assert changed("between_stages") == (200, STAGES)
    assert changed("between_rounds") == (200, ROUNDS)
    EntryFactory(tournament=cup)
    assert changed("never") == (409, "new_versions")
    page = pages.get(reverse("tournaments:create")).context["form"]
    assert page["new_versions"].value() == NewVersions.NEVER
    with pytest.raises(IntegrityError), transaction.atomic():
        Tournament.objects.filter(pk=cup.pk).update(new_versions="")
