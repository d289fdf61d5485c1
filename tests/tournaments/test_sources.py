"""The release of sources at the end: announced, agreed to by entering, and nothing before everything is shown."""

import csv
import hashlib
import io
from datetime import timedelta
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.deletion import account_delete
from bots.deletion import version_delete
from bots.models import Bot, VersionState
from groups.models import GroupRole
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.arena.pages import assert_clean_page
from tests.arena.prepared import make_files
from tests.bots.factories import BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.groups.factories import GroupFactory, member_in
from tests.teams.factories import team_of
from tests.tournaments.factories import TournamentFactory, bot_of, finish_matches
from tests.tournaments.time_travel import pass_time
from tournaments.errors import EditRefused, SourcesRefused, TournamentError, WrongState
from tournaments.models import Publication, Tournament, TournamentState
from tournaments.selectors.entering.editing import tournament_edit_basis
from tournaments.selectors.rounds.timeline import tournament_timeline_of
from tournaments.services import (
    entry_create,
    entry_withdraw,
    tournament_advance,
    tournament_edit,
    tournament_sources_release,
    tournament_start,
    tournament_timeline_edit,
)
from tournaments.services.sweep import tournament_sources_release_due
from web.models import PreparedFile

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]

HOSTILE = '=cmd|"/../<b>bird'  # a name in tables, archives and pages


def client_of(person: Any = None) -> Client:
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


def opened(authors: int = 3, **fields: Any) -> Tournament:
    """A tournament that releases sources, with a bot of each of so many authors."""
    cup = TournamentFactory(releases_sources=True, **fields)
    for author in UserFactory.create_batch(authors):
        entry_create(tournament=cup, bot=bot_of(author), by=author)
    return cup


def played(cup: Tournament) -> Tournament:
    tournament_start(tournament=cup)
    finish_matches(cup)
    assert tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    return cup


def addresses(cup: Tournament) -> list[str]:
    entry = cup.entries.earliest("pk")
    return [
        reverse("tournaments:sources", args=[cup.slug]),
        reverse("tournaments:source", args=[cup.slug, entry.pk]),
        reverse("tournaments:source-file", args=[cup.slug, entry.pk]),
        reverse("tournaments:sources-archive", args=[cup.slug]),
        reverse("api-tournaments:sources", args=[cup.slug]),
        reverse("api-tournaments:source-file", args=[cup.slug, entry.bot.slug]),
        reverse("api-tournaments:sources.zip", args=[cup.slug]),
    ]


def statuses(cup: Tournament, person: Any = None) -> set[int]:
    """What all addresses answer, the archive once a worker has made it; not compared for anonymous readers."""
    client = client_of(person)
    token = {"authorization": f"Token {token_of(person)}"} if person else {}
    if person is not None:
        client.post(reverse("tournaments:sources-archive", args=[cup.slug]))
        make_files()
    return {
        client.get(address, headers=token if address.startswith("/api/") else {}).status_code
        for address in addresses(cup)
        if person is not None or not address.endswith(".zip")
    }


def archive_of(cup: Tournament) -> ZipFile:
    client, address = client_of(UserFactory()), reverse("tournaments:sources-archive", args=[cup.slug])
    assert client.post(address).status_code == 302
    make_files()
    answer = client.get(address)
    return ZipFile(io.BytesIO(answer.getvalue()))


def test_entering_shows_it_and_is_consent_and_an_organiser_consents_for_nobody_else() -> None:
    author, captain = UserFactory(), UserFactory()
    team = team_of(captain, member := UserFactory())
    cup = TournamentFactory(releases_sources=True)
    own = bot_of(author)
    page = client_of(author).get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    assert "By entering you agree" in page
    client_of(author).post(reverse("tournaments:enter", args=[cup.slug]), {"bot": own.pk})
    open_bot = bot_of(UserFactory(), organisers_may_enter=True)
    entry_create(tournament=cup, bot=open_bot, by=cup.organiser)
    entry_create(tournament=cup, bot=bot_of(team.account), by=member)
    agreed = {entry.bot_id: entry.sources_agreed_by for entry in cup.entries.all()}
    assert agreed[own.pk] == author
    assert agreed[open_bot.pk] is None
    assert member in agreed.values()
    plain = TournamentFactory()
    assert "By entering" not in client_of(author).get(reverse("tournaments:detail", args=[plain.slug])).content.decode()
    assert entry_create(tournament=plain, bot=own, by=author).sources_agreed_at is None
    tournament_sources_release(tournament=played(cup))
    page = Client().get(reverse("tournaments:sources", args=[cup.slug])).content.decode()
    assert "author didn&#x27;t enter it" in page or "author didn't enter it" in page
    entry = cup.entries.get(bot=open_bot)
    assert Client().get(reverse("tournaments:source", args=[cup.slug, entry.pk])).status_code == 404
    assert len([name for name in archive_of(cup).namelist() if name.endswith(".py")]) == 2


