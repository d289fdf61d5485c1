"""Who enters a tournament and who leaves it, and which error the others get."""

from datetime import timedelta

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from bots.models import Bot
from notices.emails import due_notice_emails_send
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of, in_state
from tournaments import services
from tournaments.errors import EntryRefused, WrongState
from tournaments.models import Entry, TournamentState

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]

State = TournamentState


def refused(code, tournament, bot, by):
    with pytest.raises(EntryRefused) as error:
        services.entry_create(tournament=tournament, bot=bot, by=by)
    assert error.value.code == code
    return str(error.value)


def test_an_author_enters_a_bot_withdraws_it_and_enters_again():
    cup, hen = TournamentFactory(), UserFactory()
    entry = services.entry_create(tournament=cup, bot=bot_of(hen), by=hen)
    services.entry_withdraw(entry=entry, by=hen)
    with pytest.raises(EntryRefused, match="already"):
        services.entry_withdraw(entry=entry, by=hen)
    assert services.entry_create(tournament=cup, bot=entry.bot, by=hen) == entry
    assert Entry.objects.filter(is_withdrawn=False).count() == 1


def test_bots_that_may_not_enter_are_named_with_the_reason():
    cup, hen = TournamentFactory(), UserFactory()
    mine = bot_of(hen)
    assert "not yours" in refused("not_yours", cup, bot_of(UserFactory()), hen)
    assert "not yours" in refused("not_yours", cup, bot_of(UserFactory(), is_house=True), hen)
    assert "another game" in refused("other_game", cup, bot_of(hen, game="laghetti"), hen)
    assert "no accepted version" in refused("no_version", cup, BotFactory(owner=hen), hen)
    services.entry_create(tournament=cup, bot=mine, by=hen)
    assert "already" in refused("already", cup, mine, hen)
    assert "may enter 1" in refused("limit", cup, bot_of(hen), hen)
    assert cup.entries.count() == 1


def test_an_authors_limit_counts_what_is_in_now():
    cup, hen = TournamentFactory(entries_per_author=2), UserFactory()
    first, _ = (services.entry_create(tournament=cup, bot=bot_of(hen), by=hen) for _ in range(2))
    refused("limit", cup, bot_of(hen), hen)
    services.entry_withdraw(entry=first, by=hen)
    services.entry_create(tournament=cup, bot=bot_of(hen), by=hen)


def test_a_full_tournament_takes_no_more():
    cup, hen = TournamentFactory(entrants_most=3, entries=3), UserFactory()
    assert "takes 3 bots" in refused("full", cup, bot_of(hen), hen)


def test_the_organiser_enters_any_number_of_house_bots_but_nobody_elses():
    cup, house = TournamentFactory(), UserFactory()
    for _ in range(3):
        services.entry_create(tournament=cup, bot=bot_of(house, is_house=True), by=cup.organiser)
    refused("not_yours", cup, bot_of(UserFactory()), cup.organiser)
    assert cup.entries.count() == 3


def test_only_the_author_and_the_organiser_withdraw_a_bot():
    entry = EntryFactory()
    with pytest.raises(EntryRefused) as error:
        services.entry_withdraw(entry=entry, by=UserFactory())
    assert error.value.code == "not_yours"
    assert services.entry_withdraw(entry=entry, by=entry.tournament.organiser).is_withdrawn


@pytest.mark.parametrize("state", [state for state in State if state != State.OPEN])
def test_entries_are_taken_only_while_open(state):
    cup, hen = in_state(state), UserFactory()
    with pytest.raises(WrongState):
        services.entry_create(tournament=cup, bot=bot_of(hen), by=hen)
    assert cup.entries.filter(is_withdrawn=False).count() == 3


@pytest.mark.parametrize("state", [state for state in State if state not in (State.OPEN, State.LOCKED)])
def test_nobody_leaves_a_round_robin_before_it_opens_or_after_its_start(state):
    cup = in_state(state)
    with pytest.raises(WrongState):
        services.entry_withdraw(entry=cup.entries.first(), by=cup.organiser)
    assert cup.entries.filter(is_withdrawn=False).count() == 3


def test_what_is_uploaded_after_entries_closed_does_not_play():
    cup = in_state(State.LOCKED)
    entry = cup.entries.first()
    frozen = entry.version
    entry.bot.current = BotVersionFactory(bot=entry.bot, number=2)
    entry.bot.save()
    services.tournament_start(tournament=cup)
    entry.refresh_from_db()
    assert entry.version == frozen


