"""Challenges: who may challenge whom, what both sides see and learn, and within which bounds."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.deletion import account_delete
from arena.accounts.tokens import token_create
from bots.deletion import bot_delete
from bots.models import Bot, BotVersion
from groups.models import GroupMember
from hooks.kinds import hook_kinds_known
from matches.challenges.selectors import challenge_result_sentence_of, challenge_sentence, challenges_taken_by
from matches.challenges.services import (
    challenge_accept,
    challenge_create,
    challenge_decline,
    challenge_withdraw,
    challenges_tend,
)
from matches.models import Challenge, Match, MatchState
from matches.selectors import matches_listed
from matches.sparring.services import SparringRefused, sparring_create
from notices.models import Notice
from notices.selectors import notices_of
from peck import compete
from peck.__main__ import main
from tests.arena.factories import UserFactory
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.groups.factories import GroupFactory, member_in
from tests.leagues.factories import member_of, open_league
from tests.matches.factories import BRISK
from tests.matches.sparring.sparring import client_of, played
from tests.teams.factories import team_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def mine(new: BotVersion) -> Bot:
    return new.bot


def bot_taking(challenged_by: str, **fields: Any) -> Bot:
    return BotVersionFactory(bot=BotFactory(challenged_by=challenged_by, **fields), source=BRISK).bot


def challenge_of(bot: Bot, opponent: Bot) -> Challenge:
    return challenge_create(author=bot.owner, bot=bot, opponent=opponent)


def refusal(bot: Bot, opponent: Bot, author: Any = None) -> str:
    with pytest.raises(SparringRefused) as error:
        challenge_create(author=author or bot.owner, bot=bot, opponent=opponent)
    assert str(error.value)
    return error.value.code


def kinds_of(person: Any) -> list[str]:
    return sorted(Notice.objects.filter(person=person).values_list("kind", flat=True))


def page_of(person: Any, bot: Bot, name: str = "bots:challenges") -> Any:
    return client_of(person).get(reverse(name, args=[bot.slug]))


def test_a_challenge_is_played_and_both_sides_see_it_and_nobody_else(mine: Bot) -> None:
    theirs = bot_taking("everyone")
    challenge = challenge_of(mine, theirs)
    assert (challenge.state, kinds_of(theirs.owner), kinds_of(mine.owner)) == ("accepted", ["challenge.received"], [])
    match = played(challenge.match)  # type: ignore[arg-type]
    for _twice in range(2):
        assert kinds_of(theirs.owner) == ["challenge.finished", "challenge.received"]
        assert kinds_of(mine.owner) == ["challenge.finished"]
    challenge.refresh_from_db()
    words = challenge_sentence(challenge)
    assert words.startswith(f"{mine.name} wins ")
    assert "\u00a0% of deals (likely " in words
    for person in (mine.owner, theirs.owner, UserFactory(is_staff=True)):
        page = client_of(person).get(reverse("matches:detail", args=[match.pk])).content.decode()
        assert words in page
        assert "A private match" in page
        assert client_of(person).get(reverse("matches:record", args=[match.pk, 0, "json"])).status_code == 200
    other_author = BotVersionFactory().bot.owner
    for person in (None, other_author, UserFactory(is_organiser=True)):
        for name in ("matches:detail", "matches:file", "api-matches:detail"):
            assert client_of(person).get(reverse(name, args=[match.pk])).status_code == 404
    assert not matches_listed().filter(pk=match.pk).exists()
    for bot in (mine, theirs):
        assert f"/matches/{match.pk}/" not in page_of(None, bot, "bots:detail").content.decode()
    assert f"/matches/{match.pk}/" in page_of(mine.owner, theirs).content.decode()
    assert f"/matches/{match.pk}/" in page_of(theirs.owner, theirs).content.decode()
    assert f"/matches/{match.pk}/" not in page_of(other_author, theirs).content.decode()
    assert not challenge_decline(challenge=challenge)
    assert not challenge_withdraw(challenge=challenge)
    (notice,) = notices_of(theirs.owner).filter(kind="challenge.finished")
    assert challenge_result_sentence_of(notice.data) == words
    sentence = hook_kinds_known()["challenge.finished"].sentence(notice.data)
    assert sentence == f"{mine.name} against {theirs.name}: {words}"


def test_the_challenged_author_accepts_or_declines(mine: Bot) -> None:
    theirs = bot_taking("ask")
    first = challenge_of(mine, theirs)
    assert (first.state, first.match) == ("asked", None)
    assert "Accept or decline." in client_of(theirs.owner).get(reverse("notices:inbox")).content.decode()
    assert refusal(mine, theirs) == "asked_already"
    answer = reverse("bots:challenge-answer", args=[first.pk])
    for person, status in ((None, 302), (UserFactory(), 404), (UserFactory(is_staff=True), 404), (mine.owner, 404)):
        assert client_of(person).post(answer, {"act": "accept"}).status_code == status
        assert Challenge.objects.get().state == "asked"
    assert client_of(theirs.owner).post(answer, {"act": "withdraw"}).status_code == 404
    assert 'value="accept"' in page_of(theirs.owner, theirs).content.decode()
    assert client_of(theirs.owner).post(answer, {"act": "accept"}).status_code == 302
    first.refresh_from_db()
    assert (first.state, first.match.audience) == ("accepted", "authors")  # type: ignore[union-attr]
    assert not challenge_accept(challenge=first)
    assert Match.objects.count() == 1
    assert kinds_of(mine.owner) == ["challenge.answered"]
    assert challenge_decline(challenge=first), "its match has not begun"
    assert Match.objects.get().state == MatchState.CANCELLED
    assert kinds_of(mine.owner) == ["challenge.answered"] * 2
    second = challenge_of(mine, theirs)
    assert (
        client_of(theirs.owner)
        .post(reverse("bots:challenge-answer", args=[second.pk]), {"act": "decline"}, follow=True)
        .content.decode()
        .count("declined the challenge")
    )
    third = challenge_of(mine, theirs)
    assert challenge_withdraw(challenge=third)
    assert not challenge_accept(challenge=third)
    assert refusal(mine, theirs) == "too_many_today"
    assert kinds_of(theirs.owner) == ["challenge.received"], "one notice of a pair and a day"
    Challenge.objects.update(day=timezone.now().date() - timedelta(days=1))
    late = challenge_of(mine, theirs)
    Challenge.objects.filter(pk=late.pk).update(created_at=timezone.now() - timedelta(days=8))
    challenges_tend()
    challenges_tend()
    late.refresh_from_db()
    assert late.state == "lapsed"


def test_forbidden_challenges_are_refused(mine: Bot) -> None:
    assert refusal(mine, BotVersionFactory().bot) == "not_open"
    assert refusal(mine, bot_taking("nobody")) == "not_open"
    assert refusal(mine, bot_taking("everyone", is_house=True)) == "not_open"
    waiting = BotVersionFactory(bot=BotFactory(challenged_by="everyone"), open=True).bot
    assert refusal(mine, waiting) == "not_open"
    assert refusal(mine, bot_taking("everyone", game="karteneck")) == "not_yours"
    assert refusal(mine, bot_taking("everyone", owner=mine.owner)) == "not_yours"
    theirs = bot_taking("everyone")
    assert refusal(theirs, bot_taking("everyone"), author=mine.owner) == "not_yours"
    assert refusal(waiting, theirs) == "not_yours"
    for person in (None, mine.owner):
        assert "Challenge</a>" not in page_of(person, bot_taking("nobody"), "bots:detail").content.decode()
    assert "Challenge</a>" not in page_of(None, theirs, "bots:detail").content.decode()
    assert "Challenge</a>" in page_of(mine.owner, theirs, "bots:detail").content.decode()
    assert page_of(mine.owner, bot_taking("nobody")).status_code == 404
    assert "No bot for this game" in page_of(UserFactory(), theirs).content.decode()
    assert not Match.objects.exists()


def test_by_default_bots_in_a_league_take_challenges(mine: Bot) -> None:
    group = GroupFactory()
    insider = BotVersionFactory(bot=BotFactory(owner=member_in(group).person)).bot
    secret = open_league(audience="group", group=group, organiser=group.created_by)
    hidden = BotVersionFactory(bot=BotFactory(owner=member_in(group).person)).bot
    member_of(secret, bot=hidden)
    public = BotVersionFactory(bot=BotFactory(game="pickomino")).bot
    member_of(open_league(), bot=public)
    assert challenges_taken_by(public, mine.owner) == "everyone"
    assert challenges_taken_by(hidden, mine.owner) == "nobody", "nobody learns that it is in a league of a group"
    assert challenges_taken_by(hidden, insider.owner) == "everyone"
    Bot.objects.filter(pk=public.pk).update(challenged_by="nobody")
    assert challenges_taken_by(Bot.objects.get(pk=public.pk), mine.owner) == "nobody"


def test_a_bot_with_an_alias_is_challenged_in_its_group_alone_and_names_nobody(mine: Bot) -> None:
    group = GroupFactory(uses_aliases=True)
    planted = UserFactory(username="plantedname")
    member_in(group, planted, alias="Wren 12")
    fellow = member_in(group, alias="Finch 3").person
    alias = {"alias_group": group, "author_alias": "Wren 12"}
    theirs = bot_taking("everyone", owner=planted, **alias)
    assert refusal(mine, theirs) == "not_open"
    assert page_of(mine.owner, theirs).status_code == 404
    assert refusal(theirs, bot_taking("everyone")) == "not_yours", "it plays in its group alone"
    plain = BotVersionFactory(bot=BotFactory(owner=fellow)).bot
    assert refusal(plain, theirs) == "not_yours", "it would say who Finch 3 is"
    ours = bot_taking("everyone", owner=fellow, alias_group=group, author_alias="Finch 3")
    challenge = challenge_of(theirs, ours)
    match = played(challenge.match)  # type: ignore[arg-type]
    assert match.group == group
    notices = Notice.objects.filter(person=fellow)
    assert "Wren 12" in str([one.data for one in notices])
    assert "plantedname" not in str([one.data for one in notices])
    client = client_of(fellow)
    for address in (
        reverse("bots:challenges", args=[ours.slug]),
        reverse("matches:detail", args=[match.pk]),
        "/notices/",
    ):
        assert "plantedname" not in client.get(address).content.decode(), address
    headers = {"authorization": f"Token {token_create(owner=mine.owner, name='x')}"}
    answer = Client().get(reverse("api:challenges", args=[theirs.slug]), headers=headers)
    assert answer.json()["results"] == []
    second = played(challenge_of(ours, theirs).match)  # type: ignore[arg-type]
    token = {"authorization": f"Token {token_create(owner=fellow, name='y')}"}
    addresses = [
        reverse("matches:detail", args=[match.pk]),
        reverse("api:challenge", args=[ours.slug, challenge.pk]),
        reverse("api:sparring", args=[second.pk]),
    ]
    assert [client.get(one, headers=token).status_code for one in addresses] == [200] * 3
    Challenge.objects.all().delete()
    Bot.objects.filter(pk=ours.pk).update(challenged_by="ask")
    ours.refresh_from_db()
    waiting = challenge_of(theirs, ours)
    GroupMember.objects.filter(person=fellow).delete()
    with pytest.raises(SparringRefused, match=ours.name) as left:
        challenge_accept(challenge=waiting)
    assert left.value.code == "not_a_member", "who has left the group accepts nothing in it"
    assert [client.get(one, headers=token).status_code for one in addresses] == [404] * 3
    assert refusal(theirs, ours) == "not_open", "its author would not see the match"
    assert theirs.name not in page_of(fellow, ours).content.decode()


def test_the_challenger_pays_and_the_bounds_hold_in_the_database(mine: Bot, settings: Any) -> None:
    settings.SPARRING_OPEN_MOST = 2
    challenge_of(mine, bot_taking("ask"))
    theirs = bot_taking("everyone")
    challenge_of(mine, theirs)
    assert refusal(mine, bot_taking("ask")) == "too_many"
    version = mine.current
    assert version is not None
    with pytest.raises(SparringRefused):
        sparring_create(author=mine.owner, version=version, opponent=version, blocks=1)
    sparring_create(author=theirs.owner, version=theirs.current, opponent=theirs.current, blocks=1)  # type: ignore[arg-type]
    common = {"bot": mine, "opponent": theirs, "author": mine.owner, "day": timezone.now().date()}
    for wrong in ({"turn": 0}, {"turn": 3}, {"turn": 1, "state": "accepted"}, {"turn": 1, "opponent": mine}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Challenge.objects.create(**(common | wrong))
    Challenge.objects.create(**common, turn=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        Challenge.objects.create(**common, turn=2)


def test_members_of_a_team_act_and_learn_for_it(mine: Bot) -> None:
    member, other = UserFactory(), UserFactory()
    team = team_of(member, other)
    theirs = bot_taking("ask", owner=team.account)
    challenge = challenge_of(mine, theirs)
    assert kinds_of(member) == kinds_of(other) == ["challenge.received"]
    answer = reverse("bots:challenge-answer", args=[challenge.pk])
    assert client_of(other).post(answer, {"act": "accept"}).status_code == 302
    challenge.refresh_from_db()
    played(challenge.match)  # type: ignore[arg-type]
    for person in (member, other):
        assert client_of(person).get(reverse("matches:detail", args=[challenge.match_id])).status_code == 200


def test_what_is_deleted_ends_its_challenges(mine: Bot) -> None:
    theirs, others = bot_taking("ask"), bot_taking("ask")
    first, second = challenge_of(mine, theirs), challenge_of(mine, others)
    bot_delete(bot=theirs)
    with pytest.raises(SparringRefused):
        challenge_accept(challenge=first)
    challenges_tend()
    assert Challenge.objects.get(pk=first.pk).state == "lapsed"
    account_delete(person=mine.owner)
    with pytest.raises(SparringRefused):
        challenge_accept(challenge=second)
    challenges_tend()
    assert Challenge.objects.get(pk=second.pk).state == "lapsed"
    assert not Match.objects.exists()


def test_over_the_api(mine: Bot) -> None:
    theirs = bot_taking("ask")
    outsider = UserFactory()

    def send(person: Any, method: str, pk: Any = None, **body: Any) -> Any:
        address = reverse(f"api:challenge{'' if pk else 's'}", args=[theirs.slug, *([pk] if pk else [])])
        headers = {"authorization": f"Token {token_create(owner=person, name='x', scopes=['upload'])}"}
        return getattr(Client(), method)(address, body, content_type="application/json", headers=headers)

    made = send(mine.owner, "post", bot=mine.slug)
    assert (made.status_code, made.json()["state"], made.json()["match"]) == (201, "asked", None)
    number = made.json()["id"]
    assert send(mine.owner, "post", bot=mine.slug).json()["code"] == "asked_already"
    assert send(mine.owner, "post", bot=theirs.slug).json()["code"] == "unknown_bot"
    assert send(mine.owner, "post", bot="no such").status_code == 400
    for method, body in (("get", {}), ("patch", {"answer": "accept"}), ("delete", {})):
        assert send(outsider, method, number, **body).status_code == 404
    assert send(mine.owner, "patch", number, answer="accept").status_code == 404
    assert send(theirs.owner, "delete", number).status_code == 404
    assert send(theirs.owner, "patch", number, answer="perhaps").status_code == 400
    accepted = send(theirs.owner, "patch", number, answer="accept").json()
    assert (accepted["state"], accepted["answer"]) == ("accepted", "open")
    assert send(theirs.owner, "patch", number, answer="accept").json()["code"] == "too_late"
    assert send(UserFactory(is_staff=True), "get", number).json()["match"] == accepted["match"]
    assert send(mine.owner, "delete", number).json()["answer"] == "called_off"
    assert [one["id"] for one in send(theirs.owner, "get").json()["results"]] == [number]
    headers = {"authorization": f"Token {token_create(owner=theirs.owner, name='y', scopes=['upload'])}"}
    address = reverse("api:bot", args=[theirs.slug])
    changed = Client().patch(address, {"challenged_by": "nobody"}, content_type="application/json", headers=headers)
    assert changed.json()["challenged_by"] == "nobody"
    assert send(mine.owner, "post", bot=mine.slug).json()["code"] == "not_open"


def test_peck_challenge_waits_for_the_answer(
    live_server: Any, mine: Bot, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("PECK_SITE", live_server.url)
    monkeypatch.setenv("PECK_TOKEN", token_create(owner=mine.owner, name="x"))
    monkeypatch.setattr(compete, "sleep", lambda _seconds: played(Match.objects.latest("pk")))
    theirs = bot_taking("everyone")
    assert main(["challenge", mine.slug, theirs.slug]) == 0
    output = capsys.readouterr()
    assert f"{mine.name} wins " in output.out
    assert f"/matches/{Match.objects.get().pk}/" in output.err
    assert main(["challenge", mine.slug, bot_taking("ask").slug]) == 0
    assert "waiting for an answer" in capsys.readouterr().out
    assert main(["challenge", mine.slug, bot_taking("nobody").slug]) != 0
