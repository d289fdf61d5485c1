"""One program of an author plays once in a season."""

import pytest
from django.urls import reverse

from bots.models import Bot, BotVersion
from bots.services import version_make_current, version_upload
from bots.uploads import upload_content_key
from leagues import services
from leagues.errors import JoinRefused
from leagues.models import SeasonEntry
from tests.arena.factories import UserFactory
from tests.bots.factories import SOURCE, BotFactory, BotVersionFactory
from tests.leagues.factories import member_of
from tests.leagues.members import states

pytestmark = pytest.mark.django_db
EDITED = b"\xef\xbb\xbf# my third\r\n\r\n" + SOURCE.replace(b"\n", b"  \r\n")
OTHER = SOURCE.replace(b"[0]", b"[-1]")


def bot_with(owner, data, **fields):
    """A bot whose one version was uploaded and accepted."""
    bot = BotFactory(owner=owner, **fields)
    version, _new = version_upload(bot=bot, filename="bot.py", data=data)
    BotVersion.objects.filter(pk=version.pk).update(state="accepted", checked_at=version.created_at)
    assert version_make_current(version=version)
    return Bot.objects.select_related("current").get(pk=bot.pk)


def refused(league, bot):
    with pytest.raises(JoinRefused) as error:
        services.league_bot_join(league=league, bot=bot, by=bot.owner)
    return error.value.code


@pytest.mark.parametrize("copy", [SOURCE, EDITED], ids=["identical", "edited"])
@pytest.mark.parametrize("first", ["plays", "has left", "has another version"])
def test_three_bots_of_one_program_are_one(season, copy, first):
    author = UserFactory()
    original, again = bot_with(author, SOURCE), bot_with(author, copy)
    member = member_of(season.league, bot=original)
    if first == "has left":
        services.league_bot_leave(membership=member, by=author)
    if first == "has another version":
        BotVersionFactory(bot=original, number=2)
        services.season_entries_sync(season_id=season.pk)
    assert refused(season.league, again) == "copy"
    assert SeasonEntry.objects.filter(membership__bot=again).count() == 0


def test_other_programs_other_authors_and_house_bots_are_no_copies(season):
    author = UserFactory()
    member_of(season.league, bot=bot_with(author, SOURCE))
    member_of(season.league, bot=bot_with(author, OTHER))
    member_of(season.league, bot=bot_with(UserFactory(), SOURCE))
    house = UserFactory()
    for _ in range(2):
        member_of(season.league, bot=bot_with(house, SOURCE, is_house=True))
    assert SeasonEntry.objects.filter(season=season, state="playing").count() == 3 + 5


def test_a_version_does_not_become_a_copy_and_its_author_sees_why(season, client):
    author = UserFactory()
    member_of(season.league, bot=bot_with(author, SOURCE))
    other = bot_with(author, OTHER)
    member = member_of(season.league, bot=other)
    version, _new = version_upload(bot=other, filename="bot.py", data=EDITED)
    BotVersion.objects.filter(pk=version.pk).update(state="accepted", checked_at=version.created_at)
    version_make_current(version=BotVersion.objects.get(pk=version.pk))
    assert services.season_entries_sync(season_id=season.pk) == 0
    assert states(member) == [(1, "playing")]
    client.force_login(author)
    page = client.get(reverse("bots:detail", args=[other.slug])).content.decode()
    assert "each program plays" in page


def is_warned(person, bot, client):
    client.force_login(person)
    page = client.get(reverse("bots:detail", args=[bot.slug])).content.decode()
    return "does not play in the season of" in " ".join(page.split())


def test_one_of_several_existing_copies_begins_the_next_season(season, client):
    author = UserFactory()
    first, second = bot_with(author, SOURCE), bot_with(author, OTHER)
    for bot in (first, second):
        member_of(season.league, bot=bot)
    BotVersion.objects.filter(bot=second).update(sha256=first.current.sha256)
    services.season_end(league=season.league)
    following = services.season_start(league=season.league)
    assert list(
        following.season_entries.filter(membership__bot__owner=author).values_list("membership__bot", flat=True)
    ) == [first.pk]
    assert is_warned(author, second, client)
    assert not is_warned(author, first, client)
    assert not is_warned(UserFactory(), second, client)
    other = BotVersionFactory(bot=second, number=2)
    version_make_current(version=other)
    services.season_entries_sync(season_id=following.pk)
    assert following.season_entries.filter(membership__bot=second, state="playing").exists()
    assert not is_warned(author, second, client)


def test_authors_who_left_or_have_no_season_see_no_warning(season, client):
    author = UserFactory()
    first, second = bot_with(author, SOURCE), bot_with(author, OTHER)
    for bot in (first, second):
        member_of(season.league, bot=bot)
    BotVersion.objects.filter(bot=second).update(sha256=first.current.sha256)
    services.season_end(league=season.league)
    assert not is_warned(author, second, client)
    services.season_start(league=season.league)
    assert is_warned(author, second, client)
    services.league_bot_leave(membership=second.leagues.get(), by=author)
    assert not is_warned(author, second, client)


def test_the_key_of_a_content_is_that_of_its_program():
    key = upload_content_key({"bot.py": SOURCE})
    assert upload_content_key({"bot.py": EDITED}) == key
    assert upload_content_key({"bot.py": SOURCE, "table.txt": b"1"}) != key
    assert upload_content_key({"bot.py": OTHER}) != key
    assert upload_content_key({"bot.py": SOURCE.replace(b"    ", b"  ")}) != key, "an indent may mean something"