def test_nobody_reads_a_source_before_the_release_and_everyone_afterwards() -> None:
    cup = opened()
    people = [None, UserFactory(), cup.organiser, UserFactory(is_staff=True), cup.entries.earliest("pk").bot.owner]
    cup.arbiters.add(arbiter := UserFactory())
    people.append(arbiter)
    for person in people:
        assert statuses(cup, person) == {404}
    played(cup)
    for person in people:
        assert statuses(cup, person) == {404}
    assert tournament_sources_release_due() == 1
    assert tournament_sources_release_due() == 0
    for person in people:
        assert statuses(cup, person) == {200}
    assert PreparedFile.objects.get().attempt == 1
    assert [Client().get(address).status_code for address in addresses(cup) if address.endswith(".zip")] == [302, 401]
    Tournament.objects.filter(pk=cup.pk).update(publication=Publication.HIDDEN)  # hidden again
    assert statuses(cup) == statuses(cup, people[1]) == {403}
    for person in (cup.organiser, people[3], arbiter):
        assert statuses(cup, person) == {404}
    Tournament.objects.filter(pk=cup.pk).update(
        publication=Publication.EVERYONE, state=TournamentState.RUNNING, finished_at=None
    )  # played again, as a ruling had it
    for person in people:
        assert statuses(cup, person) == {404}


def test_what_is_released_is_what_played_here_to_the_byte() -> None:
    cup = opened()
    entry = cup.entries.earliest("pk")
    Bot.objects.filter(pk=entry.bot_id).update(name=HOSTILE)
    late = UserFactory()
    withdrawn = entry_create(tournament=cup, bot=bot_of(late), by=late)
    entry_withdraw(entry=withdrawn, by=late)  # before it played
    played(cup)
    entry.refresh_from_db()
    newer = BotVersionFactory(bot=Bot.objects.get(pk=entry.bot_id))  # after the end, before the release
    tournament_sources_release(tournament=cup)
    sent = Client().get(reverse("tournaments:source-file", args=[cup.slug, entry.pk]))
    assert hashlib.sha256(sent.content).hexdigest() == entry.version.sha256 != newer.sha256
    assert sent["Content-Type"].startswith("text/plain")
    assert sent["X-Content-Type-Options"] == "nosniff"
    archive = archive_of(cup)
    for line in archive.read("SHA256SUMS").decode().splitlines():
        sha256, name = line.split("  ")
        assert hashlib.sha256(archive.read(name)).hexdigest() == sha256
        assert name.replace("-", "").replace(".", "").isalnum()
    table = list(csv.DictReader(io.StringIO(archive.read("sources.csv").decode())))
    assert [row["bot"] for row in table].count(f"'{HOSTILE}") == 1
    assert len(table) == 3
    answer = Client().get(reverse("api-tournaments:sources", args=[cup.slug])).json()
    assert {one["sha256"] for one in answer["results"]} == {row["sha256"] for row in table}
    for address in addresses(cup)[:2]:
        page = client_of(UserFactory()).get(address)
        assert_clean_page(page)
        assert "<b>bird" not in page.content.decode()
    for bad in ("../bot.py", "/etc/passwd", "\0"):
        assert Client().get(addresses(cup)[1], {"file": bad}).status_code == 404
    other = opened(2)
    strange = reverse("tournaments:source-file", args=[cup.slug, other.entries.earliest("pk").pk])
    assert Client().get(strange).status_code == 404
    assert Client().get(reverse("tournaments:source-file", args=[cup.slug, withdrawn.pk])).status_code == 404


