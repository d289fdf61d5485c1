"""Entry by an invitation link: it is shown once, kept as a digest, and nobody enters without one that holds."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.arena.factories import PASSWORD, OrganiserFactory, UserFactory
from tests.arena.pages import assert_clean_page
from tests.bots.test_permissions import token_of
from tests.tournaments.factories import TournamentFactory, bot_of, in_state
from tests.tournaments.test_forms import typed
from tournaments import services
from tournaments.errors import EntryRefused, WrongState
from tournaments.models import ChainLink, Entry, Invitation, Tournament, TournamentState
from tournaments.selectors.entering.entry_rules import entry_invitation_digest_of
from tournaments.services import InvitationChanged, tournament_invitation_make, tournament_invitation_withdraw

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]

State = TournamentState


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    cache.clear()


def cup_by_invitation(**fields: Any) -> Any:
    return TournamentFactory(admission="invited", **fields)


def enter(cup: Any, author: Any, invitation: str = "") -> Entry:
    return services.entry_create(tournament=cup, bot=bot_of(author), by=author, invitation=invitation)


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def page_of(cup: Any, client: Client) -> str:
    return client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()


def link_of(cup: Any, token: str) -> str:
    return reverse("tournaments:invited", args=[cup.slug, token])


def press(client: Client, cup: Any, person: Any) -> Any:
    return client.post(reverse("tournaments:enter", args=[cup.slug]), {"bot": bot_of(person).pk})


def test_nobody_enters_without_a_link_that_holds_but_the_organiser() -> None:
    cup, hen = cup_by_invitation(), UserFactory()
    for offered in ("", entry_invitation_digest_of("guessed")):
        with pytest.raises(EntryRefused) as refused:
            enter(cup, hen, offered)
        assert refused.value.code == "invitation"
    token = tournament_invitation_make(tournament=cup, known=0)
    with pytest.raises(EntryRefused):
        enter(cup, hen, token)  # the token itself is not what is kept
    enter(cup, hen, entry_invitation_digest_of(token))
    enter(cup, cup.organiser)
    assert cup.entries.count() == 2


def test_another_tournaments_link_lets_nobody_in() -> None:
    cup, other, hen = cup_by_invitation(), cup_by_invitation(), UserFactory()
    tournament_invitation_make(tournament=cup, known=0)
    with pytest.raises(EntryRefused):
        enter(cup, hen, entry_invitation_digest_of(tournament_invitation_make(tournament=other, known=0)))


def test_a_renewed_link_stops_the_one_before_and_a_withdrawn_one_lets_nobody_in() -> None:
    cup, hen = cup_by_invitation(entries_per_author=5), UserFactory()
    first = tournament_invitation_make(tournament=cup, known=0)
    enter(cup, hen, entry_invitation_digest_of(first))
    second = tournament_invitation_make(tournament=cup, known=1)
    assert first != second
    with pytest.raises(EntryRefused, match="no longer works"):
        enter(cup, hen, entry_invitation_digest_of(first))
    enter(cup, hen, entry_invitation_digest_of(second))
    tournament_invitation_withdraw(tournament=cup, known=2)
    with pytest.raises(EntryRefused):
        enter(cup, hen, entry_invitation_digest_of(second))
    assert cup.entries.filter(is_withdrawn=False).count() == 2


def test_of_two_changes_of_one_link_the_second_is_refused() -> None:
    cup = cup_by_invitation()
    tournament_invitation_make(tournament=cup, known=0)
    for change in (tournament_invitation_make, tournament_invitation_withdraw):
        with pytest.raises(InvitationChanged):
            change(tournament=cup, known=0)
    tournament_invitation_withdraw(tournament=cup, known=1)
    with pytest.raises(InvitationChanged):
        tournament_invitation_make(tournament=cup, known=1)
    with pytest.raises(InvitationChanged):
        tournament_invitation_withdraw(tournament=cup)


def test_what_is_kept_is_a_digest_and_the_token_has_128_bits_or_more() -> None:
    cup = cup_by_invitation()
    token = tournament_invitation_make(tournament=cup, known=0)
    kept = Invitation.objects.values().get()
    assert token not in str(kept)
    assert re.fullmatch(r"[\w-]{32}", token)  # of 64 characters each
    assert not ChainLink.objects.filter(content__contains=token).exists()


def test_an_empty_digest_never_holds_and_the_database_says_so_too() -> None:
    cup = cup_by_invitation()
    Invitation.objects.create(tournament=cup)
    with pytest.raises(EntryRefused):
        enter(cup, UserFactory())
    with pytest.raises(IntegrityError):
        Invitation.objects.update(digest=entry_invitation_digest_of("never made"))


def test_the_link_is_for_tournaments_by_invitation_that_are_not_over() -> None:
    with pytest.raises(services.NotByInvitation):
        tournament_invitation_make(tournament=TournamentFactory(), known=0)
    cup = in_state(State.CANCELLED)
    Tournament.objects.update(admission="invited")
    with pytest.raises(WrongState):
        tournament_invitation_make(tournament=cup, known=0)


def test_the_organiser_makes_the_link_on_a_page_that_shows_it_once() -> None:
    organiser = OrganiserFactory()
    client = signed_in(organiser)
    client.post("/tournaments/new/", typed(admission="invited"))
    cup = Tournament.objects.get()
    address = reverse("tournaments:invitation", args=[cup.slug])
    assert address in page_of(cup, client)
    assert "nobody can enter" in client.get(address).content.decode()
    made = client.post(address, {"known": 0})
    (link,) = re.findall(r"http://testserver(/tournaments/[\w-]+/invited/[\w-]+/)", made.content.decode())
    assert_clean_page(made)
    assert "no-store" in made["Cache-Control"]
    assert "/invited/" not in client.get(address).content.decode()
    assert "was changed in the meantime" in client.post(address, {"known": 0}, follow=True).content.decode()
    assert client.get(link).status_code == 302
    withdrawn = client.post(reverse("tournaments:invitation-withdraw", args=[cup.slug]), {"known": 1}, follow=True)
    assert "nobody can enter with it any more" in withdrawn.content.decode()
    assert client.get(link).status_code == 404


def test_who_opens_the_link_enters_by_the_page_and_who_does_not_is_told_how() -> None:
    cup, hen, fox = cup_by_invitation(), UserFactory(), UserFactory()
    bot_of(hen), bot_of(fox)
    token = tournament_invitation_make(tournament=cup, known=0)
    guest, outsider = signed_in(hen), signed_in(fox)
    assert "by invitation" in page_of(cup, outsider)
    assert 'name="bot"' not in page_of(cup, outsider)
    assert press(outsider, cup, fox).status_code == 422
    assert guest.get(link_of(cup, token)).url == reverse("tournaments:detail", args=[cup.slug])
    assert 'name="bot"' in page_of(cup, guest)
    assert press(guest, cup, hen).status_code == 302
    assert list(cup.entries.values_list("bot__owner", flat=True)) == [hen.pk]


def test_a_link_that_was_opened_and_then_renewed_is_said_to_hold_no_more() -> None:
    cup, hen = cup_by_invitation(), UserFactory()
    guest = signed_in(hen)
    guest.get(link_of(cup, tournament_invitation_make(tournament=cup, known=0)))
    tournament_invitation_make(tournament=cup, known=1)
    assert "no longer works" in page_of(cup, guest)
    assert "no longer works" in press(guest, cup, hen).content.decode()
    assert not cup.entries.exists()


def test_a_signed_out_visitor_signs_in_and_comes_back_invited() -> None:
    cup, hen = cup_by_invitation(), UserFactory()
    bot, token = bot_of(hen), tournament_invitation_make(tournament=cup, known=0)
    client = Client()
    sent = client.get(link_of(cup, token))
    assert sent.url == f"{reverse('account_login')}?next={reverse('tournaments:detail', args=[cup.slug])}"
    back = client.post(sent.url, {"login": hen.username, "password": PASSWORD})
    assert back.url == reverse("tournaments:detail", args=[cup.slug])
    client.post(reverse("tournaments:enter", args=[cup.slug]), {"bot": bot.pk})
    assert cup.entries.count() == 1


def test_the_link_does_not_travel() -> None:
    """Neither as a referrer, nor in an address that follows, nor in the session, nor into a cache."""
    cup, hen = cup_by_invitation(), UserFactory()
    token = tournament_invitation_make(tournament=cup, known=0)
    for client in (Client(), signed_in(hen)):
        answer = client.get(link_of(cup, token))
        assert answer["Referrer-Policy"] == "no-referrer"
        assert "no-store" in answer["Cache-Control"]
        assert token not in answer["Location"]
        assert token not in str(dict(client.session))
    wrong = client.get(link_of(cup, "wrong"))
    assert wrong["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (State.LOCKED, "Entries are closed"),
        (State.RUNNING, "has begun"),
        (State.PAUSED, "has begun"),
        (State.FINISHED, "is over"),
        (State.CANCELLED, "was cancelled"),
    ],
)
def test_the_link_of_a_tournament_that_takes_nobody_says_why(state: Any, said: str) -> None:
    cup = TournamentFactory(entries=3, admission="invited")
    token = tournament_invitation_make(tournament=cup, known=0)
    moves = {
        State.LOCKED: [services.tournament_lock],
        State.RUNNING: [services.tournament_start],
        State.PAUSED: [services.tournament_start, services.tournament_pause],
        State.CANCELLED: [services.tournament_cancel],
    }
    for move in moves.get(state, []):
        move(tournament=cup)
    if state == State.FINISHED:
        now = timezone.now()
        Tournament.objects.update(state=state, started_at=now, finished_at=now)
    assert said in Client().get(link_of(cup, token), follow=True).content.decode()


def test_the_link_of_a_full_a_late_and_an_unopened_tournament_says_so() -> None:
    full = cup_by_invitation(entries=2, entrants_most=2)
    late = cup_by_invitation(entries_close_at=timezone.now() - timedelta(minutes=1))
    draft = cup_by_invitation(state="draft", name="SECRET PLAN")
    values = {full: "takes 2 bots", late: "deadline has passed", draft: "not been opened"}
    for cup, sentence in values.items():
        token = tournament_invitation_make(tournament=cup, known=0)
        page = Client().get(link_of(cup, token), follow=True).content.decode()
        assert sentence in page
        assert "SECRET PLAN" not in page


def test_guesses_are_held_up_by_address_and_links_that_hold_are_not_counted() -> None:
    cup = cup_by_invitation()
    token = tournament_invitation_make(tournament=cup, known=0)
    for _ in range(30):
        assert Client().get(link_of(cup, token)).status_code == 302
    answers = [Client().get(link_of(cup, f"guess{n}")).status_code for n in range(22)]
    assert answers == [404] * 20 + [429] * 2
    assert Client().get(link_of(cup, token)).status_code == 429
    assert Client(REMOTE_ADDR="10.1.2.3").get(link_of(cup, token)).status_code == 302


def test_a_link_to_nowhere_is_answered_like_a_wrong_one() -> None:
    cup, draft = cup_by_invitation(), cup_by_invitation(state="draft")
    answers = [Client().get(f"/tournaments/{slug}/invited/wrong/") for slug in (cup.slug, draft.slug, "nowhere")]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content.decode().partition("<main")[2].partition("</main>")[0] for answer in answers}) == 1


class Api:
    """What somebody does over the API."""

    def __init__(self, person: Any) -> None:
        self._headers = {"authorization": f"Token {token_of(person)}"} if person else {}

    def __call__(self, method: str, name: str, cup: Any, **data: Any) -> Any:
        address = reverse(f"api-tournaments:{name}", args=[cup.slug])
        return getattr(Client(), method)(address, data, headers=self._headers, content_type="application/json")


def test_the_api_enters_bots_and_asks_for_the_invitation() -> None:
    cup, hen = cup_by_invitation(), UserFactory()
    bot, mine, boss = bot_of(hen), Api(hen), Api(cup.organiser)
    made = boss("post", "invitation", cup, number=0)
    assert (made.status_code, made.json()["holds"], made.json()["number"]) == (201, True, 1)
    token = made.json()["invitation"]
    assert made.json()["link"] == f"http://testserver{link_of(cup, token)}"
    assert token not in str(boss("get", "invitation", cup).json())
    assert Api(None)("post", "entries", cup, bot=bot.slug).status_code == 401
    for offered in ({}, {"invitation": "guessed"}):
        refused = mine("post", "entries", cup, bot=bot.slug, **offered)
        assert (refused.status_code, refused.json()["code"]) == (403, "invitation")
    entered = mine("post", "entries", cup, bot=bot.slug, invitation=token)
    assert (entered.status_code, entered.json()["bot"]["slug"]) == (201, bot.slug)
    again = mine("post", "entries", cup, bot=bot.slug, invitation=token)
    assert (again.status_code, again.json()["code"], again.json()["field"]) == (409, "already", "bot")


def test_the_api_changes_a_link_once_and_for_its_organiser_alone() -> None:
    cup, hen = cup_by_invitation(), UserFactory()
    boss = Api(cup.organiser)
    assert boss("post", "invitation", cup, number=0).status_code == 201
    assert boss("post", "invitation", cup, number=0).json()["code"] == "changed"
    assert boss("post", "invitation", cup).json()["field"] == "number"
    assert [Api(hen)(method, "invitation", cup, number=1).status_code for method in ("post", "delete")] == [403, 403]
    assert boss("delete", "invitation", cup).status_code == 204
    assert boss("delete", "invitation", cup).status_code == 409
    assert not boss("get", "invitation", cup).json()["holds"]


def test_guesses_over_the_api_are_held_up_too() -> None:
    cup, hen = cup_by_invitation(), UserFactory()
    bot, mine = bot_of(hen), Api(hen)
    answers = [mine("post", "entries", cup, bot=bot.slug, invitation=f"{n}").status_code for n in range(21)]
    assert answers == [403] * 20 + [429]


def test_the_way_of_entry_is_announced_on_the_page_in_the_api_and_in_the_chain() -> None:
    cup = cup_by_invitation(state="draft")
    services.tournament_open(tournament=cup)
    assert "by invitation" in page_of(cup, Client())
    read = Client().get(reverse("api-tournaments:detail", args=[cup.slug])).json()
    assert read["admission"] == "invited"
    assert '"admission":"invited"' in cup.chain.get(kind="terms").content
    other = TournamentFactory(state="draft")
    services.tournament_open(tournament=other)
    assert "admission" not in other.chain.get(kind="terms").content