def test_the_page_and_the_api_say_how_many_places_are_left_and_that_there_is_none(client):
    cup = TournamentFactory(entrants_most=4, entries=2)
    address = reverse("tournaments:detail", args=[cup.slug])

    def shown():
        read = client.get(reverse("api-tournaments:detail", args=[cup.slug])).json()
        return client.get(address).content.decode(), read["places_left"], read["takes_entries"]

    page, left, takes = shown()
    assert "2 places are left" in page
    assert (left, takes) == (2, True)
    EntryFactory(tournament=cup)
    assert "1 place is left" in shown()[0]
    last = EntryFactory(tournament=cup)
    client.force_login(UserFactory())
    page, left, takes = shown()
    assert "The tournament is full: it takes 4 bots" in page
    assert 'name="bot"' not in page
    assert (left, takes) == (0, True)
    services.entry_withdraw(entry=last, by=last.bot.owner)
    assert "1 place is left" in shown()[0]
    services.tournament_lock(tournament=cup)
    page, left, takes = shown()
    assert "place is left" not in page
    assert not takes


def test_an_entry_refused_for_lack_of_room_gets_a_page_that_says_it_is_full(client):
    cup, hen = TournamentFactory(entrants_most=2, entries=2), UserFactory()
    client.force_login(hen)
    answer = client.post(reverse("tournaments:enter", args=[cup.slug]), {"bot": bot_of(hen).pk})
    assert answer.status_code == 422
    assert "The tournament is full" in answer.content.decode()


def test_entries_close_at_their_deadline_and_late_ones_get_an_error():
    soon = timezone.now() + timedelta(hours=1)
    cup, hen = TournamentFactory(entries=2, entries_close_at=soon), UserFactory()
    assert services.tournaments_tend() == 0
    services.entry_create(tournament=cup, bot=bot_of(hen), by=hen)
    type(cup).objects.filter(pk=cup.pk).update(entries_close_at=timezone.now())
    fox = UserFactory()
    assert "deadline" in refused("late", cup, bot_of(fox), fox)
    for _ in range(2):
        services.tournaments_tend()
        cup.refresh_from_db()
        assert cup.state == State.LOCKED
    assert not cup.entries.filter(version=None).exists()
    assert cup.chain.filter(kind="frozen").count() == 1


def test_closed_entries_open_again_and_the_next_closing_freezes_what_is_current_then(client):
    cup = services.tournament_lock(tournament=TournamentFactory(entries=3, entries_close_at=None))
    entry, before = cup.entries.first(), cup.luck
    services.luck_nonce_add(tournament=cup, text="given too early", by=cup.organiser)
    client.force_login(cup.organiser)
    address = reverse("tournaments:act", args=[cup.slug, "reopen"])
    page = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    assert "Open entries again" in page
    for _ in range(2):  # pressed twice
        assert client.post(address).status_code == 302
    cup.refresh_from_db()
    assert (cup.state, cup.entries.exclude(version=None).count()) == (State.OPEN, 0)
    second = BotVersionFactory(bot=entry.bot, number=2)
    late = UserFactory()
    services.entry_create(tournament=cup, bot=bot_of(late), by=late)
    services.tournament_start(tournament=cup)
    entry.refresh_from_db()
    assert entry.version == second
    assert cup.entries.exclude(version=None).count() == 4
    assert cup.luck.number == before.number + 1
    assert not cup.luck.nonces.exists(), "what was given to other entries"
    assert len(cup.luck.entries) == 4
    with pytest.raises(WrongState):
        services.tournament_reopen(tournament=cup)


@pytest.mark.parametrize("more", [0, 1])
def test_at_their_limit_the_page_shows_an_author_the_entry_and_not_to_upload_a_bot(client, more):
    cup, hen = TournamentFactory(), UserFactory()
    bots = [bot_of(hen) for _ in range(1 + more)]
    client.force_login(hen)
    address = reverse("tournaments:detail", args=[cup.slug])
    assert "Each author may enter" not in client.get(address).content.decode()
    services.entry_create(tournament=cup, bot=bots[0], by=hen)
    page = client.get(address).content.decode()
    assert "Your entry" in page
    assert "Each author may enter" not in page, "said to those who try"
    assert "Upload one" not in page
    assert reverse("tournaments:enter", args=[cup.slug]) not in page
    client.force_login(UserFactory())
    assert "Upload one" in client.get(address).content.decode()


