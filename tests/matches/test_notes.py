"""Explanations of moves are stored beside the record: for their authors, and for others where it is public."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from arena.accounts.tokens import token_create
from bots.deletion import bot_delete
from games.explanation import MoveExplanation
from games.record import Record
from matches.models import Audience, Broadcast, Match, SeatNotes
from matches.queue.seat_logs import SeatNotesPacker, seat_logs_notes
from matches.referee.scoring import GameLog
from matches.retention import retention_notes_drop
from matches.services import match_cancel
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import FinishedMatchFactory, MatchFactory, games_of, leased, written
from tests.teams.factories import team_of

pytestmark = pytest.mark.django_db
EXPLAINS = b"""
def act(view):
    return {"action": view["actions"][-1], "note": "<b>turn %s</b>" % view["turn"], "marks": ["roll"], "value": 0.8}
"""
SILENT = b"def act(view): return view['actions'][-1]"


@pytest.fixture
def speaker() -> Any:
    return BotVersionFactory(source=EXPLAINS)


def read(person: Any, match: Match, index: int = 0) -> Any:
    client = Client()
    if person:
        client.force_login(person)
    page = client.get(reverse("matches:game-notes", args=[match.pk, index]))
    headers = {"authorization": f"Token {token_create(owner=person, name='x')}"} if person else {}
    response = Client().get(reverse("api-matches:notes", args=[match.pk, index]), headers=headers)
    assert page.status_code == response.status_code
    if page.status_code != 200:
        return page.status_code
    assert page["Cache-Control"] == "private, no-cache"
    notes = page.json()["notes"]
    assert response.json()["results"] == notes[:50]
    return notes


def test_each_note_stands_at_the_step_of_its_move(speaker: Any) -> None:
    match = FinishedMatchFactory(seats=[speaker, BotVersionFactory(source=SILENT)])
    for index in (0, 1):
        record = Record.decode(bytes(match.games.get(index=index).record))
        steps = [(n, step) for n, step in enumerate(record.replay(), 1) if step.before.actor == (0 - index) % 2]
        notes = read(speaker.bot.owner, match, index)
        assert [one["step"] for one in notes] == [n for n, _ in steps]
        assert [one["note"] for one in notes] == [f"<b>turn {step.before.view(0)['turn']}</b>" for _, step in steps]
        assert {(one["seat"], *one["marks"], one["value"]) for one in notes} == {(0, "roll", 0.8)}


def test_the_records_and_results_are_those_of_a_bot_that_says_nothing(speaker: Any) -> None:
    rival, secret = BotVersionFactory(source=SILENT), b"s" * 32
    loud = FinishedMatchFactory(seats=[speaker, rival], secret=secret)
    quiet = FinishedMatchFactory(seats=[BotVersionFactory(source=SILENT + b"\n"), rival], secret=secret)
    columns = ("index", "record", "points", "places", "reason", "tie_break")
    ours, theirs = (list(match.games.order_by("index").values_list(*columns)) for match in (loud, quiet))
    assert [[bytes(one) if isinstance(one, memoryview) else one for one in row] for row in ours] == [
        [bytes(one) if isinstance(one, memoryview) else one for one in row] for row in theirs
    ]
    assert list(loud.seats.values_list("explains", flat=True)) == [True, False]
    assert not quiet.seats.filter(explains=True)
    assert SeatNotes.objects.count() == 1


# Matches of a group: tests/arena/test_groups_alone.py.
@pytest.mark.parametrize("shown", [False, True])
@pytest.mark.parametrize("audience", [one for one in Audience.values if one != Audience.GROUP])
def test_only_the_right_roles_read_them(speaker: Any, audience: str, shown: bool) -> None:
    organiser, staff = UserFactory(is_organiser=True), UserFactory(is_staff=True, is_superuser=True)
    rival = BotVersionFactory(source=SILENT)
    match = FinishedMatchFactory(seats=[speaker, rival], audience=audience, organiser=organiser)
    type(speaker.bot).objects.filter(pk=speaker.bot.pk).update(notes_shown=shown)
    assert read(staff, match)
    assert read(organiser, match)
    open_, authors = audience in (Audience.EVERYONE, Audience.UNLISTED), audience == Audience.AUTHORS
    owner, other = read(speaker.bot.owner, match), read(rival.bot.owner, match)
    assert owner if open_ or authors else owner == 404
    assert bool(other) == shown if open_ or authors else other == 404
    for person in (None, UserFactory()):
        found = read(person, match)
        assert bool(found) == shown if open_ else found == 404


def test_a_team_reads_those_of_its_bot() -> None:
    person = UserFactory()
    team = team_of(person)
    version = BotVersionFactory(source=EXPLAINS, bot__owner=team.account)
    match = FinishedMatchFactory(seats=[version, BotVersionFactory(source=SILENT)])
    assert read(person, match)
    assert read(UserFactory(), match) == []


@pytest.mark.parametrize("state", ["queued", "held", "on_air"])
def test_nothing_is_shown_before_the_match_is_finished(speaker: Any, state: str) -> None:
    speaker.bot.notes_shown = True
    speaker.bot.save()
    match = FinishedMatchFactory(seats=[speaker, BotVersionFactory(source=SILENT)])
    Match.objects.filter(pk=match.pk).update(
        state="held", finished_at=None, tempo=Broadcast.EVERY if state == "on_air" else ""
    )
    for person in (None, speaker.bot.owner, UserFactory(is_staff=True, is_superuser=True)):
        assert read(person, match) == 404


def test_what_is_deleted_says_nothing_more_at_once_and_is_dropped(speaker: Any) -> None:
    other = BotVersionFactory(source=EXPLAINS + b"\n")
    match = FinishedMatchFactory(seats=[speaker, other])
    staff = UserFactory(is_staff=True, is_superuser=True)
    assert {one["seat"] for one in read(staff, match)} == {0, 1}
    bot_delete(bot=speaker.bot)
    assert {one["seat"] for one in read(staff, match)} == {1}
    assert retention_notes_drop() == 1
    assert retention_notes_drop() == 0


def test_the_newest_notes_of_a_bot_are_stored(speaker: Any, settings: Any) -> None:
    matches = [FinishedMatchFactory(seats=[speaker, BotVersionFactory(source=SILENT)]) for _ in range(3)]
    settings.NOTES_BYTES_PER_BOT = 2 * SeatNotes.objects.order_by("-size")[0].size
    assert retention_notes_drop() == 1
    assert [bool(read(speaker.bot.owner, match)) for match in matches] == [False, True, True]


def test_what_counts_no_more_leaves_nothing(speaker: Any) -> None:
    called_off = MatchFactory(seats=[speaker, BotVersionFactory(source=SILENT)], blocks=3)
    assert written(leased(called_off), games_of(called_off)[:2])
    assert SeatNotes.objects.filter(seat__match=called_off).count() == 1
    match_cancel(matches=Match.objects.filter(pk=called_off.pk))
    assert not SeatNotes.objects.exists()


def test_a_slice_stores_whole_games_up_to_the_limit(settings: Any) -> None:
    settings.NOTES_BYTES_PER_MATCH = 1000
    packer, log = SeatNotesPacker(), GameLog()
    assert packer.packed() == b""
    for played in range(4):
        log.explains(played, MoveExplanation("x" * 68))
    for index in range(5):
        packer.note(index, log)
    assert [index for index, _ in seat_logs_notes(packer.packed())] == [0, 1]


def test_the_export_has_them_once_they_may_be_read(speaker: Any) -> None:
    from arena.accounts.export_parts import PARTS

    match = FinishedMatchFactory(seats=[speaker, BotVersionFactory(source=SILENT)])
    rows = list(PARTS["notes"](speaker.bot.owner))
    assert {(row["bot"], row["match"], row["value"]) for row in rows} == {(speaker.bot.slug, match.pk, 0.8)}
    Match.objects.filter(pk=match.pk).update(audience=Audience.ORGANISER)
    assert not list(PARTS["notes"](speaker.bot.owner))


def test_the_author_makes_them_public_in_the_form_and_over_the_api(speaker: Any) -> None:
    client, bot = Client(), speaker.bot
    client.force_login(bot.owner)
    address = reverse("bots:edit", args=[bot.slug])
    assert 'name="notes_shown"' in client.get(address).content.decode()
    client.post(address, {"name": bot.name, "blurb": "", "notes_shown": "on"})
    bot.refresh_from_db()
    assert bot.notes_shown
    headers = {"authorization": f"Token {token_create(owner=bot.owner, name='x')}"}
    answer = Client().patch(
        reverse("api:bot", args=[bot.slug]), {"notes_shown": False}, content_type="application/json", headers=headers
    )
    assert answer.json()["notes_shown"] is False