def test_what_its_author_deletes_is_not_sent_any_more() -> None:
    cup = opened()
    tournament_sources_release(tournament=played(cup))
    first, second, _third = cup.entries.select_related("bot", "version").order_by("pk")
    address = reverse("tournaments:source", args=[cup.slug, first.pk])
    assert Client().get(address).status_code == 200
    assert len([name for name in archive_of(cup).namelist() if name.endswith(".py")]) == 3
    BotVersionFactory(bot=first.bot)
    assert version_delete(version=first.version)
    account_delete(person=second.bot.owner)
    first.version.refresh_from_db()
    assert first.version.state == VersionState.DELETED
    assert first.version.kept > 0  # the file goes later
    assert Client().get(address).status_code == 404
    assert Client().get(reverse("tournaments:source-file", args=[cup.slug, second.pk])).status_code == 404
    page = Client().get(addresses(cup)[0]).content.decode()
    assert page.count("deleted by its author") == 2
    assert first.version.sha256 in page
    assert len([name for name in archive_of(cup).namelist() if name.endswith(".py")]) == 1


def test_it_is_on_the_timeline_and_may_be_moved_or_stopped_until_it_has_happened() -> None:
    cup = opened()

    def act() -> Any:
        return next(one for one in tournament_timeline_of(Tournament.objects.get(pk=cup.pk)) if one.act == "sources")

    assert (act().state.value, act().may_stop) == ("follows", True)
    played(cup)
    when = timezone.now() + timedelta(hours=2)
    tournament_timeline_edit(tournament=cup, act="sources", when=when)
    assert (act().when, act().state.value) == (when, "coming")
    assert tournament_sources_release_due() == 0
    with pytest.raises(SourcesRefused):
        tournament_timeline_edit(tournament=cup, act="sources", when=timezone.now())
    organiser = client_of(cup.organiser)
    assert organiser.post(reverse("tournaments:plan-act", args=[cup.slug, "sources"]), {"stop": 1}).status_code == 302
    assert act().state.value == "by_hand"
    pass_time(timedelta(hours=3))
    assert tournament_sources_release_due() == 0
    page = organiser.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    assert 'form="act-release-sources"' in page
    visitor = client_of(UserFactory())
    address = reverse("tournaments:act", args=[cup.slug, "release-sources"])
    assert visitor.post(address).status_code == 403
    assert Client().post(address).status_code == 302  # to sign in
    assert statuses(cup) == {404}
    assert organiser.post(address).status_code == 302
    assert organiser.post(address).status_code == 302
    assert act().is_done
    assert statuses(cup) == {200}
    with pytest.raises(SourcesRefused):
        tournament_timeline_edit(tournament=cup, act="sources", when=timezone.now() + timedelta(hours=1))


def test_it_is_announced_and_neither_that_nor_who_may_read_changes_afterwards() -> None:
    organiser = OrganiserFactory()
    cup = TournamentFactory(organiser=organiser, state="draft", audience="unlisted", releases_sources=True)
    client = client_of(organiser)
    address = reverse("tournaments:edit", args=[cup.slug])
    form = client.get(address).context["form"]
    assert form["releases_sources"].value() is True
    Tournament.objects.filter(pk=cup.pk).update(state=TournamentState.OPEN)
    cup.refresh_from_db()
    typed = {name: value for name in form.fields if (value := form[name].value()) is not None and value is not False}
    del typed["releases_sources"]
    answer = client.post(address, {**typed, "basis": tournament_edit_basis(cup)})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["releases_sources"]
    with pytest.raises(EditRefused):
        tournament_edit(tournament=cup, basis=tournament_edit_basis(cup), audience="public")
    assert Tournament.objects.get(pk=cup.pk).audience == "unlisted"


@pytest.mark.parametrize("fields", [{"releases_sources": False}, {"publication": Publication.HIDDEN}])
def test_nothing_is_released_that_was_not_announced_or_is_not_shown(fields: Any) -> None:
    cup = opened()
    with pytest.raises(WrongState):
        tournament_sources_release(tournament=cup)
    played(cup)
    Tournament.objects.filter(pk=cup.pk).update(**fields)
    assert tournament_sources_release_due() == 0
    with pytest.raises(TournamentError):
        tournament_sources_release(tournament=cup)
    assert statuses(cup) <= {403, 404}


def test_only_members_read_the_sources_of_a_group() -> None:
    organiser, member, outsider = OrganiserFactory(), UserFactory(), UserFactory()
    group = member_in(GroupFactory(), organiser, GroupRole.OWNER).group
    member_in(group, member)
    authors = UserFactory.create_batch(2)
    cup = TournamentFactory(organiser=organiser, audience="group", group=group, releases_sources=True)
    for author in authors:
        member_in(group, author)
        entry_create(tournament=cup, bot=bot_of(author), by=author)
    tournament_sources_release(tournament=played(cup))
    assert statuses(cup) == statuses(cup, outsider) == {404}
    assert statuses(cup, member) == statuses(cup, organiser) == {200}