def test_at_the_limit_an_organiser_may_still_enter_house_bots(client):
    cup = TournamentFactory()
    services.entry_create(tournament=cup, bot=bot_of(cup.organiser), by=cup.organiser)
    own, house = bot_of(cup.organiser), bot_of(UserFactory(), is_house=True)
    client.force_login(cup.organiser)
    page = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    form = page.partition('action="' + reverse("tournaments:enter", args=[cup.slug]))[2].partition("</form>")[0]
    assert (f'value="{house.pk}"' in form, f'value="{own.pk}"' in form) == (True, False)


def test_an_organiser_enters_several_house_bots_at_once_and_nobody_else_does(client):
    cup, crow, wren = TournamentFactory(), *(bot_of(UserFactory(), is_house=True) for _ in range(2))
    own, outsider = bot_of(cup.organiser), bot_of(UserFactory())
    enter = reverse("tournaments:enter", args=[cup.slug])
    wish = {"bot": own.pk, "house_bots": [crow.pk, wren.pk]}
    client.force_login(outsider.owner)
    assert client.post(enter, {"house_bots": [crow.pk]}).status_code == 422
    client.post(enter, {"bot": outsider.pk, "house_bots": [crow.pk]})
    assert [entry.bot for entry in cup.entries.all()] == [outsider]
    client.force_login(cup.organiser)
    assert client.post(enter, {"house_bots": [crow.pk, outsider.pk]}).status_code == 422
    assert client.post(enter, wish).status_code == 302
    assert {entry.bot for entry in cup.entries.all()} == {outsider, own, crow, wren}
    page = client.get(reverse("tournaments:detail", args=[cup.slug]))
    assert f"{own.name}, {crow.name}, {wren.name} have entered." in page.content.decode()
    assert_clean_page(page)


def test_several_bots_enter_together_or_not_at_all(client):
    cup = TournamentFactory(entrants_most=2)
    house = [bot_of(UserFactory(), is_house=True) for _ in range(3)]
    client.force_login(cup.organiser)
    detail, enter = (reverse(f"tournaments:{one}", args=[cup.slug]) for one in ("detail", "enter"))
    assert "2 places are free." in client.get(detail).content.decode()
    refused = client.post(enter, {"house_bots": [bot.pk for bot in house]})
    assert (refused.status_code, cup.entries.count()) == (422, 0)
    form = refused.context["page"].entry_form
    assert form.errors == {"house_bots": ["You chose 3 bots, but only 2 places are free."]}
    assert client.post(enter, {"house_bots": [bot.pk for bot in house[:2]]}).status_code == 302
    assert "The tournament is full" in client.post(enter, {"house_bots": [house[2].pk]}).content.decode()


def test_a_bot_of_another_author_and_a_house_bot_need_two_places(client):
    cup, house = TournamentFactory(entrants_most=2), bot_of(UserFactory(), is_house=True)
    services.entry_create(tournament=cup, bot=bot_of(cup.organiser), by=cup.organiser)
    other = bot_of(UserFactory(), organisers_may_enter=True)
    client.force_login(cup.organiser)
    wish = {"house_bots": [house.pk], "other": other.name}
    refused = client.post(reverse("tournaments:enter", args=[cup.slug]), wish)
    assert refused.context["page"].entry_form.errors == {"house_bots": ["You chose 2 bots, but only 1 place is free."]}


# --- an organiser enters the bot of an author who lets organisers do so -----------------------------------------------


def enterable_bot(**fields):
    """A bot whose author lets organisers enter it."""
    bot = bot_of(UserFactory(), **fields)
    Bot.objects.filter(pk=bot.pk).update(organisers_may_enter=True)
    bot.refresh_from_db()
    return bot


def person(cup, kind):
    """The sender: the organiser, staff, an arbiter, an entrant, another author; None without a sign-in."""
    if kind == "organiser":
        return cup.organiser
    user = UserFactory(is_staff=kind == "staff") if kind != "nobody" else None
    if kind == "arbiter":
        cup.arbiters.add(user)
    elif kind == "entrant":
        EntryFactory(tournament=cup, bot=bot_of(user))
    return user


