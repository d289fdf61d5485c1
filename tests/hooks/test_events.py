"""Events are written in their transaction, for those who may know of them, as the schema describes them."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.db.models import Q
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from announcements.questions.services import question_ask
from announcements.services import announcement_create
from announcements.subjects import announcement_subject_kind
from bots.checks import version_check_accept, version_check_begin, version_check_refuse
from hooks.kinds import hook_kinds_by_section, hook_kinds_known, hook_kinds_offered
from hooks.models import Delivery
from hooks.serializers import hook_message_serializer
from hooks.views import HookForm
from leagues.hook_events import league_benched_event_publish, league_paused_event_publish, season_event_publish
from leagues.models import SeasonEntry, SeasonState
from leagues.services import season_schedule
from matches.airing.services import broadcasts_end
from matches.hook_events import match_finished_event_publish
from matches.models import Audience, Contest, Match
from notices.models import Follow
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.groups.factories import GroupFactory, member_in
from tests.hooks.factories import hook_of
from tests.leagues.factories import member_of, open_league, season_of, worker_up
from tests.matches.airing.on_air import air, match_on_air
from tests.matches.factories import BRISK, FinishedMatchFactory
from tests.series.factories import series_of
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of, finish_matches, running_tournament
from tests.tournaments.rulings.rule import rule
from tournaments.models import Tournament
from tournaments.selectors.standings.ranking import standings_of
from tournaments.services import tournament_advance, tournament_cancel, tournament_start, waiting_round_start

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def messages_of(person: Any) -> list[tuple[str, dict[str, Any]]]:
    """Return the messages to a person, oldest first. Check that each matches the schema and links to existing pages."""
    messages = []
    for delivery in Delivery.objects.filter(hook__owner=person).order_by("pk"):
        body = json.loads(delivery.body)
        serializer = hook_message_serializer(hook_kinds_known()[delivery.kind])
        described = serializer(data=body)
        described.is_valid(raise_exception=True)
        fields = described.fields["data"].fields  # type: ignore[attr-defined]
        assert {name for name, one in fields.items() if one.required} <= set(body["data"]) <= set(fields)
        for name in {"page", "url"} & set(body["data"]):
            path = body["data"][name].removeprefix("http://testserver")
            assert Client().get(path).status_code in (200, 401, 403, 404)
        messages.append((body["type"], body["data"]))
    return messages


def kinds(person: Any) -> list[str]:
    return [kind for kind, _data in messages_of(person)]


@pytest.mark.parametrize(("close", "verdict"), [(version_check_accept, ""), (version_check_refuse, "crashed")])
def test_a_verdict_is_sent_once_to_the_author(close: Any, verdict: str) -> None:
    version = BotVersionFactory()
    type(version).objects.filter(pk=version.pk).update(state="queued", checked_at=None)
    hook_of(version.bot.owner)
    hook_of(other := UserFactory())
    attempt = version_check_begin(version_id=version.pk)
    assert attempt
    assert not close(version_id=version.pk, attempt=attempt + 1, report={})  # another's
    assert Delivery.objects.count() == 0
    for again in (True, False):
        assert close(version_id=version.pk, attempt=attempt, report={"verdict": "crashed"}) == again
    ((kind, data),) = messages_of(version.bot.owner)
    assert (kind, data["bot"], data["verdict"]) == ("version.verdict", version.bot.slug, verdict)
    assert data["state"] == ("refused" if verdict else "accepted")
    assert messages_of(other) == []


def seated() -> tuple[Any, Any, list[Any]]:
    one, other = (BotVersionFactory(source=BRISK) for _ in range(2))
    for version in (one, other):
        hook_of(version.bot.owner)
    return one.bot.owner, other.bot.owner, [one, other]


def test_a_finished_match_is_sent_to_the_authors_of_its_bots() -> None:
    one, other, versions = seated()
    match = FinishedMatchFactory(seats=versions)
    for person in (one, other):
        ((kind, data),) = messages_of(person)
        assert (kind, data["match"]) == ("match.finished", match.pk)
        assert data["bots"] == [version.bot.slug for version in versions]


def test_of_a_frequent_kind_no_recipients_are_read_where_nobody_chose_it(django_assert_num_queries: Any) -> None:
    match = Match.objects.select_related("contest").get(pk=FinishedMatchFactory(of_contest=True).pk)
    with django_assert_num_queries(1):
        match_finished_event_publish(matches=[match])


def test_a_forfeit_is_sent_to_the_author_of_the_bot_alone() -> None:
    one, other, versions = seated()
    match = FinishedMatchFactory(seats=versions)
    Delivery.objects.all().delete()
    match.seats.filter(version=versions[0]).update(has_forfeited=True)
    with transaction.atomic():
        match_finished_event_publish(matches=[match])
    assert kinds(one) == ["match.finished", "bot.fault"]
    assert kinds(other) == ["match.finished"]
    assert messages_of(one)[1][1]["bot"] == versions[0].bot.slug


def test_a_forfeit_in_a_match_for_its_organiser_only_is_not_sent() -> None:
    one, _other, versions = seated()
    match = FinishedMatchFactory(seats=versions, audience=Audience.ORGANISER, organiser=UserFactory())
    match.seats.update(has_forfeited=True)
    with transaction.atomic():
        match_finished_event_publish(matches=[match])
    assert kinds(one) == []


def test_a_match_for_its_organiser_only_is_not_sent_to_other_authors() -> None:
    one, other, versions = seated()
    FinishedMatchFactory(seats=versions, audience=Audience.ORGANISER, organiser=one)
    assert kinds(one) == ["match.finished"]
    assert kinds(other) == []


def test_a_match_of_a_quiet_contest_is_not_sent() -> None:
    one, _other, versions = seated()
    FinishedMatchFactory(seats=versions, contest=Contest.objects.create(name="x.1", is_quiet=True))
    assert kinds(one) == []


def test_a_league_is_quiet() -> None:
    league = open_league(bots=3)
    worker_up()
    Contest.objects.create(name=f"season.{season_of(league).pk}")  # from before there were webhooks
    season_schedule(season_id=season_of(league).pk)
    assert Match.objects.exists()
    assert set(Match.objects.values_list("contest__is_quiet", flat=True)) == {True}


def test_a_match_on_air_is_sent_when_its_broadcast_is_over() -> None:
    one, _other, versions = seated()
    match = match_on_air(seats=versions)
    assert kinds(one) == []
    air(match, 100_000)
    assert broadcasts_end() == 1
    assert kinds(one) == ["match.finished"]


@pytest.fixture
def people() -> dict[str, Any]:
    made = {who: UserFactory(username=who) for who in ("organiser", "arbiter", "author", "stranger")}
    for person in made.values():
        hook_of(person)
    return made


def cup_of(people: dict[str, Any], **fields: Any) -> Tournament:
    cup = TournamentFactory(entries=2, organiser=people["organiser"], format="swiss", rounds=2, **fields)
    cup.arbiters.add(people["arbiter"])
    EntryFactory(tournament=cup, bot=bot_of(people["author"]))
    return cup


def test_a_tournament_is_sent_from_its_start_to_its_end(people: dict[str, Any]) -> None:
    cup = tournament_start(tournament=cup_of(people))
    for _ in range(2):
        finish_matches(cup)
        assert tournament_advance(tournament_id=cup.pk)
    rule(Tournament.objects.get(pk=cup.pk), "note")
    started, first, second, finished, ruled = messages_of(people["author"])
    assert started[0] == "tournament.started"
    assert [kind for kind, _data in (first, second)] == ["tournament.round"] * 2
    assert [data["round"] for _kind, data in (first, second)] == [1, 2]
    assert (finished[0], finished[1]["state"]) == ("tournament.finished", "finished")
    assert (ruled[0], ruled[1]["ruling"]) == ("tournament.ruling", 1)
    assert messages_of(people["organiser"]) == messages_of(people["arbiter"]) == messages_of(people["author"])
    assert messages_of(people["stranger"]) == []


def rows_of(cup: Tournament) -> dict[int, int]:
    return {row.entrant: row.rank for row in standings_of(cup.stage)}


@pytest.mark.parametrize("publication", ["everyone", "participants", "hidden"])
def test_authors_get_the_new_places_of_their_own_bots_after_a_ruling(publication: str) -> None:
    cup = running_tournament(4)
    Tournament.objects.filter(pk=cup.pk).update(publication=publication)
    finish_matches(cup)
    before = rows_of(cup)
    owners = {one.pk: one.bot.owner for one in cup.entries.select_related("bot__owner")}
    for person in (*owners.values(), cup.organiser):
        hook_of(person)
    rule(cup, "disqualify", entry=cup.entries.get(pk=min(before, key=before.__getitem__)))
    after = rows_of(cup)
    assert len([one for one in before if before[one] != after[one]]) > 1
    for entry, owner in owners.items():
        rulings = [data for kind, data in messages_of(owner) if kind == "tournament.ruling"]
        if publication == "hidden":
            assert rulings == []
            continue
        bot = cup.entries.get(pk=entry).bot
        place = {"bot": bot.slug, "bot_name": bot.name, "before": before[entry], "after": after[entry]}
        assert [one.get("places", []) for one in rulings] == [[place] if before[entry] != after[entry] else []]
    [ruling] = [data for kind, data in messages_of(cup.organiser) if kind == "tournament.ruling"]
    assert "places" not in ruling


def test_a_notice_of_a_ruling_has_the_old_and_the_new_place() -> None:
    moved = {"bot": "owl", "bot_name": "Owl", "before": 4, "after": 2}
    data = {"name": "Spring Cup", "ruling": 3, "places": [moved]}
    sentence = hook_kinds_known()["tournament.ruling"].sentence(data)
    assert sentence == "Spring Cup: there is a ruling, number 3. Owl moves from place 4 to place 2."
    del data["places"]
    assert hook_kinds_known()["tournament.ruling"].sentence(data) == "Spring Cup: there is a ruling, number 3."


def test_a_round_that_waits_for_the_organiser_is_sent_when_it_begins(people: dict[str, Any]) -> None:
    cup = tournament_start(tournament=cup_of(people, has_round_review=True))
    assert kinds(people["organiser"]) == ["tournament.started", "tournament.stopped"]
    waiting_round_start(played=cup.rounds.get())
    assert kinds(people["author"]) == ["tournament.started", "tournament.round"]


def test_a_round_that_waits_for_its_time_is_sent_once_when_it_is_drawn(people: dict[str, Any]) -> None:
    later = timezone.now() + timedelta(hours=1)
    cup = tournament_start(tournament=cup_of(people, first_round_at=later))
    assert kinds(people["author"]) == ["tournament.started", "tournament.round"]
    waiting_round_start(played=cup.rounds.get())
    assert kinds(people["author"]) == ["tournament.started", "tournament.round"]


def test_authors_get_no_events_that_they_may_not_see(people: dict[str, Any]) -> None:
    cup = tournament_start(tournament=cup_of(people, publication="hidden"))
    rule(Tournament.objects.get(pk=cup.pk), "note")
    tournament_cancel(tournament=Tournament.objects.get(pk=cup.pk))
    whole = ["tournament.started", "tournament.round", "tournament.ruling", "tournament.finished"]
    assert kinds(people["organiser"]) == kinds(people["arbiter"]) == whole
    assert kinds(people["author"]) == ["tournament.started", "tournament.finished"]
    assert messages_of(people["author"])[-1][1]["state"] == "cancelled"


def test_the_form_sorts_every_event_below_one_heading() -> None:
    below = [name for _heading, kinds in hook_kinds_by_section() for name, _label in kinds]
    assert sorted(below) == [name for name, _label in hook_kinds_offered()]


def test_every_heading_of_the_form_is_the_legend_of_its_boxes() -> None:
    text = str(HookForm()["kinds"])
    groups = text.split("<fieldset")[1:]
    for (heading, kinds), group in zip(hook_kinds_by_section(), groups, strict=True):
        assert f"<legend>{escape(heading)}</legend>" in group
        assert group.count('name="kinds"') == len(kinds)
        assert group.count("<select-all hidden>") == 1


def test_a_webhook_of_a_group_gets_all_its_contests() -> None:
    group = GroupFactory()
    owner, member = group.created_by, UserFactory()
    member_in(group, member)
    fields = {"organiser": owner, "audience": "group", "group": group}
    league, cup = open_league(**fields), TournamentFactory(**fields)
    bot = bot_of(member)
    member_of(league, bot=bot)
    EntryFactory(tournament=cup, bot=bot)
    series = series_of(owner, cup, audience="group", group=group)
    for person in (owner, member):
        hook_of(person, about=f"group/{group.slug}")
        Follow.objects.create(person=person, kind="league", target=league.pk)
    with transaction.atomic():
        season_event_publish(league, season_of(league), SeasonState.RUNNING)
        league_paused_event_publish(league, "It is broken.")
        league_benched_event_publish(SeasonEntry.objects.get(membership__bot=bot))
        for kind, row in (("league", league), ("tournament", cup), ("series", series)):
            subject = announcement_subject_kind(kind).find(owner, Q(pk=row.pk))
            assert subject is not None
            announcement_create(subject=subject, by=owner, title="Prizes")
            question_ask(subject=subject, by=member, text="Where?")
    of_all = ["league.season"]
    assert sorted(kinds(member)) == sorted([*of_all, "bot.benched", *["announcement.published"] * 3])
    assert sorted(kinds(owner)) == sorted([*of_all, "league.paused", *["question.asked"] * 3])
    assert {data["group"] for person in (owner, member) for _kind, data in messages_of(person)} == {group.slug}


def test_events_of_open_contests_name_no_group() -> None:
    league = open_league()
    hook_of(league.organiser)
    with transaction.atomic():
        league_paused_event_publish(league, "It is broken.")
    [(_kind, data)] = messages_of(league.organiser)
    assert "group" not in data