@pytest.mark.parametrize("kind", ["nobody", "outsider", "entrant", "arbiter", "organiser", "staff"])
@pytest.mark.parametrize("allowed", [True, False])
def test_the_right_roles_enter_the_bot_of_another_on_the_page_and_over_the_api(
    client, kind, allowed, django_capture_on_commit_callbacks
):
    cup, bot = TournamentFactory(), enterable_bot()
    Bot.objects.filter(pk=bot.pk).update(organisers_may_enter=allowed)
    may = allowed and kind in ("organiser", "staff")
    user = person(cup, kind)
    headers = {"authorization": f"Token {token_of(user)}"} if user else {}
    address = reverse("api-tournaments:entries", args=[cup.slug])
    with django_capture_on_commit_callbacks(execute=True):
        made = client.post(address, {"bot": bot.slug}, content_type="application/json", headers=headers)
    assert made.status_code == (201 if may else 401 if user is None else 403)
    assert cup.entries.filter(bot=bot).exists() == may
    assert due_notice_emails_send() == int(may)
    assert [message.to for message in mail.outbox] == ([[bot.owner.email]] if may else [])
    cup.entries.filter(bot=bot).delete()
    if user:
        client.force_login(user)
    form = {"bot": "", "other": bot.name}
    posted = client.post(reverse("tournaments:enter", args=[cup.slug]), form)
    assert posted.status_code == (302 if may or user is None else 422)
    assert cup.entries.filter(bot=bot).exists() == may


def test_the_author_is_notified_may_withdraw_and_is_not_entered_again(client):
    cup, bot = TournamentFactory(), enterable_bot()
    entry = services.entry_create(tournament=cup, bot=bot, by=cup.organiser)
    assert due_notice_emails_send() == 1
    (message,) = mail.outbox
    assert message.to == [bot.owner.email]
    assert cup.slug in message.body
    assert reverse("bots:edit", args=[bot.slug]) in message.body
    client.force_login(bot.owner)
    assert client.post(reverse("tournaments:withdraw", args=[cup.slug, entry.pk])).status_code == 302
    assert "only its author can enter it again" in refused("withdrawn", cup, bot, cup.organiser)
    assert services.entry_create(tournament=cup, bot=bot, by=bot.owner) == entry
    assert due_notice_emails_send() == 0  # nobody is told what they did themselves


def test_a_bot_is_named_by_its_name_or_its_address_and_only_if_its_author_lets_organisers(client):
    cup, bot, private = TournamentFactory(entries_per_author=1), enterable_bot(), bot_of(UserFactory())
    other_game = enterable_bot(game="laghetti")
    client.force_login(cup.organiser)
    enter = reverse("tournaments:enter", args=[cup.slug])
    for name in (private.name, other_game.name, "nobody at all", "../../x", "\0", "x" * 300):
        answer = client.post(enter, {"bot": "", "other": name})
        assert (answer.status_code, cup.entries.count()) == (422, 0), name
    assert client.post(enter, {"bot": "", "other": ""}).status_code == 422
    assert client.post(enter, {"other": f"http://testserver/bots/{bot.slug}/"}).status_code == 302
    assert "may enter 1" in refused("limit", cup, enterable_bot_of(bot.owner), cup.organiser)
    assert_clean_page(client.get(reverse("tournaments:detail", args=[cup.slug])))


def enterable_bot_of(owner):
    bot = bot_of(owner)
    bot.organisers_may_enter = True
    bot.save()
    return bot


def test_an_author_says_on_the_page_and_over_the_api_who_may_enter_a_bot(client):
    bot = bot_of(UserFactory())
    client.force_login(bot.owner)
    page = client.get(reverse("bots:edit", args=[bot.slug]))
    assert_clean_page(page)
    assert 'name="organisers_may_enter"' in page.content.decode()
    fields = {"name": bot.name, "blurb": ""}
    client.post(reverse("bots:edit", args=[bot.slug]), fields | {"organisers_may_enter": "on"})
    assert client.get(reverse("api:bot", args=[bot.slug])).json()["organisers_may_enter"] is True
    headers = {"authorization": f"Token {token_of(bot.owner)}"}
    address = reverse("api:bot", args=[bot.slug])
    response = client.patch(address, {"blurb": "Up early."}, content_type="application/json", headers=headers)
    assert response.json()["organisers_may_enter"] is True  # what is not sent stays
    response = client.patch(address, {"organisers_may_enter": False}, content_type="application/json", headers=headers)
    assert response.json()["organisers_may_enter"] is False
    data = {"authorization": f"Token {token_of(UserFactory())}"}
    refused_answer = client.patch(
        address, {"organisers_may_enter": True}, content_type="application/json", headers=data
    )
    assert refused_answer.status_code == 404
